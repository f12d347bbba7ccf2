// SPDX-License-Identifier: MIT
// Writer: zones held beyond a write (leases, claims of the target set), zones
// handed over by others, operations, and recovery after an error.
#include <algorithm>

#include "core/check.h"
#include "manager/writer.h"

namespace zonal::manager {

Admission Writer::Acquire(ZoneId zone) noexcept {
  ZoneCell& c = cell(zone);
  const std::uint64_t word = c.word.load(std::memory_order_acquire);
  if (OwnerOf(word) == me_ && (word & kSuspect) != 0) {
    // Ours from now on, whoever waits for it; where it goes on is not yet known.
    Keep(zone, c);
    c.owner_bits = static_cast<std::uint8_t>(c.owner_bits & ~kReleased);
    c.word.fetch_or(kLeased);
    return Refusal{Errc::kZoneSuspect, WaitKey::Kind::kOwnIo}.Of(zone);
  }
  if (const Errc errc = CheckWritable(c); errc != Errc::kOk) return Refusal{errc}.Of(zone);
  if (const Refusal refused = Own(zone); !refused.ok()) return refused.Of(zone);
  if (const Errc errc = CheckWritable(c); errc != Errc::kOk) {
    WhenDrained(zone, c);
    return Refusal{errc}.Of(zone);
  }
  if (!core_.TakeSlotsFor(c)) {
    if (c.in_flight.load(std::memory_order_relaxed) == 0) WhenDrained(zone, c);
    return Refusal{Errc::kNoSlot, WaitKey::Kind::kSlot}.Of(zone);
  }
  Keep(zone, c);
  c.owner_bits = static_cast<std::uint8_t>(c.owner_bits & ~kReleased);
  c.word.fetch_or(kLeased);
  const std::uint64_t reserved = c.reserved.load(std::memory_order_relaxed);
  return {
      Errc::kOk, {}, core_.geometry().StartOf(zone) + reserved, core_.CapacityOf(zone) - reserved};
}

Admission Writer::AcquireAny(ZoneRange range, std::uint64_t min_bytes) noexcept {
  Admission why = Refusal{Errc::kNoFreeZone}.Of(range.first);
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const ZoneId zone(range.first.value() + i);
    ZoneCell& c = cell(zone);
    if (CheckWritable(c) != Errc::kOk ||
        core_.CapacityOf(zone) - core_.ReservedOf(zone) < min_bytes) {
      continue;
    }
    if (OwnerOf(c.word.load(std::memory_order_acquire)) == me_) continue;  // leased already
    const Admission admission = Acquire(zone);
    if (admission.ok()) return admission;
    // No slot matters more than a busy zone: no other empty zone will do either.
    if (why.errc != Errc::kNoSlot) why = admission;
    if (why.errc == Errc::kNoSlot && c.condition() == ZoneCondition::kEmpty && range.count > 4096) {
      break;  // a million refusals say no more than one
    }
  }
  return why;
}

void Writer::Release(ZoneId zone) noexcept {
  ZoneCell& c = cell(zone);
  if (OwnerOf(c.word.load(std::memory_order_acquire)) != me_) return;
  c.word.fetch_and(~kLeased);
  c.owner_bits |= kReleased;
  if (c.in_flight.load(std::memory_order_relaxed) == 0) WhenDrained(zone, c);
}

void Writer::set_target_cap(std::uint32_t cap) noexcept {
  target_cap_ = cap == 0 ? core_.target_share() : std::min(cap, core_.target_share());
}

Admission Writer::ClaimTarget(ZoneId zone) noexcept {
  ZoneCell& c = cell(zone);
  TargetSet& targets = core_.targets();
  const std::uint64_t word = c.word.load(std::memory_order_acquire);
  if (OwnerOf(word) == me_ && (c.owner_bits & kKept) != 0 &&
      ((word & kTarget) != 0 || !targets.enabled())) {
    return {};
  }
  // Places that others free are of no use to a queue that has its share: only an
  // end of one of its own claims is.
  if (targets.enabled() && claims_.size() >= target_cap_) {
    return Refusal{Errc::kNoSlot, WaitKey::Kind::kOwnIo}.Of(zone);
  }
  if (const Errc errc = CheckWritable(c); errc != Errc::kOk) return Refusal{errc}.Of(zone);
  if ((word & kTarget) == 0 && targets.enabled() && targets.full()) {
    return Refusal{Errc::kNoSlot, WaitKey::Kind::kTargets}.Of(zone);
  }
  if (const Refusal refused = Own(zone); !refused.ok()) return refused.Of(zone);
  Refusal refused{CheckWritable(c)};
  if (refused.ok() && targets.enabled() &&
      (c.word.load(std::memory_order_relaxed) & kTarget) == 0 && !core_.AddTarget(zone)) {
    refused = {Errc::kNoSlot, WaitKey::Kind::kTargets};
  }
  if (!refused.ok()) {
    if (c.in_flight.load(std::memory_order_relaxed) == 0) WhenDrained(zone, c);
    return refused.Of(zone);
  }
  Keep(zone, c);
  if (targets.enabled()) claims_.push_back(zone);
  return {};
}

std::optional<ZoneId> Writer::ClaimUnclaimed(ZoneRange range) noexcept {
  target_range_ = range;
  if (claims_.size() >= target_cap_) return std::nullopt;
  std::optional<ZoneId> claimed;
  core_.targets().ForEach([&](ZoneId zone) {
    if (!range.Contains(zone)) return false;
    ZoneCell& c = cell(zone);
    const OwnerId owner = OwnerOf(c.word.load(std::memory_order_acquire));
    // Ours, and not claimed: just handed to us, the note not yet read.
    const bool handed = owner == me_ && (c.owner_bits & kKept) == 0;
    if (owner != kNobody && !handed) return false;
    if (handed) StartQuantum(c);
    if (!ClaimTarget(zone).ok()) return false;
    claimed = zone;
    return true;
  });
  return claimed;
}

void Writer::ReleaseTargets() noexcept {
  for (std::size_t i = claims_.size(); i-- > 0;) Release(claims_[i]);
}

bool Writer::Park(WaitKey key) noexcept { return core_.Park(key, me_, false, target_range_); }

// Ours, but in none of our lists: nothing of ours goes on in it.
bool Writer::IsIdle(const ZoneCell& c) noexcept {
  return c.in_flight.load(std::memory_order_relaxed) == 0 && c.owner_bits == 0;
}

void Writer::TakeGrants() noexcept {
  for (const Grant& grant : core_.queues().TakeGrants(entry_)) {
    const ZoneId zone = grant.zone;
    ZoneCell& c = cell(zone);
    const std::uint64_t word = c.word.load(std::memory_order_acquire);
    // The note may be late: the zone may have been found ours, used and passed on.
    if (OwnerOf(word) != me_) continue;
    if (grant.for_operation) continue;  // StartOperation goes on from here
    if ((word & kSuspect) != 0) {
      // Its last owner could not read its pointer, so nobody can write it: the next
      // waiter shall learn that too. Unless it became suspect in our own hands.
      if (IsIdle(c)) core_.GiveBack(zone);
      continue;
    }
    if ((c.owner_bits & kKept) == 0) StartQuantum(c);
    Keep(zone, c);
    c.owner_bits |= kUsedSincePoll;
    const bool claimed = std::find(claims_.begin(), claims_.end(), zone) != claims_.end();
    if ((word & kTarget) != 0 && !claimed) claims_.push_back(zone);
  }
}

void Writer::Sweep(Instant now, bool before_sleep) noexcept {
  now_ = now;
  entry_.last_poll_ns.store(now.ns, std::memory_order_relaxed);
  if (entry_.has_grants.load(std::memory_order_acquire)) TakeGrants();
  if (!core_.anybody_waits()) return;
  for (std::size_t i = kept_.size(); i-- > 0;) {
    const ZoneId zone = kept_[i];
    ZoneCell& c = cell(zone);
    const std::uint64_t word = c.word.load(std::memory_order_relaxed);
    const bool used = (c.owner_bits & kUsedSincePoll) != 0;
    c.owner_bits = static_cast<std::uint8_t>(c.owner_bits & ~kUsedSincePoll);
    if ((word & (kSuspect | kLeased)) != 0 || (c.owner_bits & (kManaging | kOperating)) != 0 ||
        c.in_flight.load(std::memory_order_relaxed) != 0) {
      continue;
    }
    const bool wanted =
        (word & kWanted) != 0 || ((word & kTarget) != 0 && core_.targets().wanted());
    if (MustYield(c, word) || (wanted && (!used || before_sleep))) Drop(zone);
  }
}

Errc Writer::StartOperation(ZoneId zone, ZoneOp op) noexcept {
  ZoneCell& c = cell(zone);
  if (OwnerOf(c.word.load(std::memory_order_acquire)) != me_) {
    Errc taken = core_.TryOwn(zone, me_, true);
    while (taken != Errc::kOk) {
      if (core_.Park({WaitKey::Kind::kZone, zone}, me_, true, {})) return Errc::kZoneBusy;
      taken = core_.TryOwn(zone, me_, true);
    }
    // We may have taken it from under our own wish (a shared zone that emptied).
    // Granted later, with no operation left to end it, it would bar everybody.
    if ((c.word.load(std::memory_order_relaxed) & kDraining) != 0) core_.StopAsking(zone, me_);
  }
  if ((c.owner_bits & kOperating) != 0) return Errc::kZoneBusy;
  c.owner_bits |= kManaging;
  const std::uint64_t word = c.word.load(std::memory_order_relaxed);
  if (c.in_flight.load(std::memory_order_relaxed) != 0) return Errc::kZoneBusy;
  if ((word & kSuspect) != 0) {
    if ((c.owner_bits & kUnreadable) == 0) {
      WhenDrained(zone, c);  // has its pointer read, if that is not under way
      return Errc::kZoneBusy;
    }
    if (op != ZoneOp::kReset) {
      Drop(zone);
      return Errc::kZoneSuspect;
    }
  }
  const bool opens = op == ZoneOp::kOpen && c.condition() != ZoneCondition::kFull;
  if (opens && !core_.TakeSlotsFor(c)) {
    c.owner_bits = static_cast<std::uint8_t>(c.owner_bits & ~kManaging);
    WhenDrained(zone, c);
    return Errc::kNoSlot;
  }
  c.owner_bits |= kOperating;
  if (op == ZoneOp::kReset) c.word.fetch_add(kEpochOne);
  return Errc::kOk;
}

void Writer::FinishOperation(ZoneId zone, ZoneOp op, const IoResult& result) noexcept {
  ZoneCell& c = cell(zone);
  if (!result.ok()) {
    c.word.fetch_or(kSuspect);
    if (op == ZoneOp::kReset) c.owner_bits |= kMayBeReset;
  } else if (op == ZoneOp::kReset) {
    core_.BecomeEmpty(zone);
    c.word.fetch_and(~kSuspect);
    std::erase(claims_, zone);
  } else if (op == ZoneOp::kFinish) {
    core_.BecomeFull(zone);
  } else if (op == ZoneOp::kOpen) {
    // ZBC opens a full zone with success, and it stays full.
    if (c.condition() != ZoneCondition::kFull) c.set_condition(ZoneCondition::kExplicitOpen);
  } else if (op == ZoneOp::kClose) {
    FinishClose(zone, c);
  } else {
    c.set_condition(ZoneCondition::kOffline);
    core_.RemoveTarget(zone);
    core_.DropSlots(c, {});
    std::erase(claims_, zone);
  }
  if (op == ZoneOp::kReset) c.word.fetch_add(kEpochOne);  // even again: readers may start
  c.owner_bits = static_cast<std::uint8_t>(c.owner_bits & ~(kManaging | kOperating | kUnreadable));
  core_.WakeReaders(zone);
  WhenDrained(zone, c);
}

void Writer::FinishClose(ZoneId zone, ZoneCell& c) noexcept {
  if (!IsOpen(c.condition())) return;
  // Closing frees an open slot, never an active one: a closed zone is active.
  c.set_condition(ZoneCondition::kClosed);
  core_.DropSlots(c, {false, true});
  if (c.committed.load(std::memory_order_relaxed) != 0) return;
  // Unless nothing was written: ZNS keeps it closed, ZBC makes it empty, and the
  // kernel does not say which of the two a device is. The zone itself does.
  c.word.fetch_or(kSuspect);
  only_closed_.push_back(zone);
}

void Writer::AbandonOperation(ZoneId zone, ZoneOp op) noexcept {
  ZoneCell& c = cell(zone);
  if (op == ZoneOp::kReset) c.word.fetch_sub(kEpochOne);  // nothing changed under any reader
  if (op == ZoneOp::kOpen && !IsOpen(c.condition())) {
    core_.DropSlots(c, {false, IsActive(c.condition())});
  }
  c.owner_bits = static_cast<std::uint8_t>(c.owner_bits & ~(kManaging | kOperating));
  core_.WakeReaders(zone);
  WhenDrained(zone, c);
}

ZoneId Writer::TakeSuspect() noexcept {
  const ZoneId zone = drained_suspects_.back();
  drained_suspects_.pop_back();
  return zone;
}

// What of [from, to) lies below `pointer` and what at or above it.
void Writer::ClassifyExtents(ZoneId zone, std::uint64_t pointer) noexcept {
  ZoneCell& c = cell(zone);
  const std::uint64_t start = core_.geometry().StartOf(zone);
  const auto add = [&](ZoneEvent::Kind kind, std::uint64_t from, std::uint64_t to,
                       const IoResult& result) {
    if (from < to)
      core_.events().Add({kind, zone, start + from, to - from, start + pointer, result});
  };
  while (c.oldest != 0) {
    const std::uint32_t index = c.oldest - 1;
    const Record& record = records_[index];
    const std::uint64_t end = record.offset + record.bytes;
    const std::uint64_t cut = std::clamp(pointer, record.offset, end);
    const bool done = record.state == RecordState::kDone;
    add(done ? ZoneEvent::Kind::kKept : ZoneEvent::Kind::kUnknown, record.offset, cut,
        record.result);
    add(ZoneEvent::Kind::kLost, cut, end, record.result);
    c.oldest = record.next;
    free_records_.Give(index);
  }
  c.newest = 0;
}

void Writer::Resync(ZoneId zone, const Zone& reported) noexcept {
  ZoneCell& c = cell(zone);
  const std::uint64_t start = core_.geometry().StartOf(zone);
  const std::uint64_t committed = c.committed.load(std::memory_order_relaxed);
  // A read-only or offline zone has no pointer to go by: what was committed stays
  // our knowledge, the rest is lost to us.
  std::uint64_t pointer = committed;
  if (reported.has_write_pointer() || reported.condition == ZoneCondition::kFull) {
    pointer = reported.written();
  }
  ClassifyExtents(zone, pointer);
  if (pointer < committed) {
    // Over acknowledged data, which a reset that failed by its answer only explains.
    if ((c.owner_bits & kMayBeReset) == 0) {
      core_.events().Add({ZoneEvent::Kind::kMisbehaved,
                          zone,
                          start + pointer,
                          committed - pointer,
                          start + pointer,
                          {}});
    }
    c.word.fetch_add(2 * kEpochOne);
  }
  core_.Adopt(zone, reported);
  if (!reported.has_write_pointer() && reported.condition != ZoneCondition::kFull) {
    c.committed.store(reported.condition == ZoneCondition::kOffline ? 0 : committed,
                      std::memory_order_release);
  }
  if (!IsActive(reported.condition)) {
    core_.RemoveTarget(zone);
    std::erase(claims_, zone);
  }
  c.word.fetch_and(~kSuspect);
  c.owner_bits = static_cast<std::uint8_t>(c.owner_bits & ~(kRecovering | kMayBeReset));
  if (std::erase(only_closed_, zone) == 0) {  // else nothing went wrong
    core_.events().Add({ZoneEvent::Kind::kResynced, zone, start, 0, start + pointer, {}});
  }
  WhenDrained(zone, c);
}

void Writer::GiveUp(ZoneId zone) noexcept {
  ZoneCell& c = cell(zone);
  ClassifyExtents(zone, c.committed.load(std::memory_order_relaxed));
  // Nobody writes it until its pointer is known: it would keep its place for ever.
  core_.RemoveTarget(zone);
  std::erase(claims_, zone);
  std::erase(only_closed_, zone);
  if ((c.owner_bits & kManaging) != 0) {  // StartOperation goes on from here
    c.owner_bits = static_cast<std::uint8_t>((c.owner_bits & ~kRecovering) | kUnreadable);
    return;
  }
  Drop(zone);
}

void Writer::CancelOperation(ZoneId zone) noexcept {
  ZoneCell& c = cell(zone);
  if (OwnerOf(c.word.load(std::memory_order_acquire)) != me_) return;
  // Another operation of ours is under way: it gives the zone back when it ends.
  if ((c.owner_bits & kOperating) != 0) return;
  c.owner_bits = static_cast<std::uint8_t>(c.owner_bits & ~(kManaging | kUnreadable));
  if (c.in_flight.load(std::memory_order_relaxed) == 0) WhenDrained(zone, c);
}

void Writer::StopWaiting() noexcept {
  core_.Unpark(me_);
  for (const Grant& grant : core_.queues().TakeGrants(entry_)) {
    const ZoneId zone = grant.zone;
    ZoneCell& c = cell(zone);
    if (OwnerOf(c.word.load(std::memory_order_acquire)) != me_ || !IsIdle(c)) continue;
    core_.GiveBack(zone);
  }
}

void Writer::End() noexcept {
  while (!kept_.empty()) {
    cell(kept_.back()).word.fetch_and(~kLeased);
    Drop(kept_.back());
  }
}

}  // namespace zonal::manager
