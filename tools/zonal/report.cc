// SPDX-License-Identifier: MIT
// zonal report: zones, one line each, as JSON, or as a map.
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "command.h"
#include "device_view.h"
#include "exit_codes.h"
#include "report/zone_map.h"

namespace zonal::cli {
namespace {

struct ReportArguments {
  std::string spec;
  std::uint32_t first = 0;
  std::uint32_t count = 0;  // 0: to the end
  bool json = false;
  bool map = false;
};

const char* ShortType(ZoneType type) {
  switch (type) {
    case ZoneType::kConventional:
      return "cnv";
    case ZoneType::kSequentialRequired:
      return "swr";
    case ZoneType::kSequentialPreferred:
      return "swp";
  }
  return "???";
}

void PrintLines(const DeviceInfo& info, ZoneId first, std::span<const Zone> zones) {
  const int id = static_cast<int>(std::to_string(info.geometry.zone_count - 1).size());
  const int at = static_cast<int>(std::to_string(info.geometry.size_bytes).size());
  const int length = static_cast<int>(std::to_string(info.geometry.zone_size).size());
  for (const Zone& zone : zones) {
    const std::string write_pointer =
        zone.has_write_pointer() ? std::to_string(zone.write_pointer) : "-";
    std::printf("zone %0*u: %s, %s, start %*llu, length %*llu, capacity %*llu, write pointer %*s\n",
                id, first.value(), ShortType(zone.type),
                std::string(ShortName(zone.condition)).c_str(), at,
                static_cast<unsigned long long>(zone.start), length,
                static_cast<unsigned long long>(zone.size), length,
                static_cast<unsigned long long>(zone.capacity), at, write_pointer.c_str());
    first = first.Next();
  }
}

nlohmann::ordered_json ToJson(ZoneId id, const Zone& zone) {
  nlohmann::ordered_json json;
  json["zone"] = id.value();
  json["type"] = ToString(zone.type);
  json["condition"] = ToString(zone.condition);
  json["start_bytes"] = zone.start;
  json["size_bytes"] = zone.size;
  json["capacity_bytes"] = zone.capacity;
  json["write_pointer_bytes"] = nullptr;
  if (zone.has_write_pointer()) json["write_pointer_bytes"] = zone.write_pointer;
  json["reset_recommended"] = zone.attributes.reset_recommended;
  json["finish_recommended"] = zone.attributes.finish_recommended;
  return json;
}

absl::Status PrintText(Device& device, ZoneId first, std::uint32_t count) {
  std::printf("%s: %s; positions and lengths in bytes\n", device.info().spec.c_str(),
              Headline(device.info()).c_str());
  return ForEachZone(device, first, count, [&](ZoneId at, std::span<const Zone> zones) {
    PrintLines(device.info(), at, zones);
  });
}

absl::Status PrintJson(Device& device, ZoneId first, std::uint32_t count) {
  nlohmann::ordered_json json;
  json["spec"] = device.info().spec;
  json["zone_count"] = device.info().geometry.zone_count;
  json["zones"] = nlohmann::ordered_json::array();
  absl::Status read = ForEachZone(device, first, count, [&](ZoneId at, auto zones) {
    for (const Zone& zone : zones) {
      json["zones"].push_back(ToJson(at, zone));
      at = at.Next();
    }
  });
  if (read.ok()) std::cout << json.dump(2) << '\n';
  return read;
}

int TerminalWidth() {
  winsize size{};
  return isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
                 size.ws_col != 0
             ? size.ws_col
             : 80;
}

bool TerminalSpeaksUtf8() {
  std::setlocale(LC_CTYPE, "");
  return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

absl::Status PrintMap(Device& device, ZoneId first, std::uint32_t count) {
  std::vector<Zone> all;
  all.reserve(count);
  absl::Status read = ForEachZone(device, first, count, [&](ZoneId, std::span<const Zone> zones) {
    all.insert(all.end(), zones.begin(), zones.end());
  });
  if (!read.ok()) return read;
  report::ZoneMapOptions options;
  options.first = first;
  options.width = TerminalWidth();
  options.block_characters = TerminalSpeaksUtf8();
  std::cout << device.info().spec << ": " << Headline(device.info()) << '\n'
            << report::FormatZoneMap(all, options);
  return absl::OkStatus();
}

}  // namespace

int Report(const Arguments& arguments) {
  CLI::App app("Lists a device's zones. Works while a run has the device.", "zonal report");
  app.footer(
      "Example:\n  zonal report smr.zoned --first 524 --count 4\n"
      "  zonal report smr.zoned --map\n\n"
      "Types: cnv conventional, swr and swp sequential write required and preferred.\n"
      "Conditions: nw no write pointer, em empty, oi and oe implicitly and explicitly open,\n"
      "cl closed, fu full, ro read-only, ol offline.");
  ReportArguments typed;
  app.add_option("DEVICE", typed.spec, "a path, or emu,key=value,...")->required();
  app.add_option("--first", typed.first, "the first zone to list");
  app.add_option("--count", typed.count, "how many; default: all that follow")
      ->check(CLI::Range(1u, UINT32_MAX));
  CLI::Option* json = app.add_flag("--json", typed.json, "as JSON");
  app.add_flag("--map", typed.map, "draw zones by condition and fill")->excludes(json);
  const ParseOutcome parsed = Parse(app, arguments);
  if (!parsed.go_on) return parsed.exit_code;

  const absl::StatusOr<std::shared_ptr<Device>> device = OpenToLook(typed.spec);
  if (!device.ok()) return Refuse("report", device.status());
  const std::uint32_t zones = (*device)->info().geometry.zone_count;
  if (typed.first >= zones) {
    return Fail("report",
                "--first " + std::to_string(typed.first) + " is past the last zone, " +
                    std::to_string(zones - 1),
                kRefused);
  }
  const std::uint32_t left = zones - typed.first;
  const std::uint32_t count = typed.count == 0 ? left : std::min(typed.count, left);
  const auto print = typed.json ? PrintJson : typed.map ? PrintMap : PrintText;
  const absl::Status printed = print(**device, ZoneId(typed.first), count);
  return printed.ok() ? kDone : Fail("report", std::string(printed.message()), kIoFailed);
}

}  // namespace zonal::cli
