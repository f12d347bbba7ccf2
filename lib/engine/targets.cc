// SPDX-License-Identifier: MIT
// Opening the device of a group of workers, with zones laid over it where the
// device has none and zone mode is asked for.
#include <algorithm>
#include <optional>

#include "core/status_macros.h"
#include "engine/checks.h"
#include "engine/prepare.h"
#include "zonal/open.h"

namespace zonal::engine {
namespace {

struct Wishes {
  bool writes = false;
  bool zone_mode = false;
  bool direct = false;
  bool may_create = true;
  std::uint64_t create_size = 0;
  std::uint64_t zone_size = 0, zone_capacity = 0;
};

absl::StatusOr<Wishes> Collect(const std::vector<const Workload*>& workers) {
  Wishes all;
  for (const Workload* worker : workers) {
    all.writes |= worker->writes || worker->trims;
    all.direct |= worker->direct;
    all.may_create &= worker->may_create;
    if (!worker->relative_offset && !worker->relative_size && worker->size != 0) {
      all.create_size =
          std::max(all.create_size,
                   worker->offset + worker->clone * worker->offset_increment + worker->size);
    }
    if (worker->zone_mode != ZoneMode::kZbd) continue;
    const bool first = !all.zone_mode;
    all.zone_mode = true;
    if (first) all.zone_capacity = worker->zone_capacity;
    if (first || all.zone_size == 0) all.zone_size = worker->zone_size;
    if (worker->zone_size != 0 && worker->zone_size != all.zone_size) {
      return absl::InvalidArgumentError(worker->name + ": zonesize " +
                                        std::to_string(worker->zone_size) +
                                        " does not match the device zone size " +
                                        std::to_string(all.zone_size) + " of " + worker->target);
    }
    if (worker->zone_capacity != all.zone_capacity) {
      return absl::InvalidArgumentError(worker->name + ": zonecapacity " +
                                        std::to_string(worker->zone_capacity) +
                                        " differs from that of another job on " + worker->target);
    }
  }
  return all;
}

absl::Status CheckOverlay(const std::string& spec, const Wishes& wishes, const DeviceInfo& info) {
  if (wishes.zone_size == 0) {
    return absl::InvalidArgumentError(
        spec +
        ": Specifying the zone size is mandatory for regular file/block device with "
        "--zonemode=zbd; add --zonesize");
  }
  if (wishes.zone_size < 512) {
    return absl::InvalidArgumentError(
        spec + ": zone size must be at least 512 bytes for --zonemode=zbd; it is " +
        std::to_string(wishes.zone_size));
  }
  if (wishes.zone_capacity > wishes.zone_size) {
    return absl::InvalidArgumentError(
        spec + ": zonecapacity " + std::to_string(wishes.zone_capacity) +
        " is larger than zone size " + std::to_string(wishes.zone_size));
  }
  if (wishes.zone_size > info.geometry.size_bytes) {
    return absl::InvalidArgumentError(
        spec + ": file/device size " + std::to_string(info.geometry.size_bytes) +
        " is smaller than zone size " + std::to_string(wishes.zone_size));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Target>> OpenTarget(const std::vector<const Workload*>& workers,
                                                   const DeviceResolver& devices,
                                                   const Clock& clock) {
  auto target = std::make_unique<Target>();
  target->spec = workers.front()->target;
  ZONAL_ASSIGN_OR_RETURN(const Wishes wishes, Collect(workers));
  if (devices) {
    ZONAL_ASSIGN_OR_RETURN(target->device, devices(*workers.front()));
    return target;
  }
  OpenOptions options;
  options.access = wishes.writes ? Access::kReadWrite : Access::kReadOnly;
  options.clock = &clock;
  options.direct = wishes.direct;
  options.create_size = wishes.may_create ? wishes.create_size : 0;
  // First as it is: only a device without zones of its own gets ours.
  ZONAL_ASSIGN_OR_RETURN(target->device, Open(target->spec, options));
  const DeviceInfo& info = target->device->info();
  if (!wishes.zone_mode || info.geometry.is_zoned()) return target;
  ZONAL_RETURN_IF_ERROR(CheckOverlay(target->spec, wishes, info));
  options.overlay = ZoneOverlay{wishes.zone_size, wishes.zone_capacity};
  target->device.reset();  // one Device per device in a process
  ZONAL_ASSIGN_OR_RETURN(target->device, Open(target->spec, options));
  target->zones_laid_over = true;
  return target;
}

}  // namespace zonal::engine
