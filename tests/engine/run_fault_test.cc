// SPDX-License-Identifier: MIT
#include <cerrno>

#include "engine/drive_fixture.h"
#include "zonal/fault.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

std::shared_ptr<Device> Faulty(std::shared_ptr<Device> drive, const FaultRule& rule) {
  return NewFaultDevice(std::move(drive), {rule});
}

}  // namespace

TEST_CASE("a failed write ends its worker, and the others go on", "[engine][fault]") {
  for (const FaultKind kind : {FaultKind::kBefore, FaultKind::kAfter, FaultKind::kPartial}) {
    for (const DriverKind driver : {DriverKind::kSimulation, DriverKind::kThreads}) {
      CAPTURE(static_cast<int>(kind), static_cast<int>(driver));
      const auto device = Faulty(MakeDrive(SmallDrive()), OnWrite(1, 5, kind));
      Workload fails = Job("write", 0, 2);
      fails.write_block = 2 * kBlock;
      RunPlan plan = Simulated({fails, Job("write", 4, 2)});
      plan.driver = driver;
      const RunResult run = MustRun(plan, device);
      const WorkerResult& failed = run.workers[0];
      REQUIRE(failed.reason == EndReason::kIoError);
      REQUIRE(failed.error.errc == Errc::kMediaError);
      REQUIRE(failed.error.offset == kZoneSize + 4 * 2 * kBlock);
      REQUIRE(failed.error_op == "write");
      REQUIRE(failed.io_errors >= 1);
      REQUIRE(Writes(failed).ios >= 8);
      REQUIRE(Writes(failed).issued_ios == Writes(failed).ios + failed.io_errors);
      CAPTURE(failed.detail);
      REQUIRE(failed.detail.find("write of 8192 bytes at offset 98304 failed") !=
              std::string::npos);
      REQUIRE(failed.detail.find("zone 1 starts at 65536") != std::string::npos);
      REQUIRE(failed.detail.find("(errno 5)") != std::string::npos);
      REQUIRE(run.workers[1].reason == EndReason::kDone);
      REQUIRE(Writes(run.workers[1]).bytes == 2 * kZoneSize);
    }
  }
}

TEST_CASE("a zone that failed under one worker is written by another", "[engine][fault]") {
  const auto device = Faulty(MakeDrive(SmallDrive(2)), OnWrite(0, 3, FaultKind::kBefore));
  std::vector<Workload> jobs(3, Job("randwrite", 0, 2));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].io_size = 4 * kZoneSize;
    jobs[i].seed = i + 1;
  }
  for (const DriverKind driver : {DriverKind::kSimulation, DriverKind::kThreads}) {
    RunPlan plan = Simulated(jobs);
    plan.driver = driver;
    const RunResult run = MustRun(plan, device);
    int failed = 0;
    for (const WorkerResult& worker : run.workers) {
      if (worker.reason == EndReason::kIoError) {
        ++failed;
        continue;
      }
      CAPTURE(worker.detail);
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(Writes(worker).bytes == 4 * kZoneSize);
    }
    REQUIRE(failed == (driver == DriverKind::kSimulation ? 1 : 0));  // the rule fires once
  }
}

TEST_CASE("a failed reset and a failed read end the worker", "[engine][fault]") {
  const auto drive = MakeDrive(SmallDrive());
  MustRun(Simulated({Job("write", 0, 2)}), drive);
  FaultRule on_reset;
  on_reset.op = IoOp::kManage;
  on_reset.zone_op = ZoneOp::kReset;
  const RunResult reset = MustRun(Simulated({Job("write", 0, 2)}), Faulty(drive, on_reset));
  REQUIRE(reset.workers[0].reason == EndReason::kIoError);
  REQUIRE(reset.workers[0].error_op == "reset");
  REQUIRE(reset.workers[0].zone_resets == 0);

  FaultRule on_read;
  on_read.op = IoOp::kRead;
  on_read.nth = 7;
  const RunResult read = MustRun(Simulated({Job("read", 0, 2)}), Faulty(drive, on_read));
  REQUIRE(read.workers[0].reason == EndReason::kIoError);
  REQUIRE(read.workers[0].error_op == "read");
  REQUIRE(read.workers[0].io_errors == 1);
  REQUIRE(Reads(read.workers[0]).ios >= 6);
  REQUIRE(Reads(read.workers[0]).issued_ios == Reads(read.workers[0]).ios + 1);
}

TEST_CASE("no space left is the end that fill_device waits for", "[engine][fault]") {
  EmulatedOptions options = SmallDrive();
  options.conventional = options.zones;
  for (const bool fills : {false, true}) {
    CAPTURE(fills);
    FaultRule full;
    full.op = IoOp::kWrite;
    full.nth = 6;
    full.every = 1;
    full.raw = ENOSPC;
    const std::shared_ptr<Device> device = NewFaultDevice(MakeDrive(options), {full});
    Workload job = Job("write", 0, 8);
    job.zone_mode = ZoneMode::kNone;
    job.depth = 1;
    job.fills_device = fills;
    const WorkerResult worker = MustRun(Simulated({job}), device).workers[0];
    REQUIRE(Writes(worker).ios == 5);
    REQUIRE(worker.reason == (fills ? EndReason::kDone : EndReason::kIoError));
    REQUIRE(worker.io_errors == (fills ? 0 : 1));
  }
}
