// SPDX-License-Identifier: MIT
// Block sizes that vary, and what becomes of a zone's tail (fio's zoned suite, tests
// 11, 33, 47, 54, 64).
#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

std::string Refusal(const Workload& job, const std::shared_ptr<Device>& drive) {
  RunControl control;
  const auto result = Run(Simulated({job}), control, Always(drive));
  REQUIRE_FALSE(result.ok());
  return std::string(result.status().message());
}

EmulatedOptions ShortZones(std::uint64_t blocks) {
  EmulatedOptions options = SmallDrive();
  options.zone_capacity = blocks * kBlock;
  return options;
}

}  // namespace

TEST_CASE("writes of many sizes fill zones to the last block (suite 11)", "[engine][suite]") {
  for (const char* rw : {"write", "randwrite"}) {
    for (const std::uint64_t capacity : {13u, 16u}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(rw, capacity, seed);
        const auto drive = MakeDrive(ShortZones(capacity));
        Workload job = Job(rw, 1, 4);
        job.write_block = BlockSize(kBlock, kZoneSize);
        job.depth = 16;
        job.seed = seed;
        job.io_size = 4 * capacity * kBlock;
        const WorkerResult worker = MustRun(Simulated({job}, seed), drive).workers[0];
        REQUIRE(worker.reason == EndReason::kDone);
        REQUIRE(Writes(worker).bytes == 4 * capacity * kBlock);
        REQUIRE(Writes(worker).ios < 4 * capacity);
        REQUIRE(worker.zone_finishes == 0);
        REQUIRE(CountersOf(*drive).rule_violations == 0);
      }
    }
  }
}

TEST_CASE("a write is cut to whole blocks of the least size", "[engine]") {
  const auto drive = MakeDrive(ShortZones(15));
  Workload job = Job("write", 0, 2);
  job.write_block = BlockSize(2 * kBlock, 8 * kBlock);
  const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
  REQUIRE(Writes(worker).bytes == 2 * 14 * kBlock);
  REQUIRE(worker.zone_finishes == 2);
  REQUIRE(worker.reason == EndReason::kDone);
}

TEST_CASE("a zone's tail is written short where that is asked for (suite 33)", "[engine][suite]") {
  for (const char* rw : {"write", "randwrite"}) {
    for (const std::uint64_t io_size : {16u * 2u, 16u * 5u}) {
      CAPTURE(rw, io_size);
      const auto drive = MakeDrive(SmallDrive());
      Workload job = Job(rw, 0, 2);
      job.write_block = 12 * kBlock;  // three quarters of the capacity
      job.io_size = io_size * kBlock;
      job.write_zone_remainder = true;
      const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(Writes(worker).bytes == io_size * kBlock);
      REQUIRE(worker.zone_finishes == 0);
      REQUIRE(CountersOf(*drive).finishes == 0);
      REQUIRE(CountersOf(*drive).rule_violations == 0);
    }
  }
  const auto drive = MakeDrive(SmallDrive());
  Workload once = Job("write", 0, 2);
  once.write_block = 12 * kBlock;
  once.write_zone_remainder = true;
  const WorkerResult worker = MustRun(Simulated({once}), drive).workers[0];
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(Writes(worker).bytes == 32 * kBlock);
  REQUIRE(Writes(worker).ios == 4);
}

TEST_CASE("reads of many sizes stay below the write pointer", "[engine]") {
  for (const char* rw : {"read", "randread", "randrw"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(rw, seed);
      EmulatedOptions options = SmallDrive();
      options.read_past_write_pointer_fails = true;
      const auto drive = MakeDrive(options);
      Workload fill = Job("write", 0, 2);
      fill.io_size = 21 * kBlock;
      MustRun(Simulated({fill}), drive);
      Workload job = Job(rw, 0, 4);
      job.read_block = BlockSize(kBlock, 16 * kBlock);
      job.write_block = BlockSize(kBlock, 16 * kBlock);
      job.depth = 8;
      job.seed = seed;
      job.io_size = 3 * kZoneSize;
      const RunResult run = MustRun(Simulated({job}, seed), drive);
      const WorkerResult& worker = run.workers[0];
      CAPTURE(worker.detail);
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(Reads(worker).bytes + Writes(worker).bytes == 3 * kZoneSize);
      REQUIRE(CountersOf(*drive).rule_violations == 0);
    }
  }
}

TEST_CASE("block sizes that cannot be are refused", "[engine]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload job = Job("write", 0, 2);
  job.write_block = BlockSize(2 * kBlock, kBlock);
  REQUIRE(Refusal(job, drive).find("8192 to 4096") != std::string::npos);
  job.write_block = BlockSize(kBlock, kBlock + 512);
  REQUIRE(Refusal(job, drive).find("bs=4608") != std::string::npos);
  job.write_block = BlockSize(kBlock, 2 * kBlock);
  job.write_block.shares = {{kBlock, 50}, {2 * kBlock, 40}};
  REQUIRE(Refusal(job, drive).find("add up to 90") != std::string::npos);
  job.write_block.shares = {{kBlock, 50}, {4 * kBlock, 50}};
  REQUIRE(Refusal(job, drive).find("16384 bytes are outside") != std::string::npos);
  job.write_block = BlockSize(kBlock, 2 * kZoneSize);
  REQUIRE(Refusal(job, drive).find("buflen exceeds zone size") != std::string::npos);
}

TEST_CASE("a nearly full zone is finished for blocks it does not hold (suite 64)",
          "[engine][suite]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload before = Job("write", 2, 1);
  before.io_size = 14 * kBlock;
  before.write_block = 2 * kBlock;
  REQUIRE(Writes(MustRun(Simulated({before}), drive).workers[0]).bytes == 14 * kBlock);
  for (const char* rw : {"write", "randwrite"}) {
    Workload job = Job(rw, 2, 1);
    job.write_block = 8 * kBlock;
    job.io_size = 4 * kZoneSize;
    job.max_open_zones = 1;
    const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
    CAPTURE(rw, worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(Writes(worker).bytes == 4 * kZoneSize);
  }
}

TEST_CASE("zone_skip passes zones by, of which it counts whole ones (suite 47)",
          "[engine][suite]") {
  const auto drive = MakeDrive(ShortZones(13));
  Workload job = Job("write", 1, 7);
  job.zone_skip = 1;
  REQUIRE(Refusal(job, drive).find("zoneskip 1 is not a multiple of the device zone size 65536") !=
          std::string::npos);
  job.zone_skip = 2 * kZoneSize;
  WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(Writes(worker).bytes == 3 * 13 * kBlock);
  const std::vector<Zone> zones = ZonesOf(*drive);
  for (std::size_t i = 0; i < 8; ++i) {
    REQUIRE(zones[i].condition == (i % 3 == 1 ? ZoneCondition::kFull : ZoneCondition::kEmpty));
  }
  job.zone_skip = 0;
  job.relative_zone_skip = RelativeExtent{2, ExtentUnit::kZones};
  job.reads = true;
  job.writes = false;
  worker = MustRun(Simulated({job}), drive).workers[0];
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(Reads(worker).bytes == 3 * 13 * kBlock);
}

TEST_CASE("max_open_zones may exceed the device's limit only where that is ignored", "[engine]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload job = Job("randwrite", 0, 8);
  job.max_open_zones = 6;
  job.io_size = 2 * kZoneSize;
  REQUIRE(Refusal(job, drive).find("Specified --max_open_zones (6) is larger than max (4)") !=
          std::string::npos);
  job.ignore_device_limits = true;
  const RunResult run = MustRun(Simulated({job}), drive);
  REQUIRE(run.workers[0].reason == EndReason::kDone);
  REQUIRE(run.targets[0].write_targets == Limit::Of(6));
  REQUIRE(run.targets[0].info.max_open == Limit::Of(4));  // what the device said stays known
  REQUIRE(CountersOf(*drive).implicit_closes > 0);        // the drive made room by itself
}
