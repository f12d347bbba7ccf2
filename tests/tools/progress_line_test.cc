// SPDX-License-Identifier: MIT
#include "progress_line.h"

#include "support/catch.h"

namespace zonal::cli {
namespace {

using std::chrono::seconds;

struct Case {
  const char* name;
  seconds runtime, ramp;
  bool time_based;
  char state;
  std::uint64_t done, planned;
  seconds elapsed;
  seconds expected;  // -1: nothing tells
};

TEST_CASE("the time left follows bytes, or the clock, whichever ends first", "[cli]") {
  const Case cases[] = {
      {"half done", seconds(0), seconds(0), false, 'W', 50, 100, seconds(10), seconds(10)},
      {"nothing done yet", seconds(0), seconds(0), false, 'P', 0, 100, seconds(1), seconds(-1)},
      {"ended", seconds(0), seconds(0), false, '_', 0, 100, seconds(1), seconds(0)},
      {"clock", seconds(30), seconds(5), true, 'W', 99, 100, seconds(10), seconds(25)},
      {"past it", seconds(30), seconds(0), true, 'W', 1, 100, seconds(31), seconds(0)},
      {"bytes first", seconds(30), seconds(0), false, 'W', 50, 100, seconds(10), seconds(10)},
      {"clock first", seconds(15), seconds(0), false, 'W', 50, 100, seconds(10), seconds(5)},
      {"more than planned", seconds(0), seconds(0), false, 'W', 120, 100, seconds(9), seconds(0)},
  };
  for (const Case& row : cases) {
    CAPTURE(row.name);
    RunPlan plan;
    plan.workers.resize(1);
    plan.workers[0].runtime = row.runtime;
    plan.workers[0].ramp_time = row.ramp;
    plan.workers[0].time_based = row.time_based;
    WorkerProgress progress;
    progress.state = row.state;
    progress.bytes_done = row.done;
    progress.bytes_planned = row.planned;
    const nanoseconds left = EstimateRemaining(plan, {progress}, row.elapsed);
    if (row.expected < seconds(0)) {
      CHECK(left.count() < 0);
    } else {
      CHECK(left == row.expected);
    }
  }
}

TEST_CASE("the slowest worker decides, and one that tells nothing leaves it open", "[cli]") {
  RunPlan plan;
  plan.workers.resize(2);
  WorkerProgress fast, slow;
  fast.state = slow.state = 'W';
  fast.bytes_planned = slow.bytes_planned = 100;
  fast.bytes_done = 50;
  slow.bytes_done = 20;
  CHECK(EstimateRemaining(plan, {fast, slow}, seconds(10)) == seconds(40));
  slow.bytes_done = 0;
  CHECK(EstimateRemaining(plan, {fast, slow}, seconds(10)).count() < 0);
}

}  // namespace
}  // namespace zonal::cli
