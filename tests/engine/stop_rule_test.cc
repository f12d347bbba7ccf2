// SPDX-License-Identifier: MIT
#include "engine/stop_rule.h"

#include "support/catch.h"

using namespace zonal;
using engine::StopRule;
using engine::WorkRange;
using std::chrono::seconds;

TEST_CASE("a worker stops by bytes, unless it is time-based", "[engine]") {
  Workload workload;
  const WorkRange range{0, 1000, 1000, true};
  StopRule by_bytes(workload, range);
  REQUIRE(by_bytes.BytesLeft(0) == 1000);
  REQUIRE(by_bytes.BytesLeft(999) == 1);
  REQUIRE(by_bytes.BytesLeft(1000) == 0);
  REQUIRE(by_bytes.BytesLeft(1001) == 0);
  REQUIRE(by_bytes.one_pass());
  REQUIRE_FALSE(by_bytes.TimeIsUp(Instant{} + seconds(1000000)));

  REQUIRE_FALSE(StopRule(workload, {0, 1000, 5000, false}).one_pass());

  workload.runtime = seconds(2);
  workload.time_based = true;
  StopRule by_time(workload, range);
  by_time.Start(Instant{} + seconds(10));
  REQUIRE(by_time.BytesLeft(std::uint64_t{1} << 60) > 0);
  REQUIRE_FALSE(by_time.one_pass());
  REQUIRE_FALSE(by_time.TimeIsUp(Instant{} + seconds(11)));
  REQUIRE(by_time.TimeIsUp(Instant{} + seconds(12)));
}

TEST_CASE("the ramp ends once and lengthens the run", "[engine]") {
  Workload workload;
  workload.runtime = seconds(2);
  workload.ramp_time = seconds(3);
  StopRule rule(workload, {0, 1000, 1000, true});
  rule.Start(Instant{});
  REQUIRE_FALSE(rule.RampEnds(Instant{} + seconds(2)));
  REQUIRE_FALSE(rule.TimeIsUp(Instant{} + seconds(4)));
  REQUIRE(rule.RampEnds(Instant{} + seconds(3)));
  REQUIRE_FALSE(rule.RampEnds(Instant{} + seconds(4)));
  REQUIRE(rule.TimeIsUp(Instant{} + seconds(5)));
}
