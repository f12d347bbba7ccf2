// SPDX-License-Identifier: MIT
// Workers that go on after an error: what they survive, what they count, and that
// the zones stay as the device has them.
#include <cerrno>

#include "engine/drive_fixture.h"
#include "engine/error_rule.h"
#include "zonal/fault.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

Workload GoingOn(Workload job) {
  job.errors.go_on = {true, true, true};
  job.stamp_blocks = job.writes;
  job.check_stamps = job.reads;
  return job;
}

// Reads what is there; every block must be the one that was written there.
void CheckData(const std::shared_ptr<Device>& drive, std::uint32_t zones) {
  Workload reader = Job("read", 0, zones);
  reader.check_stamps = true;
  const RunResult run = MustRun(Simulated({reader}), drive);
  CAPTURE(run.workers[0].detail);
  REQUIRE(run.workers[0].reason == EndReason::kDone);
}

}  // namespace

TEST_CASE("what is survived is asked for by direction and named by errno", "[engine]") {
  struct Row {
    const char* name;
    PerDirection<bool> go_on;
    std::array<std::vector<int>, 3> ignored;
    Direction direction;
    int error;
    bool survives;
  };
  const PerDirection<bool> all{true, true, true};
  const Row rows[] = {
      {"not asked for", {}, {}, Direction::kWrite, EIO, false},
      {"not asked for, though named", {}, {{{}, {EIO}, {}}}, Direction::kWrite, EIO, false},
      {"asked for reads only", {true, false, false}, {}, Direction::kWrite, EIO, false},
      {"EIO", all, {}, Direction::kWrite, EIO, true},
      {"EILSEQ", all, {}, Direction::kRead, EILSEQ, true},
      {"another", all, {}, Direction::kWrite, ENOSPC, false},
      {"another that is named", all, {{{}, {EIO, ENOSPC}, {}}}, Direction::kWrite, ENOSPC, true},
      {"a list leaves the two out", all, {{{}, {ENOSPC}, {}}}, Direction::kWrite, EIO, false},
      {"the list of the other", all, {{{ENOSPC}, {}, {}}}, Direction::kWrite, ENOSPC, false},
      {"trims have that of writes", all, {{{}, {ENOSPC}, {}}}, Direction::kTrim, ENOSPC, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ErrorPolicy policy;
    policy.go_on = row.go_on;
    policy.ignored = row.ignored;
    IoResult failed;
    failed.errc = Errc::kIo;
    failed.origin = Origin::kErrno;
    failed.raw = static_cast<std::uint32_t>(row.error);
    REQUIRE(engine::ErrorRule(policy).Survives(row.direction, failed) == row.survives);
  }
}

TEST_CASE("a stream goes on after a failed write where the zone's pointer is", "[engine][fault]") {
  struct Row {
    FaultKind kind;
    std::uint64_t blocks_in_zone;  // of 16
  };
  for (const Row& row :
       {Row{FaultKind::kBefore, 14}, Row{FaultKind::kAfter, 16}, Row{FaultKind::kPartial, 15}}) {
    for (const DriverKind driver : kBoth) {
      CAPTURE(static_cast<int>(row.kind), static_cast<int>(driver));
      const auto drive = MakeDrive(SmallDrive());
      Workload job = GoingOn(Job("write", 0, 2));
      job.write_block = 2 * kBlock;
      job.depth = 1;
      const RunResult run =
          MustRun(Driven(driver, {job}), NewFaultDevice(drive, {OnWrite(1, 5, row.kind)}));
      const WorkerResult& worker = run.workers[0];
      CAPTURE(worker.detail);
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(worker.io_errors == 1);
      REQUIRE(worker.error.ok());
      REQUIRE(worker.first_error.errc == Errc::kMediaError);
      REQUIRE(worker.first_error.offset == kZoneSize + 8 * kBlock);
      REQUIRE(Writes(worker).bytes == 2 * kZoneSize - 2 * kBlock);
      REQUIRE(Writes(worker).issued_ios == 16);
      REQUIRE(CountersOf(*drive).rule_violations == 0);
      REQUIRE(ZonesOf(*drive)[0].written() == kZoneSize);
      REQUIRE(ZonesOf(*drive)[1].written() == row.blocks_in_zone * kBlock);
      REQUIRE(ZonesOf(*drive)[2].written() == 0);
      CheckData(drive, 2);
    }
  }
}

TEST_CASE("many failed writes of many workers leave the zones as the device has them",
          "[engine][fault]") {
  int data_checked = 0;
  for (const FaultKind kind : {FaultKind::kBefore, FaultKind::kAfter, FaultKind::kPartial}) {
    for (const char* rw : {"write", "randwrite", "randrw"}) {
      for (const DriverKind driver : kBoth) {
        CAPTURE(static_cast<int>(kind), rw, static_cast<int>(driver));
        const auto drive = MakeDrive(SmallDrive());
        FaultRule rule = OnWrite(0, 3, kind);
        rule.zone.reset();
        rule.every = 7;
        std::vector<Workload> jobs(3, GoingOn(Job(rw, 0, 4)));
        for (std::size_t i = 0; i < jobs.size(); ++i) {
          jobs[i].io_size = 6 * kZoneSize;
          jobs[i].write_block = 2 * kBlock;
          jobs[i].max_open_zones = 2;
          jobs[i].seed = i + 1;
        }
        const RunResult run = MustRun(Driven(driver, jobs), NewFaultDevice(drive, {rule}));
        std::uint64_t written = 0;
        std::uint64_t errors = 0;
        for (const WorkerResult& worker : run.workers) {
          CAPTURE(worker.detail);
          REQUIRE(worker.reason == EndReason::kDone);
          REQUIRE(Writes(worker).issued_ios + Reads(worker).issued_ios ==
                  Writes(worker).ios + Reads(worker).ios + worker.io_errors);
          written += Writes(worker).bytes;
          errors += worker.io_errors;
        }
        REQUIRE(errors > 0);
        const DriveCounters counters = CountersOf(*drive);
        REQUIRE(counters.open_high_water <= 2);
        if (kind == FaultKind::kBefore) REQUIRE(counters.bytes_written == written);
        if (kind != FaultKind::kBefore) REQUIRE(counters.bytes_written > written);
        // A finished zone is readable to its end, written or not.
        if (counters.finishes != 0) continue;
        CheckData(drive, 4);
        ++data_checked;
      }
    }
  }
  REQUIRE(data_checked >= 6);
}

TEST_CASE("a worker whose every write fails ends", "[engine][fault]") {
  FaultRule rule = OnWrite(0, 1, FaultKind::kBefore);
  rule.every = 1;
  for (const char* rw : {"write", "randwrite"}) {
    for (const DriverKind driver : kBoth) {
      CAPTURE(rw, static_cast<int>(driver));
      const RunResult run = MustRun(Driven(driver, {GoingOn(Job(rw, 0, 1))}),
                                    NewFaultDevice(MakeDrive(SmallDrive()), {rule}));
      REQUIRE(run.workers[0].io_errors == 16);
      REQUIRE(Writes(run.workers[0]).bytes == 0);
    }
  }
}

TEST_CASE("a failed read is survived, a failed reset is not", "[engine][fault]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload fill = GoingOn(Job("write", 0, 2));
  MustRun(Simulated({fill}), drive);
  FaultRule on_read;
  on_read.op = IoOp::kRead;
  on_read.nth = 7;
  on_read.every = 5;
  const RunResult read =
      MustRun(Simulated({GoingOn(Job("read", 0, 2))}), NewFaultDevice(drive, {on_read}));
  REQUIRE(read.workers[0].reason == EndReason::kDone);
  REQUIRE(read.workers[0].io_errors == 6);  // 7, 12, ... 32
  REQUIRE(Reads(read.workers[0]).ios == 32 - 6);

  FaultRule on_reset;
  on_reset.op = IoOp::kManage;
  on_reset.zone_op = ZoneOp::kReset;
  const RunResult reset = MustRun(Simulated({fill}), NewFaultDevice(drive, {on_reset}));
  REQUIRE(reset.workers[0].reason == EndReason::kIoError);
  REQUIRE(reset.workers[0].error_op == "reset");
}

TEST_CASE("blocks that are not what was written are survived where asked for", "[engine]") {
  const auto drive = MakeDrive(SmallDrive());
  MustRun(Simulated({Job("write", 0, 1)}), drive);  // without stamps
  Workload reader = Job("read", 0, 1);
  reader.check_stamps = true;
  REQUIRE(MustRun(Simulated({reader}), drive).workers[0].reason == EndReason::kVerifyMismatch);
  reader.errors.go_on_after_mismatch = true;
  const RunResult run = MustRun(Simulated({reader}), drive);
  REQUIRE(run.workers[0].reason == EndReason::kDone);
  REQUIRE(run.workers[0].io_errors == 16);
  REQUIRE(ToErrno(run.workers[0].first_error) == EILSEQ);
}
