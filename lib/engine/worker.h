// SPDX-License-Identifier: MIT
// One worker of a run, as a step machine: Step() draws, prepares, submits and
// completes what it can and returns; it never blocks. Whoever drives it sleeps in
// WaitForIo(), which is Poll. All calls but progress() come from one thread at a
// time (the queue's), the constructor's excepted.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/batching.h"
#include "engine/error_rule.h"
#include "engine/host_facts.h"
#include "engine/pacing.h"
#include "engine/path.h"
#include "engine/progress.h"
#include "engine/result_exchange.h"
#include "engine/setup.h"
#include "engine/stop_rule.h"
#include "engine/verifier.h"
#include "engine/worker_statistics.h"
#include "engine/zone_recovery.h"
#include "workload/block_sizes.h"
#include "workload/data_filler.h"
#include "zonal/buffer_pool.h"
#include "zonal/rng.h"
#include "zonal/run.h"

namespace zonal::engine {

struct StepResult {
  enum class Kind : std::uint8_t {
    kRan,      // something was sent or came back
    kIdle,     // nothing to do before `until`
    kWaiting,  // for completions, or for another worker
    kDone,
  };
  Kind kind = Kind::kRan;
  Instant until;
};

class Worker {
 public:
  static absl::StatusOr<std::unique_ptr<Worker>> Create(const WorkerSetup& setup,
                                                        const RunControl& control,
                                                        const Clock& clock);

  StepResult Step();
  // Sleeps until something completes, somebody wakes the queue, or `at_most` is over.
  void WaitForIo(nanoseconds at_most);

  bool started() const noexcept { return started_; }
  // Waits, with nothing of its own in flight, for what only another can give.
  bool stuck() const noexcept { return stuck_; }
  // Looks from time to time for data that only another's writes can bring.
  bool starving() const noexcept { return starving_; }
  // The driver found that no other worker will ever give it: the worker ends.
  void GiveUp();

  // Before the first Step.
  void KeepLog(stats::TimeLog* log) noexcept { statistics_.KeepLog(log); }
  bool log_is_half_full() const noexcept { return statistics_.log_is_half_full(); }

  const ProgressCell& progress() const noexcept { return progress_; }
  std::uint64_t bytes_planned() const noexcept {
    return setup_.range.bytes_to_move * setup_.workload.loops;
  }
  const WorkerSetup& setup() const noexcept { return setup_; }
  std::uint32_t in_flight() const noexcept { return path_ ? path_->in_flight() : 0; }
  const std::string& queue_name() const noexcept { return queue_name_; }
  const QueueFeatures& features() const noexcept { return features_; }
  // The driver's last call: nothing of the worker changes any more.
  void Ended(const HostFacts& facts) {
    host_facts_ = facts;
    exchange_.Close();
  }
  // Any thread: totals so far, as of the worker's next step; those of the last time
  // if it takes none for `at_most`.
  WorkerResult AskForResult(Instant run_started, nanoseconds at_most);
  // After the last Step.
  WorkerResult TakeResult(Instant run_started);

 private:
  Worker(const WorkerSetup& setup, const RunControl& control, const Clock& clock,
         std::unique_ptr<Verifier> verifier, std::unique_ptr<Path> path,
         std::unique_ptr<BufferPool> buffers);

  // Before the start: what the first step comes to while it is not its turn.
  std::optional<StepResult> AwaitTurn();
  void Start();
  void RunCommand(const std::string& command, const char* name);
  void CheckStopRules();
  void EndWithAnother();
  bool ReadsBackAllTheSame() const;
  std::uint32_t Fill();
  // Pace, in worker_pace.cc: all only with a Pacing.
  bool HoldBack(Direction& direction);
  void CheckPromises();
  void Complain(const Pacing::Complaint& complaint);
  void CompletePaced(Direction direction, const Slot& slot, const ZoneCompletion& completion);
  StepResult Paused();
  void EndPace();
  std::uint32_t slots_in_use() const noexcept {
    return static_cast<std::uint32_t>(slots_.size() - free_.size());
  }
  bool QueueIsAsFullAsAllowed() const noexcept {
    return free_.empty() || (pacing_ != nullptr && slots_in_use() >= pacing_->most_in_flight());
  }
  enum class FillNext : std::uint8_t { kMore, kStop };
  FillNext PrepareOne(std::uint32_t id);
  FillNext PrepareIn(Direction direction, std::uint32_t id);
  FillNext AfterPass(Direction direction);
  FillNext NothingReadable(Direction direction, std::uint32_t id);
  FillNext Act(const Draw& draw, Direction direction, std::uint32_t id);
  Direction ChooseDirection() noexcept;
  // What the next operation is, kept until it is prepared: if one that has to wait,
  // or to reset a zone first, were drawn anew, the mix would lean to the others.
  struct Drawn {
    Direction direction;
    std::uint64_t bytes;
  };
  Drawn DrawIn(Direction direction) noexcept;
  bool CountsBytes(Direction direction) const noexcept;
  std::uint64_t NextBytes(const Drawn& drawn) const noexcept;
  Draw PrepareOnPath(Direction direction, std::uint64_t bytes, std::uint32_t id) noexcept;
  bool FlushIsDue() const noexcept;
  bool FlushAtEnd();    // false: nothing to flush, or it has been
  bool PrepareFlush();  // false: others are still in flight
  void PreparedTrim(const Slot& slot) noexcept;
  void PreparedWriteOfTrimmed(const Slot& slot) noexcept;
  void Prepared(Slot& slot);
  // Reading back (worker_verify.cc).
  void PrepareBuffers();
  void UseBuffer(Slot& slot, std::uint32_t id, bool for_read) noexcept;
  void StartVerifying();
  bool ReadBackAtEnd();  // false: there is nothing to read back
  bool ReadBackFirst();  // between two passes
  bool ReadBackWhileStuck();
  void ReadBackNow(bool then_go_on) noexcept;
  FillNext PrepareReadBack(std::uint32_t id);
  void CompleteReadBack(const Slot& slot, const ZoneCompletion& completion);
  void StopIfFatal();
  void CountVerified();
  void Block(const Draw& draw);
  void Admitted();

  std::size_t PollOnce(std::size_t min, nanoseconds wait);
  void Complete(ZoneCompletion& completion);
  void Landed(Slot& slot, IoResult& result) noexcept;
  void CompleteIo(const Slot& slot, const ZoneCompletion& completion);
  void FailIo(const Slot& slot, const ZoneCompletion& completion);
  // Writes again what failed, one after the other; how many it prepared.
  std::uint32_t Recover();
  void CompleteRewrite(const Slot& slot, const ZoneCompletion& completion);
  void GiveUpRecovery(ZoneId zone, std::uint64_t write_pointer);
  void EndRecovery(ZoneId zone, std::uint64_t write_pointer);
  void CompleteOperation(const Slot& slot, const ZoneCompletion& completion);
  void CheckStamps(const Slot& slot);
  void CheckRead(const Slot& slot, std::uint64_t bytes);
  void CountError(const IoResult& result) noexcept;
  void Fail(const char* operation, const IoResult& result, std::uint64_t asked);
  void End(EndReason reason, std::string detail);
  // Nothing is in flight and nothing more is sent: true if there is another loop.
  bool StartNextLoop();
  StepResult Close();
  void SetStuck(bool stuck) noexcept;
  void SetStarving(bool starving) noexcept;
  void Publish() noexcept;
  void GiveResultSoFar();
  WorkerResult ResultSoFar(Instant run_started) const;

  const WorkerSetup setup_;
  const RunControl& control_;
  const Clock& clock_;
  std::unique_ptr<BufferPool> buffers_;
  std::unique_ptr<Verifier> verifier_;  // null unless it verifies
  std::unique_ptr<Path> path_;          // uses both: destroyed before them
  std::string queue_name_;
  QueueFeatures features_;
  HostFacts host_facts_;
  StopRule stop_;
  const ErrorRule errors_;
  BatchRule batches_;
  std::unique_ptr<Pacing> pacing_;  // null: at full speed
  WorkerStatistics statistics_;
  ProgressCell progress_;
  ResultExchange exchange_;

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<ZoneCompletion> completions_;
  std::size_t held_ = 0;                // of them, until the batch is complete
  std::vector<std::uint64_t> touched_;  // a bit per zone
  Rng mix_;
  std::optional<Drawn> drawn_;  // and not yet prepared
  std::array<workload::BlockSizes, kDirections> sizes_;
  ZoneRecovery recovery_;
  workload::DataFiller filler_;
  // The block just trimmed, where it is written next (trimwrite).
  struct Trimmed {
    std::uint64_t next, end;
    bool in_flight;
  };
  std::optional<Trimmed> trimmed_;
  std::uint32_t writes_since_flush_ = 0;
  bool flushed_at_end_ = false;

  bool started_ = false, sending_ = true, closed_ = false, stuck_ = false;
  bool starving_ = false;  // for data that another may write
  bool gives_up_ = false;  // if there still is none
  // Blocks are read back now: once what is in flight is done, and then it goes on.
  bool reading_back_ = false, draining_ = false, go_on_after_ = false;
  bool all_issued_ = false;  // of this loop, unless a read comes back stale
  bool time_is_up_ = false;
  Instant now_, started_at_, ended_at_, idle_until_;
  Pause pause_;  // of this step
  std::uint32_t loops_done_ = 0;
  std::uint64_t bytes_issued_ = 0;   // in this loop
  std::uint64_t ios_issued_ = 0;     // in all
  std::uint64_t bytes_written_ = 0;  // in all
  std::uint64_t bytes_completed_ = 0;
  std::uint64_t writes_stamped_ = 0;
  std::array<std::uint64_t, kDirections> pass_ios_{};  // since the pass began
  bool must_retry_ = false;                            // what refused us may be free again already
  std::uint32_t retries_ = 0;                          // in a row
  bool last_look_ = false;  // the last writer has ended: one more look for data
  WaitKey::Kind waiting_for_ = WaitKey::Kind::kNone;
  Instant waiting_since_;
  WorkerResult result_;
};

}  // namespace zonal::engine
