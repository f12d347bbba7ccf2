// SPDX-License-Identifier: MIT
// Worker: what Pace asks of it.
#include <algorithm>

#include "engine/worker.h"

namespace zonal::engine {

bool Worker::HoldBack(Direction& direction) {
  pause_ = pacing_->Before(direction, now_, slots_in_use());
  return pause_.kind != Pause::Kind::kNone;
}

void Worker::CompletePaced(Direction direction, const Slot& slot,
                           const ZoneCompletion& completion) {
  // A trim moves what it trims.
  const bool is_trim = direction == Direction::kTrim;
  const std::uint64_t moved = is_trim ? slot.bytes : completion.result.bytes;
  pacing_->Completed(direction, moved, completion.completed_at - slot.drawn_at);
  if (pacing_->has_rate(direction)) {
    statistics_.FromDue(direction, completion.completed_at - slot.due_at);
  }
}

// What was in flight may still come back, so the driver sleeps where it would hear of
// that, and not past the end of the run.
StepResult Worker::Paused() {
  SetStuck(false);
  const nanoseconds runtime = setup_.workload.runtime + setup_.workload.ramp_time;
  if (setup_.workload.runtime.count() != 0) {
    pause_.until = std::min(pause_.until, started_at_ + runtime);
  }
  switch (pause_.kind) {
    case Pause::Kind::kSpinUntil:
      return {StepResult::Kind::kRan, {}};
    case Pause::Kind::kUntil:
      return {StepResult::Kind::kIdle, pause_.until};
    case Pause::Kind::kDrain:
    case Pause::Kind::kNone:
      break;
  }
  return {StepResult::Kind::kWaiting, {}};
}

void Worker::Complain(const Pacing::Complaint& complaint) {
  if (result_.reason == EndReason::kDone) {
    result_.error.errc = Errc::kTimeout;
    result_.error.origin = Origin::kErrno;
    result_.error.raw = static_cast<std::uint32_t>(complaint.error);
    result_.error_op = "pace";
  }
  End(EndReason::kTooSlow, setup_.target->spec + ": " + complaint.text);
}

void Worker::CheckPromises() {
  if (const std::optional<Pacing::Complaint> complaint = pacing_->Check(now_)) {
    Complain(*complaint);
    return;
  }
  switch (pacing_->LookAtDepth(now_)) {
    case DepthSearch::News::kFound:
      statistics_.Start(now_);  // the report is of the depth that was found
      break;
    case DepthSearch::News::kOver:
      sending_ = false;
      break;
    case DepthSearch::News::kNone:
      break;
  }
}

void Worker::EndPace() {
  pacing_->End();
  if (const auto complaint = pacing_->CheckLatency()) Complain(*complaint);
  const DepthSearch& search = pacing_->depth_search();
  if (!search.on()) return;
  result_.depth_found = search.depth();
  if (!search.missed()) return;
  End(EndReason::kTargetMissed,
      setup_.target->spec + ": latency_target is not met even at queue depth 1");
}

}  // namespace zonal::engine
