// SPDX-License-Identifier: MIT
// One zone's cell in the manager's table: a cache line. All zeros is an empty
// sequential zone of the table's default capacity that nobody owns, so a table
// of a million zones costs nothing until a zone is touched.
//
//   word: bits 63..32 epoch, 31..16 flags, 15..0 owner
#pragma once

#include <atomic>
#include <cstdint>

#include "zonal/zone.h"

namespace zonal::manager {

using OwnerId = std::uint16_t;
inline constexpr OwnerId kNobody = 0;
inline constexpr OwnerId kShared = 0xFFFF;   // append: many queues at once
inline constexpr OwnerId kClosing = 0xFFFE;  // between kShared and another owner, briefly
inline constexpr OwnerId kManager = 0xFFFD;  // Refresh
inline constexpr OwnerId kMaxQueueId = 0xFFFC;

// Flags in the word: seen by everybody.
inline constexpr std::uint64_t kWanted = 1ull << 16;    // somebody is parked on the zone
inline constexpr std::uint64_t kDraining = 1ull << 17;  // so is an operation: admit no writes
inline constexpr std::uint64_t kSuspect = 1ull << 18;   // the pointer is to be read from the device
inline constexpr std::uint64_t kTarget = 1ull << 19;    // a member of the target set
inline constexpr std::uint64_t kLeased = 1ull << 20;    // ownership without end
inline constexpr std::uint64_t kOwnerMask = 0xFFFF;
inline constexpr std::uint64_t kEpochOne = 1ull << 32;

constexpr OwnerId OwnerOf(std::uint64_t word) noexcept {
  return static_cast<OwnerId>(word & kOwnerMask);
}
constexpr std::uint32_t EpochOf(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(word >> 32);
}
constexpr std::uint64_t WithOwner(std::uint64_t word, OwnerId owner) noexcept {
  return (word & ~kOwnerMask) | owner;
}

// The zone's owner, who alone may do so, passes it to `owner`, whatever others do to
// the flags meanwhile; `clear` and then `set` are flags to change along with it.
inline void SetOwner(std::atomic<std::uint64_t>& word, OwnerId owner, std::uint64_t clear = 0,
                     std::uint64_t set = 0) noexcept {
  std::uint64_t was = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(was, (WithOwner(was, owner) & ~clear) | set)) {
  }
}

// Bits of ZoneCell::slots: what the zone holds of the device's limits.
inline constexpr std::uint8_t kHoldsOpen = 1;
inline constexpr std::uint8_t kHoldsActive = 2;
inline constexpr std::uint8_t kForeign = 4;  // active before this process came

// Bits of ZoneCell::owner_bits.
inline constexpr std::uint8_t kKept = 1;  // in the owner's list of kept zones
inline constexpr std::uint8_t kUsedSincePoll = 2;
inline constexpr std::uint8_t kReleased = 4;      // give it back when nothing is in flight
inline constexpr std::uint8_t kManaging = 8;      // an operation of ours waits for our own writes
inline constexpr std::uint8_t kOperating = 16;    // an operation of ours is under way
inline constexpr std::uint8_t kRecovering = 32;   // suspect and drained: its pointer is being read
inline constexpr std::uint8_t kUnreadable = 64;   // suspect, and its pointer could not be read
inline constexpr std::uint8_t kMayBeReset = 128;  // suspect because a reset failed

struct alignas(64) ZoneCell {
  std::atomic<std::uint64_t> word;
  // Bytes from the zone's start. Stored by the owner, read by all; in append
  // mode `reserved` is changed by all sharers.
  std::atomic<std::uint64_t> committed;
  std::atomic<std::uint64_t> reserved;
  std::atomic<std::uint64_t> capacity_less;  // the table's default capacity minus the zone's
  // Owner: when it took the zone, ns. Append mode: highest end of a landed extent.
  std::atomic<std::uint64_t> mark;
  std::atomic<std::uint32_t> in_flight;
  // Owner only: the chain of its write records, oldest first; index + 1, 0 for none.
  std::uint32_t oldest;
  std::uint32_t newest;
  std::uint32_t ios_since_taken;
  std::atomic<std::uint32_t> sharers;        // append mode: queues inside
  std::atomic<std::uint8_t> condition_code;  // ZoneCondition XOR kEmpty
  std::atomic<std::uint8_t> type_code;       // ZoneType XOR kSequentialRequired
  std::atomic<std::uint8_t> slots;
  std::uint8_t owner_bits;  // owner only

  ZoneCondition condition() const noexcept {
    return static_cast<ZoneCondition>(condition_code.load(std::memory_order_relaxed) ^ 0x1);
  }
  void set_condition(ZoneCondition c) noexcept {
    condition_code.store(static_cast<std::uint8_t>(static_cast<unsigned>(c) ^ 0x1u),
                         std::memory_order_relaxed);
  }
  ZoneType type() const noexcept {
    return static_cast<ZoneType>(type_code.load(std::memory_order_relaxed) ^ 0x2);
  }
  void set_type(ZoneType t) noexcept {
    type_code.store(static_cast<std::uint8_t>(static_cast<unsigned>(t) ^ 0x2u),
                    std::memory_order_relaxed);
  }
};
static_assert(sizeof(ZoneCell) == 64);

}  // namespace zonal::manager
