// SPDX-License-Identifier: MIT
#include "engine/host_facts.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace zonal::engine {
namespace {

nanoseconds FromTimeval(const timeval& time) noexcept {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

HostFacts ThisThread() noexcept {
  HostFacts facts;
  facts.thread_id = syscall(SYS_gettid);
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return facts;
  facts.user_cpu = FromTimeval(usage.ru_utime);
  facts.system_cpu = FromTimeval(usage.ru_stime);
  facts.context_switches = static_cast<std::uint64_t>(usage.ru_nvcsw + usage.ru_nivcsw);
  facts.major_faults = static_cast<std::uint64_t>(usage.ru_majflt);
  facts.minor_faults = static_cast<std::uint64_t>(usage.ru_minflt);
  return facts;
}

DiskCounts CountsOfDisk(std::uint64_t block_device_number) {
  DiskCounts counts;
  if (block_device_number == 0) return counts;
  std::ifstream stat("/sys/dev/block/" + std::to_string(major(block_device_number)) + ":" +
                     std::to_string(minor(block_device_number)) + "/stat");
  // reads completed, merged, sectors, ms; writes completed, ...
  std::uint64_t skipped;
  stat >> counts.reads >> skipped >> skipped >> skipped >> counts.writes;
  return stat ? counts : DiskCounts{};
}

}  // namespace zonal::engine
