// SPDX-License-Identifier: MIT
// Worker: drawing, preparing, and what a refusal means.
#include <algorithm>
#include <utility>

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
    if (FlushIsDue()) return prepared + (PrepareFlush() ? 1 : 0);
    const std::size_t before = free_.size();
    const FillNext next = PrepareOne(free_.back());
    prepared += free_.size() < before ? 1 : 0;
    if (next == FillNext::kStop) break;
  }
  if (QueueIsAsFullAsAllowed()) batches_.Full();
  return prepared;
}

Direction Worker::ChooseDirection() noexcept {
  if (setup_.trims_first()) return trimmed_ ? Direction::kWrite : Direction::kTrim;
  const Direction other = setup_.trims() ? Direction::kTrim : Direction::kWrite;
  if (!setup_.reads()) return other;
  if (!setup_.writes() && !setup_.trims()) return Direction::kRead;
  return mix_.Chance(setup_.workload.read_percent, 100) ? Direction::kRead : other;
}

Worker::Drawn Worker::DrawIn(Direction direction) noexcept {
  return {direction, sizes_[static_cast<std::size_t>(direction)].Next()};
}

// Of trims that are followed by writes, the trims are as many bytes as were asked
// for, and so are then the writes, as far as the zones hold them.
bool Worker::CountsBytes(Direction direction) const noexcept {
  return !setup_.trims_first() || direction == Direction::kTrim;
}

// A block, or what is left to move if that is less, in whole device blocks.
std::uint64_t Worker::NextBytes(const Drawn& drawn) const noexcept {
  if (!stop_.MayIssue(ios_issued_)) return 0;
  if (!CountsBytes(drawn.direction)) return drawn.bytes;
  const std::uint64_t left = stop_.BytesLeft(bytes_issued_);
  if (left >= drawn.bytes) return drawn.bytes;
  const Geometry& geometry = setup_.target->device->info().geometry;
  const bool at_pointer =
      drawn.direction == Direction::kWrite && setup_.workload.zone_mode == ZoneMode::kZbd;
  const std::uint64_t unit = at_pointer ? geometry.write_granularity : geometry.block_size;
  return left - left % unit;
}

Worker::FillNext Worker::PrepareOne(std::uint32_t id) {
  if (reading_back_) return PrepareReadBack(id);
  if (verifier_ && verifier_->BacklogIsDue()) {
    verifier_->StartReadBack(setup_.workload.verify.backlog_batch);
    ReadBackNow(true);
    return FillNext::kStop;
  }
  if (!drawn_) drawn_ = DrawIn(ChooseDirection());
  if (pacing_ != nullptr) {
    Direction direction = drawn_->direction;
    const bool wait = HoldBack(direction);
    if (direction != drawn_->direction) drawn_ = DrawIn(direction);
    if (wait) return FillNext::kStop;
  }
  return PrepareIn(drawn_->direction, id);
}

Draw Worker::PrepareOnPath(Direction direction, std::uint64_t bytes, std::uint32_t id) noexcept {
  Slot& slot = slots_[id];
  if (verifier_) UseBuffer(slot, id, direction == Direction::kRead);
  if (direction == Direction::kRead) return path_->PrepareRead(slot, bytes, id);
  if (direction == Direction::kTrim) return path_->PrepareTrim(slot, bytes, id);
  if (!trimmed_) return path_->PrepareWrite(slot, bytes, id);
  // Not before the trim is done: the device may do the one first or the other.
  if (trimmed_->in_flight) return Draw::WaitForOwnIo();
  bytes = std::min(bytes, trimmed_->end - trimmed_->next);
  return path_->PrepareWriteAt(slot, trimmed_->next, bytes, id);
}

Worker::FillNext Worker::PrepareIn(Direction direction, std::uint32_t id) {
  // Another direction than was drawn: only this once.
  const bool as_drawn = drawn_ && drawn_->direction == direction;
  const std::uint64_t bytes = NextBytes(as_drawn ? *drawn_ : DrawIn(direction));
  if (bytes == 0) {
    sending_ = false;
    all_issued_ = true;
    return FillNext::kStop;
  }
  const Draw draw = PrepareOnPath(direction, bytes, id);
  if (trimmed_ && draw.kind == Draw::Kind::kPassOver) {
    trimmed_.reset();  // the zone holds no more: the next is trimmed
    drawn_.reset();
    return FillNext::kMore;
  }
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
      return NothingReadable(direction, id);
    case Draw::Kind::kNothingWritable:
      End(EndReason::kNoWritableZone, ExplainNothingWritable(setup_));
      return FillNext::kStop;
    case Draw::Kind::kRefused: {
      IoResult refused;
      refused.errc = draw.errc;
      refused.offset = setup_.range.begin;
      Fail(NameOf(direction), refused, 0);
      return FillNext::kStop;
    }
    case Draw::Kind::kVerifyFirst:
      verifier_->StartReadBack(draw.wait.zone);
      ReadBackNow(true);
      return FillNext::kStop;
  }
  return FillNext::kStop;
}

Worker::FillNext Worker::AfterPass(Direction direction) {
  const bool mixed = setup_.reads() && (setup_.writes() || setup_.trims());
  std::uint64_t& moved = pass_ios_[static_cast<std::size_t>(direction)];
  const bool was_empty = std::exchange(moved, 0) == 0;
  if (setup_.workload.fills_device) {
    sending_ = false;  // there is no room: that is what was asked for
    return FillNext::kStop;
  }
  if (was_empty && direction == Direction::kWrite) {
    End(EndReason::kNoWritableZone, ExplainNothingWritable(setup_));
    return FillNext::kStop;
  }
  // The reads of a mixed stream go round as long as its writes go on. A stream whose
  // range others filled too has not moved as many bytes as the range has. One that
  // verifies, and whose writes failed, goes by bytes as fio's does.
  const bool leads = !mixed || direction != Direction::kRead;
  const bool failed = direction == Direction::kWrite && verifier_ && result_.io_errors != 0;
  if (!was_empty && stop_.one_pass() && !path_->met_others() && !failed && leads) {
    sending_ = false;
    const bool is_last = loops_done_ + 1 >= stop_.loops();
    // A write that failed and was survived may have left a tail: that is counted.
    const bool less = direction == Direction::kWrite && is_last && result_.io_errors == 0 &&
                      bytes_written_ < setup_.pass_bytes * stop_.loops();
    if (less) End(EndReason::kLessRoom, ExplainLessRoom(setup_, bytes_written_));
    return FillNext::kStop;
  }
  if (direction == Direction::kWrite && ReadBackFirst()) return FillNext::kStop;
  path_->StartPass(direction);
  return was_empty ? NothingReadable(direction, free_.back()) : FillNext::kMore;
}

// A mixed worker writes instead. One that reads or trims waits while somebody may
// still write, and ends when nobody will.
Worker::FillNext Worker::NothingReadable(Direction direction, std::uint32_t id) {
  if (setup_.writes() && direction == Direction::kRead) return PrepareIn(Direction::kWrite, id);
  if (path_->in_flight() != 0) return FillNext::kStop;
  // Empty zones, too, are trimmed to be written: others will not make more of them.
  const bool waits = !gives_up_ && !setup_.trims_first();
  if (waits && setup_.order->DataMayCome(setup_.index)) {
    idle_until_ = now_ + kUntilFirstData;
    SetStarving(true);
    return FillNext::kStop;
  }
  // The last writer may have ended after we looked at the zones: look once more.
  if (!last_look_) {
    last_look_ = true;
    return FillNext::kMore;
  }
  End(EndReason::kNoReadableData, direction == Direction::kTrim ? ExplainNothingToTrim(setup_)
                                                                : ExplainNothingReadable(setup_));
  return FillNext::kStop;
}

void Worker::Prepared(Slot& slot) {
  slot.drawn_at = now_;
  slot.reading = slot.use == SlotUse::kRead;
  statistics_.Submitted(path_->in_flight());
  if (waiting_for_ != WaitKey::Kind::kNone && slot.use != SlotUse::kRead) Admitted();
  if (!IsIo(slot.use)) {
    ++pass_ios_[1];  // a pass that finished or reset a zone was not for nothing
    return;
  }
  drawn_.reset();
  const Direction direction = DirectionOf(slot.use);
  statistics_.Issued(direction);
  if (pacing_ != nullptr) slot.due_at = pacing_->Issued(direction, slot.bytes, now_);
  if (CountsBytes(direction)) bytes_issued_ += slot.bytes;
  ++ios_issued_;
  ++pass_ios_[static_cast<std::size_t>(direction)];
  if (slot.use == SlotUse::kTrim) PreparedTrim(slot);
  if (slot.use != SlotUse::kWrite) return;
  bytes_written_ += slot.bytes;
  ++writes_since_flush_;
  if (trimmed_) PreparedWriteOfTrimmed(slot);
  filler_.NextBlock({static_cast<std::byte*>(slot.buffer), slot.bytes}, slot.offset);
  if (verifier_) verifier_->Stamp(slot, slots_);
  if (!setup_.workload.stamp_blocks) return;
  const std::uint32_t block = setup_.target->device->info().geometry.block_size;
  workload::StampBlocks(
      {static_cast<std::byte*>(slot.buffer), slot.bytes}, block,
      {setup_.run_seed, slot.zone.value(), setup_.index, slot.offset, ++writes_stamped_});
}

bool Worker::FlushIsDue() const noexcept {
  const std::uint32_t every = setup_.workload.flush_every;
  return every != 0 && writes_since_flush_ >= every;
}

// Only alone in the queue: a flush covers what completed before it.
bool Worker::PrepareFlush() {
  if (path_->in_flight() != 0) return false;
  const std::uint32_t id = free_.back();
  const Draw draw = path_->PrepareFlush(slots_[id], id);
  if (draw.kind != Draw::Kind::kPrepared) return false;
  free_.pop_back();
  slots_[id].drawn_at = now_;
  writes_since_flush_ = 0;
  return true;
}

bool Worker::FlushAtEnd() {
  if (!setup_.workload.flush_at_end || std::exchange(flushed_at_end_, true)) return false;
  return PrepareFlush();
}

void Worker::PreparedTrim(const Slot& slot) noexcept {
  if (setup_.trims_first()) trimmed_ = Trimmed{slot.offset, slot.offset + slot.bytes, true};
}

// A stream writes all of what it trimmed, random I/O one block.
void Worker::PreparedWriteOfTrimmed(const Slot& slot) noexcept {
  trimmed_->next += slot.bytes;
  const bool one_block = setup_.workload.pattern == Pattern::kRandom;
  if (one_block || trimmed_->next >= trimmed_->end) trimmed_.reset();
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
