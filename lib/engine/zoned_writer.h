// SPDX-License-Identifier: MIT
// Where writes in zone mode go. The offset drawn picks the zone, the write goes to
// its write pointer; a full zone is reset before it is written again, and one with
// less than a block left is finished, or written short (fio's semantics). With a target set, only
// zones this worker has claimed are written: it claims while its share allows,
// looks for more at most once per batch, and else draws among its own.
// At most one reset or finish per worker is under way.
// A worker that verifies first resets the zones of its range, and then writes each
// until it is full, once a pass (zoned_writer_verify.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/path.h"
#include "engine/reset_schedule.h"
#include "engine/setup.h"
#include "workload/random_stream.h"
#include "zonal/rng.h"

namespace zonal::engine {

class Verifier;

class ZonedWriter {
 public:
  // `verifier`: null unless the worker verifies what it writes.
  ZonedWriter(const WorkerSetup& setup, ZoneQueue& queue, Verifier* verifier);
  ~ZonedWriter();  // an operation still under way gives its zone back
  ZonedWriter(const ZonedWriter&) = delete;
  ZonedWriter& operator=(const ZonedWriter&) = delete;

  void BeginBatch() noexcept { searched_ = false; }
  Draw Prepare(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  // In this zone, or in a target where it cannot be made one; kPassOver if that has
  // no room for a block.
  Draw PrepareInZoneOf(std::uint64_t offset, Slot& slot, std::uint64_t bytes,
                       std::uint32_t id) noexcept;
  // See Path::PrepareRewrite.
  Draw PrepareRewrite(std::uint64_t offset, Slot& slot, std::uint64_t bytes,
                      std::uint32_t id) noexcept;
  bool operation_active() const noexcept { return operation_active_; }
  bool met_others() const noexcept { return met_others_; }
  void StartPass() noexcept {
    EnterAt(range_.begin);
    if (verifier_ != nullptr) StartSweep();
  }
  void Completed(const Slot& slot, const ZoneCompletion& completion) noexcept;
  void WatchSlots(std::span<const Slot> slots) noexcept { slots_ = slots; }
  void UseRegisteredBuffer() noexcept { registered_buffer_ = 0; }

 private:
  // Of a worker that appends (zoned_writer_append.cc).
  Draw AmongAppendZones(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Draw WhenNoAppendZoneIsFree() noexcept;
  Draw Appended(ZoneId zone) noexcept;
  void LeaveAppendZone(ZoneId zone) noexcept;
  void LeaveAppendZoneIfFull(ZoneId zone) noexcept;

  // What came of trying to write a zone.
  enum class Attempt : std::uint8_t { kDone, kFull, kBusy, kUnwritable, kRefused };

  Draw Sequential(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  std::optional<Draw> SequentialInZone(ZoneId zone, Slot& slot, std::uint64_t bytes,
                                       std::uint32_t id) noexcept;
  Draw WhenSequentialIsBusy() noexcept;

  Draw Random(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Draw Anywhere(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Draw AmongTargets(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  std::optional<Draw> SearchTarget(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  std::optional<Draw> DrawConventional(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Draw NoneOfThem() noexcept;

  Attempt Append(ZoneId zone, Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Attempt JoinAppendZone(ZoneId zone) noexcept;
  std::optional<Draw> SearchAppendZone(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Attempt Claim(ZoneId zone) noexcept;
  Attempt Write(ZoneId zone, Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  // The same after ResetIfDue. kBusy: now a reset is due, or another worker decides
  // about the zone.
  Attempt WriteUnlessDue(ZoneId zone, Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Attempt WriteAt(std::uint64_t offset, Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Attempt Classify(const Admission& admission) noexcept;
  // What an attempt at a given place comes to; where nothing can be written: kPassOver.
  Draw DrawOf(Attempt attempt) const noexcept;
  // A zone that refused a block of `bytes`: resets it if it is full, finishes it
  // if a tail is left; nothing if neither is so any more.
  std::optional<Draw> MakeRoom(ZoneId zone, Slot& slot, std::uint64_t bytes,
                               std::uint32_t id) noexcept;
  bool ResetIsDue(ZoneId zone) const noexcept;
  // The reset that the schedule wants before the next write, if it goes to this zone.
  std::optional<Draw> ResetIfDue(ZoneId zone, Slot& slot, std::uint32_t id) noexcept;
  Draw StartOperation(ZoneId zone, SlotUse use, Slot& slot, std::uint32_t id) noexcept;
  // Of the worker's own reads.
  bool IsBeingRead(ZoneId zone) const noexcept;

  // Of a verifying worker. Resets the next zone of the range; nothing when all are done.
  void StartSweep() noexcept;
  std::optional<Draw> Sweep(Slot& slot, std::uint32_t id) noexcept;
  // May a zone be reset that is due for it by schedule?
  bool MayReset(ZoneId zone) const noexcept;
  // A reset is not to be sent now, and why.
  std::optional<Draw> HoldReset(ZoneId zone) noexcept;
  void NoRoomIn(ZoneId zone) noexcept;
  bool NoRoomLeft() const noexcept { return verifier_ != nullptr && with_room_.empty(); }
  Draw WhenNoRoomIsLeft() noexcept;
  ZoneId RandomZoneWithRoom() noexcept;

  std::uint64_t Remaining(ZoneId zone) const noexcept;
  // Of `bytes`, how many the zone takes: cut to its room in whole blocks, or all
  // its room where a remainder may be written. 0: less than a block is left.
  std::uint64_t FitIn(ZoneId zone, std::uint64_t bytes) const noexcept;
  bool IsConventional(ZoneId zone) const noexcept;
  bool IsTarget(ZoneId zone) const noexcept;
  bool AnyWritable() const noexcept;
  ZoneId RandomZone() noexcept {
    return verifier_ == nullptr ? geometry_.ZoneOf(offsets_.Next(least_)) : RandomZoneWithRoom();
  }
  void EnterAt(std::uint64_t offset) noexcept;
  void LeaveZone(ZoneId zone) noexcept;

  const ZoneManager& manager_;
  ZoneQueue& queue_;
  Coordination& shared_;
  const Geometry& geometry_;
  const WorkRange range_;
  const ZoneRange zones_;
  const bool is_random_;
  const bool uses_targets_;
  const bool appends_;
  const bool has_conventional_;
  const std::uint64_t least_;  // block
  const bool writes_remainder_;
  const bool partly_written_;  // were some zones of the range before the run
  const bool fills_;           // full zones are left as they are
  const bool forced_;          // each write is durable when it completes
  const std::uint64_t skip_;   // behind each zone, sequentially
  const std::uint32_t share_;  // of the target set
  std::span<const Slot> slots_;
  std::int16_t registered_buffer_ = -1;
  ResetSchedule schedule_;

  // Sequential.
  std::uint64_t position_;
  bool entering_ = true;  // nothing of this pass has been written in its zone
  bool met_others_ = false;
  std::optional<ZoneId> lost_in_;  // the last zone where a write of ours failed
  struct Place {
    std::uint64_t position;
    bool entering;
  };
  std::optional<Place> detour_from_;  // while another zone takes the stream's part

  // Random.
  workload::RandomStream offsets_;
  Rng rng_;
  bool searched_ = false;              // in this batch
  std::optional<ZoneId> next_target_;  // just reset for us
  std::uint32_t unwritable_streak_ = 0;

  std::uint32_t append_place_ = 0;  // where the last zone appended to was found

  // Verifying.
  Verifier* const verifier_;
  bool sweeping_ = false;
  std::uint32_t swept_ = 0;            // zones of the range
  bool left_to_others_ = false;        // zones that others have yet to verify
  std::uint64_t written_in_pass_ = 0;  // bytes
  const std::uint64_t pass_bytes_;     // if nobody else writes there
  const bool is_alone_;
  std::vector<ZoneId> with_room_;  // of a random pass
  std::optional<ZoneId> barred_;   // for the reset under way

  Admission refusal_;  // the last one that was worth waiting for
  bool operation_active_ = false;
  ZoneId operation_zone_;
};

}  // namespace zonal::engine
