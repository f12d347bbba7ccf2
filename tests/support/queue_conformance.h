// SPDX-License-Identifier: MIT
// The contract of zonal/io_queue.h as checks that any queue must pass: the same
// suite runs over the kernel queues and the emulated drive. Catch2 assertions,
// main thread only.
#pragma once

#include <cstdint>
#include <functional>

#include "zonal/device.h"

namespace zonal::test {

struct ConformanceTarget {
  Device& device;
  QueueKind kind = QueueKind::kDefault;
  // Where the suite writes, in ascending order from `offset` on; at least 1 MiB.
  std::uint64_t offset = 0;
  // Makes the place writable from its start again (a zone reset).
  std::function<void()> rewind = [] {};
};

// Everything below, one after the other.
void CheckQueueConformance(const ConformanceTarget& target);

void CheckWriteReadVerify(const ConformanceTarget& target, std::uint32_t depth);
void CheckFullQueueTakesNothing(const ConformanceTarget& target);
void CheckWakeEndsPoll(const ConformanceTarget& target);
void CheckWaits(const ConformanceTarget& target);
void CheckPollCounts(const ConformanceTarget& target);
void CheckBuffers(const ConformanceTarget& target);
void CheckErrorsAreCompletions(const ConformanceTarget& target);
void CheckCloseDrains(const ConformanceTarget& target);
void CheckEvents(const ConformanceTarget& target);
void CheckNoWakeIsLost(const ConformanceTarget& target);

}  // namespace zonal::test
