// SPDX-License-Identifier: MIT
// What a run promises whatever the device is like: it does what was asked or says
// why not, it ends, and it keeps to the limits. Drives here also look like kernel
// devices (no native zone management, one write per zone in flight), and jobs
// differ in their ranges while they share a target set.
#include "engine/drive_fixture.h"
#include "support/simple_queue.h"
#include "zonal/fault.h"
#include "zonal/rng.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

std::shared_ptr<Device> Kernel(std::shared_ptr<Device> drive) {
  return std::make_shared<test::SimpleDevice>(std::move(drive), test::SimpleFeatures{});
}

}  // namespace

TEST_CASE("a stream over partly written zones says that it wrote less", "[engine]") {
  for (const std::uint64_t block : {kBlock, 3 * kBlock}) {
    CAPTURE(block);
    const auto drive = MakeDrive(SmallDrive());
    Workload before = Job("write", 1, 1);
    before.io_size = 5 * kBlock;
    REQUIRE(MustRun(Simulated({before}), drive).workers[0].reason == EndReason::kDone);
    Workload job = Job("write", 0, 3);
    job.write_block = block;
    const RunResult run = MustRun(Simulated({job}), drive);
    const WorkerResult& worker = run.workers[0];
    const std::uint64_t fits = 16 * kBlock - 16 * kBlock % block;
    const std::uint64_t left = 11 * kBlock - 11 * kBlock % block;
    CAPTURE(worker.detail);
    REQUIRE(Writes(worker).bytes == 2 * fits + left);
    REQUIRE(worker.reason == EndReason::kLessRoom);
    REQUIRE(worker.detail.find("wrote " + std::to_string(2 * fits + left) + " of " +
                               std::to_string(3 * fits)) != std::string::npos);
    REQUIRE(worker.detail.find("--io_size") != std::string::npos);
    // Full zones are reset, so there is room for all of it the next time.
    const RunResult again = MustRun(Simulated({job}), drive);
    REQUIRE(again.workers[0].reason == EndReason::kDone);
    REQUIRE(Writes(again.workers[0]).bytes == 3 * fits);
  }
}

TEST_CASE("a stream that passes by zones nobody can write says so", "[engine]") {
  EmulatedOptions options = SmallDrive();
  options.offline_zones = {1};
  const RunResult run = MustRun(Simulated({Job("write", 0, 3)}), MakeDrive(options));
  REQUIRE(Writes(run.workers[0]).bytes == 2 * kZoneSize);
  REQUIRE(run.workers[0].reason == EndReason::kLessRoom);
}

TEST_CASE("devices without native zone management run through the service", "[engine]") {
  for (const DriverKind driver : kBoth) {
    for (const char* rw : {"write", "randwrite", "rw", "randrw"}) {
      CAPTURE(static_cast<int>(driver), rw);
      const auto drive = MakeDrive(SmallDrive());
      std::vector<Workload> jobs(3, Job(rw, 0, 4));
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].io_size = 6 * kZoneSize;
        jobs[i].max_open_zones = 2;
        jobs[i].depth = 8;
        jobs[i].seed = i + 1;
        jobs[i].stamp_blocks = jobs[i].check_stamps = true;
      }
      const RunResult run = MustRun(Driven(driver, jobs), Kernel(drive));
      std::uint64_t resets = 0, written = 0;
      for (const WorkerResult& worker : run.workers) {
        CAPTURE(worker.detail);
        REQUIRE(worker.reason == EndReason::kDone);
        REQUIRE(Writes(worker).bytes + Reads(worker).bytes == 6 * kZoneSize);
        REQUIRE(worker.write_depth_per_zone == 1);
        resets += worker.zone_resets;
        written += Writes(worker).bytes;
      }
      REQUIRE(resets == CountersOf(*drive).resets);
      REQUIRE(written == CountersOf(*drive).bytes_written);
      REQUIRE(CountersOf(*drive).rule_violations == 0);
      REQUIRE(CountersOf(*drive).open_high_water <= 2);
    }
  }
}

TEST_CASE("a zone left suspect for good does not keep the others from their end", "[engine]") {
  FaultRule write;
  write.op = IoOp::kWrite;
  write.nth = 3;
  FaultRule report;
  report.op = IoOp::kReport;
  report.nth = 2;
  report.every = 1;
  for (const DriverKind driver : kBoth) {
    for (const char* rw : {"write", "randwrite"}) {
      CAPTURE(static_cast<int>(driver), rw);
      std::vector<Workload> jobs(3, Job(rw, 0, 4));
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].io_size = 4 * kZoneSize;
        jobs[i].max_open_zones = 1;
        jobs[i].runtime = std::chrono::seconds(5);
        jobs[i].seed = i + 1;
      }
      const std::shared_ptr<Device> device =
          NewFaultDevice(MakeDrive(SmallDrive()), {write, report});
      const RunResult run = MustRun(Driven(driver, jobs), device);
      int failed = 0;
      for (const WorkerResult& worker : run.workers) {
        CAPTURE(worker.detail, ToString(worker.reason));
        REQUIRE(worker.runtime < std::chrono::seconds(5));
        if (worker.reason == EndReason::kIoError) {
          ++failed;
          continue;
        }
        REQUIRE(worker.reason == EndReason::kDone);
        REQUIRE(Writes(worker).bytes == 4 * kZoneSize);
      }
      REQUIRE(failed == 1);
    }
  }
}

TEST_CASE("jobs on disjoint ranges share a target set", "[engine]") {
  for (const DriverKind driver : kBoth) {
    for (const char* rw : {"write", "randwrite"}) {
      for (const std::uint32_t limit : {1u, 2u, 3u}) {
        CAPTURE(static_cast<int>(driver), rw, limit);
        const auto drive = MakeDrive(SmallDrive(16));
        std::vector<Workload> jobs;
        for (std::uint32_t i = 0; i < 4; ++i) {
          jobs.push_back(Job(rw, 4 * i, 4));
          jobs.back().max_open_zones = limit;
          jobs.back().seed = i + 1;
        }
        const RunResult run = MustRun(Driven(driver, jobs), drive);
        bool starved = false;
        for (const WorkerResult& worker : run.workers) {
          CAPTURE(worker.detail, ToString(worker.reason));
          // A random writer leaves zones open when it ends: they may fill the set.
          if (worker.reason == EndReason::kNoWritableZone) {
            starved = true;
            REQUIRE(worker.detail.find("--max_open_zones") != std::string::npos);
            continue;
          }
          REQUIRE(worker.reason == EndReason::kDone);
          REQUIRE(Writes(worker).bytes == 4 * kZoneSize);
        }
        if (std::string(rw) == "write") REQUIRE_FALSE(starved);
        REQUIRE(CountersOf(*drive).open_high_water <= limit);
        REQUIRE(CountersOf(*drive).rule_violations == 0);
      }
    }
  }
}

TEST_CASE("job_max_open_zones bounds each writer", "[engine]") {
  const auto drive = MakeDrive(SmallDrive(16));
  Workload job = Job("randwrite", 0, 16);
  job.max_open_zones = 4;
  job.worker_max_open_zones = 2;
  job.depth = 2;
  REQUIRE(MustRun(Simulated({job}), drive).workers[0].reason == EndReason::kDone);
  REQUIRE(CountersOf(*drive).open_high_water == 2);
}

TEST_CASE("periodic resets count writes, not attempts", "[engine]") {
  for (const char* rw : {"write", "randwrite"}) {
    CAPTURE(rw);
    const auto drive = MakeDrive(SmallDrive());
    Workload job = Job(rw, 0, 4);
    job.io_size = 8 * kZoneSize;  // 128 writes
    job.depth = 8;
    job.zone_reset_threshold = 0.0;
    job.zone_reset_frequency = 0.25;
    const RunResult run = MustRun(Simulated({job}), Kernel(drive));
    const WorkerResult& worker = run.workers[0];
    REQUIRE(Writes(worker).ios == 128);
    // One before every fourth write, unless its zone was empty; and a full zone now
    // and then, which random writes come upon.
    REQUIRE(worker.zone_resets <= 32 + 4);
    REQUIRE(worker.zone_resets >= 16);
  }
}

TEST_CASE("jobs of one range on a healthy drive always do all of it", "[engine][random]") {
  const std::uint64_t first = SeedOr(1);
  const std::uint64_t runs = std::getenv("ZONAL_SEED") != nullptr ? 1 : 5000;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    EmulatedOptions options = SmallDrive(3 + static_cast<std::uint32_t>(rng.Below(4)));
    options.zone_capacity = rng.Chance(1, 2) ? 13 * kBlock : 16 * kBlock;
    options.order = CompletionOrder::kSeeded;
    options.seed = rng.Next();
    const auto limit = static_cast<std::uint32_t>(1 + rng.Below(4));
    std::vector<Workload> jobs;
    for (std::uint64_t n = 1 + rng.Below(4); n > 0; --n) {
      const char* const kinds[] = {"write", "randwrite", "rw", "randrw"};
      Workload job = Job(kinds[rng.Below(4)], 0, options.zones);
      job.write_block = (1 + rng.Below(3)) * kBlock;
      job.read_block = kBlock;
      job.io_size = (1 + rng.Below(40)) * 6 * kBlock;
      job.depth = static_cast<std::uint32_t>(1 + rng.Below(8));
      job.max_open_zones = limit;
      job.seed = rng.Next();
      job.runtime = std::chrono::seconds(2);
      jobs.push_back(job);
    }
    auto drive = MakeDrive(options);
    if (rng.Chance(1, 2)) drive = Kernel(drive);
    const RunResult run = MustRun(Simulated(jobs, seed), drive);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const WorkerResult& worker = run.workers[i];
      CAPTURE(i, worker.name, worker.detail, ToString(worker.reason));
      REQUIRE(worker.reason == EndReason::kDone);
      const std::uint64_t moved = Writes(worker).bytes + Reads(worker).bytes;
      REQUIRE(moved == jobs[i].io_size);
    }
    REQUIRE(CountersOf(*drive).rule_violations == 0);
    REQUIRE(CountersOf(*drive).open_high_water <= limit);
  }
}
