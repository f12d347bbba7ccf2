// SPDX-License-Identifier: MIT
// Worker: its life from the first step to its result. Filling the queue is in
// worker_fill.cc, completions in worker_complete.cc.
#include "engine/worker.h"

#include <algorithm>
#include <limits>

#include "core/status_macros.h"
#include "engine/explain.h"
#include "engine/plain_path.h"
#include "engine/run_order.h"
#include "engine/zoned_path.h"

namespace zonal::engine {
namespace {

// Retries in a row before a worker pauses: what refused it is free by the
// manager's count but not yet by its owner's doing.
constexpr std::uint32_t kRetriesBeforePause = 16;
constexpr nanoseconds kPause{20'000};

bool IsFailure(EndReason reason) noexcept {
  return reason == EndReason::kIoError || reason == EndReason::kVerifyMismatch ||
         reason == EndReason::kCommandFailed || reason == EndReason::kTooSlow;
}

char StateLetter(const WorkerSetup& setup) noexcept {
  const bool random = setup.workload.pattern == Pattern::kRandom;
  if (setup.trims() && !setup.writes()) return random ? 'd' : 'D';
  if (setup.reads() && setup.writes()) return random ? 'm' : 'M';
  if (setup.writes()) return random ? 'w' : 'W';
  return random ? 'r' : 'R';
}

std::array<workload::BlockSizes, kDirections> BlockSizesOf(const WorkerSetup& setup) {
  const Workload& workload = setup.workload;
  const Geometry& geometry = setup.target->device->info().geometry;
  const std::uint64_t step = workload.unaligned_blocks ? geometry.block_size : 0;
  const std::uint64_t limit = setup.transfer_limit();
  return {{{workload.read_block, {limit, step, workload.seed ^ 0xB5}},
           {workload.write_block, {setup.write_limit(), step, workload.seed ^ 0xB50}},
           {workload.trim_block, {0, step, workload.seed ^ 0xB500}}}};
}

// A verifying worker reads into buffers of their own: those of its writes keep their
// payload, of which only headers and tags change.
std::uint32_t BuffersPerSlot(const WorkerSetup& setup) noexcept {
  return setup.workload.verify.enabled() && setup.writes() ? 2 : 1;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Worker>> Worker::Create(const WorkerSetup& setup,
                                                       const RunControl& control,
                                                       const Clock& clock) {
  const std::uint64_t block =
      std::max({std::uint64_t{setup.target->device->info().geometry.block_size},
                setup.reads() ? setup.read_block() : 0, setup.writes() ? setup.write_block() : 0});
  ZONAL_ASSIGN_OR_RETURN(std::unique_ptr<BufferPool> buffers,
                         BufferPool::Create(setup.workload.depth * BuffersPerSlot(setup), block));
  std::unique_ptr<Verifier> verifier;
  if (setup.workload.verify.enabled()) {
    ZONAL_ASSIGN_OR_RETURN(verifier, Verifier::Create(setup, clock));
  }
  const bool zoned = setup.workload.zone_mode == ZoneMode::kZbd;
  ZONAL_ASSIGN_OR_RETURN(
      std::unique_ptr<Path> path,
      zoned ? ZonedPath::Create(setup, clock, verifier.get()) : PlainPath::Create(setup, clock));
  return std::unique_ptr<Worker>(
      new Worker(setup, control, clock, std::move(verifier), std::move(path), std::move(buffers)));
}

Worker::Worker(const WorkerSetup& setup, const RunControl& control, const Clock& clock,
               std::unique_ptr<Verifier> verifier, std::unique_ptr<Path> path,
               std::unique_ptr<BufferPool> buffers)
    : setup_(setup),
      control_(control),
      clock_(clock),
      buffers_(std::move(buffers)),
      verifier_(std::move(verifier)),
      path_(std::move(path)),
      queue_name_(path_->io_queue().name()),
      features_(path_->io_queue().features()),
      stop_(setup_.workload, setup_.range),
      errors_(setup_.workload.errors),
      batches_(setup_.workload.batching, setup_.workload.depth),
      pacing_(Pacing::Create(setup_, !clock.is_virtual())),
      statistics_(setup_.keep_latencies, queue_name_ == "psync"),
      slots_(setup_.workload.depth),
      completions_(setup_.workload.depth),
      mix_(setup_.workload.seed ^ 0x313C),
      sizes_(BlockSizesOf(setup_)),
      recovery_(setup_.workload.depth),
      filler_(setup_.workload.fill, setup_.workload.seed, setup_.reads() && !verifier_) {
  for (std::uint32_t i = setup_.workload.depth; i-- > 0;) {
    slots_[i].buffer = buffers_->buffer(i);
    free_.push_back(i);
  }
  path_->WatchSlots(slots_);
  if (setup_.writes()) PrepareBuffers();
  touched_.resize((setup_.target->device->info().geometry.zone_count + 63) / 64);
}

std::optional<StepResult> Worker::AwaitTurn() {
  started_at_ = now_;
  if (exchange_.asked()) GiveResultSoFar();
  if (control_.stopped() || setup_.order->asked_to_end(setup_.index)) {
    CheckStopRules();
    return Close();
  }
  if (!setup_.order->MayStart(setup_.index)) return StepResult{StepResult::Kind::kWaiting, {}};
  const Instant earliest = setup_.order->EarliestStart(setup_.index);
  if (earliest > now_) return StepResult{StepResult::Kind::kIdle, earliest};
  return std::nullopt;
}

void Worker::Start() {
  started_ = true;
  setup_.order->Started(setup_.index);
  RunCommand(setup_.workload.command_before, "command_before (exec_prerun)");
  // Here and not in the constructor: queues want it from the thread that submits.
  if (features_.registered_buffers && buffers_->RegisterWith(path_->io_queue()).ok()) {
    path_->UseRegisteredBuffer();
  }
  started_at_ = now_ = clock_.Now();
  stop_.Start(now_);
  statistics_.Start(now_);
  if (pacing_ != nullptr) pacing_->Start(now_);
  progress_.state.store(StateLetter(setup_), std::memory_order_relaxed);
  if (verifier_ && sending_) StartVerifying();
}

void Worker::RunCommand(const std::string& command, const char* name) {
  if (command.empty()) return;
  const int status = control_.on_command(command, setup_.workload);
  if (status == 0) return;
  End(EndReason::kCommandFailed,
      std::string(name) + " `" + command + "` ended with status " + std::to_string(status));
}

void Worker::CheckStopRules() {
  if (!sending_) return;
  if (control_.stopped()) {
    End(EndReason::kInterrupted,
        "stopped on request after " + std::to_string(bytes_completed_) + " bytes");
  } else if (setup_.order->asked_to_end(setup_.index) && !ReadsBackAllTheSame()) {
    EndWithAnother();
  } else if (stop_.watches_time() && !reading_back_) {
    if (stop_.RampEnds(now_)) statistics_.Start(now_);
    if (stop_.TimeIsUp(now_)) {
      time_is_up_ = true;
      sending_ = false;
    }
  }
  if (pacing_ != nullptr && sending_ && !reading_back_) CheckPromises();
}

// What was written before a planned end is still verified.
bool Worker::ReadsBackAllTheSame() const {
  return reading_back_ && !setup_.order->EnderOf(setup_.index).by_error;
}

// Being ended by exitall is as planned; by an error it is not.
void Worker::EndWithAnother() {
  const RunOrder::Ender ender = setup_.order->EnderOf(setup_.index);
  if (ender.by_error) {
    End(EndReason::kEndedByError, "ended after " + std::to_string(bytes_completed_) +
                                      " bytes because " + *ender.name +
                                      " failed (exitall_on_error)");
  }
  sending_ = false;
}

StepResult Worker::Step() {
  if (closed_) return {StepResult::Kind::kDone, {}};
  now_ = clock_.Now();
  if (!started_) {
    if (const std::optional<StepResult> not_yet = AwaitTurn()) return *not_yet;
    Start();
  }
  must_retry_ = false;
  pause_ = {};
  CheckStopRules();
  std::uint32_t prepared = 0;
  if (recovery_.active())
    prepared = Recover();
  else if (sending_ && idle_until_ <= now_)
    prepared = Fill();
  if (prepared != 0) statistics_.SubmitBatch(prepared);
  const std::size_t completed = PollOnce(0, nanoseconds{0});
  Publish();
  if (exchange_.asked()) GiveResultSoFar();
  if (verifier_) verifier_->SaveIfDue(now_);
  if (!sending_ && path_->in_flight() == 0 && !recovery_.active()) {
    if (ReadBackAtEnd() || StartNextLoop() || FlushAtEnd()) return {StepResult::Kind::kRan, {}};
    return Close();
  }
  if (prepared != 0 || completed != 0) {
    retries_ = 0;
    SetStuck(false);
    SetStarving(false);
    return {StepResult::Kind::kRan, {}};
  }
  if (pause_.kind != Pause::Kind::kNone) return Paused();
  if (must_retry_) {
    SetStuck(false);
    if (++retries_ < kRetriesBeforePause) return {StepResult::Kind::kRan, {}};
    idle_until_ = now_ + kPause;
  }
  const bool nothing_of_ours = path_->in_flight() == 0;
  if (pacing_ != nullptr && nothing_of_ours) pacing_->Blocked();
  if (nothing_of_ours && idle_until_ > now_) {
    SetStuck(false);  // it goes on by itself: a mixed worker may read where it cannot write
    return {StepResult::Kind::kIdle, idle_until_};
  }
  const bool stuck = nothing_of_ours && waiting_for_ != WaitKey::Kind::kNone;
  if (stuck && sending_ && ReadBackWhileStuck()) return {StepResult::Kind::kRan, {}};
  SetStuck(stuck);
  return {StepResult::Kind::kWaiting, {}};
}

void Worker::WaitForIo(nanoseconds at_most) {
  if (closed_) return;
  const std::size_t wanted = batches_.least_taken() - held_;
  PollOnce(std::clamp<std::size_t>(path_->in_flight(), 1, wanted), at_most);
}

void Worker::GiveUp() {
  if (!started_ || closed_) return;
  if (recovery_.active()) {
    while (recovery_.active()) GiveUpRecovery(recovery_.next().zone, recovery_.next().offset);
    return;
  }
  if (!sending_) return;
  if (starving_) {
    // Not before one more look: a writer may have ended since the last.
    gives_up_ = true;
    idle_until_ = {};
    return;
  }
  const bool for_targets = waiting_for_ == WaitKey::Kind::kTargets;
  const LimitUse use = setup_.target->manager->Limits();
  if (!for_targets && !use.max_active.Admits(use.active)) {
    // What the drive would have answered.
    result_.error.errc = Errc::kTooManyActive;
    result_.error.offset = setup_.range.begin;
    result_.error_op = NameOf(Direction::kWrite);
  }
  End(EndReason::kNoWritableZone, ExplainStuck(setup_, for_targets));
}

void Worker::SetStuck(bool stuck) noexcept {
  if (stuck == stuck_ || !setup_.writes()) return;
  stuck_ = stuck;
  setup_.order->SetStuck(setup_.index, stuck);
}

// A reader is not to be given up on: it looks again by itself. Who waits for its
// end should know that it waits, too.
void Worker::SetStarving(bool starving) noexcept {
  if (starving == starving_ || setup_.writes()) return;
  starving_ = starving;
  gives_up_ = gives_up_ && starving;
  setup_.order->SetStuck(setup_.index, starving);
}

void Worker::End(EndReason reason, std::string detail) {
  sending_ = false;
  if (result_.reason != EndReason::kDone) return;  // the first reason stands
  result_.reason = reason;
  result_.detail = std::move(detail);
}

bool Worker::StartNextLoop() {
  if (result_.reason != EndReason::kDone || time_is_up_) return false;
  if (++loops_done_ >= stop_.loops() || !stop_.MayIssue(ios_issued_)) return false;
  bytes_issued_ = 0;
  pass_ios_ = {};
  all_issued_ = false;
  sending_ = true;
  path_->StartPass(Direction::kRead);
  path_->StartPass(Direction::kWrite);
  path_->StartPass(Direction::kTrim);
  return true;
}

StepResult Worker::Close() {
  closed_ = true;
  ended_at_ = clock_.Now();
  statistics_.End(ended_at_);
  SetStuck(false);
  if (pacing_ != nullptr) EndPace();
  path_.reset();  // gives back zones and claims, and wakes who waits for them
  if (verifier_) CountVerified();
  if (started_) RunCommand(setup_.workload.command_after, "command_after (exec_postrun)");
  setup_.order->Ended(setup_.index, IsFailure(result_.reason));
  progress_.state.store('_', std::memory_order_relaxed);
  return {StepResult::Kind::kDone, {}};
}

void Worker::Publish() noexcept {
  progress_.bytes_done.store(bytes_completed_, std::memory_order_relaxed);
  for (int d = 0; d < kDirections; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const auto direction = static_cast<Direction>(d);
    progress_.bytes[i].store(statistics_.bytes(direction), std::memory_order_relaxed);
    progress_.ios[i].store(statistics_.ios(direction), std::memory_order_relaxed);
  }
}

WorkerResult Worker::AskForResult(Instant run_started, nanoseconds at_most) {
  WorkerResult result;
  if (!exchange_.Ask(run_started, at_most, result)) return ResultSoFar(run_started);
  result.name = setup_.workload.name;  // of one that never answered, too
  result.group = setup_.workload.group;
  result.running = true;
  return result;
}

void Worker::GiveResultSoFar() {
  host_facts_ = ThisThread();
  ended_at_ = now_;
  exchange_.Give([this](Instant run_started) {
    WorkerResult result = ResultSoFar(run_started);
    result.running = true;
    return result;
  });
}

WorkerResult Worker::TakeResult(Instant run_started) { return ResultSoFar(run_started); }

WorkerResult Worker::ResultSoFar(Instant run_started) const {
  WorkerResult result = result_;
  if (verifier_ && !closed_) result.verify = verifier_->result();
  const Workload& workload = setup_.workload;
  const bool zoned_writer = workload.zone_mode == ZoneMode::kZbd && setup_.writes();
  result.name = workload.name;
  result.group = workload.group;
  result.counts_zone_resets =
      workload.zone_mode == ZoneMode::kZbd && (setup_.writes() || setup_.trims());
  result.depth_asked = workload.depth;
  if (zoned_writer) {
    result.write_depth_per_zone = features_.write_depth_per_zone;
    result.write_depth_reason = features_.write_depth_reason;
  }
  statistics_.WriteTo(result);
  for (const std::uint64_t bits : touched_) {
    result.zones_touched += static_cast<std::uint64_t>(std::popcount(bits));
  }
  result.started_after = started_at_ - run_started;
  result.runtime = ended_at_ - started_at_;
  result.user_cpu = host_facts_.user_cpu;
  result.system_cpu = host_facts_.system_cpu;
  result.context_switches = host_facts_.context_switches;
  result.major_faults = host_facts_.major_faults;
  result.minor_faults = host_facts_.minor_faults;
  result.thread_id = host_facts_.thread_id;
  return result;
}

}  // namespace zonal::engine
