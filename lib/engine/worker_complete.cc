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

void Worker::Complete(const ZoneCompletion& completion) {
  const auto id = static_cast<std::uint32_t>(completion.user_data);
  const Slot& slot = slots_[id];
  path_->Completed(slot, completion);
  if (slot.use == SlotUse::kRead || slot.use == SlotUse::kWrite) {
    CompleteIo(slot, completion);
  } else {
    CompleteOperation(slot, completion);
  }
  free_.push_back(id);
}

void Worker::CompleteIo(const Slot& slot, const ZoneCompletion& completion) {
  const IoResult& result = completion.result;
  const bool is_read = slot.use == SlotUse::kRead;
  if (is_read && (slot.stale || result.errc == Errc::kStaleEpoch)) {
    // The zone was reset under the read: what came back is nobody's. Another
    // block is read in its place.
    statistics_.StaleRead();
    bytes_issued_ -= slot.bytes;
    if (std::exchange(all_issued_, false)) sending_ = result_.reason == EndReason::kDone;
    return;
  }
  if (!result.ok()) {
    statistics_.Failed(is_read ? Direction::kRead : Direction::kWrite);
    FailIo(is_read ? Direction::kRead : Direction::kWrite, result, slot.bytes);
    return;
  }
  if (pacing_ != nullptr) {
    CompletePaced(is_read ? Direction::kRead : Direction::kWrite, slot, completion);
  }
  statistics_.Io(is_read ? Direction::kRead : Direction::kWrite, result.offset, result.bytes,
                 result.bytes < slot.bytes, slot.drawn_at, completion.submitted_at,
                 completion.completed_at);
  bytes_completed_ += result.bytes;
  if (!touched_.empty()) {
    touched_[slot.zone.value() / 64] |= std::uint64_t{1} << slot.zone.value() % 64;
  }
  if (is_read && setup_.workload.check_stamps) CheckStamps(slot);
}

void Worker::CompleteOperation(const Slot& slot, const ZoneCompletion& completion) {
  const bool is_reset = slot.use == SlotUse::kReset;
  if (!completion.result.ok()) {
    Fail(is_reset ? "reset" : "finish", completion.result, 0);
    return;
  }
  statistics_.Operation(is_reset ? OpClass::kReset : OpClass::kFinish,
                        completion.completed_at - completion.submitted_at);
  if (is_reset)
    statistics_.Reset();
  else
    statistics_.Finish();
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

void Worker::FailIo(Direction direction, const IoResult& result, std::uint64_t asked) {
  if (errors_.Survives(direction, result)) {
    CountError(result);
  } else {
    Fail(direction == Direction::kRead ? "read" : "write", result, asked);
  }
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
