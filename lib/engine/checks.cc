// SPDX-License-Identifier: MIT
#include "engine/checks.h"

#include <string>

#include "core/status_macros.h"
#include "zonal/zone_queue.h"

namespace zonal::engine {
namespace {

std::string Number(std::uint64_t value) { return std::to_string(value); }

absl::Status Wrong(const Workload& workload, const std::string& what) {
  return absl::InvalidArgumentError(workload.name + ": " + what);
}

absl::Status CheckFraction(const Workload& workload, const char* option,
                           const std::optional<double>& value) {
  if (!value || (*value >= 0.0 && *value <= 1.0)) return absl::OkStatus();
  return Wrong(workload, std::string(option) + ": value out of range: " + std::to_string(*value) +
                             "; 0 to 1 is accepted");
}

absl::Status CheckBlock(const Workload& workload, const DeviceInfo& info, std::uint64_t bytes,
                        std::uint32_t unit, const char* direction) {
  if (bytes % unit != 0 || bytes == 0) {
    return Wrong(workload, std::string("bs=") + Number(bytes) + " for " + direction + " on " +
                               info.spec + ": not a multiple of its block of " + Number(unit) +
                               " bytes; give a multiple of it");
  }
  if (workload.zone_mode == ZoneMode::kZbd && bytes > info.geometry.zone_size) {
    return Wrong(workload, std::string("bs=") + Number(bytes) + " for " + direction +
                               ": I/O buflen exceeds zone size " + Number(info.geometry.zone_size) +
                               " of " + info.spec);
  }
  return absl::OkStatus();
}

absl::Status CheckZones(const Workload& workload, const DeviceInfo& info, bool zones_laid_over) {
  const Geometry& geometry = info.geometry;
  if (!geometry.is_zoned()) {
    return Wrong(workload, info.spec +
                               ": Specifying the zone size is mandatory for regular file/block "
                               "device with --zonemode=zbd; add --zonesize");
  }
  if (workload.zone_size != 0 && workload.zone_size != geometry.zone_size) {
    return Wrong(workload, info.spec + ": job parameter zonesize " + Number(workload.zone_size) +
                               " does not match disk zone size " + Number(geometry.zone_size));
  }
  if (workload.writes && !workload.direct && !zones_laid_over &&
      info.model == ZoneModel::kHostManaged) {
    return Wrong(workload, info.spec +
                               ": Using direct I/O is mandatory for writing to ZBD drives; "
                               "add --direct=1");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckWorkload(const Workload& workload) {
  if (!workload.reads && !workload.writes) return Wrong(workload, "it neither reads nor writes");
  const bool by_zones = workload.zone_mode == ZoneMode::kZbd;
  const std::uint32_t deepest = by_zones ? kMaxZoneQueueDepth : kMaxQueueDepth;
  if (workload.depth == 0 || workload.depth > deepest) {
    return Wrong(workload, "iodepth=" + Number(workload.depth) + ": 1 to " + Number(deepest) +
                               " is accepted" + (by_zones ? " with --zonemode=zbd" : ""));
  }
  if (workload.read_percent > 100) {
    return Wrong(workload, "rwmixread=" + Number(workload.read_percent) + ": 0 to 100 is accepted");
  }
  if (workload.time_based && workload.runtime.count() == 0) {
    return Wrong(workload, "time_based needs a runtime");
  }
  if (workload.zone_reset_threshold.has_value() != workload.zone_reset_frequency.has_value()) {
    return Wrong(workload,
                 "zone_reset_threshold and zone_reset_frequency do nothing alone: give both");
  }
  ZONAL_RETURN_IF_ERROR(
      CheckFraction(workload, "zone_reset_threshold", workload.zone_reset_threshold));
  return CheckFraction(workload, "zone_reset_frequency", workload.zone_reset_frequency);
}

absl::Status CheckAgainstDevice(const Workload& workload, const DeviceInfo& info,
                                bool zones_laid_over) {
  const bool zoned_mode = workload.zone_mode == ZoneMode::kZbd;
  if (zoned_mode) {
    ZONAL_RETURN_IF_ERROR(CheckZones(workload, info, zones_laid_over));
  } else if (workload.writes && !workload.direct && info.model == ZoneModel::kHostManaged) {
    return Wrong(workload, info.spec +
                               ": Using direct I/O is mandatory for writing to ZBD drives; "
                               "add --direct=1");
  }
  if (workload.writes && info.read_only) {
    return Wrong(workload, info.spec + ": the device is read-only");
  }
  if (workload.reads) {
    ZONAL_RETURN_IF_ERROR(
        CheckBlock(workload, info, workload.read_block.max, info.geometry.block_size, "reads"));
  }
  if (workload.writes) {
    const std::uint32_t unit =
        zoned_mode ? info.geometry.write_granularity : info.geometry.block_size;
    ZONAL_RETURN_IF_ERROR(CheckBlock(workload, info, workload.write_block.max, unit, "writes"));
  }
  if ((workload.stamp_blocks || workload.check_stamps) && info.geometry.block_size < 64) {
    return Wrong(workload, "stamps need blocks of at least 64 bytes");
  }
  return absl::OkStatus();
}

absl::Status CheckAlignment(const Workload& workload, const DeviceInfo& info, std::uint64_t begin,
                            std::uint64_t end) {
  // Through the page cache the kernel reads and writes any byte.
  if (!info.direct_io && !info.is_emulated) return absl::OkStatus();
  const std::uint64_t unit = info.geometry.block_size;
  const auto wrong = [&](const char* option, std::uint64_t value) {
    const std::uint64_t below = value - value % unit;
    return Wrong(workload, std::string(option) + "=" + Number(value) + " on " + info.spec +
                               ": not a multiple of its block of " + Number(unit) +
                               " bytes; the nearest are " + Number(below) + " and " +
                               Number(below + unit));
  };
  if (begin % unit != 0) return wrong("offset", begin);
  if (end % unit != 0 && end != info.geometry.size_bytes) return wrong("size", end - begin);
  return absl::OkStatus();
}

absl::Status CheckCapacity(const Workload& workload, std::uint64_t smallest_capacity) {
  if (workload.write_block.max <= smallest_capacity) return absl::OkStatus();
  return Wrong(workload, "bs=" + Number(workload.write_block.max) + " exceeds the zone capacity " +
                             Number(smallest_capacity) + " of " + workload.target +
                             ": no such block can be written");
}

absl::StatusOr<Limit> AgreeOnWriteTargets(std::span<const Workload* const> workers,
                                          const DeviceInfo& info) {
  const Workload* first = nullptr;  // the first writer in zone mode
  const Workload* outsider = nullptr;
  for (const Workload* worker : workers) {
    if (!worker->writes) continue;
    const bool zoned_mode = worker->zone_mode == ZoneMode::kZbd;
    if (zoned_mode && first == nullptr) first = worker;
    if (!zoned_mode) outsider = worker;
    if (zoned_mode && worker->max_open_zones != first->max_open_zones) {
      return Wrong(*worker, info.spec + ": Different 'max_open_zones' values: " +
                                Number(worker->max_open_zones) + " here and " +
                                Number(first->max_open_zones) + " in " + first->name +
                                "; the limit holds for all jobs of a device");
    }
  }
  if (first == nullptr) return Limit::Unlimited();
  if (outsider != nullptr) {
    return Wrong(*outsider, info.spec + ": it writes without --zonemode=zbd while " + first->name +
                                " writes with it; its writes would move write pointers behind "
                                "the other's back");
  }
  const Limit asked =
      first->max_open_zones == 0 ? Limit::Unlimited() : Limit::Of(first->max_open_zones);
  if (asked.has_count() && !info.max_open.Admits(first->max_open_zones - 1)) {
    return Wrong(*first, info.spec + ": Specified --max_open_zones (" +
                             Number(first->max_open_zones) + ") is larger than max (" +
                             Number(info.max_open.count_or(0)) + ")");
  }
  const Limit limit = Tighter(asked, Tighter(info.max_open, info.max_active));
  for (const Workload* worker : workers) {
    if (worker->writes && worker->worker_max_open_zones != 0 && !limit.has_count()) {
      return Wrong(*worker,
                   "'job_max_open_zones' cannot be used without a global open zones limit; "
                   "add --max_open_zones");
    }
  }
  return limit;
}

}  // namespace zonal::engine
