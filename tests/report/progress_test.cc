// SPDX-License-Identifier: MIT
#include "support/catch.h"
#include "zonal/report.h"

namespace zonal {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

WorkerProgress At(char state, std::uint64_t done, std::uint64_t planned) {
  WorkerProgress worker;
  worker.state = state;
  worker.bytes_done = done;
  worker.bytes_planned = planned;
  return worker;
}

TEST_CASE("the live line has fio's fields", "[report]") {
  std::vector<WorkerProgress> workers = {At('M', 5 << 20, 20 << 20), At('M', 5 << 20, 20 << 20),
                                         At('_', 10 << 20, 10 << 20)};
  for (WorkerProgress& worker : workers) {
    worker.bytes = {8 << 20, 4 << 20, 0};
    worker.ios = {2000, 1000, 0};
  }
  CHECK(FormatProgress({}, {workers, seconds(2)}, seconds(6)) ==
        "Jobs: 2 (f=2): [M(2),_(1)][25.0%][r=12.0MiB/s,w=6144KiB/s][r=3000,w=1500 IOPS]"
        "[eta 00m:06s]");
  CHECK(FormatProgress({}, {workers, seconds(2)}, seconds(6), 6)
            .find("[r=12288KiB/s,w=6144.0KiB/s][r=3000,w=1500 IOPS]") != std::string::npos);
}

TEST_CASE("the live line shows the rates of the last interval, a stall at once", "[report]") {
  struct Row {
    const char* name;
    std::uint64_t mib, ios;  // totals, half a second after the row before
    const char* rates;
  };
  const Row rows[] = {
      {"at first since the start", 8, 200, "[w=16.0MiB/s][w=400 IOPS]"},
      {"faster", 40, 1000, "[w=64.0MiB/s][w=1600 IOPS]"},
      {"stalled", 40, 1000, "[w=0B/s][w=0 IOPS]"},
      {"the ramp is over: totals begin anew", 4, 100, "[w=8192KiB/s][w=200 IOPS]"},
  };
  VirtualClock clock;
  const Instant started = clock.Now();
  ProgressSample before;
  for (const Row& row : rows) {
    CAPTURE(row.name);
    clock.Advance(milliseconds(500));
    WorkerProgress worker = At('W', row.mib << 20, 400 << 20);
    worker.bytes[1] = row.mib << 20;
    worker.ios[1] = row.ios;
    const ProgressSample now{{worker, At('P', 0, 0)}, clock.Now() - started};
    const std::string line = FormatProgress(before, now, seconds(6));
    CAPTURE(line);
    CHECK(line.find(row.rates) != std::string::npos);
    CHECK(line.find("[eta 00m:06s]") != std::string::npos);
    before = now;
  }
}

TEST_CASE("the live line shows no direction without traffic", "[report]") {
  CHECK(FormatProgress({}, {{At('P', 0, 0)}, seconds(0)}, nanoseconds(-1)) ==
        "Jobs: 0 (f=0): [P(1)][-.-%][eta --m:--s]");
  CHECK(FormatProgress({}, {{At('W', 30, 40)}, seconds(1)}, nanoseconds(-1)) ==
        "Jobs: 1 (f=1): [W(1)][75.0%][eta --m:--s]");
  CHECK(FormatProgress({}, {}, seconds(0)) == "Jobs: 0 (f=0): [][-.-%][eta 00m:00s]");
}

TEST_CASE("the time left is shown in the units it needs", "[report]") {
  struct Row {
    nanoseconds left;
    const char* text;
  };
  const Row rows[] = {
      {milliseconds(1), "[eta 00m:01s]"},
      {seconds(59), "[eta 00m:59s]"},
      {seconds(61), "[eta 01m:01s]"},
      {hours(1) + seconds(5), "[eta 01h:00m:05s]"},
      {hours(49) + seconds(5), "[eta 02d:01h:00m:05s]"},
  };
  for (const Row& row : rows) {
    const std::string line = FormatProgress({}, {{At('R', 1, 2)}, seconds(1)}, row.left);
    CAPTURE(line);
    CHECK(line.find(row.text) != std::string::npos);
  }
}

TEST_CASE("jobs are announced as fio announces them", "[report]") {
  RunPlan plan;
  Workload work;
  work.name = "a";
  work.reads = work.writes = true;
  work.write_block = work.trim_block = 65536;
  work.queue = QueueKind::kLibaio;
  work.depth = 4;
  for (work.clone = 0; work.clone < 3; ++work.clone) plan.workers.push_back(work);
  work.clone = 0;
  work.name = "b";
  plan.workers.push_back(work);
  ReportOptions options;
  options.version = "zonal-0.1.0";
  options.engine_names = {"libaio", "libaio", "libaio", "io_uring"};
  const std::string shape =
      ": (g=0): rw=rw, bs=(R) 4096B-4096B, (W) 64.0KiB-64.0KiB, (T) 64.0KiB-64.0KiB, ioengine=";
  CHECK(FormatPreamble(plan, options) == "a" + shape + "libaio, iodepth=4\n...\nb" + shape +
                                             "io_uring, iodepth=4\nzonal-0.1.0\n"
                                             "Starting 4 threads\n");
  plan.workers.resize(1);
  options.significant_figures = 10;
  CHECK(FormatPreamble(plan, options) ==
        "a: (g=0): rw=rw, bs=(R) 4096B-4096B, (W) 65536B-65536B, (T) 65536B-65536B, "
        "ioengine=libaio, iodepth=4\nzonal-0.1.0\nStarting 1 thread\n");
  plan.workers[0].read_block = BlockSize(4096, 16384);
  plan.workers[0].reads = plan.workers[0].writes = false;
  plan.workers[0].trims = true;
  options.significant_figures = 4;
  options.views.resize(1);
  options.views[0].kb_base = 1000;
  CHECK(FormatPreamble(plan, options) ==
        "a: (g=0): rw=trim, bs=(R) 4096B-16.4kB, (W) 65.5kB-65.5kB, (T) 65.5kB-65.5kB, "
        "ioengine=libaio, iodepth=4\nzonal-0.1.0\nStarting 1 thread\n");
}

}  // namespace
}  // namespace zonal
