// SPDX-License-Identifier: MIT
// Who waits for what. Touched only when somebody waits: 64 buckets with a mutex
// each, keyed by zone, plus one for slots and one for the target set. Locks are
// held for list work only; wake-ups go out after unlocking.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "manager/zone_cell.h"
#include "zonal/zone_manager.h"

namespace zonal::manager {

struct Waiter {
  WaitKey key;
  OwnerId queue = kNobody;
  bool for_operation = false;  // a zone operation: goes before writers
  ZoneRange range;             // kTargets: zones that are of use to it
};

class WaitTable {
 public:
  struct Bucket {
    std::mutex mutex;
    std::vector<Waiter> waiters;

    // Under the mutex. The next one to be given `zone`: operations first, then in
    // order of arrival; removed from the list.
    std::optional<Waiter> PopForZone(ZoneId zone);
    std::optional<Waiter> PopForTarget(ZoneId zone);
    std::optional<Waiter> PopReader(ZoneId zone);  // kReset
    bool HasOperation(ZoneId zone) const;
    // What the zone's word is to say of them: kWanted, kDraining.
    std::uint64_t Shown(ZoneId zone) const;
    // What `queue` waits for with `key`; null if it does not.
    Waiter* Find(const WaitKey& key, OwnerId queue);
  };

  Bucket& For(const WaitKey& key) noexcept;
  // Under the bucket's mutex. A queue waits for one thing at most once: the same
  // wish again keeps its place, and as an operation's it goes before writers.
  void Add(Bucket& bucket, const Waiter& waiter);
  // Takes back what Add did. An operation's wish outlasts that of a writer.
  void Remove(Bucket& bucket, const Waiter& waiter);
  // Keeps the count of waiters that lets everybody else skip the buckets.
  void Note(int change) noexcept { count_.fetch_add(change); }
  // Who waits is counted before it looks at what it waits for, and a queue looks
  // at this after it has taken or changed something: as TargetSet::wanted().
  bool anybody() const noexcept { return count_.load() != 0; }
  std::array<Bucket, 66>& all() noexcept { return buckets_; }

 private:
  std::array<Bucket, 66> buckets_;
  alignas(64) std::atomic<int> count_{0};
};

}  // namespace zonal::manager
