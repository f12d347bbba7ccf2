// SPDX-License-Identifier: MIT
#include "report/blocks.h"

#include <cerrno>

#include "sample_run.h"
#include "support/catch.h"

namespace zonal::report {
namespace {

using std::chrono::milliseconds;

TEST_CASE("a group's workers become one block when asked", "[report]") {
  SampleRun run = MakeSampleRun();
  CHECK(MakeBlocks(run.plan, run.result, run.options).size() == 4);

  run.options.group_reporting = true;
  const std::vector<Block> blocks = MakeBlocks(run.plan, run.result, run.options);
  REQUIRE(blocks.size() == 2);
  const WorkerResult& merged = blocks[0].result;
  CHECK(blocks[0].jobs == 2);
  CHECK(merged.zone_resets == 6);
  CHECK(merged.directions[0].ios == 4000);
  CHECK(merged.directions[1].bytes == (1800 + 1700) * 8192ull);
  CHECK(merged.directions[1].runtime == milliseconds(2001));
  CHECK(merged.directions[1].completion.count() == 3500);
  CHECK(merged.directions[0].bandwidth_kib.mean == Approx(8005.333334));
  CHECK(merged.operations[static_cast<std::size_t>(OpClass::kReset)].count() == 6);
  CHECK(merged.depth_levels[3] == 7400);
  CHECK(merged.reason == EndReason::kDone);
  CHECK(blocks[1].result.reason == EndReason::kIoError);  // the first failure of the group
  CHECK(blocks[0].target == &run.result.targets[0]);
}

TEST_CASE("group reporting can be asked for by some workers only", "[report]") {
  SampleRun run = MakeSampleRun();
  run.options.group_reporting_of = {true, true, false, false};
  const std::vector<Block> blocks = MakeBlocks(run.plan, run.result, run.options);
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].jobs == 2);
  CHECK(blocks[1].first_worker == 2);
}

TEST_CASE("a worker that moved nothing has no block, one that failed has", "[report]") {
  WorkerResult worker;
  CHECK_FALSE(HasOutput(worker));
  worker.reason = EndReason::kNoReadableData;
  CHECK_FALSE(HasOutput(worker));
  worker.reason = EndReason::kIoError;
  CHECK(HasOutput(worker));
  worker.reason = EndReason::kDone;
  worker.directions[2].issued_ios = 1;
  CHECK(HasOutput(worker));
}

TEST_CASE("rates divide by milliseconds, and by less only where there is less", "[report]") {
  CHECK(PerSecond(3990, milliseconds(41)) == 97317);
  CHECK(PerSecond(3990, milliseconds(41) + nanoseconds(999'999)) == 97317);
  CHECK(PerSecond(10, nanoseconds(500'000)) == 20'000);
  CHECK(PerSecond(10, nanoseconds(0)) == 0);
  CHECK(PerSecond(1ull << 60, milliseconds(1000)) == 1ull << 60);  // no overflow
}

TEST_CASE("errors are shown as the errno a kernel would give", "[report]") {
  WorkerResult worker;
  CHECK(ErrnoOf(worker) == 0);
  worker.reason = EndReason::kIoError;
  worker.error.errc = Errc::kNotAtWritePointer;
  worker.error.origin = Origin::kNvme;
  worker.error.raw = nvme::kZoneInvalidWrite;
  CHECK(ErrnoOf(worker) == EIO);
  worker.error.errc = Errc::kTooManyActive;
  CHECK(ErrnoOf(worker) == EOVERFLOW);
  worker.error.origin = Origin::kErrno;
  worker.error.raw = ENOSPC;
  CHECK(ErrnoOf(worker) == ENOSPC);
  worker.reason = EndReason::kVerifyMismatch;
  CHECK(ErrnoOf(worker) == EILSEQ);
}

}  // namespace
}  // namespace zonal::report
