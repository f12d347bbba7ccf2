// SPDX-License-Identifier: MIT
// Totals handed out while a run goes on.
#include "engine/drive_fixture.h"

namespace zonal::testing {
namespace {

using std::chrono::milliseconds;

TEST_CASE("status reports grow towards the result", "[engine]") {
  Workload job = Job("randwrite", 0, 4);
  job.runtime = milliseconds(400);
  job.time_based = true;
  Workload shorter = Job("write", 4, 2);
  shorter.name = "shorter";
  const RunPlan plan = Threaded({job, shorter});
  RunControl control;
  std::vector<RunResult> seen;
  control.status_interval = milliseconds(50);
  control.on_status = [&seen](const RunResult& so_far) { seen.push_back(so_far); };
  const auto run = Run(plan, control, Always(MakeDrive(SmallDrive(8))));
  REQUIRE(run.ok());
  REQUIRE(seen.size() >= 3);
  std::uint64_t before = 0;
  nanoseconds wall{0};
  for (const RunResult& so_far : seen) {
    REQUIRE(so_far.workers.size() == 2);
    REQUIRE(so_far.targets.size() == 1);
    CHECK(so_far.wall > wall);
    wall = so_far.wall;
    const WorkerResult& worker = so_far.workers[0];
    CHECK(worker.name == "randwrite");
    if (&so_far != &seen.back()) CHECK(worker.running);  // the last one may be just after the end
    CHECK(Writes(worker).ios >= before);
    CHECK(Writes(worker).total.count() == Writes(worker).ios);
    before = Writes(worker).ios;
    CHECK(worker.runtime.count() > 0);
  }
  const RunResult& last = seen.back();
  CHECK(before > Writes(seen.front().workers[0]).ios);
  CHECK(Writes(run->workers[0]).ios >= before);
  CHECK_FALSE(run->workers[0].running);
  // The other one ended long before.
  CHECK_FALSE(last.workers[1].running);
  CHECK(Writes(last.workers[1]).ios == Writes(run->workers[1]).ios);
  CHECK(Writes(last.workers[1]).ios == 2 * kZoneSize / kBlock);
}

TEST_CASE("without an interval nobody asks for a status", "[engine]") {
  RunControl control;
  bool called = false;
  control.on_status = [&called](const RunResult&) { called = true; };
  REQUIRE(Run(Threaded({Job("write", 0, 2)}), control, Always(MakeDrive(SmallDrive(4)))).ok());
  CHECK_FALSE(called);
}

}  // namespace
}  // namespace zonal::testing
