// SPDX-License-Identifier: MIT
// ManagerCore: zones passing from owner to owner, and what they hold of the
// device's limits.
#include "core/check.h"
#include "manager/manager_core.h"

namespace zonal::manager {

Errc ManagerCore::TryOwn(ZoneId zone, OwnerId me, bool for_operation) noexcept {
  ZoneCell& cell = table_[zone];
  std::uint64_t word = cell.word.load(std::memory_order_acquire);
  for (;;) {
    const OwnerId owner = OwnerOf(word);
    if (owner == me) return Errc::kOk;
    if (!for_operation && (word & kSuspect) != 0 && owner == kNobody) return Errc::kZoneSuspect;
    if (!for_operation && (word & kDraining) != 0) return Errc::kZoneBusy;
    if (owner == kShared) {
      // A suspect one is for the last of its sharers to recover.
      if ((word & kSuspect) != 0 || !TryClose(zone)) return Errc::kZoneBusy;
      // As kClosing the zone is ours; only flags can change under us.
      SetOwner(cell.word, me);
      break;
    }
    if (owner != kNobody) return Errc::kZoneBusy;
    if (cell.word.compare_exchange_weak(word, WithOwner(word, me), std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
      break;
    }
  }
  return Errc::kOk;
}

bool ManagerCore::TryClose(ZoneId zone) noexcept {
  ZoneCell& cell = table_[zone];
  for (;;) {
    std::uint64_t word = cell.word.load();
    do {
      if (OwnerOf(word) != kShared || cell.sharers.load() != 0) return false;
    } while (!cell.word.compare_exchange_weak(word, WithOwner(word, kClosing)));
    // Pairs with the joiner in append.cc, who counts itself in before it looks at
    // the owner: one of the two sees the other.
    if (cell.sharers.load() == 0) {
      if ((word & kSuspect) == 0) {
        cell.committed.store(cell.reserved.load(std::memory_order_relaxed),
                             std::memory_order_release);
      }
      return true;
    }
    SetOwner(cell.word, kShared);
    // The joiner may have left again while we held the zone, and then it left the
    // settling to us: look once more.
  }
}

void ManagerCore::GiveBack(ZoneId zone) noexcept {
  ZoneCell& cell = table_[zone];
  cell.owner_bits = 0;
  std::uint64_t word = cell.word.load(std::memory_order_relaxed);
  for (;;) {
    if ((word & kWanted) != 0) {
      HandToWaiter(zone);
      return;
    }
    // Sequentially consistent, as is the look at `wanted` below: see TargetSet.
    if (cell.word.compare_exchange_weak(word, WithOwner(word, kNobody) & ~kLeased)) break;
  }
  if ((word & kTarget) != 0 && targets_.wanted()) OfferToTargetWaiter(zone);
}

// Ownership goes straight to the next waiter: were the zone set free, the queue
// that just gave it up could take it again before a sleeper wakes, for ever.
void ManagerCore::HandToWaiter(ZoneId zone) noexcept {
  ZoneCell& cell = table_[zone];
  WaitTable::Bucket& bucket = waits_.For({WaitKey::Kind::kZone, zone});
  OwnerId next = kNobody;
  {
    const std::lock_guard lock(bucket.mutex);
    const std::optional<Waiter> waiter = bucket.PopForZone(zone);
    if (waiter.has_value()) waits_.Note(-1);
    const std::uint64_t shown = bucket.Shown(zone);
    next = waiter.has_value() ? waiter->queue : kNobody;
    if (next != kNobody) {
      cell.mark.store(static_cast<std::uint64_t>(clock().Now().ns), std::memory_order_relaxed);
      cell.ios_since_taken = 0;
    }
    SetOwner(cell.word, next, kWanted | kDraining | kLeased, shown);
    if (next != kNobody) queues_.Give(next, {zone, waiter->for_operation});
  }
  if (next != kNobody) {
    queues_.Wake(next);
  } else if (targets_.wanted() && (cell.word.load() & kTarget) != 0) {
    OfferToTargetWaiter(zone);
  }
}

void ManagerCore::OfferToTargetWaiter(ZoneId zone) noexcept {
  WaitTable::Bucket& bucket = waits_.For({WaitKey::Kind::kTargets, {}});
  OwnerId next = kNobody;
  {
    const std::lock_guard lock(bucket.mutex);
    if (bucket.waiters.empty()) {
      targets_.ClearWanted();
      return;
    }
    const std::optional<Waiter> waiter = bucket.PopForTarget(zone);
    if (!waiter.has_value()) return;
    waits_.Note(-1);
    next = waiter->queue;
    // From here on the zone is the waiter's alone: its cell is no longer ours to touch.
    if (TryOwn(zone, next) == Errc::kOk) queues_.Give(next, {zone, false});
  }
  queues_.Wake(next);  // also without the zone: it looks again
}

Slots ManagerCore::NeededFor(const ZoneCell& cell) const noexcept {
  const std::uint8_t held = cell.slots.load(std::memory_order_relaxed);
  return {(held & kHoldsOpen) == 0, (held & kHoldsActive) == 0};
}

bool ManagerCore::TakeSlotsFor(ZoneCell& cell) noexcept {
  const Slots needed = NeededFor(cell);
  if (!needed.open && !needed.active) return true;
  if (!slots_.Take(needed)) return false;
  cell.slots.store(kHoldsOpen | kHoldsActive, std::memory_order_relaxed);
  return true;
}

void ManagerCore::DropSlots(ZoneCell& cell, Slots keep) noexcept {
  const std::uint8_t held = cell.slots.load(std::memory_order_relaxed);
  const Slots drop{(held & kHoldsOpen) != 0 && !keep.open,
                   (held & kHoldsActive) != 0 && !keep.active};
  const int left = (keep.open ? held & kHoldsOpen : 0) | (keep.active ? held & kHoldsActive : 0);
  if (held != left) cell.slots.store(static_cast<std::uint8_t>(left), std::memory_order_relaxed);
  if (slots_.Give(drop)) WakeSlotWaiters();
}

bool ManagerCore::AddTarget(ZoneId zone) noexcept {
  if (!targets_.Add(zone)) return false;
  table_[zone].word.fetch_or(kTarget);
  return true;
}

void ManagerCore::RemoveTarget(ZoneId zone) noexcept {
  if ((table_[zone].word.load(std::memory_order_relaxed) & kTarget) == 0) return;
  table_[zone].word.fetch_and(~kTarget);
  targets_.Remove(zone);
  if (targets_.wanted()) WakeTargetWaiters();
}

void ManagerCore::BecomeFull(ZoneId zone) noexcept {
  ZoneCell& cell = table_[zone];
  cell.set_condition(ZoneCondition::kFull);
  cell.reserved.store(table_.CapacityOf(zone), std::memory_order_relaxed);
  RemoveTarget(zone);
  DropSlots(cell, {});
}

void ManagerCore::BecomeEmpty(ZoneId zone) noexcept {
  ZoneCell& cell = table_[zone];
  cell.set_condition(ZoneCondition::kEmpty);
  cell.committed.store(0, std::memory_order_release);
  cell.reserved.store(0, std::memory_order_relaxed);
  RemoveTarget(zone);
  DropSlots(cell, {});
}

}  // namespace zonal::manager
