// SPDX-License-Identifier: MIT
#include "engine/checks.h"

#include <algorithm>
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

absl::Status CheckOneSize(const Workload& workload, const DeviceInfo& info, std::uint64_t bytes,
                          std::uint32_t unit, const char* direction) {
  if (bytes % unit != 0 || bytes == 0) {
    return Wrong(workload, std::string("bs=") + Number(bytes) + " for " + direction + " on " +
                               info.spec + ": not a multiple of its block of " + Number(unit) +
                               " bytes; give a multiple of it");
  }
  return absl::OkStatus();
}

absl::Status CheckBlock(const Workload& workload, const DeviceInfo& info, const BlockSize& block,
                        std::uint32_t unit, const char* direction) {
  ZONAL_RETURN_IF_ERROR(CheckOneSize(workload, info, block.min, unit, direction));
  for (const BlockSize::Share& share : block.shares) {
    ZONAL_RETURN_IF_ERROR(CheckOneSize(workload, info, share.bytes, unit, direction));
  }
  return CheckOneSize(workload, info, block.max, unit, direction);
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

absl::Status CheckSizes(const Workload& workload, const BlockSize& block, const char* direction) {
  const auto wrong = [&](const std::string& what) {
    return Wrong(workload, std::string("bs for ") + direction + ": " + what);
  };
  if (block.min == 0 || block.max < block.min) {
    return wrong(Number(block.min) + " to " + Number(block.max) +
                 " bytes is no range; the least is at least 1, the largest not below it");
  }
  if (block.shares.empty()) return absl::OkStatus();
  std::uint64_t percent = 0;
  for (const BlockSize::Share& share : block.shares) {
    percent += share.percent;
    if (share.bytes < block.min || share.bytes > block.max) {
      return wrong("bssplit: " + Number(share.bytes) + " bytes are outside " + Number(block.min) +
                   " to " + Number(block.max));
    }
  }
  if (percent == 100) return absl::OkStatus();
  return wrong("bssplit: percentages add up to " + Number(percent) + ", not to 100");
}

}  // namespace

absl::Status CheckWorkload(const Workload& workload) {
  if (!workload.reads && !workload.writes && !workload.trims) {
    return Wrong(workload, "it neither reads nor writes nor trims");
  }
  ZONAL_RETURN_IF_ERROR(CheckSizes(workload, workload.read_block, "reads"));
  ZONAL_RETURN_IF_ERROR(CheckSizes(workload, workload.write_block, "writes"));
  ZONAL_RETURN_IF_ERROR(CheckSizes(workload, workload.trim_block, "trims"));
  if (workload.zone_mode == ZoneMode::kStrided && workload.zone_size == 0) {
    return Wrong(workload, "--zonesize must be specified when using --zonemode=strided");
  }
  const DataFill& fill = workload.fill;
  if (fill.compress_percent > 100 || fill.dedupe_percent > 100) {
    return Wrong(workload, "buffer_compress_percentage, dedupe_percentage: 0 to 100 is accepted");
  }
  if (fill.kind == DataFill::Kind::kPattern && fill.pattern.empty()) {
    return Wrong(workload, "buffer_pattern is empty");
  }
  const bool is_stream = workload.pattern == Pattern::kSequential;
  if (workload.fills_device && (!is_stream || workload.reads || workload.trims)) {
    return Wrong(workload, "fill_device needs a sequential write (rw=write)");
  }
  if (workload.recover_write_errors) {
    if (!workload.errors.go_on[static_cast<std::size_t>(Direction::kWrite)]) {
      return Wrong(workload, "recover_zbd_write_error works only when continue_on_error is set");
    }
    if (workload.zone_mode != ZoneMode::kZbd) {
      return Wrong(workload, "recover_zbd_write_error needs --zonemode=zbd");
    }
  }
  if (workload.loops == 0) return Wrong(workload, "loops=0: at least 1 is accepted");
  if (workload.reads && workload.writes && workload.trims) {
    return Wrong(workload, "it reads, writes and trims: trims go with one of the others");
  }
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
  if (workload.trims && !zoned_mode) {
    return Wrong(workload, info.spec +
                               ": trims are resets of zones: they need --zonemode=zbd; no I/O "
                               "engine here discards blocks");
  }
  if ((workload.writes || workload.trims) && info.read_only) {
    return Wrong(workload, info.spec + ": the device is read-only");
  }
  if (workload.reads) {
    ZONAL_RETURN_IF_ERROR(
        CheckBlock(workload, info, workload.read_block, info.geometry.block_size, "reads"));
  }
  if (workload.writes) {
    const std::uint32_t unit =
        zoned_mode ? info.geometry.write_granularity : info.geometry.block_size;
    ZONAL_RETURN_IF_ERROR(CheckBlock(workload, info, workload.write_block, unit, "writes"));
    // Reads of such blocks find nothing to read, which is no mistake in itself.
    if (zoned_mode && workload.write_block.max > info.geometry.zone_size) {
      return Wrong(workload, "bs=" + Number(workload.write_block.max) +
                                 " for writes: I/O buflen exceeds zone size " +
                                 Number(info.geometry.zone_size) + " of " + info.spec);
    }
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

absl::Status CheckTrims(const Workload& workload, const DeviceInfo& info, bool conventional) {
  const std::uint64_t zone = info.geometry.zone_size;
  const BlockSize& block = workload.trim_block;
  if (!block.is_fixed() || !block.shares.empty()) {
    return Wrong(workload, info.spec +
                               ": bsrange and bssplit are not possible for trims: each "
                               "resets one zone of " +
                               Number(zone) + " bytes");
  }
  if (block.min != zone) {
    return Wrong(workload, info.spec + ": trim block size " + Number(block.min) +
                               " is not the zone size " + Number(zone));
  }
  if (conventional) {
    return Wrong(workload, info.spec +
                               ": the range holds conventional zones, which cannot be reset; "
                               "trim write-pointer zones only");
  }
  return absl::OkStatus();
}

absl::Status CheckCapacity(const Workload& workload, std::uint64_t smallest_capacity) {
  const bool fits = workload.write_block.min <= smallest_capacity;
  if (fits || workload.write_zone_remainder) return absl::OkStatus();
  return Wrong(workload, "bs=" + Number(workload.write_block.min) + " exceeds the zone capacity " +
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
  const bool ignores = std::any_of(workers.begin(), workers.end(), [](const Workload* worker) {
    return worker->ignore_device_limits;
  });
  if (!ignores && asked.has_count() && !info.max_open.Admits(first->max_open_zones - 1)) {
    return Wrong(*first, info.spec + ": Specified --max_open_zones (" +
                             Number(first->max_open_zones) + ") is larger than max (" +
                             Number(info.max_open.count_or(0)) + ")");
  }
  const Limit limit = ignores ? asked : Tighter(asked, Tighter(info.max_open, info.max_active));
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
