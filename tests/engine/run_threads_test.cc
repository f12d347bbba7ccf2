// SPDX-License-Identifier: MIT
// Threads sharing zones. Run under the thread sanitizer too.
#include <thread>

#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;
using std::chrono::milliseconds;

namespace {

Workload Endless(const std::string& rw, std::uint32_t zones, nanoseconds runtime) {
  Workload job = Job(rw, 0, zones);
  job.time_based = true;
  job.runtime = runtime;
  return job;
}

std::uint64_t WrittenBytes(const RunResult& run) {
  std::uint64_t bytes = 0;
  for (const WorkerResult& worker : run.workers) bytes += Writes(worker).bytes;
  return bytes;
}

}  // namespace

TEST_CASE("writers share fewer zones than there are writers", "[engine][threads]") {
  for (const char* rw : {"write", "randwrite"}) {
    for (const std::uint32_t limit : {1u, 2u, 4u}) {
      CAPTURE(rw, limit);
      const auto drive = MakeDrive(SmallDrive(16));
      std::vector<Workload> jobs(5, Job(rw, 0, 16));
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].max_open_zones = limit;
        jobs[i].io_size = 16 * kZoneSize;
        jobs[i].seed = i + 1;
      }
      const RunResult run = MustRun(Threaded(jobs), drive);
      std::uint64_t resets = 0;
      for (const WorkerResult& worker : run.workers) {
        CAPTURE(worker.detail);
        REQUIRE(worker.reason == EndReason::kDone);
        REQUIRE(Writes(worker).bytes == 16 * kZoneSize);
        resets += worker.zone_resets;
      }
      const DriveCounters counters = CountersOf(*drive);
      REQUIRE(counters.rule_violations == 0);
      REQUIRE(counters.open_high_water <= limit);
      REQUIRE(counters.resets == resets);
      REQUIRE(counters.bytes_written == WrittenBytes(run));
    }
  }
}

TEST_CASE("readers beside writers and resets never see a wrong block", "[engine][threads]") {
  EmulatedOptions options = SmallDrive(8);
  options.read_past_write_pointer_fails = true;
  const auto drive = MakeDrive(options);
  std::vector<Workload> jobs{
      Endless("randwrite", 8, milliseconds(300)), Endless("write", 8, milliseconds(300)),
      Endless("randread", 8, milliseconds(300)), Endless("read", 8, milliseconds(300)),
      Endless("randrw", 8, milliseconds(300))};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].stamp_blocks = jobs[i].check_stamps = true;
    jobs[i].max_open_zones = 3;
    jobs[i].seed = i + 1;
  }
  const RunResult run = MustRun(Threaded(jobs), drive);
  for (const WorkerResult& worker : run.workers) {
    CAPTURE(worker.name, worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(worker.runtime >= milliseconds(300));
  }
  REQUIRE(CountersOf(*drive).bytes_written == WrittenBytes(run));
}

TEST_CASE("Stop ends a run cleanly with a full result", "[engine][threads]") {
  const auto drive = MakeDrive(SmallDrive(16));
  std::vector<Workload> jobs(2, Endless("randwrite", 16, std::chrono::hours(1)));
  RunControl control;
  std::uint64_t calls = 0, seen = 0;
  control.progress_interval = milliseconds(20);
  control.on_progress = [&](const std::vector<WorkerProgress>& workers, nanoseconds) {
    ++calls;
    seen = 0;
    for (const WorkerProgress& worker : workers) seen += worker.bytes_done;
    if (calls == 5) control.Stop();
  };
  std::size_t announced = 0;
  control.on_start = [&](const RunResult& so_far) { announced = so_far.targets.size(); };
  const auto run = Run(Threaded(jobs), control, Always(drive));
  REQUIRE(run.ok());
  REQUIRE(announced == 1);
  REQUIRE(calls >= 5);
  REQUIRE(seen > 0);
  for (const WorkerResult& worker : run->workers) {
    REQUIRE(worker.reason == EndReason::kInterrupted);
    REQUIRE_FALSE(worker.detail.empty());
    REQUIRE(Writes(worker).ios > 0);
    REQUIRE(worker.thread_id != 0);
  }
  REQUIRE(CountersOf(*drive).bytes_written == WrittenBytes(*run));
}

TEST_CASE("a ramp lengthens the run and counts nothing", "[engine][threads]") {
  const auto drive = MakeDrive(SmallDrive(16));
  Workload job = Endless("randwrite", 16, milliseconds(100));
  job.ramp_time = milliseconds(200);
  const RunResult run = MustRun(Threaded({job}), drive);
  const WorkerResult& worker = run.workers[0];
  REQUIRE(worker.runtime >= milliseconds(300));
  REQUIRE(Writes(worker).runtime <= worker.runtime - milliseconds(200));
  REQUIRE(Writes(worker).bytes < CountersOf(*drive).bytes_written);
  REQUIRE(Writes(worker).ios == Writes(worker).total.count());
  REQUIRE(Writes(worker).issued_ios == Writes(worker).ios);
}

TEST_CASE("a starved writer ends in bounded time", "[engine][threads]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload half = Job("write", 0, 2);
  half.io_size = 3 * kBlock;
  half.max_open_zones = 1;
  MustRun(Threaded({half}), drive);  // leaves zone 0 open
  Workload other = Job("write", 0, 1);
  other.max_open_zones = 1;
  Workload elsewhere = Job("write", 4, 2);
  elsewhere.max_open_zones = 1;
  other.io_size = 2 * kBlock;
  const RunResult run = MustRun(Threaded({other, elsewhere}), drive);
  REQUIRE(run.workers[0].reason == EndReason::kDone);
  REQUIRE(run.workers[1].reason == EndReason::kNoWritableZone);
  REQUIRE(run.workers[1].detail.find("finish or reset them") != std::string::npos);
}
