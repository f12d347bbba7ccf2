// SPDX-License-Identifier: MIT
// zonal zone reset|open|close|finish: one management operation on some zones.
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>

#include "command.h"
#include "core/units.h"
#include "device_view.h"
#include "exit_codes.h"
#include "zonal/open.h"

namespace zonal::cli {
namespace {

std::optional<ZoneOp> ParseOp(std::string_view word) {
  for (ZoneOp op : {ZoneOp::kReset, ZoneOp::kOpen, ZoneOp::kClose, ZoneOp::kFinish}) {
    if (word == ToString(op)) return op;
  }
  return std::nullopt;
}

// Which zones the operation means when it is said for all: those it changes.
// NVMe ZNS Command Set 1.1, 3.4.3, "Select All"; ZBC-2 does the same.
bool MeantByAll(ZoneOp op, const Zone& zone) {
  switch (op) {
    case ZoneOp::kReset:
      return IsActive(zone.condition) || zone.condition == ZoneCondition::kFull;
    case ZoneOp::kOpen:
      return zone.condition == ZoneCondition::kClosed;
    case ZoneOp::kClose:
      return IsOpen(zone.condition);
    case ZoneOp::kFinish:
      return IsActive(zone.condition);
    case ZoneOp::kOffline:
      return false;
  }
  return false;
}

// Runs of neighbouring zones `op` means.
absl::StatusOr<std::vector<ZoneRange>> RangesMeantByAll(Device& device, ZoneOp op) {
  std::vector<ZoneRange> ranges;
  absl::Status read =
      ForEachZone(device, ZoneId(0), device.info().geometry.zone_count, [&](ZoneId at, auto zones) {
        for (const Zone& zone : zones) {
          if (MeantByAll(op, zone)) {
            const bool next =
                !ranges.empty() && ranges.back().first.value() + ranges.back().count == at.value();
            next ? void(++ranges.back().count) : ranges.push_back({at, 1});
          }
          at = at.Next();
        }
      });
  if (!read.ok()) return read;
  return ranges;
}

absl::StatusOr<ManageResult> ManageEach(Device& device, ZoneOp op,
                                        const std::vector<ZoneRange>& ranges) {
  ManageResult all;
  for (const ZoneRange& range : ranges) {
    const absl::StatusOr<ManageResult> result = device.Manage(op, range, nanoseconds(0));
    if (!result.ok()) return result.status();
    all.completed += result->completed;
    all.first_error = result->first_error;
    if (!all.first_error.ok()) break;
  }
  return all;
}

// What a person can do about it, as far as the zone tells.
std::string Advice(ZoneOp op, const IoResult& error, const Zone& zone, std::string_view spec) {
  switch (zone.condition) {
    case ZoneCondition::kNotWritePointer:
      return "a conventional zone knows no zone operations: leave it out";
    case ZoneCondition::kOffline:
      return "its data is gone and it takes no command: leave it out";
    case ZoneCondition::kReadOnly:
      return "it takes no command but reads: leave it out";
    default:
      break;
  }
  switch (error.errc) {
    case Errc::kTooManyOpen:
    case Errc::kTooManyActive:
      return "finish others first: `zonal zone finish " + std::string(spec) +
             " --zone N`; `zonal info` shows the limits";
    case Errc::kInvalidTransition:
      return op == ZoneOp::kClose  ? "only an open zone can be closed"
             : op == ZoneOp::kOpen ? "reset it first"
                                   : "`zonal report` shows its state";
    case Errc::kPermission:
      return "run as root";
    default:
      return "`zonal report` shows its state";
  }
}

std::string Explain(Device& device, ZoneOp op, const IoResult& error) {
  const Geometry& geometry = device.info().geometry;
  if (error.offset >= geometry.size_bytes) return std::string(Describe(error.errc));
  const ZoneId id = geometry.ZoneOf(error.offset);
  Zone zone;
  if (!device.Report(id, {&zone, 1}).ok()) return std::string(Describe(error.errc));
  return std::string(ToString(op)) + " of zone " + std::to_string(id.value()) + " (" +
         std::string(ToString(zone.condition)) + ", start " + std::to_string(error.offset) +
         ") failed: " + std::string(Describe(error.errc)) + "; " +
         Advice(op, error, zone, device.info().spec);
}

struct ZoneArguments {
  std::string op, spec, zones;
  bool all = false;
};

absl::StatusOr<ManageResult> Perform(Device& device, ZoneOp op, const ZoneArguments& typed) {
  const std::uint32_t count = device.info().geometry.zone_count;
  if (typed.all) {
    absl::StatusOr<ManageResult> at_once = device.ManageAll(op, nanoseconds(0));
    if (at_once.ok() || !absl::IsUnimplemented(at_once.status())) return at_once;
    const absl::StatusOr<std::vector<ZoneRange>> ranges = RangesMeantByAll(device, op);
    return ranges.ok() ? ManageEach(device, op, *ranges) : ranges.status();
  }
  const absl::StatusOr<std::vector<std::uint32_t>> zones = ParseZoneList(typed.zones);
  if (!zones.ok()) return zones.status();
  std::vector<ZoneRange> ranges;
  for (std::uint32_t zone : *zones) {
    if (zone >= count) {
      return absl::OutOfRangeError("there is no zone " + std::to_string(zone) +
                                   "; the last one is " + std::to_string(count - 1));
    }
    const bool next = !ranges.empty() && ranges.back().first.value() + ranges.back().count == zone;
    next ? void(++ranges.back().count) : ranges.push_back({ZoneId(zone), 1});
  }
  return ManageEach(device, op, ranges);
}

}  // namespace

int ManageZones(const Arguments& arguments) {
  CLI::App app("Resets, opens, closes or finishes zones. A reset loses the zone's data.",
               "zonal zone");
  app.footer(
      "Example:\n  zonal zone reset smr.zoned --zone 524-527\n"
      "  zonal zone finish /dev/nvme0n1 --zone 3\n  zonal zone reset smr.zoned --all\n\n"
      "Opening an emulated drive's file for writing is a power cycle for the drive: zones\n"
      "opened here are closed, or empty, when the next command writes to it.");
  ZoneArguments typed;
  app.add_option("OPERATION", typed.op, "reset, open, close or finish")->required();
  app.add_option("DEVICE", typed.spec, "a path")->required();
  CLI::Option* zones = app.add_option("--zone", typed.zones, "3, or 3-5, or 1,4,7-9");
  app.add_flag("--all", typed.all, "every zone the operation changes")->excludes(zones);
  const ParseOutcome parsed = Parse(app, arguments);
  if (!parsed.go_on) return parsed.exit_code;

  const std::optional<ZoneOp> op = ParseOp(typed.op);
  if (!op) {
    return Fail("zone", "\"" + typed.op + "\" is no operation: reset, open, close or finish",
                kRefused);
  }
  if (!typed.all && typed.zones.empty()) {
    return Fail("zone", "say which zones: --zone A, --zone A-B, or --all", kRefused);
  }
  OpenOptions options;
  options.access = Access::kReadWrite;
  const absl::StatusOr<std::shared_ptr<Device>> device = Open(typed.spec, options);
  if (!device.ok()) return Refuse("zone", device.status());
  if (!(*device)->info().geometry.is_zoned()) {
    return Fail("zone", typed.spec + " has no zones", kRefused);
  }
  const absl::StatusOr<ManageResult> result = Perform(**device, *op, typed);
  if (!result.ok()) return Refuse("zone", result.status());
  std::cout << ToString(*op) << ": " << result->completed
            << (result->completed == 1 ? " zone\n" : " zones\n");
  if (result->first_error.ok()) return kDone;
  return Fail("zone", Explain(**device, *op, result->first_error), kIoFailed);
}

}  // namespace zonal::cli
