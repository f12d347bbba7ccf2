// SPDX-License-Identifier: MIT
#include "run_outcome.h"

#include "exit_codes.h"

namespace zonal::cli {
namespace {

bool Failed(const WorkerResult& worker) {
  return worker.reason == EndReason::kIoError || worker.reason == EndReason::kVerifyMismatch ||
         worker.reason == EndReason::kCommandFailed || worker.reason == EndReason::kTooSlow;
}

// fio sends the write that the drive refuses; here nobody does.
bool LeftNoActiveZone(const WorkerResult& worker) {
  return worker.reason == EndReason::kNoWritableZone && worker.error.errc == Errc::kTooManyActive;
}

bool DidNothing(const WorkerResult& worker) {
  for (const DirectionResult& direction : worker.directions) {
    if (direction.ios != 0) return false;
  }
  return true;
}

// A drive that refuses the very first write is most often one with zones, used
// without regard to them.
bool ForgotZones(const Workload& workload, const WorkerResult& worker) {
  return workload.zone_mode == ZoneMode::kNone && workload.writes && DidNothing(worker);
}

std::string HintOf(const Workload& workload, const WorkerResult& worker) {
  if (worker.reason != EndReason::kIoError) return "";
  if (worker.error.errc == Errc::kTooManyActive) {
    return "Exceeded max_active_zones limit. Zones outside the range of the job count, too: "
           "`zonal report` shows which are open or closed";
  }
  if (ForgotZones(workload, worker)) {
    return "first I/O failed. If " + workload.target +
           " is a zoned block device, consider --zonemode=zbd";
  }
  return "";
}

}  // namespace

int ExitCodeOf(const RunResult& result) {
  bool failed = false;
  bool interrupted = false;
  bool did_less = false;
  for (const WorkerResult& worker : result.workers) {
    switch (worker.reason) {
      case EndReason::kDone:
        break;
      case EndReason::kInterrupted:
        interrupted = true;
        break;
      case EndReason::kIoError:
      case EndReason::kVerifyMismatch:
      case EndReason::kCommandFailed:
      case EndReason::kTooSlow:
        failed = true;
        break;
      case EndReason::kNoReadableData:
      case EndReason::kNoWritableZone:
      case EndReason::kLessRoom:
      case EndReason::kTargetMissed:
      case EndReason::kEndedByError:
        did_less = true;
        break;
    }
  }
  return failed ? kIoFailed : interrupted ? kInterrupted : did_less ? kDidLess : kDone;
}

int FioExitCodeOf(const RunResult& result) {
  constexpr int kMost = 127;
  int failed = 0;
  for (const WorkerResult& worker : result.workers) {
    if (worker.reason == EndReason::kInterrupted) return kInterrupted;
    if (Failed(worker) || LeftNoActiveZone(worker)) failed += failed < kMost ? 1 : 0;
  }
  return failed;
}

std::vector<std::string> ExplainEnds(const RunPlan& plan, const RunResult& result) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < result.workers.size(); ++i) {
    const WorkerResult& worker = result.workers[i];
    if (worker.reason == EndReason::kDone || worker.reason == EndReason::kInterrupted) continue;
    lines.push_back(worker.name + ": " + std::string(ToString(worker.reason)) +
                    (worker.detail.empty() ? "" : ": " + worker.detail));
    const std::string hint = HintOf(plan.workers[i], worker);
    if (!hint.empty()) lines.push_back(hint);
  }
  return lines;
}

}  // namespace zonal::cli
