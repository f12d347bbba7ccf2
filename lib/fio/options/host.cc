// SPDX-License-Identifier: MIT
// CPUs, memory, priorities.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

Status CpusAllowed(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.cpus.allowed, ParseCpuList(value));
  return OkStatus();
}

Status CpuMask(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t mask, ParseInteger(value, {1, kMost64}));
  target.job.cpus.allowed.clear();
  for (std::uint32_t cpu = 0; cpu < 64; ++cpu) {
    if ((mask >> cpu & 1) != 0) target.job.cpus.allowed.push_back(cpu);
  }
  return OkStatus();
}

constexpr Choice<bool> kPolicies[] = {{"shared", false}, {"split", true}};
Status CpuPolicy(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.cpus.split, Choose(value, kPolicies));
  return OkStatus();
}

Status Nice(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const std::int64_t nice, ParseSigned(value, -20, 19));
  target.job.work.nice = static_cast<int>(nice);
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("cpus_allowed", "CPUS", "any", "CPUs the job may run on: 0,5,8-15.", CpusAllowed),
    Value("cpumask", "MASK", "any", "The same as a mask of bits.", CpuMask),
    Value("cpus_allowed_policy", "shared|split", "shared",
          "Copies share the CPUs, or take one each in turn.", CpuPolicy),
    Value("nice", "-20..19", "0", "Scheduling priority.", Nice),
    NoEffect("mem", "KIND", "Buffers are aligned, and in huge pages where they fit.").Also("iomem"),
    NoEffect("iomem_align", "SIZE", "Buffers are aligned to pages.").Also("mem_align"),
    NoEffect("hugepage-size", "SIZE", "The kernel chooses."),
    NoEffect("clocksource", "CLOCK", "The clock is CLOCK_MONOTONIC."),
    NoEffect("gtod_cpu", "CPU", "Readings of the clock are shared by batches as it is."),
    NoEffect("job_start_clock_id", "ID", "Start times are wall-clock times."),
    Refused("prio", "0..7", "Use ionice.", "0"),
    Refused("prioclass", "0..3", "Use ionice.", "0"),
    Refused("priohint", "N", "Use ionice.", "0"),
    Refused("lockmem", "SIZE", "Use systemd-run with MemoryMax.", "0"),
    Refused("numa_cpu_nodes", "NODES", "Use numactl --cpunodebind."),
    Refused("numa_mem_policy", "POLICY", "Use numactl.", "default"),
    Refused("ioscheduler", "NAME", "Write to the device's queue/scheduler in sysfs."),
    Refused("uid", "ID", "Use setpriv or sudo."),
    Refused("gid", "ID", "Use setpriv or sudo."),
    Refused("cgroup", "NAME", "Use systemd-run."),
    Refused("cgroup_weight", "100..1000", "Use systemd-run with IOWeight."),
    Refused("cgroup_nodelete", "0|1", "Use systemd-run.", "0"),
};

}  // namespace

std::span<const Option> HostOptions() { return kRows; }

}  // namespace zonal::fio
