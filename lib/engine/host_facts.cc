// SPDX-License-Identifier: MIT
#include "engine/host_facts.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fstream>

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

std::optional<DiskUse> CountsOfDisk(std::uint64_t block_device_number, const std::string& sysfs) {
  if (block_device_number == 0) return std::nullopt;
  std::ifstream stat(sysfs + "/dev/block/" + std::to_string(major(block_device_number)) + ":" +
                     std::to_string(minor(block_device_number)) + "/stat");
  // In the order of Documentation/block/stat.rst; newer kernels add discards and
  // flushes behind.
  DiskUse use;
  std::uint64_t in_flight;
  stat >> use.read_ios >> use.read_merges >> use.read_sectors >> use.read_ms >> use.write_ios >>
      use.write_merges >> use.write_sectors >> use.write_ms >> in_flight >> use.busy_ms >>
      use.in_queue_ms;
  return stat ? std::optional(use) : std::nullopt;
}

std::optional<DiskUse> Between(const std::optional<DiskUse>& before,
                               const std::optional<DiskUse>& after) noexcept {
  if (!before || !after) return std::nullopt;
  // The kernel prints times as 32 bits: they wrap after 49 days of work.
  const auto ms = [](std::uint64_t from, std::uint64_t to) {
    return std::uint64_t{static_cast<std::uint32_t>(to - from)};
  };
  DiskUse use;
  use.read_ios = after->read_ios - before->read_ios;
  use.read_merges = after->read_merges - before->read_merges;
  use.read_sectors = after->read_sectors - before->read_sectors;
  use.read_ms = ms(before->read_ms, after->read_ms);
  use.write_ios = after->write_ios - before->write_ios;
  use.write_merges = after->write_merges - before->write_merges;
  use.write_sectors = after->write_sectors - before->write_sectors;
  use.write_ms = ms(before->write_ms, after->write_ms);
  use.busy_ms = ms(before->busy_ms, after->busy_ms);
  use.in_queue_ms = ms(before->in_queue_ms, after->in_queue_ms);
  return use;
}

}  // namespace zonal::engine
