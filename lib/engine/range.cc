// SPDX-License-Identifier: MIT
#include "engine/range.h"

#include <algorithm>
#include <optional>

#include "core/status_macros.h"

namespace zonal::engine {
namespace {

std::string Number(std::uint64_t value) { return std::to_string(value); }

std::uint64_t LargestBlock(const Workload& workload) {
  return std::max({workload.reads ? workload.read_block.max : 1,
                   workload.writes ? workload.write_block.max : 1,
                   workload.trims ? workload.trim_block.max : 1});
}

std::uint64_t LeastBlock(const Workload& workload) {
  return std::max({workload.reads ? workload.read_block.min : 1,
                   workload.writes ? workload.write_block.min : 1,
                   workload.trims ? workload.trim_block.min : 1});
}

// What `z` counts: the device's zones, or the windows of kStrided; 0: nothing.
std::uint64_t ZoneUnit(const Workload& workload, const Geometry& geometry) {
  if (workload.zone_mode == ZoneMode::kStrided) return workload.zone_size;
  return geometry.is_zoned() ? geometry.zone_size : 0;
}

// `whole` is what a percentage is of; the result is rounded down to `unit`.
absl::StatusOr<std::uint64_t> Resolve(const Workload& workload, const char* option,
                                      const RelativeExtent& extent, const Geometry& geometry,
                                      std::uint64_t whole, std::uint64_t unit) {
  const std::string typed = workload.target + ": " + option + "=" + Number(extent.value);
  if (extent.unit == ExtentUnit::kPercent) {
    if (extent.value > 100) {
      return absl::InvalidArgumentError(typed + "%: a percentage is 0 to 100");
    }
    // In two steps, so that 100 * whole cannot overflow.
    const std::uint64_t bytes = whole / 100 * extent.value + whole % 100 * extent.value / 100;
    return bytes - bytes % unit;
  }
  const std::uint64_t zone = ZoneUnit(workload, geometry);
  if (zone == 0) {
    return absl::InvalidArgumentError(
        typed + "z: the device has no zones; give bytes, or --zonemode=zbd and --zonesize");
  }
  const std::uint64_t zones = (geometry.size_bytes + zone - 1) / zone;
  if (extent.value > zones) {
    return absl::InvalidArgumentError(typed + "z: the device has " + Number(zones) + " zones");
  }
  // The last zone may be short: the device ends there.
  return std::min(extent.value * zone, geometry.size_bytes);
}

absl::Status RoundToZones(const Workload& workload, const Geometry& geometry, WorkRange& range,
                          std::vector<std::string>& notices) {
  const std::uint64_t zone = geometry.zone_size;
  const std::uint64_t begin =
      range.begin % zone == 0 ? range.begin : range.begin / zone * zone + zone;
  const bool at_zone_end = range.end == geometry.size_bytes || range.end % zone == 0;
  const std::uint64_t end = at_zone_end ? range.end : range.end - range.end % zone;
  if (begin >= end) {
    return absl::InvalidArgumentError(
        workload.target + ": io_size must be at least one zone: [" + Number(range.begin) + ", " +
        Number(range.end) + ") holds no whole zone of " + Number(zone) +
        " bytes; start at a multiple of it and give at least that size");
  }
  if (begin != range.begin) {
    notices.push_back(workload.target + ": rounded up offset from " + Number(range.begin) + " to " +
                      Number(begin));
  }
  if (end != range.end) {
    notices.push_back(workload.target + ": rounded down io_size from " + Number(range.end - begin) +
                      " to " + Number(end - begin));
  }
  range.begin = begin;
  range.end = end;
  return absl::OkStatus();
}

bool Touches(const WorkRange& range, const Geometry& geometry, const IsWritePointerZone& is) {
  const ZoneId last = geometry.ZoneOf(range.end - 1);
  for (ZoneId zone = geometry.ZoneOf(range.begin); zone <= last; zone = zone.Next()) {
    if (is(zone)) return true;
  }
  return false;
}

absl::StatusOr<WorkRange> Extent(const Workload& workload, const Geometry& geometry) {
  WorkRange range;
  const std::uint64_t block = LargestBlock(workload);
  const std::uint64_t device = geometry.size_bytes;
  range.begin = workload.offset;
  if (workload.relative_offset) {
    ZONAL_ASSIGN_OR_RETURN(range.begin, Resolve(workload, "offset", *workload.relative_offset,
                                                geometry, device, block));
  }
  std::uint64_t increment = workload.offset_increment;
  if (workload.relative_offset_increment) {
    ZONAL_ASSIGN_OR_RETURN(
        increment, Resolve(workload, "offset_increment", *workload.relative_offset_increment,
                           geometry, device, block));
  }
  // Beyond the end, however far, is one answer: no sum overflows on the way there.
  if (workload.clone != 0) {
    range.begin =
        increment > device / workload.clone ? device : range.begin + workload.clone * increment;
  }
  if (range.begin >= device) {
    return absl::InvalidArgumentError(workload.target + ": offset " + Number(range.begin) +
                                      " is not below the device's size " + Number(device));
  }
  const std::uint64_t left = device - range.begin;
  std::uint64_t size = workload.size == 0 ? left : workload.size;
  if (workload.relative_size) {
    ZONAL_ASSIGN_OR_RETURN(
        size, Resolve(workload, "size", *workload.relative_size, geometry, device, block));
    if (workload.relative_size->unit == ExtentUnit::kPercent) size = std::min(size, left);
    // Zones counted up to the device's end: a short last zone is a zone.
    if (size > left && size - left < ZoneUnit(workload, geometry)) size = left;
  }
  if (size > left) {
    return absl::InvalidArgumentError(workload.target + ": offset " + Number(range.begin) +
                                      " + size " + Number(size) +
                                      " is beyond the device's end at " + Number(device) +
                                      "; the largest size there is " + Number(left));
  }
  range.end = range.begin + size;
  return range;
}

}  // namespace

absl::StatusOr<WorkRange> ResolveRange(const Workload& workload, const Geometry& geometry,
                                       const IsWritePointerZone& is_write_pointer_zone,
                                       std::vector<std::string>& notices) {
  if (geometry.size_bytes == 0) {
    return absl::InvalidArgumentError(workload.target +
                                      ": the file is empty; give it a length (truncate -s), or "
                                      "remove it and give --size so that it is created");
  }
  ZONAL_ASSIGN_OR_RETURN(WorkRange range, Extent(workload, geometry));
  if (range.size() != 0 && (workload.writes || workload.trims) &&
      workload.zone_mode == ZoneMode::kZbd && Touches(range, geometry, is_write_pointer_zone)) {
    ZONAL_RETURN_IF_ERROR(RoundToZones(workload, geometry, range, notices));
  }
  if (range.size() < LeastBlock(workload)) {
    return absl::InvalidArgumentError(workload.target + ": size " + Number(range.size()) +
                                      " holds no block of " + Number(LeastBlock(workload)) +
                                      " bytes");
  }
  std::uint64_t io_size = workload.io_size;
  if (workload.relative_io_size) {
    ZONAL_ASSIGN_OR_RETURN(io_size, Resolve(workload, "io_size", *workload.relative_io_size,
                                            geometry, range.size(), LargestBlock(workload)));
    if (io_size == 0) {
      return absl::InvalidArgumentError(workload.target + ": io_size comes to no block at all");
    }
  }
  if (workload.trims && io_size != 0 && io_size < geometry.zone_size) {
    return absl::InvalidArgumentError(
        workload.target + ": io_size must be at least one zone: " + Number(io_size) +
        " bytes hold no trim of a zone of " + Number(geometry.zone_size));
  }
  range.single_pass = io_size == 0;
  range.bytes_to_move = io_size == 0 ? range.size() : io_size;
  return range;
}

absl::StatusOr<std::uint64_t> ResolveZoneSkip(const Workload& workload, const Geometry& geometry) {
  std::uint64_t skip = workload.zone_skip;
  if (workload.relative_zone_skip) {
    const std::uint64_t zone = ZoneUnit(workload, geometry);
    if (workload.relative_zone_skip->unit != ExtentUnit::kZones) {
      return absl::InvalidArgumentError(workload.target + ": zoneskip is bytes or zones");
    }
    if (zone != 0 && workload.relative_zone_skip->value > geometry.size_bytes / zone) {
      return absl::InvalidArgumentError(workload.target +
                                        ": zoneskip=" + Number(workload.relative_zone_skip->value) +
                                        "z is beyond the device's end");
    }
    skip = workload.relative_zone_skip->value * zone;
  }
  if (workload.zone_mode == ZoneMode::kZbd && skip % geometry.zone_size != 0) {
    return absl::InvalidArgumentError(workload.target + ": zoneskip " + Number(skip) +
                                      " is not a multiple of the device zone size " +
                                      Number(geometry.zone_size));
  }
  return skip;
}

}  // namespace zonal::engine
