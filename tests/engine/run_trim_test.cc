// SPDX-License-Identifier: MIT
// Trims in zone mode are resets of whole zones (fio's zoned suite, tests 58, 65, 70).
#include "engine/drive_fixture.h"
#include "support/simple_queue.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

Workload TrimJob(bool random, std::uint32_t first, std::uint32_t zones) {
  Workload job = Job(random ? "rand" : "", first, zones);
  job.name = random ? "randtrim" : "trim";
  job.trims = true;
  job.trim_block = kZoneSize;
  return job;
}

const DirectionResult& Trims(const WorkerResult& worker) { return worker.directions[2]; }

void Fill(const std::shared_ptr<Device>& drive, std::uint32_t first, std::uint32_t zones) {
  REQUIRE(MustRun(Simulated({Job("write", first, zones)}), drive).workers[0].reason ==
          EndReason::kDone);
}

std::string Refusal(const RunPlan& plan, const std::shared_ptr<Device>& drive) {
  RunControl control;
  const auto result = Run(plan, control, Always(drive));
  REQUIRE_FALSE(result.ok());
  return std::string(result.status().message());
}

}  // namespace

TEST_CASE("a sequential trim resets each zone of its range once", "[engine][trim]") {
  for (const DriverKind driver : {DriverKind::kSimulation, DriverKind::kThreads}) {
    const auto drive = MakeDrive(SmallDrive());
    Fill(drive, 1, 4);
    RunPlan plan = Simulated({TrimJob(false, 1, 3)});
    plan.driver = driver;
    const WorkerResult worker = MustRun(plan, drive).workers[0];
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(Trims(worker).ios == 3);
    REQUIRE(Trims(worker).bytes == 3 * kZoneSize);
    REQUIRE(Trims(worker).total.count() == 3);
    REQUIRE(worker.counts_zone_resets);
    REQUIRE(worker.zone_resets == 3);
    REQUIRE(CountersOf(*drive).resets == 3);
    const std::vector<Zone> zones = ZonesOf(*drive);
    for (std::size_t i = 0; i < 8; ++i) {
      REQUIRE(zones[i].condition == (i == 4 ? ZoneCondition::kFull : ZoneCondition::kEmpty));
    }
  }
}

TEST_CASE("io_size of a trim counts whole zones (suite 70)", "[engine][trim]") {
  const auto drive = MakeDrive(SmallDrive());
  Fill(drive, 0, 4);
  Workload job = TrimJob(false, 0, 8);
  job.max_open_zones = 1;
  for (const std::uint64_t io_size : {kZoneSize, kZoneSize + kZoneSize / 2}) {
    job.io_size = io_size;
    const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(Trims(worker).bytes == kZoneSize);
  }
  job.io_size = kBlock;
  REQUIRE(Refusal(Simulated({job}), drive).find("io_size must be at least one zone") !=
          std::string::npos);
}

TEST_CASE("random trims go to zones with data, and end when none is left", "[engine][trim]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto drive = MakeDrive(SmallDrive(64));
    Fill(drive, 7, 3);
    Fill(drive, 50, 2);
    Workload job = TrimJob(true, 0, 64);
    job.seed = seed;
    const WorkerResult worker = MustRun(Simulated({job}, seed), drive).workers[0];
    REQUIRE(Trims(worker).ios == 5);
    REQUIRE(CountersOf(*drive).resets == 5);
    REQUIRE(worker.reason == EndReason::kNoReadableData);
    REQUIRE(worker.detail.find("nothing to trim") != std::string::npos);
  }
}

TEST_CASE("a trim's block is the zone, and conventional zones are not trimmed", "[engine][trim]") {
  EmulatedOptions options = SmallDrive();
  options.conventional = 2;
  const auto drive = MakeDrive(options);
  Workload job = TrimJob(false, 2, 2);
  job.trim_block = kBlock;
  REQUIRE(
      Refusal(Simulated({job}), drive).find("trim block size 4096 is not the zone size 65536") !=
      std::string::npos);
  job.trim_block = BlockSize(kBlock, kZoneSize);
  REQUIRE(Refusal(Simulated({job}), drive).find("bsrange") != std::string::npos);
  REQUIRE(Refusal(Simulated({TrimJob(false, 0, 4)}), drive).find("conventional zones") !=
          std::string::npos);
  job = TrimJob(false, 2, 2);
  job.zone_mode = ZoneMode::kNone;
  REQUIRE(Refusal(Simulated({job}), drive).find("--zonemode=zbd") != std::string::npos);
  job = TrimJob(false, 2, 1);
  job.offset += kBlock;
  REQUIRE(Refusal(Simulated({job}), drive).find("io_size must be at least one zone") !=
          std::string::npos);
}

TEST_CASE("a trim frees an open slot for others (suite 65)", "[engine][trim][suite]") {
  const auto drive = MakeDrive(SmallDrive());
  for (std::uint32_t zone = 0; zone < 4; ++zone) {
    Workload open = Job("write", zone, 1);
    open.io_size = kBlock;
    open.max_open_zones = 4;
    MustRun(Simulated({open}), drive);
  }
  REQUIRE(CountersOf(*drive).open_now == 4);
  Workload trim = TrimJob(false, 1, 1);
  trim.max_open_zones = 4;
  REQUIRE(Trims(MustRun(Simulated({trim}), drive).workers[0]).bytes == kZoneSize);
  REQUIRE(CountersOf(*drive).open_now == 3);
  Workload fifth = Job("write", 4, 1);
  fifth.max_open_zones = 4;
  REQUIRE(Writes(MustRun(Simulated({fifth}), drive).workers[0]).bytes == kZoneSize);
}

TEST_CASE("writers go on while others trim under them (suite 58)", "[engine][trim][suite]") {
  for (const DriverKind driver : {DriverKind::kSimulation, DriverKind::kThreads}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(static_cast<int>(driver), seed);
      const auto drive = MakeDrive(SmallDrive(16));
      Fill(drive, 0, 4);
      Workload writer = Job("randwrite", 0, 16);
      writer.io_size = 24 * kZoneSize;
      writer.depth = 8;
      writer.may_repeat_blocks = true;
      writer.seed = seed;
      Workload trimmer = TrimJob(true, 0, 16);
      trimmer.io_size = 12 * kZoneSize;
      trimmer.depth = 2;
      trimmer.seed = seed;
      RunPlan plan = Simulated({writer, trimmer}, seed);
      plan.driver = driver;
      // Half of them without native zone management, as kernel devices are.
      std::shared_ptr<Device> device = drive;
      if (seed % 2 == 0) {
        device = std::make_shared<test::SimpleDevice>(drive, test::SimpleFeatures{});
      }
      const RunResult run = MustRun(plan, device);
      for (const WorkerResult& worker : run.workers) {
        CAPTURE(worker.name, worker.detail);
        REQUIRE(worker.io_errors == 0);
      }
      REQUIRE(run.workers[0].reason == EndReason::kDone);
      REQUIRE(Writes(run.workers[0]).bytes == 24 * kZoneSize);
      REQUIRE(Trims(run.workers[1]).ios > 0);
      const DriveCounters counters = CountersOf(*drive);
      REQUIRE(counters.rule_violations == 0);
      REQUIRE(counters.resets == run.workers[0].zone_resets + run.workers[1].zone_resets);
      REQUIRE(run.workers[1].zone_resets == Trims(run.workers[1]).ios);
    }
  }
}

TEST_CASE("trimwrite trims a zone, then writes it", "[engine][trim]") {
  for (const bool random : {false, true}) {
    CAPTURE(random);
    const auto drive = MakeDrive(SmallDrive());
    Fill(drive, 0, 4);
    Workload job = TrimJob(random, 0, 4);
    job.writes = true;
    job.write_block = random ? kBlock : kBlock * 3;
    job.max_open_zones = 4;
    // Three zones trimmed; a stream writes all of each, random I/O one block.
    const std::uint64_t each = random ? kBlock : kZoneSize;
    job.io_size = 3 * kZoneSize;
    const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
    CAPTURE(worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(Trims(worker).bytes == 3 * kZoneSize);
    REQUIRE(Writes(worker).bytes == 3 * each);
    REQUIRE(CountersOf(*drive).rule_violations == 0);
    REQUIRE(CountersOf(*drive).resets == 3);
  }
}

TEST_CASE("trims of zones that cannot be reset end and say so", "[engine][trim]") {
  EmulatedOptions options = SmallDrive();
  options.read_only_zones = {2};
  const auto drive = MakeDrive(options);
  for (const bool random : {false, true}) {
    for (const bool writes : {false, true}) {
      CAPTURE(random, writes);
      Workload job = TrimJob(random, 2, 1);
      job.writes = writes;
      job.runtime = std::chrono::seconds(2);
      const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
      REQUIRE(worker.reason == EndReason::kNoReadableData);
      REQUIRE(worker.detail.find("nothing to trim") != std::string::npos);
      REQUIRE(worker.runtime < std::chrono::seconds(1));
    }
  }
}

TEST_CASE("jobs that wait for data of writers that come after each other end", "[engine][trim]") {
  for (const DriverKind driver : {DriverKind::kSimulation, DriverKind::kThreads}) {
    CAPTURE(static_cast<int>(driver));
    Workload for_reader = Job("write", 4, 1), for_trims = Job("write", 0, 1);
    for_reader.schedule.after = {1};
    for_trims.schedule.after = {0};
    std::vector<Workload> jobs{Job("read", 4, 1), TrimJob(true, 0, 1), for_reader, for_trims};
    for (Workload& job : jobs) job.runtime = std::chrono::seconds(20);
    RunPlan plan = Simulated(jobs);
    plan.driver = driver;
    const RunResult run = MustRun(plan, MakeDrive(SmallDrive()));
    REQUIRE(run.wall < std::chrono::seconds(10));
    const bool some_ended = run.workers[0].reason == EndReason::kNoReadableData ||
                            run.workers[1].reason == EndReason::kNoReadableData;
    REQUIRE(some_ended);
    REQUIRE(run.workers[2].reason == EndReason::kDone);
    REQUIRE(run.workers[3].reason == EndReason::kDone);
  }
}
