// SPDX-License-Identifier: MIT
// Workers held back on request, mostly under the virtual clock.
#include <algorithm>

#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

Workload For(Workload job, nanoseconds runtime) {
  job.time_based = true;
  job.runtime = runtime;
  return job;
}

std::shared_ptr<Device> Filled() {
  const auto drive = MakeDrive(SmallDrive());
  MustRun(Simulated({Job("write", 0, 4)}), drive);
  return drive;
}

double PerSecond(std::uint64_t count, nanoseconds time) {
  return static_cast<double>(count) * 1e9 / static_cast<double>(time.count());
}

const WorkerResult& Only(const RunResult& run) {
  CAPTURE(run.workers[0].detail);
  REQUIRE(run.workers[0].reason == EndReason::kDone);
  return run.workers[0];
}

}  // namespace

TEST_CASE("a rate holds in the long run, whatever the depth", "[engine][pace]") {
  for (const bool poisson : {false, true}) {
    for (const std::uint32_t depth : {1u, 8u}) {
      CAPTURE(poisson, depth);
      Workload job = For(Job("randwrite", 0, 4), seconds(5));
      job.depth = depth;
      job.pace.poisson = poisson;
      job.pace.ios_per_second[1] = 10'000;
      const RunResult by_ios = MustRun(Simulated({job}), MakeDrive(SmallDrive()));
      const double margin = poisson ? 0.02 : 0.01;
      REQUIRE(PerSecond(Writes(Only(by_ios)).ios, seconds(5)) == Approx(10'000).epsilon(margin));
      job.pace.ios_per_second[1] = 0;
      job.pace.bytes_per_second[1] = 3'000 * kBlock;
      const RunResult by_bytes = MustRun(Simulated({job}), MakeDrive(SmallDrive()));
      REQUIRE(PerSecond(Writes(Only(by_bytes)).bytes, seconds(5)) ==
              Approx(3'000 * kBlock).epsilon(margin));
    }
  }
}

TEST_CASE("a rate holds on threads too", "[engine][pace]") {
  Workload job = For(Job("randwrite", 0, 4), milliseconds(500));
  job.pace.ios_per_second[1] = 2'000;
  const RunResult run = MustRun(Driven(DriverKind::kThreads, {job}), MakeDrive(SmallDrive()));
  // A busy machine may come late, never early.
  REQUIRE(Writes(Only(run)).ios <= 1'001);
  REQUIRE(Writes(run.workers[0]).ios > 500);
}

TEST_CASE("with a rate latency also counts from when operations were due", "[engine][pace]") {
  Workload job = For(Job("randwrite", 0, 1), milliseconds(100));
  job.pace.ios_per_second[1] = 1'000'000'000;  // more than there is: all come late
  const RunResult late = MustRun(Simulated({job}), MakeDrive(SmallDrive()));
  const DirectionResult& writes = Writes(Only(late));
  REQUIRE(writes.from_due.count() == writes.ios);
  REQUIRE(writes.from_due.Percentile(50) > 10'000'000);
  REQUIRE(writes.total.Percentile(50) < 1'000'000);
  job.pace.ios_per_second[1] = 1'000;
  const RunResult in_time = MustRun(Simulated({job}), MakeDrive(SmallDrive()));
  REQUIRE(Writes(Only(in_time)).from_due.Percentile(99) < 50'000);
  job.pace = {};
  const RunResult free = MustRun(Simulated({job}), MakeDrive(SmallDrive()));
  REQUIRE(Writes(Only(free)).from_due.count() == 0);
}

TEST_CASE("each direction has its rate, and the mix follows the rates", "[engine][pace]") {
  Workload job = For(Job("randrw", 0, 4), seconds(2));
  job.read_percent = 50;
  job.pace.ios_per_second = {3'000, 1'000, 0};
  const RunResult run = MustRun(Simulated({job}), Filled());
  REQUIRE(Reads(Only(run)).ios == Approx(6'000).epsilon(0.01));
  REQUIRE(Writes(Only(run)).ios == Approx(2'000).epsilon(0.01));
}

TEST_CASE("with a rate for one direction the mix stays as it is", "[engine][pace]") {
  Workload job = For(Job("randrw", 0, 4), seconds(2));
  job.read_percent = 75;
  job.pace.ios_per_second = {0, 1'000, 0};
  const RunResult run = MustRun(Simulated({job}), Filled());
  REQUIRE(Writes(Only(run)).ios == Approx(2'000).epsilon(0.01));
  REQUIRE(Reads(Only(run)).ios == Approx(6'000).epsilon(0.1));
}

TEST_CASE("a worker below its least rate fails, and says so", "[engine][pace]") {
  Workload job = For(Job("randread", 0, 4), seconds(10));
  job.pace.ios_per_second[0] = 1'000;
  job.pace.least_ios_per_second[0] = 900;
  REQUIRE(MustRun(Simulated({job}), Filled()).workers[0].reason == EndReason::kDone);
  job.pace.least_ios_per_second[0] = 1'100;
  const RunResult run = MustRun(Simulated({job}), Filled());
  const WorkerResult& worker = run.workers[0];
  REQUIRE(worker.reason == EndReason::kTooSlow);
  REQUIRE(worker.runtime >= seconds(1));
  REQUIRE(worker.runtime < milliseconds(1'010));
  CAPTURE(worker.detail);
  REQUIRE(worker.detail.find("rate_iops_min=1100 operations/s for reads not met: ") !=
          std::string::npos);
  REQUIRE(ToErrno(worker.error) == 5);
  job.pace.least_ios_per_second[0] = 0;
  job.pace.least_bytes_per_second[0] = 1'100 * kBlock;
  REQUIRE(MustRun(Simulated({job}), Filled()).workers[0].reason == EndReason::kTooSlow);
}

TEST_CASE("stalls lengthen a run by their time", "[engine][pace]") {
  Workload job = Job("write", 0, 2);  // 32 blocks
  job.pace.think_time = milliseconds(10);
  job.pace.think_blocks = 4;
  for (const bool after_issue : {false, true}) {
    for (const std::uint32_t depth : {1u, 4u}) {
      CAPTURE(after_issue, depth);
      job.depth = depth;
      job.pace.think_after_issue = after_issue;
      const RunResult run = MustRun(Simulated({job}), MakeDrive(SmallDrive()));
      REQUIRE(Writes(Only(run)).bytes == 2 * kZoneSize);
      // No stall behind the last four.
      REQUIRE(run.wall >= milliseconds(70));
      REQUIRE(run.wall < milliseconds(81));
    }
  }
}

TEST_CASE("a stall by time of work, and one that spins", "[engine][pace]") {
  Workload timed = For(Job("randwrite", 0, 2), milliseconds(1'000));
  timed.pace.think_time = milliseconds(90);
  timed.pace.think_io_time = milliseconds(10);
  timed.pace.ios_per_second[1] = 10'000;
  timed.pace.ignore_think_time = true;
  const RunResult a_tenth = MustRun(Simulated({timed}), MakeDrive(SmallDrive()));
  REQUIRE(Writes(Only(a_tenth)).ios == Approx(1'000).epsilon(0.03));
  timed.pace.ignore_think_time = false;  // what is missed is caught up in between
  const RunResult caught_up = MustRun(Simulated({timed}), MakeDrive(SmallDrive()));
  REQUIRE(Writes(Only(caught_up)).ios > 9'000);

  Workload spins = Job("write", 0, 1);
  spins.depth = 1;
  spins.pace.think_time = milliseconds(3);
  spins.pace.think_spin = milliseconds(2);
  for (const DriverKind driver : kBoth) {
    const RunResult run = MustRun(Driven(driver, {spins}), MakeDrive(SmallDrive()));
    REQUIRE(run.wall >= milliseconds(45));
    if (driver == DriverKind::kThreads)
      REQUIRE(Only(run).user_cpu + Only(run).system_cpu > milliseconds(15));
  }
}

TEST_CASE("an operation above max_latency fails its worker", "[engine][pace]") {
  Workload job = Job("read", 0, 4);
  job.pace.max_latency = seconds(1);
  REQUIRE(MustRun(Simulated({job}), Filled()).workers[0].reason == EndReason::kDone);
  job.pace.max_latency = nanoseconds(1);
  const RunResult run = MustRun(Driven(DriverKind::kThreads, {job}), Filled());
  REQUIRE(run.workers[0].reason == EndReason::kTooSlow);
  REQUIRE(run.workers[0].detail.find("max_latency") != std::string::npos);
  REQUIRE(ToErrno(run.workers[0].error) == 110);
}

TEST_CASE("workers of a flow share operations by weight", "[engine][flow]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    Workload heavy = Job("randwrite", 0, 2);
    heavy.io_size = 20'000 * kZoneSize;
    heavy.schedule.ends_all = true;
    heavy.pace.flow = 8;
    Workload light = For(Job("randwrite", 2, 2), seconds(100));
    light.schedule.start_delay = milliseconds(5);  // alone it would be free
    light.pace.flow = 1;
    light.seed = 2;
    const RunResult run = MustRun(Driven(driver, {heavy, light}), MakeDrive(SmallDrive()));
    const double ratio = static_cast<double>(Writes(run.workers[0]).ios) /
                         static_cast<double>(Writes(run.workers[1]).ios);
    REQUIRE(Writes(run.workers[1]).ios > 100);
    // Threads: the heavy one may have run alone before.
    REQUIRE(ratio > 7);
    if (driver == DriverKind::kSimulation) REQUIRE(ratio < 9);
  }
}

TEST_CASE("who is ahead in a flow keeps no zone from the others", "[engine][flow]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    EmulatedOptions options = SmallDrive();
    options.max_open = options.max_active = Limit::Of(1);
    std::vector<Workload> jobs(3, Job("randwrite", 0, 8));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      jobs[i].io_size = 4 * kZoneSize;
      jobs[i].pace.flow = i == 0 ? 1 : 100;
      jobs[i].pace.flow_sleep = std::chrono::microseconds(50);
      jobs[i].seed = i + 1;
    }
    const RunResult run = MustRun(Driven(driver, jobs), MakeDrive(options));
    for (const WorkerResult& worker : run.workers) {
      CAPTURE(worker.detail);
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(Writes(worker).bytes == 4 * kZoneSize);
    }
  }
}

// The reader finds no data before the writer has gone on, which its weight forbids.
TEST_CASE("who can do nothing holds up nobody in its flow", "[engine][flow]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    Workload writer = Job("write", 0, 4);
    writer.pace.flow = 1;
    Workload reader = Job("read", 3, 1);
    reader.pace.flow = 1000;
    const RunResult run = MustRun(Driven(driver, {writer, reader}), MakeDrive(SmallDrive()));
    REQUIRE(run.workers[0].reason == EndReason::kDone);
    REQUIRE(Writes(run.workers[0]).bytes == 4 * kZoneSize);
    REQUIRE(run.workers[1].reason == EndReason::kDone);
    REQUIRE(run.wall < seconds(20));
  }
}

TEST_CASE("requests travel in the batches asked for", "[engine][batching]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    Workload job = Job("randread", 0, 4);
    job.depth = 8;
    job.batching.submit = 2;
    const RunResult sent = MustRun(Driven(driver, {job}), Filled());
    for (std::size_t i = 2; i < 8; ++i) REQUIRE(Only(sent).submit_batches[i] == 0);
    REQUIRE(Only(sent).submit_batches[1] != 0);

    job.batching = {};
    job.batching.complete_min = 4;
    job.batching.complete_max = 4;
    const RunResult taken = MustRun(Driven(driver, {job}), Filled());
    REQUIRE(Reads(Only(taken)).ios == 64);
    REQUIRE(Only(taken).complete_batches[2] == 16);  // of 3 to 4

    job.batching = {};
    job.batching.submit = 1;
    job.batching.low_depth = 1;
    job.batching.complete_min = 3;
    const RunResult low = MustRun(Driven(driver, {job}), Filled());
    REQUIRE(Reads(Only(low)).ios == 64);
  }
}

TEST_CASE("the depth that was found is reported, and only what was done at it", "[engine][pace]") {
  Workload job = For(Job("randread", 0, 4), seconds(10));
  job.depth = 16;
  job.pace.latency_target = milliseconds(100);
  job.pace.latency_window = milliseconds(10);
  const RunResult easy = MustRun(Simulated({job}), Filled());
  REQUIRE(Only(easy).depth_found == 16);
  REQUIRE(easy.wall >= milliseconds(50));  // 1, 2, 4, 8, 16, and one window more
  REQUIRE(easy.wall < milliseconds(70));
  REQUIRE(Reads(Only(easy)).runtime <= milliseconds(11));
  REQUIRE(Only(easy).depth_levels[0] <= Only(easy).depth_levels[4]);

  job.runtime = milliseconds(100);
  job.pace.latency_target = nanoseconds(1);
  const RunResult missed = MustRun(Driven(DriverKind::kThreads, {job}), Filled());
  REQUIRE(missed.workers[0].reason == EndReason::kTargetMissed);
  REQUIRE(missed.workers[0].depth_found == 1);
  REQUIRE(missed.workers[0].runtime >= milliseconds(100));
  for (std::size_t i = 1; i < 8; ++i) REQUIRE(missed.workers[0].depth_levels[i] == 0);
}

TEST_CASE("a held-back worker ends when its time is up", "[engine][pace]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    Workload job = For(Job("randwrite", 0, 4), milliseconds(50));
    job.pace.ios_per_second[1] = 1;
    Workload thinks = For(Job("randwrite", 4, 4), milliseconds(50));
    thinks.pace.think_time = seconds(1000);
    const RunResult run = MustRun(Driven(driver, {job, thinks}), MakeDrive(SmallDrive()));
    REQUIRE(run.wall >= milliseconds(50));
    REQUIRE(run.wall < seconds(5));
    REQUIRE(Writes(run.workers[0]).ios == 1);
    REQUIRE(Writes(run.workers[1]).ios <= 4);
  }
}
