// SPDX-License-Identifier: MIT
// The rules of pace on their own: rates, stalls, flow, the search for a depth.
#include "engine/pacing.h"

#include "engine/batching.h"
#include "support/catch.h"

using namespace zonal;
using namespace zonal::engine;

namespace {

constexpr std::int64_t kMs = 1'000'000;

Instant At(double ms) { return Instant{static_cast<std::int64_t>(ms * 1e6)}; }

}  // namespace

TEST_CASE("operations are due at equal distances, whenever they were sent", "[engine]") {
  RateSchedule rate(0, 1000);
  rate.Start(At(5));
  REQUIRE(rate.due() == At(5));
  rate.Issued(4096, At(5), 1);
  REQUIRE(rate.due() == At(6));
  rate.Issued(4096, At(9), 1);  // three late
  REQUIRE(rate.due() == At(7));
  RateSchedule bytes(4'000'000, 0);
  bytes.Start(At(0));
  bytes.Issued(4000, At(0), 1);
  REQUIRE(bytes.due() == At(1));
  bytes.Issued(8000, At(1), 1);
  REQUIRE(bytes.due() == At(3));
  RateSchedule both(4'000'000, 100);
  both.Start(At(0));
  both.Issued(4000, At(0), 1);
  REQUIRE(both.due() == At(10));
}

TEST_CASE("what was missed is caught up, a second of it at most", "[engine]") {
  RateSchedule rate(0, 1000);
  rate.Start(At(0));
  int burst = 0;
  const Instant now = At(10'000);
  for (; rate.due() <= now; ++burst) rate.Issued(4096, now, 1);
  REQUIRE(burst == 1001);
}

TEST_CASE("a rate that divides no second is kept for long", "[engine]") {
  RateSchedule rate(0, 7'777);
  rate.Start(At(0));
  for (int i = 0; i < 7'777'000; ++i) rate.Issued(4096, rate.due(), 1);
  REQUIRE(std::abs(rate.due().ns - 1000 * 1000 * kMs) < 1000);
}

TEST_CASE("gaps of a Poisson process have the mean they should have", "[engine]") {
  Rng rng(7);
  double sum = 0, squares = 0;
  constexpr int kGaps = 200'000;
  for (int i = 0; i < kGaps; ++i) {
    const double gap = ExponentialStretch(rng);
    REQUIRE(gap >= 0);
    sum += gap;
    squares += gap * gap;
  }
  REQUIRE(sum / kGaps == Approx(1).epsilon(0.01));
  REQUIRE(squares / kGaps == Approx(2).epsilon(0.03));
}

TEST_CASE("a stall begins when what is in flight is back, and lasts its time", "[engine]") {
  Pace pace;
  pace.think_time = nanoseconds(5 * kMs);
  pace.think_spin = nanoseconds(9 * kMs);  // not longer than the stall
  pace.think_blocks = 2;
  ThinkTimer think(pace);
  think.Start(At(0));
  think.Issued();
  think.Issued();
  REQUIRE_FALSE(think.Stalls(At(1), 2));  // completions are counted
  think.Completed();
  REQUIRE_FALSE(think.Stalls(At(1), 1));
  think.Completed();
  REQUIRE(think.Stalls(At(2), 1));
  REQUIRE_FALSE(think.thinking());
  REQUIRE(think.Stalls(At(3), 0));
  REQUIRE(think.thinking());
  REQUIRE(think.StallBegins());
  REQUIRE_FALSE(think.StallBegins());
  REQUIRE(think.until() == At(8));
  REQUIRE(think.spin_until() == At(8));
  REQUIRE(think.Stalls(At(7.9), 0));
  REQUIRE_FALSE(think.Stalls(At(8), 0));
  REQUIRE_FALSE(think.Stalls(At(9), 0));
}

TEST_CASE("stalls come after operations issued, or after a time, where asked for", "[engine]") {
  Pace pace;
  pace.think_time = nanoseconds(kMs);
  pace.think_after_issue = true;
  ThinkTimer by_issue(pace);
  by_issue.Start(At(0));
  by_issue.Issued();
  REQUIRE(by_issue.Stalls(At(0), 1));
  Pace timed;
  timed.think_time = nanoseconds(kMs);
  timed.think_io_time = nanoseconds(10 * kMs);
  ThinkTimer by_time(timed);
  by_time.Start(At(0));
  by_time.Completed();
  REQUIRE_FALSE(by_time.Stalls(At(9), 0));
  REQUIRE(by_time.Stalls(At(10), 0));
  REQUIRE_FALSE(by_time.Stalls(At(11), 0));
  REQUIRE_FALSE(by_time.Stalls(At(20), 0));
  REQUIRE(by_time.Stalls(At(21), 0));
}

TEST_CASE("members of a flow keep their proportion, and one of them may always go", "[engine]") {
  FlowGroup group;
  FlowMember heavy(&group, 3), light(&group, 1);
  heavy.Join();
  light.Join();
  int of_heavy = 0, of_light = 0;
  for (int i = 0; i < 4000; ++i) {
    REQUIRE_FALSE((heavy.ahead() && light.ahead()));
    if (!light.ahead()) {
      light.Issued();
      ++of_light;
    } else {
      heavy.Issued();
      ++of_heavy;
    }
  }
  REQUIRE(of_heavy == Approx(3000).margin(3));
  light.Leave();  // alone, nobody is ahead
  for (int i = 0; i < 1000; ++i) {
    REQUIRE_FALSE(heavy.ahead());
    heavy.Issued();
  }
  light.Join();  // without a claim to what it missed
  REQUIRE_FALSE(light.ahead());
  light.Issued();
  light.Issued();
  REQUIRE(light.ahead());
  light.Leave();
  heavy.Leave();
  REQUIRE(group.operations.load() == 0);
  REQUIRE(group.weight.load() == 0);
}

namespace {

// A device whose latency is `depth` ms: which depth is found for a target?
std::uint32_t DepthFor(double target_ms, std::uint32_t deepest) {
  Pace pace;
  pace.latency_target = nanoseconds(static_cast<std::int64_t>(target_ms * 1e6));
  pace.latency_window = nanoseconds(10 * kMs);
  DepthSearch search(pace, deepest);
  search.Start(At(0));
  bool found = false;
  for (double ms = 10; ms < 1000; ms += 10) {
    search.Completed(nanoseconds(search.depth() * kMs));
    const DepthSearch::News news = search.Look(At(ms));
    if (news == DepthSearch::News::kFound) found = true;
    if (news == DepthSearch::News::kOver) {
      REQUIRE(found);
      return search.depth();
    }
  }
  REQUIRE(search.missed());
  return 0;
}

}  // namespace

TEST_CASE("the search ends at the deepest queue that keeps the latency", "[engine]") {
  for (std::uint32_t best = 1; best <= 40; ++best) {
    CAPTURE(best);
    REQUIRE(DepthFor(best + 0.5, 32) == std::min(best, 32u));
  }
  REQUIRE(DepthFor(0.5, 32) == 0);  // not even depth 1
  REQUIRE(DepthFor(1, 1) == 1);
}

TEST_CASE("the percentile says how many operations may be slow", "[engine]") {
  for (const int slow : {10, 11}) {
    CAPTURE(slow);
    Pace pace;
    pace.latency_target = nanoseconds(kMs);
    pace.latency_window = nanoseconds(10 * kMs);
    pace.latency_percentile = 90;
    DepthSearch search(pace, 8);
    search.Start(At(0));
    for (int i = 0; i < 100; ++i) search.Completed(nanoseconds(i < slow ? 2 * kMs : kMs));
    REQUIRE(search.Look(At(9)) == DepthSearch::News::kNone);
    REQUIRE(search.depth() == 1);
    search.Look(At(10));
    REQUIRE(search.depth() == (slow == 10 ? 2 : 1));
    REQUIRE(search.missed() == (slow != 10));
  }
}

TEST_CASE("a search that goes on follows the device", "[engine]") {
  Pace pace;
  pace.latency_target = nanoseconds(10 * kMs);
  pace.latency_window = nanoseconds(kMs);
  pace.latency_run = true;
  DepthSearch search(pace, 64);
  search.Start(At(0));
  double ms = 0;
  const auto run = [&](double latency_per_depth) {
    for (int i = 0; i < 200; ++i) {
      search.Completed(
          nanoseconds(static_cast<std::int64_t>(search.depth() * latency_per_depth * 1e6)));
      REQUIRE(search.Look(At(++ms)) == DepthSearch::News::kNone);
    }
    // It may be looking deeper just now; then it comes back.
    std::uint32_t least = search.depth();
    for (int i = 0; i < 12; ++i) {
      search.Completed(
          nanoseconds(static_cast<std::int64_t>(search.depth() * latency_per_depth * 1e6)));
      search.Look(At(++ms));
      least = std::min(least, search.depth());
    }
    return least;
  };
  REQUIRE(run(1) == 10);
  REQUIRE(run(2.5) == 4);  // the device became slow
  REQUIRE(run(0.2) == 50);
}

TEST_CASE("a full queue is refilled at its low depth", "[engine]") {
  Batching batching;
  batching.submit = 4;
  batching.low_depth = 2;
  batching.complete_min = 99;
  BatchRule rule(batching, 8);
  REQUIRE(rule.most_sent() == 4);
  REQUIRE(rule.least_taken() == 8);
  REQUIRE(rule.most_taken() == 8);
  REQUIRE(rule.MayFill(7));
  rule.Full();
  REQUIRE_FALSE(rule.MayFill(8));
  REQUIRE_FALSE(rule.MayFill(3));
  REQUIRE(rule.MayFill(2));
  REQUIRE(rule.MayFill(7));
}

TEST_CASE("paces that say nothing or contradict themselves are refused", "[engine]") {
  struct Row {
    const char* name;
    void (*set)(Pace&);
    bool accepted;
  };
  const Row rows[] = {
      {"none", [](Pace&) {}, true},
      {"spin alone", [](Pace& p) { p.think_spin = nanoseconds(1); }, false},
      {"time of work alone", [](Pace& p) { p.think_io_time = nanoseconds(1); }, false},
      {"spin in a stall",
       [](Pace& p) {
         p.think_time = nanoseconds(2);
         p.think_spin = nanoseconds(1);
       },
       true},
      {"a target without a window", [](Pace& p) { p.latency_target = nanoseconds(1); }, false},
      {"percentile", [](Pace& p) { p.latency_percentile = 101; }, false},
      {"a least rate over no time",
       [](Pace& p) {
         p.least_ios_per_second[0] = 1;
         p.least_window = nanoseconds(0);
       },
       false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    Workload workload;
    row.set(workload.pace);
    REQUIRE(CheckPace(workload).ok() == row.accepted);
  }
  Workload workload;
  workload.batching.complete_min = 4;
  workload.batching.complete_max = 2;
  REQUIRE_FALSE(CheckBatching(workload).ok());
}
