// SPDX-License-Identifier: MIT
// Totals that fio's zoned suite asks for of jobs that share zones, and of ranges
// with conventional zones: tests 25, 28, 29, 46, 51, 52, 53, 67.
#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

constexpr std::uint64_t kCapacity = 12 * kBlock;

EmulatedOptions SuiteDrive(std::uint32_t zones, std::uint32_t conventional = 0) {
  EmulatedOptions options = SmallDrive(zones);
  options.zone_capacity = kCapacity;
  options.conventional = conventional;
  options.max_open = options.max_active = Limit::Unlimited();
  return options;
}

struct Totals {
  std::uint64_t written = 0, read = 0, resets = 0;
};

// Adds up, having checked that every job did all it should and that the drive
// counted the same.
Totals Sum(const RunResult& run, Device& drive) {
  Totals totals;
  for (const WorkerResult& worker : run.workers) {
    CAPTURE(worker.name, worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
    totals.written += Writes(worker).bytes;
    totals.read += Reads(worker).bytes;
    totals.resets += worker.zone_resets;
  }
  const DriveCounters counters = CountersOf(drive);
  REQUIRE(counters.bytes_written == totals.written);
  REQUIRE(counters.resets == totals.resets);
  REQUIRE(counters.rule_violations == 0);
  return totals;
}

RunPlan Clones(Workload job, std::uint32_t count, DriverKind driver, std::uint64_t seed) {
  std::vector<Workload> jobs;
  for (std::uint32_t i = 0; i < count; ++i) {
    jobs.push_back(job);
    jobs.back().clone = i;
    jobs.back().seed = seed * 100 + i;
  }
  RunPlan plan = Simulated(jobs, seed);
  plan.driver = driver;
  return plan;
}

}  // namespace

TEST_CASE("16 writers of one zone each (suite 25)", "[engine][suite]") {
  for (const DriverKind driver : kBoth) {
    const auto drive = MakeDrive(SuiteDrive(16));
    Workload job = Job("write", 0, 1);
    job.offset_increment = kZoneSize;
    REQUIRE(Sum(MustRun(Clones(job, 16, driver, 1), drive), *drive).written == 16 * kCapacity);
  }
}

TEST_CASE("16 random writers of one zone reset it when it is full (suite 28)", "[engine][suite]") {
  for (const DriverKind driver : kBoth) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(static_cast<int>(driver), seed);
      const auto drive = MakeDrive(SuiteDrive(4));
      Workload job = Job("randwrite", 1, 1);
      job.depth = 1;
      job.io_size = kCapacity;
      const Totals totals = Sum(MustRun(Clones(job, 16, driver, seed), drive), *drive);
      REQUIRE(totals.written == 16 * kCapacity);
      REQUIRE((totals.resets == 15 || totals.resets == 16));
    }
  }
}

TEST_CASE("16 random writers of 16 zones, 4 at once (suite 29)", "[engine][suite]") {
  for (const DriverKind driver : kBoth) {
    const auto drive = MakeDrive(SuiteDrive(16));
    Workload job = Job("randwrite", 0, 16);
    job.depth = 1;
    job.io_size = kZoneSize;
    job.max_open_zones = 4;
    REQUIRE(Sum(MustRun(Clones(job, 16, driver, 3), drive), *drive).written == 16 * kZoneSize);
    REQUIRE(CountersOf(*drive).open_high_water <= 4);
  }
}

TEST_CASE("8 deep random writers write `size` bytes each (suite 46)", "[engine][suite]") {
  for (const DriverKind driver : kBoth) {
    const auto drive = MakeDrive(SuiteDrive(4));
    Workload job = Job("randwrite", 0, 4);
    job.depth = 64;
    REQUIRE(Sum(MustRun(Clones(job, 8, driver, 5), drive), *drive).written == 32 * kZoneSize);
  }
}

TEST_CASE("16 writers of all block sizes over both kinds of zones (suite 51)", "[engine][suite]") {
  const auto drive = MakeDrive(SuiteDrive(16, 8));
  std::vector<Workload> jobs;
  for (std::uint32_t i = 0; i < 16; ++i) {
    jobs.push_back(Job("randwrite", 0, 16));
    jobs.back().write_block = (1 + i % 8) * kBlock;
    jobs.back().max_open_zones = 2;
    jobs.back().seed = i;
    jobs.back().io_size = 2 * 840 * kBlock;
  }
  for (const DriverKind driver : kBoth) {
    RunPlan plan = Simulated(jobs);
    plan.driver = driver;
    const RunResult run = MustRun(plan, drive);
    for (const WorkerResult& worker : run.workers) {
      CAPTURE(worker.detail);
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(Writes(worker).bytes == 2 * 840 * kBlock);
    }
  }
  REQUIRE(CountersOf(*drive).rule_violations == 0);
}

TEST_CASE("a threshold counts no conventional data (suite 52)", "[engine][suite]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto drive = MakeDrive(SuiteDrive(16, 8));
    Workload job = Job("randwrite", 0, 16);
    job.depth = 1;
    job.write_block = kZoneSize / 16;
    job.io_size = 2 * kZoneSize;
    job.zone_reset_threshold = 0.1;
    job.zone_reset_frequency = 1.0;
    job.seed = seed;
    const Totals totals = Sum(MustRun(Simulated({job}), drive), *drive);
    REQUIRE(totals.written == 2 * kZoneSize);
    REQUIRE(totals.resets == 0);
  }
}

TEST_CASE("a mix over conventional zones moves as much as they hold (suite 53)",
          "[engine][suite]") {
  const auto drive = MakeDrive(SuiteDrive(8, 4));
  Workload job = Job("randrw", 0, 4);
  job.read_block = job.write_block = 4 * kBlock;
  const Totals totals = Sum(MustRun(Simulated({job}), drive), *drive);
  REQUIRE(totals.written + totals.read == 4 * kZoneSize);
  REQUIRE(totals.written > 0);
  REQUIRE(totals.read > 0);
}

TEST_CASE("active zones out of the range that leave none are named (suite 67)", "[engine][suite]") {
  EmulatedOptions options = SuiteDrive(8);
  options.max_open = options.max_active = Limit::Of(2);
  const auto drive = MakeDrive(options);
  for (std::uint32_t zone = 0; zone < 2; ++zone) {
    Workload part = Job("write", zone, 1);
    part.io_size = kBlock;
    MustRun(Simulated({part}), drive);
    REQUIRE(drive->Manage(ZoneOp::kClose, {ZoneId(zone), 1}, nanoseconds{0}).ok());
  }
  const WorkerResult worker = MustRun(Simulated({Job("write", 4, 1)}), drive).workers[0];
  CAPTURE(worker.detail);
  REQUIRE(worker.reason == EndReason::kNoWritableZone);
  REQUIRE(worker.error.errc == Errc::kTooManyActive);
  REQUIRE(worker.detail.find("Exceeded max_active_zones limit. Check conditions of zones out of "
                             "I/O ranges") != std::string::npos);
}
