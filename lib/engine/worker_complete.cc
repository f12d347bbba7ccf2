// SPDX-License-Identifier: MIT
// Worker: what comes back.
#include <cerrno>
#include <utility>

#include "engine/explain.h"
#include "engine/worker.h"
#include "workload/stamp.h"

namespace zonal::engine {

std::size_t Worker::PollOnce(std::size_t min, nanoseconds wait) {
  const std::span<ZoneCompletion> room =
      std::span(completions_).first(batches_.most_taken()).subspan(held_);
  const std::size_t count = path_->Poll(room, min, wait);
  if (count == 0) return 0;
  held_ += count;
  if (held_ < batches_.least_taken() && path_->in_flight() != 0) return count;
  const std::size_t batch = std::exchange(held_, 0);
  for (std::size_t i = 0; i < batch; ++i) Complete(completions_[i]);
  statistics_.CompleteBatch(batch);
  statistics_.Sample(completions_[batch - 1].completed_at);
  return count;
}

// An append: its place is known now. One that cannot be, or that another append of
// ours has, is the device's fault.
void Worker::Landed(Slot& slot, IoResult& result) noexcept {
  const Geometry& geometry = setup_.target->device->info().geometry;
  const std::uint64_t start = geometry.StartOf(slot.zone);
  const std::uint64_t capacity = setup_.target->manager->CapacityOf(slot.zone);
  const std::uint64_t at = result.offset - start;
  const bool possible = result.offset >= start && result.bytes == slot.bytes && at < capacity &&
                        slot.bytes <= capacity - at && at % geometry.write_granularity == 0;
  if (possible) slot.offset = result.offset;
  if (possible && (!verifier_ || verifier_->IsFree(slot))) return;
  result.errc = Errc::kDeviceMisbehaved;
}

void Worker::Complete(ZoneCompletion& completion) {
  const auto id = static_cast<std::uint32_t>(completion.user_data);
  Slot& slot = slots_[id];
  slot.reading = false;
  if (completion.op == IoOp::kAppend && completion.result.ok()) Landed(slot, completion.result);
  path_->Completed(slot, completion);
  if (slot.use == SlotUse::kReadBack) {
    CompleteReadBack(slot, completion);
  } else if (IsIo(slot.use)) {
    if (verifier_ && slot.use == SlotUse::kWrite) {
      slot.stamped = false;
      verifier_->Written(slot, completion.result.ok() ? completion.result.bytes : 0);
    }
    CompleteIo(slot, completion);
  } else if (slot.use == SlotUse::kRewrite) {
    CompleteRewrite(slot, completion);
    return;
  } else {
    CompleteOperation(slot, completion);
  }
  if (!recovery_.Holds(id)) free_.push_back(id);
}

void Worker::CompleteIo(const Slot& slot, const ZoneCompletion& completion) {
  const IoResult& result = completion.result;
  const bool is_read = slot.use == SlotUse::kRead;
  if (is_read && (slot.stale || result.errc == Errc::kStaleEpoch)) {
    // The zone was reset under the read: what came back is nobody's. Another
    // block is read in its place.
    statistics_.StaleRead();
    bytes_issued_ -= slot.bytes;
    --ios_issued_;
    if (std::exchange(all_issued_, false)) sending_ = result_.reason == EndReason::kDone;
    return;
  }
  const Direction direction = DirectionOf(slot.use);
  const bool is_trim = slot.use == SlotUse::kTrim;
  if (is_trim && trimmed_) trimmed_->in_flight = false;
  if (!result.ok()) return FailIo(slot, completion);
  const std::uint64_t moved = is_trim ? slot.bytes : result.bytes;
  if (pacing_ != nullptr) {
    CompletePaced(direction, slot, completion);
  }
  statistics_.Io(direction, slot.offset, moved, moved < slot.bytes, slot.drawn_at,
                 completion.submitted_at, completion.completed_at);
  if (completion.op == IoOp::kAppend) {
    statistics_.Operation(OpClass::kAppend, completion.completed_at - completion.submitted_at);
  }
  if (is_trim) {
    statistics_.Operation(OpClass::kReset, completion.completed_at - completion.submitted_at);
    statistics_.Reset();
  }
  bytes_completed_ += moved;
  if (!touched_.empty()) {
    touched_[slot.zone.value() / 64] |= std::uint64_t{1} << slot.zone.value() % 64;
  }
  if (is_read && setup_.workload.check_stamps) CheckStamps(slot);
  if (is_read && verifier_ && !setup_.writes()) CheckRead(slot, result.bytes);
}

void Worker::FailIo(const Slot& slot, const ZoneCompletion& completion) {
  const Direction direction = DirectionOf(slot.use);
  const IoResult& result = completion.result;
  const bool no_room =
      result.origin == Origin::kErrno && (result.raw == ENOSPC || result.raw == EDQUOT);
  if (setup_.workload.fills_device && no_room) {
    sending_ = false;
    return;
  }
  statistics_.Failed(direction);
  if (!errors_.Survives(direction, result)) return Fail(NameOf(direction), result, slot.bytes);
  CountError(result);
  if (slot.use != SlotUse::kWrite || !setup_.workload.recover_write_errors) return;
  const Geometry& geometry = setup_.target->device->info().geometry;
  const bool has_pointer =
      setup_.target->manager->TypeOf(geometry.ZoneOf(slot.offset)) != ZoneType::kConventional;
  if (!has_pointer) return;
  recovery_.Hold(slot, static_cast<std::uint32_t>(completion.user_data));
  path_->KeepForRewrites(slot.zone);
}

void Worker::CompleteOperation(const Slot& slot, const ZoneCompletion& completion) {
  struct Kind {
    const char* name;
    OpClass op;
  };
  const Kind kind = slot.use == SlotUse::kReset    ? Kind{"reset", OpClass::kReset}
                    : slot.use == SlotUse::kFinish ? Kind{"finish", OpClass::kFinish}
                                                   : Kind{"flush", OpClass::kFlush};
  if (!completion.result.ok()) {
    Fail(kind.name, completion.result, 0);
    return;
  }
  statistics_.Operation(kind.op, completion.completed_at - completion.submitted_at);
  if (slot.use == SlotUse::kReset) statistics_.Reset();
  if (slot.use == SlotUse::kFinish) statistics_.Finish();
}

void Worker::CheckStamps(const Slot& slot) {
  const std::uint32_t block = setup_.target->device->info().geometry.block_size;
  std::string off =
      workload::CheckStamps({static_cast<const std::byte*>(slot.buffer), slot.bytes}, block,
                            {setup_.run_seed, slot.zone.value(), 0, slot.offset, 0});
  if (off.empty()) return;
  IoResult mismatch;
  mismatch.offset = slot.offset;
  mismatch.bytes = slot.bytes;
  mismatch.errc = Errc::kIo;
  mismatch.origin = Origin::kErrno;
  mismatch.raw = EILSEQ;
  CountError(mismatch);
  if (errors_.SurvivesMismatch()) return;
  End(EndReason::kVerifyMismatch, setup_.target->spec + ": " + off);
}

void Worker::CountError(const IoResult& result) noexcept {
  if (result_.io_errors++ == 0) result_.first_error = result;
}

void Worker::Fail(const char* operation, const IoResult& result, std::uint64_t asked) {
  CountError(result);
  if (result_.reason == EndReason::kDone) {
    result_.error = result;
    result_.error_op = operation;
    result_.detail = ExplainFailure(setup_, operation, result, asked);
    result_.reason = EndReason::kIoError;
  }
  sending_ = false;
}

}  // namespace zonal::engine
