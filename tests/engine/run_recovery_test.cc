// SPDX-License-Identifier: MIT
// recover_write_errors: what a failed write left out is written again in its place
// (fio's zoned suite, tests 72 to 75).
#include "engine/drive_fixture.h"
#include "support/simple_queue.h"
#include "zonal/fault.h"
#include "zonal/rng.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

FaultRule FailingWrite(std::uint64_t nth, std::uint64_t every = 0) {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.nth = nth;
  rule.every = every;
  return rule;
}

Workload Recovering(const std::string& rw, std::uint32_t depth) {
  Workload job = Job(rw, 1, 4);
  job.depth = depth;
  job.errors.go_on[1] = true;
  job.recover_write_errors = true;
  job.stamp_blocks = true;
  return job;
}

bool Says(const WorkerResult& worker, const char* what) {
  for (const std::string& line : worker.recoveries) {
    if (line.find(what) != std::string::npos) return true;
  }
  return false;
}

void CheckReadable(const std::shared_ptr<Device>& drive) {
  Workload read = Job("read", 1, 4);
  read.check_stamps = true;
  const WorkerResult worker = MustRun(Simulated({read}), drive).workers[0];
  CAPTURE(worker.detail);
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(Reads(worker).bytes == 4 * kZoneSize);
}

}  // namespace

TEST_CASE("a lost write is written again in its place (suite 72)", "[engine][suite][recovery]") {
  for (const DriverKind driver : kBoth) {
    for (const std::uint32_t depth : {1u, 8u}) {
      CAPTURE(static_cast<int>(driver), depth);
      const auto drive = MakeDrive(SmallDrive());
      const std::shared_ptr<Device> device = NewFaultDevice(drive, {FailingWrite(10, 25)});
      RunPlan plan = Simulated({Recovering("write", depth)});
      plan.driver = driver;
      const WorkerResult worker = MustRun(plan, device).workers[0];
      CAPTURE(worker.detail);
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(worker.io_errors >= 3);
      REQUIRE(Writes(worker).bytes == 4 * kZoneSize - worker.io_errors * kBlock);
      REQUIRE(worker.recovered_zones >= 1);
      REQUIRE(worker.failed_recoveries == 0);
      REQUIRE(Says(worker, "Write pointer move succeeded"));
      for (std::uint32_t i = 1; i < 5; ++i) {
        REQUIRE(ZonesOf(*drive)[i].condition == ZoneCondition::kFull);
      }
      CheckReadable(drive);
    }
  }
}

// fio goes by bytes once a write of a verified job has failed: round again, where zones
// hold less than their size. Without verification it does not (suite 74).
TEST_CASE("a verified stream whose writes failed moves its size (suite 72)",
          "[engine][suite][recovery]") {
  EmulatedOptions options = SmallDrive();
  options.zone_capacity = 12 * kBlock;
  for (const bool verifies : {true, false}) {
    for (const bool fails : {true, false}) {
      CAPTURE(verifies, fails);
      const auto drive = MakeDrive(options);
      Workload job = Recovering("write", 1);
      job.stamp_blocks = false;
      if (verifies) job.verify.checksum = Checksum::kMd5;
      std::vector<FaultRule> faults;
      if (fails) faults.push_back(FailingWrite(5));
      const WorkerResult worker =
          MustRun(Simulated({job}), NewFaultDevice(drive, faults)).workers[0];
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(worker.io_errors == (fails ? 1 : 0));
      REQUIRE(worker.verify.mismatches == 0);
      const std::uint64_t moves = verifies && fails ? kZoneSize : 12 * kBlock;
      REQUIRE(Writes(worker).bytes == 4 * moves - worker.io_errors * kBlock);
    }
  }
}

TEST_CASE("what the device did of a failed write is kept", "[engine][recovery]") {
  for (const FaultKind kind : {FaultKind::kPartial, FaultKind::kAfter}) {
    CAPTURE(static_cast<int>(kind));
    const auto drive = MakeDrive(SmallDrive());
    FaultRule rule = FailingWrite(3);
    rule.kind = kind;
    rule.partial_bytes = kBlock;
    const std::shared_ptr<Device> device = NewFaultDevice(drive, {rule});
    Workload job = Recovering("write", 1);
    job.write_block = 4 * kBlock;
    const WorkerResult worker = MustRun(Simulated({job}), device).workers[0];
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(worker.io_errors == 1);
    REQUIRE(Writes(worker).bytes == 4 * kZoneSize - 4 * kBlock);
    REQUIRE(CountersOf(*drive).bytes_written == 4 * kZoneSize);
    REQUIRE(worker.recovered_zones == 1);
    CheckReadable(drive);
  }
}

TEST_CASE("jobs that share zones recover, and end (suite 73)", "[engine][suite][recovery]") {
  for (const DriverKind driver : kBoth) {
    for (const char* rw : {"write", "randwrite"}) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(static_cast<int>(driver), rw, seed);
        const auto drive = MakeDrive(SmallDrive());
        std::vector<Workload> jobs(8, Recovering(rw, 32));
        for (std::size_t i = 0; i < jobs.size(); ++i) {
          jobs[i].seed = 100 * seed + i;
          jobs[i].max_open_zones = seed % 2 == 0 ? 2 : 0;
        }
        const std::shared_ptr<Device> device = NewFaultDevice(drive, {FailingWrite(9, 61)});
        RunPlan plan = Simulated(jobs, seed);
        plan.driver = driver;
        const RunResult run = MustRun(plan, device);
        std::uint64_t recovered = 0;
        for (const WorkerResult& worker : run.workers) {
          CAPTURE(worker.detail, ToString(worker.reason));
          REQUIRE(worker.reason == EndReason::kDone);
          REQUIRE(Writes(worker).bytes == 4 * kZoneSize - worker.io_errors * kBlock);
          recovered += worker.recovered_zones;
        }
        REQUIRE(recovered > 0);
      }
    }
  }
}

TEST_CASE("a recovery that fails is said, and the run goes on (suite 74, 75)",
          "[engine][suite][recovery]") {
  for (const std::uint32_t depth : {1u, 8u}) {
    CAPTURE(depth);
    const auto drive = MakeDrive(SmallDrive());
    // The write and all that was behind it in the queue, and writing it again.
    std::vector<FaultRule> rules;
    for (std::uint64_t nth = 10; nth <= 10 + depth; ++nth) rules.push_back(FailingWrite(nth));
    const std::shared_ptr<Device> device = NewFaultDevice(drive, rules);
    const WorkerResult worker = MustRun(Simulated({Recovering("write", depth)}), device).workers[0];
    CAPTURE(worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(worker.failed_recoveries >= 1);
    REQUIRE(Says(worker, "Failed to recover write pointer"));
    REQUIRE(Writes(worker).bytes > 2 * kZoneSize);
  }
}

// The zone went to another job that waited for it, and the write that was to fail in the
// recovery was one of that job's.
TEST_CASE("a failed write is written again before others go on in its zone (suite 75)",
          "[engine][suite][recovery]") {
  for (const DriverKind driver : kBoth) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(static_cast<int>(driver), seed);
      const auto drive = MakeDrive(SmallDrive());
      std::vector<Workload> jobs(8, Recovering("write", 4));
      for (Workload& job : jobs) job.size = kZoneSize;
      // The first of four at once, which puts the others off the pointer; then writing
      // it again.
      const std::shared_ptr<Device> device = NewFaultDevice(
          drive, {OnWrite(1, 1, FaultKind::kBefore), OnWrite(1, 5, FaultKind::kBefore)});
      const RunResult run = MustRun(Driven(driver, jobs, seed), device);
      std::uint64_t failed = 0;
      for (const WorkerResult& worker : run.workers) {
        CAPTURE(worker.detail, ToString(worker.reason));
        REQUIRE(worker.reason == EndReason::kDone);
        failed += worker.failed_recoveries;
      }
      REQUIRE(failed == 1);
    }
  }
}

TEST_CASE("random runs with failing writes end, and every block is where it says",
          "[engine][recovery][random]") {
  const std::uint64_t first = SeedOr(1);
  const std::uint64_t runs = std::getenv("ZONAL_SEED") != nullptr ? 1 : 300;
  std::uint64_t recovered = 0;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    EmulatedOptions options = SmallDrive(5);
    options.zone_capacity = rng.Chance(1, 2) ? 13 * kBlock : 16 * kBlock;
    options.order = CompletionOrder::kSeeded;
    options.seed = rng.Next();
    const FaultKind kinds[] = {FaultKind::kBefore, FaultKind::kAfter, FaultKind::kPartial};
    std::vector<FaultRule> rules;
    for (std::uint64_t n = 1 + rng.Below(3); n > 0; --n) {
      rules.push_back(FailingWrite(1 + rng.Below(60), 7 + rng.Below(80)));
      rules.back().kind = kinds[rng.Below(3)];
      rules.back().partial_bytes = rng.Below(4) * kBlock;
    }
    std::vector<Workload> jobs;
    for (std::uint64_t n = 1 + rng.Below(3); n > 0; --n) {
      jobs.push_back(Recovering(rng.Chance(1, 2) ? "write" : "randwrite",
                                static_cast<std::uint32_t>(1 + rng.Below(8))));
      jobs.back().write_block = BlockSize(kBlock, (1 + rng.Below(5)) * kBlock);
      jobs.back().io_size = (1 + rng.Below(100)) * kBlock;
      jobs.back().max_open_zones = static_cast<std::uint32_t>(seed % 3);
      jobs.back().seed = rng.Next();
      jobs.back().runtime = std::chrono::seconds(2);
    }
    const auto drive = MakeDrive(options);
    std::shared_ptr<Device> device = NewFaultDevice(drive, rules);
    if (rng.Chance(1, 2)) {
      device = std::make_shared<test::SimpleDevice>(device, test::SimpleFeatures{});
    }
    const RunResult run = MustRun(Simulated(jobs, seed), device);
    REQUIRE(run.wall < std::chrono::seconds(2));
    for (const WorkerResult& worker : run.workers) {
      CAPTURE(worker.name, worker.detail, ToString(worker.reason));
      REQUIRE(worker.reason == EndReason::kDone);
      recovered += worker.recovered_zones;
    }
    Workload read = Job("read", 1, 4);
    read.check_stamps = true;
    const WorkerResult reader = MustRun(Simulated({read}, seed), drive).workers[0];
    CAPTURE(reader.detail);
    REQUIRE(reader.reason != EndReason::kVerifyMismatch);
  }
  if (runs > 1) REQUIRE(recovered > 100);
}

TEST_CASE("without recovery a run that survives errors leaves a gap's worth unwritten",
          "[engine][recovery]") {
  const auto drive = MakeDrive(SmallDrive());
  const std::shared_ptr<Device> device = NewFaultDevice(drive, {FailingWrite(10)});
  Workload job = Recovering("write", 1);
  job.recover_write_errors = false;
  const WorkerResult worker = MustRun(Simulated({job}), device).workers[0];
  REQUIRE(worker.io_errors == 1);
  REQUIRE(worker.recovered_zones == 0);
  REQUIRE(Writes(worker).bytes == 4 * kZoneSize - kBlock);
  REQUIRE(CountersOf(*drive).bytes_written == 4 * kZoneSize - kBlock);
}

TEST_CASE("recovery needs a run that survives write errors", "[engine][recovery]") {
  Workload job = Recovering("write", 1);
  job.errors.go_on[1] = false;
  RunControl control;
  const auto result = Run(Simulated({job}), control, Always(MakeDrive(SmallDrive())));
  REQUIRE(std::string(result.status().message())
              .find("recover_zbd_write_error works only when continue_on_error is set") !=
          std::string::npos);
}
