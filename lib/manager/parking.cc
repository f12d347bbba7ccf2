// SPDX-License-Identifier: MIT
// ManagerCore: queues that wait, and how they are woken. Every wait sets a
// "wanted" bit in the very atomic that the other side changes when it gives
// something back, and does so under the bucket's mutex: whoever gives back
// either comes before (then the waiter sees it and does not sleep) or sees the
// bit and finds the waiter in the bucket.
#include <algorithm>
#include <vector>

#include "manager/manager_core.h"

namespace zonal::manager {

bool ManagerCore::Park(WaitKey key, OwnerId me, bool for_operation, ZoneRange range) noexcept {
  switch (key.kind) {
    case WaitKey::Kind::kNone:
      return false;
    case WaitKey::Kind::kOwnIo:
      return true;  // the queue's own completions wake it
    case WaitKey::Kind::kZone:
      return ParkOnZone(key, me, for_operation);
    case WaitKey::Kind::kReset:
      return ParkOnReset(key, me);
    case WaitKey::Kind::kTargets:
      return ParkOnTargets(me, range);
    case WaitKey::Kind::kSlot:
      break;
  }
  WaitTable::Bucket& bucket = waits_.For(key);
  const std::lock_guard lock(bucket.mutex);
  if (!slots_.AskForWake(NeededFor(table_[key.zone]))) return false;
  waits_.Add(bucket, {key, me, false, {}});
  return true;
}

bool ManagerCore::ParkOnZone(WaitKey key, OwnerId me, bool for_operation) noexcept {
  ZoneCell& cell = table_[key.zone];
  WaitTable::Bucket& bucket = waits_.For(key);
  OwnerId owner;
  {
    const std::lock_guard lock(bucket.mutex);
    const std::uint64_t bits = kWanted | (for_operation ? kDraining : 0);
    const std::uint64_t word = cell.word.fetch_or(bits);
    owner = OwnerOf(word);
    const bool free_now = owner == kNobody || owner == me ||
                          (owner == kShared && (word & kSuspect) == 0 && cell.sharers.load() == 0);
    // A free zone that an operation waits for is no use to a writer. Without such
    // a waiter the bar is left over, and whoever comes upon it takes it away.
    const bool operation = bucket.HasOperation(key.zone);
    const bool promised = owner == kNobody && !for_operation && operation;
    if (free_now && !promised) {
      if (!bucket.HasWaiter(key.zone)) cell.word.fetch_and(~kWanted);
      const bool left_over = owner == kNobody || (for_operation && (word & kDraining) == 0);
      if (!operation && left_over) cell.word.fetch_and(~kDraining);
      return false;
    }
    waits_.Add(bucket, {key, me, for_operation, {}});
  }
  // The owner may be asleep with nothing in flight: let it look at its zones.
  if (owner != kNobody) queues_.Wake(owner);
  return true;
}

bool ManagerCore::ParkOnReset(WaitKey key, OwnerId me) noexcept {
  WaitTable::Bucket& bucket = waits_.For(key);
  const std::lock_guard lock(bucket.mutex);
  if (EpochOf(key.zone) % 2 == 0) return false;
  waits_.Add(bucket, {key, me, false, {}});
  return true;
}

bool ManagerCore::ParkOnTargets(OwnerId me, ZoneRange range) noexcept {
  const WaitKey key{WaitKey::Kind::kTargets, {}};
  WaitTable::Bucket& bucket = waits_.For(key);
  std::vector<OwnerId> owners;
  {
    const std::lock_guard lock(bucket.mutex);
    targets_.SetWanted();
    bool free_now = !targets_.full();
    targets_.ForEach([&](ZoneId zone) {
      const OwnerId owner = OwnerOf(table_[zone].word.load());
      const bool mine = zone >= range.first && zone.value() - range.first.value() < range.count;
      if (owner == kNobody && mine) free_now = true;
      if (owner != kNobody) owners.push_back(owner);
      return free_now;
    });
    if (free_now) {
      if (bucket.waiters.empty()) targets_.ClearWanted();
      return false;
    }
    waits_.Add(bucket, {key, me, false, range});
  }
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  for (const OwnerId owner : owners) queues_.Wake(owner);
  return true;
}

void ManagerCore::WakeSlotWaiters() noexcept {
  std::vector<Waiter> woken;
  {
    WaitTable::Bucket& bucket = waits_.For({WaitKey::Kind::kSlot, {}});
    const std::lock_guard lock(bucket.mutex);
    woken.swap(bucket.waiters);
  }
  waits_.Note(-static_cast<int>(woken.size()));
  for (const Waiter& waiter : woken) queues_.Wake(waiter.queue);
}

void ManagerCore::WakeTargetWaiters() noexcept {
  std::vector<Waiter> woken;
  {
    WaitTable::Bucket& bucket = waits_.For({WaitKey::Kind::kTargets, {}});
    const std::lock_guard lock(bucket.mutex);
    woken.swap(bucket.waiters);
    targets_.ClearWanted();
  }
  waits_.Note(-static_cast<int>(woken.size()));
  for (const Waiter& waiter : woken) queues_.Wake(waiter.queue);
}

void ManagerCore::Unpark(OwnerId me) noexcept {
  for (WaitTable::Bucket& bucket : waits_.all()) {
    std::vector<ZoneId> operations;
    {
      const std::lock_guard lock(bucket.mutex);
      for (const Waiter& waiter : bucket.waiters) {
        if (waiter.queue == me && waiter.for_operation) operations.push_back(waiter.key.zone);
      }
      waits_.Note(-static_cast<int>(
          std::erase_if(bucket.waiters, [&](const Waiter& w) { return w.queue == me; })));
    }
    for (const ZoneId zone : operations) EndDraining(zone);
  }
}

void ManagerCore::EndDraining(ZoneId zone) noexcept {
  WaitTable::Bucket& bucket = waits_.For({WaitKey::Kind::kZone, zone});
  std::vector<Waiter> woken;
  {
    const std::lock_guard lock(bucket.mutex);
    while (auto reader = bucket.PopReader(zone)) woken.push_back(*reader);
    if (!bucket.HasOperation(zone)) {
      ZoneCell& cell = table_[zone];
      const std::uint64_t word = cell.word.fetch_and(~kDraining);
      // Writers that waited behind the operation on a zone nobody owns would
      // otherwise be found by nobody.
      if (OwnerOf(word) == kNobody) {
        while (auto waiter = bucket.PopForZone(zone)) woken.push_back(*waiter);
        cell.word.fetch_and(~kWanted);
      }
    }
  }
  waits_.Note(-static_cast<int>(woken.size()));
  for (const Waiter& waiter : woken) queues_.Wake(waiter.queue);
}

}  // namespace zonal::manager
