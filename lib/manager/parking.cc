// SPDX-License-Identifier: MIT
// ManagerCore: queues that wait, and how they are woken. Every wait sets a
// "wanted" bit in the very atomic that the other side changes when it gives
// something back, and does so under the bucket's mutex: whoever gives back
// either comes before (then the waiter sees it and does not sleep) or sees the
// bit and finds the waiter in the bucket.
//
// A zone's kWanted and kDraining are changed under that mutex only, and always
// say what the bucket holds. So a zone that somebody waits for has an owner, or
// sharers, who will come upon the bit: nobody sleeps on a zone that is free, and
// a bar ends with the operation that asked for it.
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
  const Waiter waiter{key, me, for_operation, {}};
  WaitTable::Bucket& bucket = waits_.For(key);
  OwnerId owner;
  {
    const std::lock_guard lock(bucket.mutex);
    waits_.Add(bucket, waiter);
    const std::uint64_t word = ShowWaiters(bucket, key.zone);
    owner = OwnerOf(word);
    // A shared zone with nobody inside is free, but not to a writer while an
    // operation waits: the last one out, who saw the bit, is about to hand it over.
    const bool deserted = owner == kShared && (word & kSuspect) == 0 &&
                          (for_operation || !bucket.HasOperation(key.zone)) &&
                          table_[key.zone].sharers.load() == 0;
    if (owner == kNobody || owner == me || deserted) {
      waits_.Remove(bucket, waiter);
      ShowWaiters(bucket, key.zone);
      return false;
    }
  }
  // The owner may be asleep with nothing in flight: let it look at its zones.
  if (owner != kNobody) queues_.Wake(owner);
  return true;
}

// Under the bucket's mutex. Returns the word as it was.
std::uint64_t ManagerCore::ShowWaiters(WaitTable::Bucket& bucket, ZoneId zone) noexcept {
  const std::uint64_t shown = bucket.Shown(zone);
  std::atomic<std::uint64_t>& word = table_[zone].word;
  std::uint64_t was = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(was, (was & ~(kWanted | kDraining)) | shown)) {
  }
  return was;
}

bool ManagerCore::WaitersAreShown(ZoneId zone) const noexcept {
  WaitTable::Bucket& bucket = waits_.For({WaitKey::Kind::kZone, zone});
  const std::lock_guard lock(bucket.mutex);
  return (table_[zone].word.load() & (kWanted | kDraining)) == bucket.Shown(zone);
}

void ManagerCore::StopAsking(ZoneId zone, OwnerId me) noexcept {
  const WaitKey key{WaitKey::Kind::kZone, zone};
  WaitTable::Bucket& bucket = waits_.For(key);
  const std::lock_guard lock(bucket.mutex);
  waits_.Remove(bucket, {key, me, true, {}});
  ShowWaiters(bucket, zone);
}

bool ManagerCore::ParkOnReset(WaitKey key, OwnerId me) noexcept {
  WaitTable::Bucket& bucket = waits_.For(key);
  const std::lock_guard lock(bucket.mutex);
  if (EpochOf(key.zone) % 2 == 0) return false;
  waits_.Add(bucket, {key, me, false, {}});
  return true;
}

bool ManagerCore::ParkOnTargets(OwnerId me, ZoneRange range) noexcept {
  const Waiter waiter{{WaitKey::Kind::kTargets, {}}, me, false, range};
  WaitTable::Bucket& bucket = waits_.For(waiter.key);
  std::vector<OwnerId> owners;
  {
    const std::lock_guard lock(bucket.mutex);
    waits_.Add(bucket, waiter);
    targets_.SetWanted();
    bool free_now = !targets_.full();
    targets_.ForEach([&](ZoneId zone) {
      const OwnerId owner = OwnerOf(table_[zone].word.load());
      const bool mine = range.Contains(zone);
      if (owner == kNobody && mine) free_now = true;
      if (owner != kNobody && owner != me) owners.push_back(owner);
      return free_now;
    });
    if (free_now) {
      waits_.Remove(bucket, waiter);
      if (bucket.waiters.empty()) targets_.ClearWanted();
      return false;
    }
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
    const std::lock_guard lock(bucket.mutex);
    std::vector<ZoneId> zones;
    for (const Waiter& waiter : bucket.waiters) {
      if (waiter.queue == me && waiter.key.kind == WaitKey::Kind::kZone) {
        zones.push_back(waiter.key.zone);
      }
    }
    waits_.Note(-static_cast<int>(
        std::erase_if(bucket.waiters, [&](const Waiter& w) { return w.queue == me; })));
    for (const ZoneId zone : zones) ShowWaiters(bucket, zone);
  }
}

void ManagerCore::WakeReaders(ZoneId zone) noexcept {
  WaitTable::Bucket& bucket = waits_.For({WaitKey::Kind::kZone, zone});
  std::vector<Waiter> woken;
  {
    const std::lock_guard lock(bucket.mutex);
    while (auto reader = bucket.PopReader(zone)) woken.push_back(*reader);
  }
  waits_.Note(-static_cast<int>(woken.size()));
  for (const Waiter& waiter : woken) queues_.Wake(waiter.queue);
}

}  // namespace zonal::manager
