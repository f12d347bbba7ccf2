// SPDX-License-Identifier: MIT
// One queue's side of the manager: which zones it owns, what it has in flight in
// them, and when it passes them on. Belongs to the queue's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/free_indices.h"
#include "manager/manager_core.h"

namespace zonal::manager {

class Writer {
 public:
  static constexpr std::uint32_t kNoRecord = 0xFFFFFFFF;

  // `depth`: writes in flight at most. `zone_depth`: in one zone; 0: any.
  Writer(ManagerCore& core, QueueEntry& entry, std::uint32_t depth, std::uint32_t zone_depth);

  struct Reservation {
    Admission admission;
    std::uint32_t record = kNoRecord;
  };
  // See ZoneQueue::Write. `least`: refuse below it.
  Reservation Reserve(ZoneId zone, std::uint64_t bytes, std::uint64_t least, bool keep) noexcept;
  // The newest reservation of its zone, never submitted, is undone.
  void Unreserve(std::uint32_t record) noexcept;
  // The write ended. May make the zone full, suspect, or give it back.
  void Complete(std::uint32_t record, const IoResult& result) noexcept;

  Admission ReserveAppend(ZoneId zone, std::uint64_t bytes) noexcept;
  void CompleteAppend(ZoneId zone, std::uint64_t bytes, const IoResult& result) noexcept;
  void UnreserveAppend(ZoneId zone, std::uint64_t bytes) noexcept;

  // Zones of this queue whose writes have drained and whose pointer is to be
  // read; empty in ordinary times. The caller takes one out, reports, and calls
  // Resync (or GiveUp, if the report failed: the zone stays suspect).
  bool has_suspects() const noexcept { return !drained_suspects_.empty(); }
  ZoneId TakeSuspect() noexcept;
  void Resync(ZoneId zone, const Zone& reported) noexcept;
  void GiveUp(ZoneId zone) noexcept;

  // Operations. Start: kOk, the zone is ours, drained and barred to writes;
  // kZoneBusy: parked, try again after the next Poll; kZoneSuspect: its pointer
  // cannot be read (a reset goes on, since it makes the pointer known).
  // Finish applies the result.
  Errc StartOperation(ZoneId zone, ZoneOp op) noexcept;
  void FinishOperation(ZoneId zone, ZoneOp op, const IoResult& result) noexcept;
  // Started, and never sent to the device.
  void AbandonOperation(ZoneId zone, ZoneOp op) noexcept;
  // One that StartOperation has not let go yet.
  void CancelOperation(ZoneId zone) noexcept;

  Admission Acquire(ZoneId zone) noexcept;
  Admission AcquireAny(ZoneRange range, std::uint64_t min_bytes) noexcept;
  void Release(ZoneId zone) noexcept;

  std::span<const ZoneId> targets() const noexcept { return claims_; }
  void set_target_cap(std::uint32_t cap) noexcept;
  Admission ClaimTarget(ZoneId zone) noexcept;
  std::optional<ZoneId> ClaimUnclaimed(ZoneRange range) noexcept;
  void ReleaseTargets() noexcept;

  bool Park(WaitKey key) noexcept;
  // Once per Poll, and once more before it sleeps: takes zones handed to us and
  // passes on what others want. A queue that goes to sleep keeps no idle zone
  // that is wanted, however short it had it.
  void Sweep(Instant now, bool before_sleep) noexcept;
  // The queue is about to end: no zone is handed to it from here on.
  void StopWaiting() noexcept;
  // The queue ends; nothing is in flight.
  void End() noexcept;

 private:
  enum class RecordState : std::uint8_t { kInFlight, kDone, kFailed };
  struct Record {
    ZoneId zone;
    std::uint32_t next = 0;               // in the zone's chain; index + 1
    std::uint64_t offset = 0, bytes = 0;  // from the zone's start
    IoResult result;
    RecordState state = RecordState::kInFlight;
    // Of the zone, before this write: what undoing it restores.
    std::uint8_t slots_before = 0;
    ZoneCondition condition_before = ZoneCondition::kEmpty;
  };

  // Why a zone cannot be had, and what to wait for; small enough for a register.
  struct Refusal {
    Errc errc = Errc::kOk;
    WaitKey::Kind wait = WaitKey::Kind::kNone;
    bool ok() const noexcept { return errc == Errc::kOk; }
    Admission Of(ZoneId zone) const noexcept { return {errc, {wait, zone}, 0, 0}; }
  };

  ZoneCell& cell(ZoneId zone) noexcept { return core_.table()[zone]; }
  Refusal Own(ZoneId zone) noexcept;
  // Down to the unit of writes, without a division where that is a power of two.
  std::uint64_t WholeUnits(std::uint64_t bytes) const noexcept {
    const bool power_of_two = (granularity_ & (granularity_ - 1)) == 0;
    return power_of_two ? bytes & ~std::uint64_t{granularity_ - 1} : bytes - bytes % granularity_;
  }
  void StartQuantum(ZoneCell& c) noexcept;
  static Errc CheckWritable(const ZoneCell& c) noexcept;
  bool MustYield(const ZoneCell& c, std::uint64_t word) const noexcept;
  void Keep(ZoneId zone, ZoneCell& c);
  void Forget(ZoneId zone) noexcept;
  void Drop(ZoneId zone) noexcept;
  void WhenDrained(ZoneId zone, ZoneCell& c) noexcept;
  void PopCompleted(ZoneId zone, ZoneCell& c) noexcept;
  Refusal JoinShared(ZoneId zone, ZoneCell& c) noexcept;
  Refusal OpenShared(ZoneId zone, ZoneCell& c) noexcept;
  void LeaveShared(ZoneId zone, ZoneCell& c) noexcept;
  void TakeGrants() noexcept;
  static bool IsIdle(const ZoneCell& c) noexcept;
  void FinishClose(ZoneId zone, ZoneCell& c) noexcept;
  void ClassifyExtents(ZoneId zone, std::uint64_t pointer) noexcept;

  ManagerCore& core_;
  QueueEntry& entry_;
  const OwnerId me_;
  const std::uint32_t zone_depth_;
  const std::uint32_t granularity_;
  std::uint32_t target_cap_;
  ZoneRange target_range_;
  Instant now_;
  std::vector<Record> records_;
  core::FreeIndices free_records_;
  std::vector<ZoneId> kept_;    // owned beyond their writes: kept, leased, claimed
  std::vector<ZoneId> claims_;  // of those, members of the target set
  std::vector<ZoneId> drained_suspects_;
  std::vector<ZoneId> only_closed_;  // of the suspects: closed and never written
};

}  // namespace zonal::manager
