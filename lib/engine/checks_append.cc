// SPDX-License-Identifier: MIT
// What must hold of workers that append (write_mode=zone_append).
#include <string>

#include "engine/checks.h"

namespace zonal::engine {
namespace {

absl::Status Wrong(const Workload& workload, const std::string& what) {
  return absl::InvalidArgumentError("job " + workload.name + ": write_mode=zone_append " + what);
}

// Options that need to know beforehand where a block goes, or who writes a zone.
const char* Excluded(const Workload& workload) {
  if (workload.recover_write_errors) return "recover_zbd_write_error";
  if (workload.trims) return "trims";
  if (workload.forced_writes) return "sync";
  if (workload.stamp_blocks || workload.check_stamps) return "stamps";
  if (workload.worker_max_open_zones != 0) return "job_max_open_zones";
  if (workload.verify.enabled() && workload.verify.pattern_has_offset) {
    return "%o in verify_pattern";
  }
  return nullptr;
}

}  // namespace

absl::Status CheckAppend(const Workload& workload, const DeviceInfo& info) {
  if (!workload.appends || !workload.writes) return absl::OkStatus();
  if (workload.zone_mode != ZoneMode::kZbd) return Wrong(workload, "needs --zonemode=zbd");
  if (const char* option = Excluded(workload)) {
    return Wrong(workload, "does not go with " + std::string(option) +
                               ": the device picks the place, in zones that all jobs share");
  }
  const std::uint64_t most = info.geometry.max_append;
  if (most == 0) {
    return Wrong(workload, "is not possible on " + info.spec +
                               ": its queue has no append (an emulated drive of the zns dialect "
                               "has one)");
  }
  if (workload.write_block.min <= most) return absl::OkStatus();
  return Wrong(workload, "with bs=" + std::to_string(workload.write_block.min) + ": " + info.spec +
                             " appends at most " + std::to_string(most) + " bytes at once");
}

absl::Status CheckAppendZones(const Workload& workload, bool conventional) {
  if (!conventional) return absl::OkStatus();
  return Wrong(workload, "on " + workload.target +
                             ": the range holds conventional zones, which take no append; give "
                             "offset and size of write-pointer zones only");
}

absl::Status CheckAllAppend(std::span<const Workload* const> workers) {
  const Workload* first = nullptr;
  for (const Workload* worker : workers) {
    if (!worker->writes) continue;
    if (first == nullptr) first = worker;
    if (worker->appends == first->appends) continue;
    return Wrong(worker->appends ? *worker : *first,
                 "on " + worker->target + ", where job " +
                     (worker->appends ? *first : *worker).name +
                     " writes at write pointers: all writers of a device append, or none");
  }
  return absl::OkStatus();
}

}  // namespace zonal::engine
