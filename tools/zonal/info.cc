// SPDX-License-Identifier: MIT
// zonal info: a device's facts, limits, counters, and zones by condition.
#include <CLI/CLI.hpp>
#include <array>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.h"
#include "core/units.h"
#include "device_view.h"
#include "exit_codes.h"
#include "zonal/zone.h"

namespace zonal::cli {
namespace {

// In the order a zone goes through them.
constexpr std::array kConditions = {
    ZoneCondition::kNotWritePointer, ZoneCondition::kEmpty,   ZoneCondition::kImplicitOpen,
    ZoneCondition::kExplicitOpen,    ZoneCondition::kClosed,  ZoneCondition::kFull,
    ZoneCondition::kReadOnly,        ZoneCondition::kOffline,
};

// Everything that is shown.
struct View {
  DeviceInfo info;
  std::array<std::uint32_t, 16> by_condition{};  // indexed by ZoneCondition
  std::uint64_t written_bytes = 0;               // in sequential zones
  std::optional<DriveCounters> counters;
};

absl::StatusOr<View> Look(Device& device) {
  View view{Facts(device), {}, 0, std::nullopt};
  absl::Status read = ForEachZone(
      device, ZoneId(0), view.info.geometry.zone_count, [&](ZoneId, std::span<const Zone> zones) {
        for (const Zone& zone : zones) {
          ++view.by_condition[static_cast<std::size_t>(zone.condition) & 15];
          // How much of a read-only zone is written its pointer no longer tells.
          if (zone.has_write_pointer() || zone.condition == ZoneCondition::kFull) {
            view.written_bytes += zone.written();
          }
        }
      });
  if (!read.ok()) return read;
  if (absl::StatusOr<DriveCounters> counters = device.Counters(); counters.ok()) {
    view.counters = *counters;
  }
  return view;
}

// A limit in JSON: a number, "unlimited", or "unknown".
nlohmann::ordered_json ToJson(Limit limit) {
  if (limit.has_count()) return *limit.count();
  return FormatLimit(limit);
}

void PrintJson(const View& view) {
  const DeviceInfo& info = view.info;
  const Geometry& geometry = info.geometry;
  nlohmann::ordered_json json;
  json["spec"] = info.spec;
  json["backend"] = info.backend;
  json["identity"] = info.identity;
  json["model"] = ToString(info.model);
  json["size_bytes"] = geometry.size_bytes;
  json["zone_count"] = geometry.zone_count;
  json["zone_size_bytes"] = geometry.zone_size;
  json["block_size_bytes"] = geometry.block_size;
  json["write_granularity_bytes"] = geometry.write_granularity;
  json["max_transfer_bytes"] = geometry.max_transfer;
  json["max_append_bytes"] = geometry.max_append;
  json["max_open_zones"] = ToJson(info.max_open);
  json["max_active_zones"] = ToJson(info.max_active);
  if (!info.scheduler.empty()) json["scheduler"] = info.scheduler;
  if (!info.kernel.empty()) json["kernel"] = info.kernel;
  nlohmann::ordered_json conditions = nlohmann::ordered_json::object();
  for (ZoneCondition condition : kConditions) {
    conditions[std::string(ToString(condition))] =
        view.by_condition[static_cast<std::size_t>(condition)];
  }
  json["zones_by_condition"] = conditions;
  json["written_bytes"] = view.written_bytes;
  if (view.counters) {
    for (const NamedCounter& counter : NamedCounters(*view.counters)) {
      json["counters"][std::string(counter.name)] = counter.value;
    }
  }
  std::cout << json.dump(2) << '\n';
}

template <typename Value>
void Line(std::string_view name, const Value& value) {
  std::cout << "  " << std::left << std::setw(20) << name << value << '\n';
}

void PrintText(const View& view) {
  const DeviceInfo& info = view.info;
  const Geometry& geometry = info.geometry;
  std::cout << info.spec << ": " << Headline(info) << '\n';
  Line("backend", info.backend);
  if (!info.identity.empty()) Line("identity", info.identity);
  Line("size", std::to_string(geometry.size_bytes) + " bytes");
  Line("block", core::FormatBytes(geometry.block_size));
  Line("write granularity", core::FormatBytes(geometry.write_granularity));
  Line("largest transfer",
       geometry.max_transfer == 0 ? "no limit" : core::FormatBytes(geometry.max_transfer));
  Line("largest append",
       geometry.max_append == 0 ? "no append" : core::FormatBytes(geometry.max_append));
  Line("max open zones", FormatLimit(info.max_open));
  Line("max active zones", FormatLimit(info.max_active));
  if (!info.scheduler.empty()) Line("scheduler", info.scheduler);
  std::cout << "zones by condition\n";
  for (ZoneCondition condition : kConditions) {
    const std::uint32_t count = view.by_condition[static_cast<std::size_t>(condition)];
    if (count != 0) Line(std::string(ToString(condition)).c_str(), count);
  }
  Line("written", std::to_string(view.written_bytes) + " bytes, in sequential zones");
  if (!view.counters) return;
  std::cout << "the drive's own counters\n";
  for (const NamedCounter& counter : NamedCounters(*view.counters))
    Line(counter.name, counter.value);
}

}  // namespace

int Info(const Arguments& arguments) {
  CLI::App app("Shows a device's facts, limits, counters, and zones by condition.", "zonal info");
  app.footer("Example:\n  zonal info smr.zoned\n  zonal info /dev/nvme0n1 --json");
  std::string spec;
  bool json = false;
  app.add_option("DEVICE", spec, "a path, or emu,key=value,...")->required();
  app.add_flag("--json", json, "as JSON; lengths in bytes");
  const ParseOutcome parsed = Parse(app, arguments);
  if (!parsed.go_on) return parsed.exit_code;

  const absl::StatusOr<std::shared_ptr<Device>> device = OpenToLook(spec);
  if (!device.ok()) return Refuse("info", device.status());
  const absl::StatusOr<View> view = Look(**device);
  if (!view.ok()) return Fail("info", std::string(view.status().message()), kIoFailed);
  json ? PrintJson(*view) : PrintText(*view);
  return kDone;
}

}  // namespace zonal::cli
