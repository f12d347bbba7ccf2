// SPDX-License-Identifier: MIT
// Options that must agree with each other. Refused here, before anything is
// opened: a run that starts and then fails has written to the drive.
#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "fio/plan_builder.h"

namespace zonal::fio {
namespace {

using absl::OkStatus;
using absl::Status;
using absl::StrCat;

constexpr std::string_view kZonedOptions[] = {
    "zonecapacity",   "max_open_zones",       "job_max_open_zones",
    "read_beyond_wp", "zone_reset_threshold", "zone_reset_frequency",
};

Status Refuse(const Job& job, const std::string& why) {
  return absl::InvalidArgumentError(StrCat("job ", job.name, ": ", why));
}

bool IsTyped(const OptionValues& values, std::string_view name) {
  return std::any_of(values.begin(), values.end(),
                     [name](const auto& option) { return option.first == name; });
}

std::uint64_t LargestBlock(const Job& job) {
  return std::max(job.rw.reads ? job.read_block : 0, job.rw.writes ? job.write_block : 0);
}

Status CheckZoneSizes(const Job& job, bool zonesize_typed) {
  if (job.zone_mode == ZoneMode::kNone) {
    if (zonesize_typed) {
      return Refuse(job, "--zonemode=none and --zonesize are not compatible: add --zonemode=zbd");
    }
    return OkStatus();
  }
  if (zonesize_typed && job.zone_size != 0 && job.zone_size < 512) {
    return Refuse(job, "zone size must be at least 512 bytes for --zonemode=zbd");
  }
  if (job.zone_size != 0 && job.zone_capacity > job.zone_size) {
    return Refuse(job, StrCat("zonecapacity ", job.zone_capacity, " is larger than zone size ",
                              job.zone_size));
  }
  if (job.zone_size != 0 && LargestBlock(job) > job.zone_size) {
    return Refuse(job, StrCat("I/O buflen exceeds zone size: bs is ", LargestBlock(job),
                              ", zonesize ", job.zone_size));
  }
  if (job.zone_capacity != 0 && LargestBlock(job) > job.zone_capacity) {
    return Refuse(job, StrCat("bs ", LargestBlock(job), " is larger than zonecapacity ",
                              job.zone_capacity, ": no block would fit into a zone"));
  }
  return OkStatus();
}

Status CheckResets(const Job& job) {
  if (job.zone_reset_threshold.has_value() == job.zone_reset_frequency.has_value()) {
    return OkStatus();
  }
  return Refuse(job, job.zone_reset_threshold
                         ? "zone_reset_threshold does nothing alone: add zone_reset_frequency"
                         : "zone_reset_frequency needs a zone_reset_threshold (0: resets from the "
                           "first write on)");
}

Status CheckJob(const Job& job, const OptionValues& global) {
  if (job.filename.empty()) {
    return Refuse(job, "no --filename: name a device, a file or emu,key=value,...");
  }
  if (job.time_based && job.runtime.count() == 0) {
    return Refuse(job, "time_based requires a runtime: add --runtime=30s");
  }
  if (job.size.bytes != 0 && job.size.bytes < LargestBlock(job)) {
    return Refuse(job,
                  StrCat("size ", job.size.bytes, " is below the block size ", LargestBlock(job)));
  }
  ZONAL_RETURN_IF_ERROR(
      CheckZoneSizes(job, IsTyped(job.typed, "zonesize") || IsTyped(global, "zonesize")));
  return CheckResets(job);
}

// Jobs on one device share its zones, and so these options.
Status CheckPair(const Job& a, const Job& b) {
  const bool both_zoned = a.zone_mode == ZoneMode::kZbd && b.zone_mode == ZoneMode::kZbd;
  if (a.filename != b.filename || !both_zoned) return OkStatus();
  if (a.zone_size != 0 && b.zone_size != 0 && a.zone_size != b.zone_size) {
    return Refuse(b, StrCat("zonesize ", b.zone_size, " does not match ", a.zone_size, " of job ",
                            a.name, " on the same device"));
  }
  if (a.max_open_zones != b.max_open_zones) {
    return Refuse(b, StrCat("Different 'max_open_zones' values: ", b.max_open_zones, ", and ",
                            a.max_open_zones, " in job ", a.name, " on the same device"));
  }
  if (a.rw.writes && b.rw.writes && (a.zone_reset_threshold || b.zone_reset_threshold) &&
      (a.offset != b.offset || a.size != b.size)) {
    return Refuse(b, StrCat("multi-jobs with different write ranges are not supported with "
                            "zone_reset_threshold: job ",
                            a.name, " has another offset or size"));
  }
  return OkStatus();
}

void NoteJob(const Job& job, const OptionValues& global, std::vector<std::string>& notices) {
  const auto note = [&](const std::string& text) {
    notices.push_back(StrCat("job ", job.name, ": ", text));
  };
  if (job.ioengine == "sync" || job.ioengine == "pvsync") {
    note(StrCat("ioengine=", job.ioengine, " runs as psync: one pread or pwrite at a time"));
  }
  if (job.job_max_open_zones != 0 && !job.rw.writes) {
    note("'job_max_open_zones' is valid only for write jobs");
  }
  if (job.zone_mode == ZoneMode::kZbd) return;
  for (const std::string_view name : kZonedOptions) {
    if (IsTyped(job.typed, name) || IsTyped(global, name)) {
      note(StrCat(std::string(name), " has no effect without --zonemode=zbd"));
    }
  }
}

}  // namespace

Status CheckJobs(const std::vector<Job>& jobs, const OptionValues& global,
                 std::vector<std::string>& notices) {
  for (const Job& job : jobs) ZONAL_RETURN_IF_ERROR(CheckJob(job, global));
  for (std::size_t b = 0; b < jobs.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) ZONAL_RETURN_IF_ERROR(CheckPair(jobs[a], jobs[b]));
  }
  for (const Job& job : jobs) NoteJob(job, global, notices);
  return OkStatus();
}

}  // namespace zonal::fio
