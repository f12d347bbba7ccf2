// SPDX-License-Identifier: MIT
// Worker: reading back what was written. A round begins when nothing is in flight,
// so that each block is either acknowledged or unknown, and ends when its last read
// is judged; then the worker goes on, or ends.
#include <cerrno>
#include <cstring>

#include "engine/worker.h"

namespace zonal::engine {

void Worker::PrepareBuffers() {
  const std::uint64_t bytes = buffers_->buffer_bytes();
  const Verify& options = setup_.workload.verify;
  for (std::uint32_t i = 0; i < setup_.workload.depth; ++i) {
    filler_.Prepare({buffers_->buffer(i), bytes});
    // Beside a header, the pattern is the payload.
    if (!options.pattern.empty()) {
      verify::FillPattern({buffers_->buffer(i), bytes}, {options.pattern, {}}, 0);
    }
    // One payload for all: then it is known what a block should hold.
    if (verifier_ && i != 0) std::memcpy(buffers_->buffer(i), buffers_->buffer(0), bytes);
  }
  const DataFill::Kind kind = setup_.workload.fill.kind;
  const bool changes = kind == DataFill::Kind::kRefill || kind == DataFill::Kind::kScramble ||
                       setup_.workload.fill.compress_percent != 0 ||
                       setup_.workload.fill.dedupe_percent != 0;
  if (verifier_ && !changes) verifier_->SetPayload({buffers_->buffer(0), bytes});
}

void Worker::UseBuffer(Slot& slot, std::uint32_t id, bool for_read) noexcept {
  const bool second = for_read && setup_.writes();
  slot.buffer = buffers_->buffer(second ? setup_.workload.depth + id : id);
}

void Worker::StartVerifying() {
  verifier_->Save();
  if (verifier_->pending_blocks() == 0) {
    // A state that names no block: all it names has been verified.
    if (!setup_.workload.verify.state_load.empty() && !setup_.writes()) sending_ = false;
    return;
  }
  // Of a state: before anything is written over it. A reader was asked for no more.
  verifier_->StartReadBack(std::uint64_t{0});
  ReadBackNow(setup_.writes());
}

void Worker::ReadBackNow(bool then_go_on) noexcept {
  reading_back_ = draining_ = sending_ = true;
  go_on_after_ = then_go_on;
  idle_until_ = now_;
  must_retry_ = path_->in_flight() == 0;  // nothing will wake us: go on at once
}

bool Worker::ReadBackAtEnd() {
  if (!verifier_ || !verifier_->reads_back() || verifier_->pending_blocks() == 0) return false;
  // What was written before a zone got unwritable, say, is still to be verified.
  const bool may = result_.reason == EndReason::kDone || result_.reason == EndReason::kLessRoom ||
                   result_.reason == EndReason::kNoWritableZone;
  if (!may || verifier_->must_stop()) return false;
  verifier_->StartReadBack(std::uint64_t{0});
  ReadBackNow(false);
  return true;
}

bool Worker::ReadBackFirst() {
  if (!verifier_ || !verifier_->reads_back()) return false;
  if (verifier_->pending_blocks() == 0 && path_->in_flight() == 0) return false;
  verifier_->StartReadBack(std::uint64_t{0});
  ReadBackNow(true);
  ++pass_ios_[static_cast<std::size_t>(Direction::kWrite)];  // the pass was not for nothing
  return true;
}

Worker::FillNext Worker::PrepareReadBack(std::uint32_t id) {
  if (draining_ && path_->in_flight() != 0) return FillNext::kStop;
  draining_ = false;
  Slot& slot = slots_[id];
  const auto block = verifier_->NextToRead(slot);
  if (!block) {
    if (path_->in_flight() != 0) return FillNext::kStop;
    verifier_->EndReadBack();
    reading_back_ = false;
    sending_ = go_on_after_;
    StopIfFatal();
    return sending_ ? FillNext::kMore : FillNext::kStop;
  }
  UseBuffer(slot, id, true);
  const Draw draw = path_->PrepareReadBack(slot, block->offset, block->bytes, id);
  if (draw.kind != Draw::Kind::kPrepared) {
    verifier_->NotRead(*block);
    return Act(draw, Direction::kRead, id);
  }
  free_.pop_back();
  // Reset between our look at it and the read: what comes back is nobody's.
  slot.stale = !verifier_->IsStillThere(slot.zone);
  slot.drawn_at = now_;
  statistics_.Submitted(path_->in_flight());
  statistics_.Issued(Direction::kRead);
  return FillNext::kMore;
}

void Worker::CompleteReadBack(const Slot& slot, const ZoneCompletion& completion) {
  const IoResult& result = completion.result;
  if (slot.stale || result.errc == Errc::kStaleEpoch) {
    statistics_.StaleRead();
    verifier_->Dropped(slot);
    return;
  }
  if (!result.ok()) {
    statistics_.Failed(Direction::kRead);
    verifier_->ReadBack(slot, 0);
    if (!errors_.Survives(Direction::kRead, result)) return Fail("read back", result, slot.bytes);
    CountError(result);
    return;
  }
  statistics_.Io(Direction::kRead, slot.offset, result.bytes, result.bytes < slot.bytes,
                 slot.drawn_at, completion.submitted_at, completion.completed_at);
  verifier_->ReadBack(slot, result.bytes);
}

void Worker::CheckRead(const Slot& slot, std::uint64_t bytes) {
  verifier_->CheckRead(slot, bytes);
  StopIfFatal();
}

void Worker::StopIfFatal() {
  if (verifier_->must_stop()) {
    End(EndReason::kVerifyMismatch, verifier_->result().messages.front());
  }
}

// Others may wait for just the zones that hold blocks of ours.
bool Worker::ReadBackWhileStuck() {
  if (!verifier_ || !verifier_->reads_back() || reading_back_) return false;
  if (verifier_->pending_blocks() == 0) return false;
  verifier_->StartReadBack(std::uint64_t{0});
  ReadBackNow(true);
  return true;
}

void Worker::CountVerified() {
  verifier_->Save();
  verifier_->LeaveForGood();
  result_.verify = verifier_->result();
  const VerifyResult& found = result_.verify;
  if (found.mismatches != 0) {
    IoResult mismatch;
    mismatch.errc = Errc::kIo;
    mismatch.origin = Origin::kErrno;
    mismatch.raw = EILSEQ;
    CountError(mismatch);
    result_.io_errors += found.mismatches - 1;
  }
  const bool matters = found.mismatches != 0 && !errors_.SurvivesMismatch();
  if (matters && result_.reason != EndReason::kIoError) {
    result_.reason = EndReason::kVerifyMismatch;
    result_.detail = found.messages.front();
    if (found.mismatches > 1) {
      result_.detail += " (" + std::to_string(found.mismatches) + " of " +
                        std::to_string(found.blocks) + " blocks are wrong)";
    }
  } else if (!verifier_->save_error().empty() && result_.reason == EndReason::kDone) {
    result_.reason = EndReason::kIoError;
    result_.error_op = "verify state";
    result_.error.errc = Errc::kIo;
    result_.detail = verifier_->save_error();
  }
}

}  // namespace zonal::engine
