// SPDX-License-Identifier: MIT
// Exit codes of both front ends, and what they say about jobs that did less.
#include "run_outcome.h"

#include "exit_codes.h"
#include "support/catch.h"

namespace zonal::cli {
namespace {

RunResult Ended(std::initializer_list<EndReason> reasons) {
  RunResult result;
  for (const EndReason reason : reasons) {
    result.workers.emplace_back();
    result.workers.back().name = "j";
    result.workers.back().reason = reason;
  }
  return result;
}

TEST_CASE("exit codes of both front ends", "[tools]") {
  struct Row {
    std::initializer_list<EndReason> reasons;
    int zonal, fio;
  };
  const Row rows[] = {
      {{EndReason::kDone}, ExitCode::kDone, 0},
      {{EndReason::kNoReadableData}, kDidLess, 0},
      {{EndReason::kLessRoom, EndReason::kDone}, kDidLess, 0},
      {{EndReason::kIoError, EndReason::kDone, EndReason::kIoError}, kIoFailed, 2},
      {{EndReason::kVerifyMismatch}, kIoFailed, 1},
      {{EndReason::kInterrupted, EndReason::kNoReadableData},
       ExitCode::kInterrupted,
       ExitCode::kInterrupted},
      {{EndReason::kIoError, EndReason::kInterrupted}, kIoFailed, ExitCode::kInterrupted},
  };
  for (const Row& row : rows) {
    const RunResult result = Ended(row.reasons);
    CHECK(ExitCodeOf(result) == row.zonal);
    CHECK(FioExitCodeOf(result) == row.fio);
  }
  RunResult no_zone = Ended({EndReason::kNoWritableZone});
  CHECK(FioExitCodeOf(no_zone) == 0);
  no_zone.workers[0].error.errc = Errc::kTooManyActive;
  CHECK(FioExitCodeOf(no_zone) == 1);
  CHECK(ExitCodeOf(no_zone) == kDidLess);
  RunResult many;
  many.workers.resize(1000);
  for (WorkerResult& worker : many.workers) worker.reason = EndReason::kIoError;
  CHECK(FioExitCodeOf(many) == 127);
}

TEST_CASE("a job that failed gets the hint that fits", "[tools]") {
  RunPlan plan;
  plan.workers.resize(1);
  plan.workers[0].target = "/dev/z";
  plan.workers[0].writes = true;
  RunResult result = Ended({EndReason::kIoError});
  const auto last = [&] { return ExplainEnds(plan, result).back(); };
  CHECK(last() == "first I/O failed. If /dev/z is a zoned block device, consider --zonemode=zbd");
  result.workers[0].directions[1].ios = 1;  // it has written before
  CHECK(ExplainEnds(plan, result).size() == 1);
  result.workers[0].error.errc = Errc::kTooManyActive;
  CHECK(last().find("Exceeded max_active_zones limit. ") == 0);
  CHECK(ExplainEnds(plan, Ended({EndReason::kDone})).empty());
}

}  // namespace
}  // namespace zonal::cli
