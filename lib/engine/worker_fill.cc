// SPDX-License-Identifier: MIT
// Worker: drawing, preparing, and what a refusal means.
#include <algorithm>

#include "engine/explain.h"
#include "engine/run_order.h"
#include "engine/worker.h"
#include "workload/stamp.h"

namespace zonal::engine {
namespace {

// How long a reader waits before it looks again for zones that are being reset,
// and for the first data of a run.
constexpr nanoseconds kWhileZonesReset{100'000};
constexpr nanoseconds kUntilFirstData{1'000'000};

}  // namespace

std::uint32_t Worker::Fill() {
  if (!batches_.MayFill(slots_in_use())) return 0;
  path_->BeginBatch();
  std::uint32_t prepared = 0;
  while (!QueueIsAsFullAsAllowed() && sending_ && prepared < batches_.most_sent()) {
    const std::size_t before = free_.size();
    const FillNext next = PrepareOne(free_.back());
    prepared += free_.size() < before ? 1 : 0;
    if (next == FillNext::kStop) break;
  }
  if (QueueIsAsFullAsAllowed()) batches_.Full();
  return prepared;
}

Direction Worker::ChooseDirection() noexcept {
  if (!setup_.writes()) return Direction::kRead;
  if (!setup_.reads()) return Direction::kWrite;
  return mix_.Chance(setup_.workload.read_percent, 100) ? Direction::kRead : Direction::kWrite;
}

// A block, or what is left to move if that is less, in whole device blocks.
std::uint64_t Worker::NextBytes(Direction direction) const noexcept {
  const std::uint64_t left = stop_.BytesLeft(bytes_issued_);
  const bool reads = direction == Direction::kRead;
  const std::uint64_t block = reads ? setup_.read_block() : setup_.write_block();
  if (left >= block) return block;
  const Geometry& geometry = setup_.target->device->info().geometry;
  const bool at_pointer = !reads && setup_.workload.zone_mode == ZoneMode::kZbd;
  const std::uint64_t unit = at_pointer ? geometry.write_granularity : geometry.block_size;
  return left - left % unit;
}

Worker::FillNext Worker::PrepareOne(std::uint32_t id) {
  // Kept until its I/O is prepared: if a direction that has to wait, or to reset a
  // zone first, were drawn anew, the mix would lean to the other one.
  if (!drawn_) drawn_ = ChooseDirection();
  if (pacing_ != nullptr && HoldBack(*drawn_)) return FillNext::kStop;
  return PrepareIn(*drawn_, id);
}

Worker::FillNext Worker::PrepareIn(Direction direction, std::uint32_t id) {
  const std::uint64_t bytes = NextBytes(direction);
  if (bytes == 0) {
    sending_ = false;
    all_issued_ = true;
    return FillNext::kStop;
  }
  Slot& slot = slots_[id];
  const Draw draw = direction == Direction::kRead ? path_->PrepareRead(slot, bytes, id)
                                                  : path_->PrepareWrite(slot, bytes, id);
  return Act(draw, direction, id);
}

Worker::FillNext Worker::Act(const Draw& draw, Direction direction, std::uint32_t id) {
  switch (draw.kind) {
    case Draw::Kind::kPrepared:
      free_.pop_back();
      Prepared(slots_[id]);
      return FillNext::kMore;
    case Draw::Kind::kWait:
      Block(draw);
      return FillNext::kStop;
    case Draw::Kind::kRetryLater:
      if (path_->in_flight() == 0) idle_until_ = now_ + kWhileZonesReset;
      return FillNext::kStop;
    case Draw::Kind::kPassOver:
      return AfterPass(direction);
    case Draw::Kind::kNothingReadable:
      return NothingReadable(id);
    case Draw::Kind::kNothingWritable:
      End(EndReason::kNoWritableZone, ExplainNothingWritable(setup_));
      return FillNext::kStop;
    case Draw::Kind::kRefused: {
      IoResult refused;
      refused.errc = draw.errc;
      refused.offset = setup_.range.begin;
      Fail(direction == Direction::kRead ? "read" : "write", refused, 0);
      return FillNext::kStop;
    }
  }
  return FillNext::kStop;
}

Worker::FillNext Worker::AfterPass(Direction direction) {
  const bool mixed = setup_.reads() && setup_.writes();
  std::uint64_t& moved = pass_ios_[static_cast<std::size_t>(direction)];
  const bool was_empty = std::exchange(moved, 0) == 0;
  if (was_empty && direction == Direction::kWrite) {
    End(EndReason::kNoWritableZone, ExplainNothingWritable(setup_));
    return FillNext::kStop;
  }
  // The reads of a mixed stream go round as long as its writes go on. A stream whose
  // range others filled too has not moved as many bytes as the range has.
  const bool leads = !mixed || direction == Direction::kWrite;
  if (!was_empty && stop_.one_pass() && !path_->met_others() && leads) {
    sending_ = false;
    // A write that failed and was survived may have left a tail: that is counted.
    const bool less = direction == Direction::kWrite && bytes_written_ < setup_.pass_bytes &&
                      result_.io_errors == 0;
    if (less) End(EndReason::kLessRoom, ExplainLessRoom(setup_, bytes_written_));
    return FillNext::kStop;
  }
  path_->StartPass(direction);
  return was_empty ? NothingReadable(free_.back()) : FillNext::kMore;
}

// A mixed worker writes instead. A reader waits while somebody may still write,
// and ends when nobody will.
Worker::FillNext Worker::NothingReadable(std::uint32_t id) {
  if (setup_.writes()) return PrepareIn(Direction::kWrite, id);
  if (path_->in_flight() != 0) return FillNext::kStop;
  if (setup_.order->DataMayCome(setup_.index)) {
    idle_until_ = now_ + kUntilFirstData;
    SetStarving(true);
    return FillNext::kStop;
  }
  // The last writer may have ended after we looked at the zones: look once more.
  if (!last_look_) {
    last_look_ = true;
    return FillNext::kMore;
  }
  End(EndReason::kNoReadableData, ExplainNothingReadable(setup_));
  return FillNext::kStop;
}

void Worker::Prepared(Slot& slot) {
  slot.drawn_at = now_;
  statistics_.Submitted(path_->in_flight());
  if (waiting_for_ != WaitKey::Kind::kNone && slot.use != SlotUse::kRead) Admitted();
  if (slot.use != SlotUse::kRead && slot.use != SlotUse::kWrite) {
    ++pass_ios_[1];  // a pass that finished or reset a zone was not for nothing
    return;
  }
  drawn_.reset();
  const Direction direction = slot.use == SlotUse::kRead ? Direction::kRead : Direction::kWrite;
  statistics_.Issued(direction);
  if (pacing_ != nullptr) slot.due_at = pacing_->Issued(direction, slot.bytes, now_);
  bytes_issued_ += slot.bytes;
  if (slot.use == SlotUse::kWrite) bytes_written_ += slot.bytes;
  ++pass_ios_[slot.use == SlotUse::kRead ? 0 : 1];
  if (slot.use == SlotUse::kRead || !setup_.workload.stamp_blocks) return;
  const std::uint32_t block = setup_.target->device->info().geometry.block_size;
  workload::StampBlocks(
      {static_cast<std::byte*>(slot.buffer), slot.bytes}, block,
      {setup_.run_seed, slot.zone.value(), setup_.index, slot.offset, ++writes_stamped_});
}

void Worker::Block(const Draw& draw) {
  const WaitKey::Kind kind = draw.wait.kind;
  if (kind == WaitKey::Kind::kNone) {
    must_retry_ = true;
    return;
  }
  if (kind == WaitKey::Kind::kOwnIo) {
    must_retry_ = path_->in_flight() == 0;
    return;
  }
  if (waiting_for_ == WaitKey::Kind::kNone) waiting_since_ = clock_.Now();
  waiting_for_ = kind;
  if (!path_->Park(draw.wait)) must_retry_ = true;
}

void Worker::Admitted() {
  const OpClass waited =
      waiting_for_ == WaitKey::Kind::kZone ? OpClass::kWaitZone : OpClass::kWaitSlot;
  statistics_.Operation(waited, clock_.Now() - waiting_since_);
  waiting_for_ = WaitKey::Kind::kNone;
}

}  // namespace zonal::engine
