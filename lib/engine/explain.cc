// SPDX-License-Identifier: MIT
#include "engine/explain.h"

#include <cstdio>

#include "zonal/device.h"

namespace zonal::engine {
namespace {

std::string Number(std::uint64_t value) { return std::to_string(value); }

std::string Hex(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", value);
  return text;
}

std::string RawCode(const IoResult& result) {
  switch (result.origin) {
    case Origin::kErrno:
      return " (errno " + Number(result.raw) + ")";
    case Origin::kNvme:
      return " (NVMe status " + Hex(result.raw) + ")";
    case Origin::kScsi:
      return " (SCSI sense " + Hex(result.raw) + ")";
    case Origin::kNone:
      break;
  }
  return {};
}

std::string DescribeZone(Device& device, std::uint64_t offset) {
  const Geometry& geometry = device.info().geometry;
  if (!geometry.is_zoned() || offset >= geometry.size_bytes) return {};
  const ZoneId id = geometry.ZoneOf(offset);
  Zone zone;
  const auto count = device.Report(id, {&zone, 1});
  const std::string name = "; zone " + Number(id.value());
  if (!count.ok() || *count == 0) return name + " could not be reported";
  std::string text = name + " starts at " + Number(zone.start) + ", is " +
                     std::string(ToString(zone.type)) + ", condition " +
                     std::string(ToString(zone.condition));
  if (zone.has_write_pointer()) text += ", write pointer " + Number(zone.write_pointer);
  return text;
}

std::string RangeText(const WorkerSetup& setup) {
  return "[" + Number(setup.range.begin) + ", " + Number(setup.range.end) + ") of " +
         setup.target->spec;
}

}  // namespace

std::string ExplainFailure(const WorkerSetup& setup, const std::string& operation,
                           const IoResult& result, std::uint64_t asked_bytes) {
  Device& device = *setup.target->device;
  std::string text = setup.target->spec + ": " + operation;
  if (asked_bytes != 0) text += " of " + Number(asked_bytes) + " bytes";
  text += " at offset " + Number(result.offset) + " failed: " + std::string(Describe(result.errc)) +
          RawCode(result) + DescribeZone(device, result.offset);
  const bool zoned = device.info().geometry.is_zoned();
  if (zoned && setup.workload.zone_mode == ZoneMode::kNone && operation == "write") {
    text += "; consider --zonemode=zbd, which writes at write pointers";
  }
  return text;
}

std::string ExplainNothingReadable(const WorkerSetup& setup) {
  std::string text = "nothing to read: no block of " + Number(setup.least_read()) + " bytes in " +
                     RangeText(setup) + " has been written";
  const std::uint64_t zone = setup.target->device->info().geometry.zone_size;
  if (zone != 0 && setup.least_read() > zone) {
    return text + ": zones are of " + Number(zone) + " bytes, and no block crosses their ends";
  }
  if (setup.target->zones_laid_over) {
    return text +
           "; zones laid over a device without any are empty at every start: write first "
           "in the same run, or use an emulated drive file (zonal create)";
  }
  return text + "; write first, or read anywhere with --read_beyond_wp=1";
}

std::string ExplainNothingToTrim(const WorkerSetup& setup) {
  return "nothing to trim: every zone in " + RangeText(setup) +
         " is empty, or cannot be reset; write first";
}

std::string ExplainNothingWritable(const WorkerSetup& setup) {
  return "nothing to write: every zone in " + RangeText(setup) +
         " is read-only, offline, or left suspect by a failed write";
}

std::string ExplainLessRoom(const WorkerSetup& setup, std::uint64_t written) {
  return "wrote " + Number(written) + " of " + Number(setup.pass_bytes * setup.workload.loops) +
         " bytes: zones in " + RangeText(setup) +
         " were partly written when the stream came to them, or cannot be written; reset them "
         "first (zonal zone reset), or give --io_size to go round and reset each on return";
}

std::string ExplainStuck(const WorkerSetup& setup, bool for_targets) {
  std::string text = "no zone can be opened for writing in " + RangeText(setup) + ": ";
  if (for_targets) {
    return text + "all " + Number(setup.target->write_targets.count_or(0)) +
           " zones that may be written at once are open outside this range; finish or reset "
           "them, or raise --max_open_zones";
  }
  const LimitUse use = setup.target->manager->Limits();
  if (!use.max_active.Admits(use.active)) {
    text += "Exceeded max_active_zones limit. Check conditions of zones out of I/O ranges: ";
  }
  const std::string foreign = setup.target->manager->ExplainForeignZones();
  return text + (foreign.empty() ? "the device's open or active limit is used up" : foreign);
}

}  // namespace zonal::engine
