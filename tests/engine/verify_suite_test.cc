// SPDX-License-Identifier: MIT
// What the verifying tests of fio's zoned suite check, by their numbers, on layouts
// with and without a capacity below the zone size.
#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

constexpr std::uint64_t kCapacities[] = {16 * kBlock, 12 * kBlock};

std::shared_ptr<Device> Drive(std::uint64_t capacity, std::uint32_t conventional = 0) {
  EmulatedOptions options = SmallDrive(12);
  options.zone_capacity = capacity;
  options.conventional = conventional;
  options.max_open = Limit::Of(12);
  options.max_active = Limit::Of(12);
  return MakeDrive(options);
}

Workload Verified(const std::string& rw, std::uint32_t zones, Checksum checksum,
                  std::uint32_t depth, BlockSize block) {
  Workload job = Job(rw, 0, zones);
  job.verify.checksum = checksum;
  job.depth = depth;
  job.write_block = job.read_block = block;
  return job;
}

WorkerResult Done(const Workload& job, const std::shared_ptr<Device>& drive) {
  const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
  CAPTURE(job.name, worker.detail);
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(worker.verify.mismatches == 0);
  REQUIRE(worker.verify.dropped == 0);
  REQUIRE(CountersOf(*drive).rule_violations == 0);
  return worker;
}

}  // namespace

TEST_CASE("suite: writes and reads are the summed capacities", "[verify][suite]") {
  struct Row {
    int test;
    const char* rw;
    std::uint32_t zones, depth, targets;
    BlockSize block;
  };
  const Row rows[] = {
      {5, "write", 4, 1, 0, kBlock},
      {7, "randwrite", 1, 1, 0, 4 * kBlock},
      {8, "randwrite", 4, 64, 0, 4 * kBlock},
      {11, "randwrite", 4, 64, 0, BlockSize(kBlock, 16 * kBlock)},
      {12, "randwrite", 8, 64, 1, 4 * kBlock},
      {13, "randwrite", 8, 64, 4, 4 * kBlock},
  };
  for (const std::uint64_t capacity : kCapacities) {
    for (const Row& row : rows) {
      CAPTURE(capacity, row.test);
      Workload job = Verified(row.rw, row.zones, Checksum::kMd5, row.depth, row.block);
      job.max_open_zones = row.targets;
      const WorkerResult worker = Done(job, Drive(capacity));
      CHECK(Writes(worker).bytes == row.zones * capacity);
      CHECK(Reads(worker).bytes == row.zones * capacity);
    }
  }
}

TEST_CASE("suite 14: random writes to conventional zones", "[verify][suite]") {
  const Workload job = Verified("randwrite", 4, Checksum::kMd5, 64, 4 * kBlock);
  const WorkerResult worker = Done(job, Drive(16 * kBlock, 4));
  CHECK(Writes(worker).bytes == 4 * kZoneSize);
  CHECK(Reads(worker).bytes == 4 * kZoneSize);
}

TEST_CASE("suite 26, 27: one zone four times", "[verify][suite]") {
  for (const std::uint64_t capacity : kCapacities) {
    for (const char* rw : {"write", "randwrite"}) {
      Workload job = Verified(rw, 1, Checksum::kMd5, 1, kBlock);
      job.loops = 4;
      CHECK(Writes(Done(job, Drive(capacity))).bytes == 4 * capacity);
    }
  }
}

TEST_CASE("suite 34: odd block sizes at a deep queue, until time is up", "[verify][suite]") {
  for (const std::uint64_t capacity : kCapacities) {
    for (const std::uint64_t block : {7 * kBlock, capacity - kBlock}) {
      CAPTURE(capacity, block);
      Workload job = Verified("randwrite", 4, Checksum::kCrc32c, 256, block);
      job.time_based = true;
      job.runtime = std::chrono::milliseconds(3);
      const WorkerResult worker = Done(job, Drive(capacity));
      CHECK(Reads(worker).bytes == Writes(worker).bytes);
      CHECK(Writes(worker).bytes > 4 * capacity);
    }
  }
}

TEST_CASE("suite 54, 69: a mix with a backlog", "[verify][suite]") {
  for (const std::uint64_t capacity : kCapacities) {
    for (const char* rw : {"randrw", "rw"}) {
      for (const std::uint32_t depth : {1u, 32u}) {
        CAPTURE(capacity, rw, depth);
        Workload job = Verified(rw, 8, Checksum::kCrc32, depth, BlockSize(kBlock, 16 * kBlock));
        if (rw == std::string("randrw")) job.run_length = 2;
        job.read_percent = 75;
        job.verify.backlog = depth == 1 ? 2 : 1;
        job.time_based = true;
        job.runtime = std::chrono::milliseconds(3);
        const WorkerResult worker = Done(job, Drive(capacity));
        CHECK(worker.verify.blocks == Writes(worker).ios);
        CHECK(worker.verify.blocks > 100);
      }
    }
  }
}

TEST_CASE("suite 59: resets by schedule of what is verified first", "[verify][suite]") {
  for (const char* rw : {"write", "randwrite", "rw", "randrw"}) {
    CAPTURE(rw);
    Workload job = Verified(rw, 1, Checksum::kMd5, 1, 4 * kBlock);
    job.loops = 2;
    job.zone_reset_frequency = 0.9;
    job.zone_reset_threshold = 0.1;
    const WorkerResult worker = Done(job, Drive(16 * kBlock));
    CHECK(worker.verify.blocks == Writes(worker).ios);
  }
}

TEST_CASE("suite 64: a nearly full zone is begun again", "[verify][suite]") {
  for (const std::uint64_t capacity : kCapacities) {
    const auto drive = Drive(capacity);
    Workload before = Job("write", 0, 1);
    before.io_size = capacity - 2 * kBlock;
    before.write_block = 2 * kBlock;
    MustRun(Simulated({before}), drive);
    const Workload job = Verified("write", 1, Checksum::kMd5, 1, 8 * kBlock);
    CHECK(Writes(Done(job, drive)).bytes == capacity / (8 * kBlock) * (8 * kBlock));
  }
}
