// SPDX-License-Identifier: MIT
// The queues of a manager: their ids, how to wake them, and zones that were
// handed to them while they slept. Cold: used at start, end and wake-ups.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "manager/zone_cell.h"
#include "zonal/io_queue.h"

namespace zonal::manager {

// A zone handed to a sleeping queue, and what it had asked for.
struct Grant {
  ZoneId zone;
  bool for_operation = false;
};

// A line of its own: its queue stores into it at every Poll.
struct alignas(64) QueueEntry {
  OwnerId id = kNobody;
  IoQueue* io = nullptr;
  std::atomic<std::int64_t> last_poll_ns{0};
  std::atomic<bool> has_grants{false};
  std::vector<Grant> grants;  // under the registry's mutex
};

class QueueRegistry {
 public:
  // ResourceExhausted after 65,532 queues at once.
  absl::StatusOr<QueueEntry*> Add(IoQueue& io);
  void Remove(OwnerId id);
  // Records that `id` now owns the zone.
  void Give(OwnerId id, Grant grant);
  std::vector<Grant> TakeGrants(QueueEntry& entry);
  void Wake(OwnerId id) noexcept;
  // When the queue last polled; nullopt if there is no such queue.
  std::optional<std::int64_t> LastPoll(OwnerId id) const;
  bool empty() const;

 private:
  QueueEntry* Find(OwnerId id) const;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<QueueEntry>> entries_;
  OwnerId next_ = 1;
};

}  // namespace zonal::manager
