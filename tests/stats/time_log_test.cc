// SPDX-License-Identifier: MIT
#include "stats/time_log.h"

#include <thread>

#include "support/catch.h"

namespace zonal::stats {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

Instant At(nanoseconds time) { return Instant{5'000'000'000} + time; }

Operation Write(nanoseconds completed, nanoseconds took = microseconds(100),
                std::uint64_t bytes = 4096) {
  Operation operation;
  operation.direction = Direction::kWrite;
  operation.bytes = bytes;
  operation.offset = 8192;
  operation.completed = At(completed);
  operation.submitted = At(completed - took);
  operation.drawn = At(completed - took - microseconds(1));
  return operation;
}

TimeLogs Averaged(nanoseconds over) {
  TimeLogs what;
  what.bandwidth = "x";
  what.average_over = over;
  return what;
}

std::vector<LogRow> Rows(TimeLog& log) {
  std::vector<LogRow> rows;
  log.TakeRows([&rows](const LogRow& row) { rows.push_back(row); });
  return rows;
}

TEST_CASE("without an interval each operation is a row", "[stats]") {
  TimeLog log(Averaged(nanoseconds(0)));
  log.Start(At(nanoseconds(0)));
  log.Record(Write(milliseconds(7)));
  log.Record(Write(milliseconds(9), microseconds(50)));
  const std::vector<LogRow> rows = Rows(log);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].at_ms == 7);
  CHECK(rows[0].direction == Direction::kWrite);
  CHECK(rows[0].bytes == 4096);
  CHECK(rows[0].offset == 8192);
  CHECK(rows[0].kib_per_second == 40000);  // 4 KiB in 100 us
  CHECK(rows[0].ios_per_second == 1);
  CHECK(rows[0].submission_ns == 1000);
  CHECK(rows[0].completion_ns == 100'000);
  CHECK(rows[0].total_ns == 101'000);
  CHECK(rows[1].kib_per_second == 80000);
}

TEST_CASE("an interval is a row for each direction, of rates and mean latencies", "[stats]") {
  TimeLog log(Averaged(milliseconds(250)));
  log.Start(At(nanoseconds(0)));
  for (int i = 0; i < 100; ++i) log.Record(Write(milliseconds(i), microseconds(100 + i)));
  Operation read = Write(milliseconds(249));
  read.direction = Direction::kRead;
  log.Record(read);
  CHECK(Rows(log).empty());
  log.Record(Write(milliseconds(250)));
  const std::vector<LogRow> rows = Rows(log);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].direction == Direction::kRead);
  CHECK(rows[1].at_ms == 250);
  CHECK(rows[1].ios_per_second == 400);
  CHECK(rows[1].kib_per_second == 1600);
  CHECK(rows[1].completion_ns == 149'500);
  CHECK(rows[1].bytes == 0);
  CHECK(rows[1].offset == 0);
}

TEST_CASE("a log of the highest keeps the highest", "[stats]") {
  TimeLogs what = Averaged(milliseconds(250));
  what.highest = true;
  TimeLog log(what);
  log.Start(At(nanoseconds(0)));
  log.Record(Write(milliseconds(1), microseconds(300)));
  log.Record(Write(milliseconds(2), microseconds(700)));
  log.Record(Write(milliseconds(3), microseconds(500)));
  log.Finish(At(milliseconds(250)));
  const std::vector<LogRow> rows = Rows(log);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].completion_ns == 700'000);
  CHECK(rows[0].total_ns == 701'000);
}

TEST_CASE("a stall shows as rates of nothing, and no latency", "[stats]") {
  TimeLog log(Averaged(milliseconds(100)));
  log.Start(At(nanoseconds(0)));
  log.Record(Write(milliseconds(50)));
  log.Record(Write(milliseconds(450)));
  const std::vector<LogRow> rows = Rows(log);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].has_completion);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(rows[i].at_ms == 100 * (i + 1));
    CHECK(rows[i].ios_per_second == 0);
    CHECK_FALSE(rows[i].has_completion);
    CHECK_FALSE(rows[i].has_submission);
  }
}

TEST_CASE("the last interval has rates if it is long enough", "[stats]") {
  for (const int end : {120, 180}) {
    CAPTURE(end);
    TimeLog log(Averaged(milliseconds(100)));
    log.Start(At(nanoseconds(0)));
    log.Record(Write(milliseconds(50)));
    log.Record(Write(milliseconds(110)));
    log.Finish(At(milliseconds(end)));
    const std::vector<LogRow> rows = Rows(log);
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].at_ms == static_cast<std::uint64_t>(end));
    CHECK(rows[1].has_rates == (end == 180));
    CHECK(rows[1].has_completion);
  }
}

TEST_CASE("a ramp is not logged, but its time counts", "[stats]") {
  TimeLogOptions options;
  options.after_ramp = true;
  for (const bool averaged : {false, true}) {
    CAPTURE(averaged);
    TimeLog log(Averaged(milliseconds(averaged ? 100 : 0)), options);
    log.Start(At(nanoseconds(0)));
    log.Record(Write(milliseconds(90)));
    log.Record(Write(milliseconds(210)));
    log.Start(At(milliseconds(295)));
    log.Record(Write(milliseconds(296)));
    log.Finish(At(milliseconds(395)));
    const std::vector<LogRow> rows = Rows(log);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].at_ms == (averaged ? 395 : 296));
    CHECK(rows[0].ios_per_second == (averaged ? 10 : 1));
  }
  TimeLog never(Averaged(milliseconds(100)), options);
  never.Start(At(nanoseconds(0)));
  never.Record(Write(milliseconds(90)));
  never.Finish(At(milliseconds(200)));
  CHECK(Rows(never).empty());
}

TEST_CASE("what finds the log full is lost and counted", "[stats]") {
  TimeLogOptions options;
  options.rows = 4;
  TimeLog log(Averaged(nanoseconds(0)), options);
  log.Start(At(nanoseconds(0)));
  for (int i = 0; i < 2; ++i) log.Record(Write(milliseconds(i)));
  CHECK(log.half_full());
  for (int i = 2; i < 7; ++i) log.Record(Write(milliseconds(i)));
  CHECK(log.lost() == 3);
  CHECK(Rows(log).size() == 4);
  log.Record(Write(milliseconds(8)));
  CHECK(Rows(log).at(0).at_ms == 8);
}

TEST_CASE("histograms count each interval's operations", "[stats]") {
  TimeLogs what;
  what.histogram = "x";
  what.histogram_every = milliseconds(300);
  TimeLog log(what);
  log.Start(At(nanoseconds(0)));
  for (int i = 0; i < 30; ++i) log.Record(Write(milliseconds(i), nanoseconds(100)));
  log.Record(Write(milliseconds(1000), nanoseconds(90)));
  log.Finish(At(milliseconds(1010)));
  std::vector<LogHistogram> histograms;
  log.TakeHistograms([&](const LogHistogram& histogram) { histograms.push_back(histogram); });
  REQUIRE(histograms.size() == 2);
  CHECK(histograms[0].at_ms == 300);
  CHECK(histograms[0].bytes == 4096);
  CHECK(histograms[0].counts[100] == 30);
  CHECK(histograms[1].at_ms == 1010);
  CHECK(histograms[1].counts[90] == 1);
  CHECK(histograms[1].counts[100] == 0);
}

TEST_CASE("a row is recorded by one thread and taken by another", "[stats]") {
  TimeLogOptions options;
  options.rows = 64;
  TimeLog log(Averaged(nanoseconds(0)), options);
  log.Start(At(nanoseconds(0)));
  constexpr int kRows = 50'000;
  std::thread recorder([&log] {
    for (int i = 0; i < kRows; ++i) log.Record(Write(milliseconds(i)));
  });
  std::uint64_t taken = 0, last = 0;
  bool ascending = true;
  const auto take = [&] {
    log.TakeRows([&](const LogRow& row) {
      ascending = ascending && (taken == 0 || row.at_ms > last);
      last = row.at_ms;
      ++taken;
    });
  };
  while (taken + log.lost() < kRows) take();
  recorder.join();
  take();
  CHECK(taken + log.lost() == kRows);
  CHECK(ascending);
}

}  // namespace
}  // namespace zonal::stats
