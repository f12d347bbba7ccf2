// SPDX-License-Identifier: MIT
// Writer: zone append. Many queues are in one zone at once; the device picks the
// place, so `reserved` only counts admitted bytes, and `committed` moves when
// the last one inside leaves.
#include "manager/writer.h"

namespace zonal::manager {

Admission Writer::ReserveAppend(ZoneId zone, std::uint64_t bytes) noexcept {
  ZoneCell& c = cell(zone);
  if (const Errc errc = CheckWritable(c); errc != Errc::kOk) return Refusal{errc}.Of(zone);
  if (const Refusal refused = JoinShared(zone, c); !refused.ok()) return refused.Of(zone);
  const std::uint64_t capacity = core_.CapacityOf(zone);
  std::uint64_t reserved = c.reserved.load(std::memory_order_relaxed);
  do {
    if (bytes > capacity - reserved) {
      LeaveShared(zone, c);
      return Refusal{Errc::kZoneFull}.Of(zone);
    }
  } while (!c.reserved.compare_exchange_weak(reserved, reserved + bytes));
  return {Errc::kOk, {}, core_.geometry().StartOf(zone), bytes};
}

Writer::Refusal Writer::JoinShared(ZoneId zone, ZoneCell& c) noexcept {
  constexpr std::uint64_t kBarred = kDraining | kSuspect | kWanted;
  for (;;) {
    std::uint64_t word = c.word.load();
    if (OwnerOf(word) == kClosing) continue;  // a few instructions of another thread
    if (OwnerOf(word) != kShared) return OpenShared(zone, c);
    c.sharers.fetch_add(1);
    // Pairs with TryClose: it looks at `sharers` after it took the zone.
    word = c.word.load();
    if (OwnerOf(word) == kShared && (word & kBarred) == 0) return {};
    LeaveShared(zone, c);
    if ((word & kSuspect) != 0) return {Errc::kZoneSuspect, WaitKey::Kind::kZone};
    if (OwnerOf(word) == kShared) return {Errc::kZoneBusy, WaitKey::Kind::kZone};
  }
}

// Takes the zone for itself, gets its slots, and opens it to all, itself inside.
Writer::Refusal Writer::OpenShared(ZoneId zone, ZoneCell& c) noexcept {
  if (const Refusal refused = Own(zone); !refused.ok()) return refused;
  if (c.in_flight.load(std::memory_order_relaxed) != 0) {
    return {Errc::kZoneBusy, WaitKey::Kind::kOwnIo};
  }
  if (const Errc errc = CheckWritable(c); errc != Errc::kOk) {
    Drop(zone);
    return {errc};
  }
  if (!core_.TakeSlotsFor(c)) {
    Drop(zone);
    return {Errc::kNoSlot, WaitKey::Kind::kSlot};
  }
  if (c.condition() != ZoneCondition::kExplicitOpen) c.set_condition(ZoneCondition::kImplicitOpen);
  c.mark.store(c.reserved.load(std::memory_order_relaxed), std::memory_order_relaxed);
  Forget(zone);
  c.owner_bits = 0;
  c.sharers.fetch_add(1);
  SetOwner(c.word, kShared, kLeased);
  return {};
}

void Writer::CompleteAppend(ZoneId zone, std::uint64_t bytes, const IoResult& result) noexcept {
  ZoneCell& c = cell(zone);
  const std::uint64_t start = core_.geometry().StartOf(zone);
  const std::uint64_t capacity = core_.CapacityOf(zone);
  // Without a sum: what a device tells may be next to 2^64.
  const bool inside =
      result.offset >= start && bytes <= capacity && result.offset - start <= capacity - bytes;
  if (!result.ok() || !inside || result.bytes != bytes) {
    if (result.ok()) {
      core_.events().Add({ZoneEvent::Kind::kMisbehaved, zone, result.offset, bytes, 0, result});
    }
    c.word.fetch_or(kSuspect);
  } else {
    const std::uint64_t end = result.offset - start + bytes;
    std::uint64_t highest = c.mark.load(std::memory_order_relaxed);
    while (highest < end && !c.mark.compare_exchange_weak(highest, end)) {
    }
  }
  LeaveShared(zone, c);
}

void Writer::UnreserveAppend(ZoneId zone, std::uint64_t bytes) noexcept {
  ZoneCell& c = cell(zone);
  c.reserved.fetch_sub(bytes);
  LeaveShared(zone, c);
}

// The last one out settles the zone: it may be full, suspect or wanted.
void Writer::LeaveShared(ZoneId zone, ZoneCell& c) noexcept {
  if (c.sharers.fetch_sub(1) != 1 || !core_.TryClose(zone)) return;
  const std::uint64_t reserved = c.reserved.load(std::memory_order_relaxed);
  std::uint64_t word = c.word.load(std::memory_order_relaxed);
  // With everything completed, the extents that landed must fill the zone up to
  // what was admitted: a gap or an overlap means the device lied about a place.
  if ((word & kSuspect) == 0 && c.mark.load(std::memory_order_relaxed) != reserved) {
    core_.events().Add(
        {ZoneEvent::Kind::kMisbehaved, zone, core_.geometry().StartOf(zone), reserved, 0, {}});
    word = c.word.fetch_or(kSuspect) | kSuspect;
  }
  const bool full = reserved == core_.CapacityOf(zone);
  for (;;) {
    const bool ours = full || (word & (kSuspect | kWanted | kDraining)) != 0;
    if (c.word.compare_exchange_weak(word, WithOwner(word, ours ? me_ : kShared))) {
      if (!ours) return;
      break;
    }
  }
  c.owner_bits = 0;
  if (full && (word & kSuspect) == 0) core_.BecomeFull(zone);
  WhenDrained(zone, c);
}

}  // namespace zonal::manager
