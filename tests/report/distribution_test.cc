// SPDX-License-Identifier: MIT
#include "report/distribution.h"

#include "support/catch.h"

namespace zonal::report {
namespace {

TEST_CASE("latencies fall into fio's classes", "[report]") {
  struct Row {
    std::uint64_t ns;
    char unit;
    std::size_t index;
  };
  const Row rows[] = {
      {0, 'n', 0},
      {1, 'n', 0},
      {2, 'n', 1},
      {9, 'n', 2},
      {10, 'n', 3},
      {99, 'n', 5},
      {249, 'n', 6},
      {700, 'n', 8},
      {990, 'n', 9},
      {1'100, 'u', 0},
      {2'100, 'u', 1},
      {45'000, 'u', 4},
      {990'000, 'u', 9},
      {1'100'000, 'm', 0},
      {600'000'000, 'm', 8},
      {990'000'000, 'm', 9},
      {1'500'000'000, 'm', 10},
      {3'000'000'000, 'm', 11},
  };
  for (const Row& row : rows) {
    CAPTURE(row.ns);
    WorkerResult worker;
    worker.directions[1].completion.Record(row.ns);
    const LatencyShares shares = SharesOfLatency(worker);
    for (std::size_t i = 0; i < 12; ++i) {
      CAPTURE(i);
      if (i < 10) CHECK(shares.ns[i] == (row.unit == 'n' && i == row.index ? 100.0 : 0.0));
      if (i < 10) CHECK(shares.us[i] == (row.unit == 'u' && i == row.index ? 100.0 : 0.0));
      CHECK(shares.ms[i] == (row.unit == 'm' && i == row.index ? 100.0 : 0.0));
    }
  }
}

TEST_CASE("a share above zero never shows as zero", "[report]") {
  WorkerResult worker;
  for (int i = 0; i < 100'000; ++i) worker.directions[0].completion.Record(50);
  worker.directions[0].completion.Record(5'000);
  CHECK(SharesOfLatency(worker).us[2] == 0.01);
  worker.depth_levels = {1, 0, 0, 100'000, 0, 0, 0, 0};
  CHECK(SharesOfDepth(worker)[0] == 0.1);
  CHECK(SharesOfDepth(worker)[1] == 0.0);
}

TEST_CASE("percentiles of a view ascend, and there is a list where it has none", "[report]") {
  WorkerView view;
  CHECK(PercentilesOf(view).size() == 17);
  view.percentiles = {99.9, 50, 90};
  CHECK(PercentilesOf(view) == std::vector<double>{50, 90, 99.9});
}

TEST_CASE("batches of one to four are one class", "[report]") {
  const auto shares = SharesOfBatches({10, 20, 20, 10, 10, 10, 10, 10});
  CHECK(shares == std::array<double, 7>{0, 50, 10, 10, 10, 10, 10});
  WorkerResult worker;
  worker.depth_levels = {10, 20, 20, 10, 10, 10, 10, 10};
  CHECK(SharesOfDepth(worker) == std::array<double, 7>{10, 20, 20, 10, 10, 10, 20});
}

TEST_CASE("a latency is shown in the unit its smallest value deserves", "[report]") {
  struct Row {
    std::uint64_t low, high;
    const char* unit;
  };
  const Row rows[] = {
      {653, 4'823'000, "nsec"},         {2'000, 4'000'000, "nsec"}, {2'001, 4'000'000, "usec"},
      {3'000, 99'999, "nsec"},          {3'000, 100'000, "usec"},   {3'000'000, 99'999'999, "usec"},
      {3'000'000, 100'000'000, "msec"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.low, row.high);
    Histogram histogram;
    histogram.Record(row.low);
    histogram.Record(row.high);
    CHECK(UnitOf(histogram).name == row.unit);
    CHECK(UnitOf(row.low, row.high).name == row.unit);
  }
  // A narrow spread keeps the finer unit in a latency line, not in percentiles.
  Histogram narrow;
  for (int i = 0; i < 1'000'000; ++i) narrow.Record(99'999);
  narrow.Record(100'001);
  CHECK(UnitOf(narrow).name == std::string("nsec"));
  CHECK(UnitOf(narrow.min(), narrow.max()).name == std::string("usec"));
}

}  // namespace
}  // namespace zonal::report
