// SPDX-License-Identifier: MIT
// What the host says of a thread and of a disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "zonal/clock.h"
#include "zonal/run.h"

namespace zonal::engine {

struct HostFacts {
  nanoseconds user_cpu{0}, system_cpu{0};
  std::uint64_t context_switches = 0, major_faults = 0, minor_faults = 0;
  std::int64_t thread_id = 0;
};

// Of the calling thread, since it began.
HostFacts ThisThread() noexcept;

// The block layer's counts so far, from /sys/dev/block; nullopt where there are none.
std::optional<DiskUse> CountsOfDisk(std::uint64_t block_device_number,
                                    const std::string& sysfs = "/sys");
// What was counted between two readings; nullopt unless there are both.
std::optional<DiskUse> Between(const std::optional<DiskUse>& before,
                               const std::optional<DiskUse>& after) noexcept;

}  // namespace zonal::engine
