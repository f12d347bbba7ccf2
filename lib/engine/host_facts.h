// SPDX-License-Identifier: MIT
// What the host says of a thread and of a disk. All zero where it says nothing.
#pragma once

#include <cstdint>

#include "zonal/clock.h"

namespace zonal::engine {

struct HostFacts {
  nanoseconds user_cpu{0}, system_cpu{0};
  std::uint64_t context_switches = 0, major_faults = 0, minor_faults = 0;
  std::int64_t thread_id = 0;
};

// Of the calling thread, since it began.
HostFacts ThisThread() noexcept;

struct DiskCounts {
  std::uint64_t reads = 0, writes = 0;
};
// The block layer's completed I/Os, from /sys/dev/block.
DiskCounts CountsOfDisk(std::uint64_t block_device_number);

}  // namespace zonal::engine
