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

// Of zonemode=zbd alone; zonerange and zoneskip are of strided, too.
constexpr std::string_view kZonedOptions[] = {
    "zonecapacity",       "max_open_zones",       "job_max_open_zones",
    "read_beyond_wp",     "zone_reset_threshold", "zone_reset_frequency",
    "ignore_zone_limits", "write_zone_remainder", "recover_zbd_write_error",
};
constexpr std::string_view kWindowOptions[] = {"zonerange", "zoneskip"};

// fio's own words come first where scripts look for them, and the job behind.
Status Refuse(const Job& job, const std::string& why) {
  return absl::InvalidArgumentError(StrCat("job ", job.name, ": ", why));
}
Status RefuseAsFio(const Job& job, const std::string& words, const std::string& advice) {
  return absl::InvalidArgumentError(
      StrCat(words, " (job ", job.name, advice.empty() ? "" : ": ", advice, ")"));
}

bool IsTyped(const OptionValues& values, std::string_view name) {
  return std::any_of(values.begin(), values.end(),
                     [name](const auto& option) { return option.first == name; });
}
bool WasApplied(const Job& job, std::string_view name) { return IsTyped(job.applied, name); }

bool IsZbd(const Job& job) { return job.work.zone_mode == ZoneMode::kZbd; }

std::uint64_t LargestBlock(const Job& job) {
  const Workload& work = job.work;
  return std::max({work.reads ? work.read_block.max : 0, work.writes ? work.write_block.max : 0,
                   work.trims ? work.trim_block.max : 0});
}

// Reads of blocks that no zone holds find nothing to read, which is no mistake in itself.
std::uint64_t LargestWrite(const Job& job) {
  return job.work.writes ? job.work.write_block.max : 0;
}

Status CheckZoneSizes(const Job& job) {
  const Workload& work = job.work;
  if (work.zone_size != 0 && work.zone_size < 512) {
    return RefuseAsFio(job, "zone size must be at least 512 bytes for --zonemode=zbd", "");
  }
  if (work.zone_size != 0 && work.zone_capacity > work.zone_size) {
    return Refuse(job, StrCat("zonecapacity ", work.zone_capacity, " is larger than zone size ",
                              work.zone_size));
  }
  if (work.zone_size != 0 && LargestWrite(job) > work.zone_size) {
    return Refuse(job, StrCat("I/O buflen exceeds zone size: bs is ", LargestWrite(job),
                              ", zonesize ", work.zone_size));
  }
  if (work.zone_capacity != 0 && LargestWrite(job) > work.zone_capacity && !work.trims) {
    return Refuse(job, StrCat("bs ", LargestWrite(job), " is larger than zonecapacity ",
                              work.zone_capacity, ": no block would fit into a zone"));
  }
  const std::uint64_t skip = job.zone_skip.bytes;
  if (work.zone_size != 0 && skip % work.zone_size != 0) {
    return RefuseAsFio(
        job,
        StrCat("zoneskip ", skip, " is not a multiple of the device zone size ", work.zone_size),
        "");
  }
  return OkStatus();
}

Status CheckZoneMode(const Job& job) {
  switch (job.work.zone_mode) {
    case ZoneMode::kNone:
      if (!WasApplied(job, "zonesize")) return OkStatus();
      return RefuseAsFio(job, "--zonemode=none and --zonesize are not compatible",
                         "add --zonemode=zbd or --zonemode=strided");
    case ZoneMode::kStrided:
      if (job.work.zone_size != 0) return OkStatus();
      return RefuseAsFio(job, "--zonesize must be specified when using --zonemode=strided", "");
    case ZoneMode::kZbd:
      return CheckZoneSizes(job);
  }
  return OkStatus();
}

Status CheckResets(const Job& job) {
  const Workload& work = job.work;
  if (work.zone_reset_threshold.has_value() == work.zone_reset_frequency.has_value()) {
    return OkStatus();
  }
  return Refuse(job, work.zone_reset_threshold
                         ? "zone_reset_threshold does nothing alone: add zone_reset_frequency"
                         : "zone_reset_frequency needs a zone_reset_threshold (0: resets from the "
                           "first write on)");
}

Status CheckZoneWrites(const Job& job) {
  if (job.work.write_zone_remainder && job.norandommap == false) {
    return RefuseAsFio(job, "write_zone_remainder=1 requires norandommap=1",
                       "leave norandommap out");
  }
  if (job.work.recover_write_errors && !job.continues_on_error) {
    return RefuseAsFio(job, "recover_zbd_write_error works only when continue_on_error is set",
                       "add --continue_on_error=write");
  }
  return OkStatus();
}

Status CheckVerify(const Job& job) {
  const Workload& work = job.work;
  if (job.experimental_verify) {
    return RefuseAsFio(job, "zonemode=zbd does not support experimental verify", "use --verify");
  }
  if (work.verify.only && !work.verify.enabled()) {
    return Refuse(job, "verify_only needs to know how: add --verify=crc32c or what was written");
  }
  if (work.verify.only && work.time_based) {
    return Refuse(job, "verify_only does not go with time_based: each block is read back once");
  }
  if (work.verify.checksum == Checksum::kPattern && work.verify.pattern.empty()) {
    return Refuse(job, "verify=pattern needs a verify_pattern");
  }
  return OkStatus();
}

Status CheckRange(const Job& job) {
  if (HasMadeNames(job) && job.size == Extent{} && job.files.file_size == 0) {
    return Refuse(job,
                  "no --filename: name a device, a file or emu,key=value,...; or give a --size, "
                  "for a new file named after the job");
  }
  if (HasMadeNames(job) && job.size.relative && job.files.file_size == 0) {
    return Refuse(job, "a new file has no length yet: give --size in bytes, or --filesize");
  }
  if (job.size.bytes != 0 && job.size.bytes < LargestBlock(job) && !job.work.trims) {
    return Refuse(job,
                  StrCat("size ", job.size.bytes, " is below the block size ", LargestBlock(job)));
  }
  return OkStatus();
}

Status CheckJob(const Job& job, const Command& command) {
  ZONAL_RETURN_IF_ERROR(CheckRange(job));
  if (command.read_only && (job.work.writes || job.work.trims)) {
    return Refuse(job,
                  StrCat("rw=", job.rw_name, " would change the device, and --readonly is set"));
  }
  if (job.work.time_based && job.work.runtime.count() == 0) {
    return Refuse(job, "time_based requires a runtime: add --runtime=30s");
  }
  if (job.work.pace.latency_target.count() != 0 && job.work.pace.latency_window.count() == 0) {
    return Refuse(job, "latency_target needs a latency_window: how long each depth is tried");
  }
  ZONAL_RETURN_IF_ERROR(CheckZoneMode(job));
  ZONAL_RETURN_IF_ERROR(CheckZoneWrites(job));
  ZONAL_RETURN_IF_ERROR(CheckVerify(job));
  return CheckResets(job);
}

constexpr char kDifferentRanges[] =
    "multi-jobs with different write ranges are not supported with zone_reset_threshold";

Status CheckClones(const Job& job) {
  if (job.numjobs == 1 || !IsZbd(job) || !job.work.writes || !job.work.zone_reset_threshold ||
      job.offset_increment == Extent{}) {
    return OkStatus();
  }
  return Refuse(job, StrCat(kDifferentRanges, ": leave offset_increment out"));
}

// Jobs on one device share its zones, and so these options.
Status CheckPair(const Job& a, const Job& b) {
  if (a.files.names != b.files.names || HasMadeNames(a) || !IsZbd(a) || !IsZbd(b)) {
    return OkStatus();
  }
  const Workload& x = a.work;
  const Workload& y = b.work;
  if (x.zone_size != 0 && y.zone_size != 0 && x.zone_size != y.zone_size) {
    return Refuse(b, StrCat("zonesize ", y.zone_size, " does not match ", x.zone_size, " of job ",
                            a.name, " on the same device"));
  }
  if (x.max_open_zones != y.max_open_zones) {
    return Refuse(b, StrCat("Different 'max_open_zones' values: ", y.max_open_zones, ", and ",
                            x.max_open_zones, " in job ", a.name, " on the same device"));
  }
  if (x.writes && y.writes && (x.zone_reset_threshold || y.zone_reset_threshold) &&
      (a.offset != b.offset || a.size != b.size)) {
    return Refuse(b, StrCat(kDifferentRanges, ": job ", a.name, " has another offset or size"));
  }
  return OkStatus();
}

void NoteJob(const Job& job, std::vector<std::string>& notices) {
  const auto note = [&](const std::string& text) {
    notices.push_back(StrCat("job ", job.name, ": ", text));
  };
  if (job.ioengine == "sg") {
    note("ioengine=sg runs as libaio: the kernel makes the SCSI commands");
  } else if (job.ioengine != "io_uring" && job.ioengine != "libaio" && job.ioengine != "psync") {
    note(StrCat("ioengine=", job.ioengine, " runs as psync: one pread or pwrite at a time"));
  }
  if (job.job_max_open_zones != 0 && !job.work.writes) {
    note("'job_max_open_zones' is valid only for write jobs");
  }
  if (IsZbd(job)) return;
  for (const std::string_view name : kZonedOptions) {
    if (WasApplied(job, name)) {
      note(StrCat(std::string(name), " has no effect without --zonemode=zbd"));
    }
  }
  if (job.work.zone_mode == ZoneMode::kStrided) return;
  for (const std::string_view name : kWindowOptions) {
    if (WasApplied(job, name)) {
      note(StrCat(std::string(name), " has no effect without --zonemode=strided or zbd"));
    }
  }
}

}  // namespace

Status CheckJobs(const JobSet& set, Command& command) {
  const std::vector<Job>& jobs = set.jobs;
  for (const Job& job : jobs) {
    ZONAL_RETURN_IF_ERROR(CheckJob(job, command));
    ZONAL_RETURN_IF_ERROR(CheckClones(job));
  }
  for (std::size_t b = 0; b < jobs.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) ZONAL_RETURN_IF_ERROR(CheckPair(jobs[a], jobs[b]));
  }
  for (const Job& job : jobs) NoteJob(job, command.notices);
  return OkStatus();
}

}  // namespace zonal::fio
