// SPDX-License-Identifier: MIT
// Writer: admission and completion of writes, the hot path.
#include "manager/writer.h"

#include <algorithm>

#include "core/check.h"
#include "zonal/splitter.h"

namespace zonal::manager {

Writer::Writer(ManagerCore& core, QueueEntry& entry, std::uint32_t depth, std::uint32_t zone_depth)
    : core_(core),
      entry_(entry),
      me_(entry.id),
      zone_depth_(zone_depth),
      granularity_(std::max(1u, core.geometry().write_granularity)),
      target_cap_(core.target_share()),
      now_(core.clock().Now()),
      // Completed writes behind a gap keep their record, so there are more of them
      // than writes in flight.
      records_(std::size_t{depth} * 2),
      free_records_(depth * 2) {
  kept_.reserve(64);
  claims_.reserve(std::min(target_cap_, 4096u));
}

bool Writer::MustYield(const ZoneCell& c, std::uint64_t word) const noexcept {
  if ((word & kLeased) != 0) return false;  // operations of others wait for the release
  if ((word & kDraining) != 0) return true;
  const bool wanted = (word & kWanted) != 0 || ((word & kTarget) != 0 && core_.targets().wanted());
  if (!wanted) return false;
  const ManagerOptions& options = core_.options();
  return c.ios_since_taken >= options.quantum_ios ||
         now_.ns - static_cast<std::int64_t>(c.mark.load(std::memory_order_relaxed)) >=
             options.quantum_time.count();
}

// Makes the zone ours, or says what to wait for.
Writer::Refusal Writer::Own(ZoneId zone) noexcept {
  ZoneCell& c = cell(zone);
  const std::uint64_t word = c.word.load(std::memory_order_acquire);
  if (OwnerOf(word) == me_) {
    if ((word & kSuspect) != 0) return {Errc::kZoneSuspect, WaitKey::Kind::kOwnIo};
    // Before the flags: others may bar a zone, but nobody lets us write during an
    // operation of our own.
    if ((c.owner_bits & (kManaging | kOperating)) != 0) {
      return {Errc::kZoneBusy, WaitKey::Kind::kOwnIo};
    }
    if (!MustYield(c, word)) return {};
    if (c.in_flight.load(std::memory_order_relaxed) != 0) {
      return {Errc::kZoneBusy, WaitKey::Kind::kOwnIo};
    }
    Drop(zone);  // passes it on: somebody wants it
    return {Errc::kZoneBusy, WaitKey::Kind::kZone};
  }
  const Errc taken = core_.TryOwn(zone, me_);
  if (taken == Errc::kZoneSuspect) return {taken, WaitKey::Kind::kNone};
  if (taken != Errc::kOk) return {taken, WaitKey::Kind::kZone};
  StartQuantum(c);
  return {};
}

void Writer::StartQuantum(ZoneCell& c) noexcept {
  c.mark.store(static_cast<std::uint64_t>(now_.ns), std::memory_order_relaxed);
  c.ios_since_taken = 0;
}

Errc Writer::CheckWritable(const ZoneCell& c) noexcept {
  if (c.type() == ZoneType::kConventional) return Errc::kBadZoneType;
  switch (c.condition()) {
    case ZoneCondition::kReadOnly:
      return Errc::kZoneReadOnly;
    case ZoneCondition::kOffline:
      return Errc::kZoneOffline;
    case ZoneCondition::kFull:
      return Errc::kZoneFull;
    default:
      return Errc::kOk;
  }
}

Writer::Reservation Writer::Reserve(ZoneId zone, std::uint64_t bytes, std::uint64_t least,
                                    bool keep) noexcept {
  ZoneCell& c = cell(zone);
  if (const Errc errc = CheckWritable(c); errc != Errc::kOk) return {Refusal{errc}.Of(zone)};
  if (const Refusal refused = Own(zone); !refused.ok()) return {refused.Of(zone)};
  // From here on the zone is ours: a refusal gives it back if it was idle.
  const auto refuse = [&](Errc errc, WaitKey::Kind kind) -> Reservation {
    if (c.in_flight.load(std::memory_order_relaxed) == 0 && (c.owner_bits & kKept) == 0) {
      core_.GiveBack(zone);
    }
    return {Refusal{errc, kind}.Of(zone)};
  };
  if (const Errc errc = CheckWritable(c); errc != Errc::kOk) {
    return refuse(errc, WaitKey::Kind::kNone);
  }
  const std::uint64_t reserved = c.reserved.load(std::memory_order_relaxed);
  const SplitLimits limits{core_.geometry().max_transfer, granularity_};
  bytes = FirstPiece(reserved, WholeUnits(bytes), core_.CapacityOf(zone), limits).bytes;
  if (bytes == 0 || bytes < least) return refuse(Errc::kZoneFull, WaitKey::Kind::kNone);
  const std::uint32_t in_flight = c.in_flight.load(std::memory_order_relaxed);
  if ((zone_depth_ != 0 && in_flight >= zone_depth_) || free_records_.empty()) {
    return refuse(Errc::kZoneBusy, WaitKey::Kind::kOwnIo);
  }
  const std::uint8_t slots_before = c.slots.load(std::memory_order_relaxed);
  const ZoneCondition condition_before = c.condition();
  if (!core_.TakeSlotsFor(c)) return refuse(Errc::kNoSlot, WaitKey::Kind::kSlot);
  if (condition_before != ZoneCondition::kExplicitOpen) {
    c.set_condition(ZoneCondition::kImplicitOpen);
  }
  if (keep) Keep(zone, c);
  c.owner_bits |= kUsedSincePoll;
  ++c.ios_since_taken;
  c.reserved.store(reserved + bytes, std::memory_order_relaxed);
  c.in_flight.store(in_flight + 1, std::memory_order_relaxed);

  const std::uint32_t index = free_records_.Take();
  records_[index] = {
      zone, 0, reserved, bytes, {}, RecordState::kInFlight, slots_before, condition_before};
  if (c.newest != 0) {
    records_[c.newest - 1].next = index + 1;
  } else {
    c.oldest = index + 1;
  }
  c.newest = index + 1;
  return {{Errc::kOk, {}, core_.geometry().StartOf(zone) + reserved, bytes}, index};
}

void Writer::Unreserve(std::uint32_t index) noexcept {
  const Record record = records_[index];
  ZoneCell& c = cell(record.zone);
  ZONAL_CHECK(c.newest == index + 1, "only the newest reservation of a zone is undone");
  if (c.oldest == index + 1) {
    c.oldest = c.newest = 0;
  } else {
    std::uint32_t before = c.oldest - 1;
    while (records_[before].next != index + 1) before = records_[before].next - 1;
    records_[before].next = 0;
    c.newest = before + 1;
  }
  free_records_.Give(index);
  c.reserved.store(record.offset, std::memory_order_relaxed);
  c.in_flight.store(c.in_flight.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  c.set_condition(record.condition_before);
  core_.DropSlots(
      c, {(record.slots_before & kHoldsOpen) != 0, (record.slots_before & kHoldsActive) != 0});
  if (c.in_flight.load(std::memory_order_relaxed) == 0) WhenDrained(record.zone, c);
}

// Moves `committed` up to the first write that is not done.
void Writer::PopCompleted(ZoneId zone, ZoneCell& c) noexcept {
  std::uint64_t committed = 0;
  bool moved = false;
  while (c.oldest != 0) {
    const std::uint32_t index = c.oldest - 1;
    const Record& record = records_[index];
    if (record.state != RecordState::kDone) break;
    committed = record.offset + record.bytes;
    moved = true;
    c.oldest = record.next;
    if (c.oldest == 0) c.newest = 0;
    free_records_.Give(index);
  }
  if (!moved) return;
  c.committed.store(committed, std::memory_order_release);
  if (committed == core_.CapacityOf(zone)) core_.BecomeFull(zone);
}

void Writer::Complete(std::uint32_t index, const IoResult& result) noexcept {
  Record& record = records_[index];
  const ZoneId zone = record.zone;
  ZoneCell& c = cell(zone);
  record.result = result;
  const bool whole = result.ok() && result.bytes == record.bytes;
  record.state = whole ? RecordState::kDone : RecordState::kFailed;
  if (!whole) {
    if (result.errc == Errc::kTooManyOpen || result.errc == Errc::kTooManyActive) {
      core_.events().Add(
          {ZoneEvent::Kind::kLimitDesync, zone, result.offset, record.bytes, 0, result});
    }
    c.word.fetch_or(kSuspect);
  }
  const std::uint32_t in_flight = c.in_flight.load(std::memory_order_relaxed) - 1;
  c.in_flight.store(in_flight, std::memory_order_relaxed);
  if (c.oldest == index + 1) PopCompleted(zone, c);
  if (in_flight == 0) WhenDrained(zone, c);
}

// Nothing of ours is in flight in the zone any more: what is to become of it?
void Writer::WhenDrained(ZoneId zone, ZoneCell& c) noexcept {
  const std::uint64_t word = c.word.load(std::memory_order_relaxed);
  if ((c.owner_bits & kRecovering) != 0) return;
  if ((word & kSuspect) != 0) {
    c.owner_bits |= kRecovering;
    drained_suspects_.push_back(zone);
    return;
  }
  if ((c.owner_bits & kManaging) != 0) return;  // StartOperation goes on from here
  const bool full = c.condition() == ZoneCondition::kFull;
  const bool keep = (c.owner_bits & (kKept | kReleased)) == kKept &&
                    ((word & kLeased) != 0 || !(full || MustYield(c, word)));
  if (!keep) Drop(zone);
}

void Writer::Keep(ZoneId zone, ZoneCell& c) {
  if ((c.owner_bits & kKept) != 0) return;
  c.owner_bits |= kKept;
  kept_.push_back(zone);
}

// Takes a zone out of our lists.
void Writer::Forget(ZoneId zone) noexcept {
  if ((cell(zone).owner_bits & kKept) == 0) return;
  const auto remove = [&](std::vector<ZoneId>& list) {
    const auto at = std::find(list.begin(), list.end(), zone);
    if (at == list.end()) return;
    *at = list.back();
    list.pop_back();
  };
  remove(kept_);
  remove(claims_);
}

// Passes an idle zone on, whatever it was to us.
void Writer::Drop(ZoneId zone) noexcept {
  Forget(zone);
  core_.GiveBack(zone);
}

}  // namespace zonal::manager
