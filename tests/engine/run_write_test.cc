// SPDX-License-Identifier: MIT
#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

std::uint64_t Taken(const WorkerResult& worker, OpClass op) {
  return worker.operations[static_cast<std::size_t>(op)].count();
}

}  // namespace

TEST_CASE("a sequential write of four empty zones resets none, again it resets four", "[engine]") {
  for (const std::uint32_t depth : {1u, 4u, 32u}) {
    CAPTURE(depth);
    const auto drive = MakeDrive(SmallDrive());
    Workload job = Job("write", 2, 4);
    job.depth = depth;
    for (const std::uint64_t resets : {0u, 4u, 4u}) {
      const RunResult run = MustRun(Simulated({job}), drive);
      const WorkerResult& worker = run.workers[0];
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(Writes(worker).ios == 64);
      REQUIRE(Writes(worker).bytes == 4 * kZoneSize);
      REQUIRE(Writes(worker).total.count() == 64);
      REQUIRE(worker.counts_zone_resets);
      REQUIRE(worker.zone_resets == resets);
      REQUIRE(Taken(worker, OpClass::kReset) == resets);
      REQUIRE(worker.zones_touched == 4);
      REQUIRE(run.targets[0].write_targets == Limit::Of(4));
      REQUIRE(run.targets[0].drive);  // of this run, not of those before
      REQUIRE(run.targets[0].drive->writes == 64);
      REQUIRE(run.targets[0].drive->bytes_written == 4 * kZoneSize);
      REQUIRE(run.targets[0].drive->resets == resets);
    }
    const std::vector<Zone> zones = ZonesOf(*drive);
    for (std::size_t i = 0; i < zones.size(); ++i) {
      REQUIRE(zones[i].condition ==
              (i >= 2 && i < 6 ? ZoneCondition::kFull : ZoneCondition::kEmpty));
    }
    const DriveCounters counters = CountersOf(*drive);
    REQUIRE(counters.writes == 3 * 64);
    REQUIRE(counters.resets == 8);
    REQUIRE(counters.rule_violations == 0);
  }
}

TEST_CASE("a stream goes on at the write pointer and jumps from capacity to the next zone",
          "[engine]") {
  EmulatedOptions options = SmallDrive();
  options.zone_capacity = 12 * kBlock;
  const auto drive = MakeDrive(options);
  Workload first = Job("write", 0, 4);
  first.io_size = 15 * kBlock;  // zone 0, and three blocks of zone 1
  REQUIRE(Writes(MustRun(Simulated({first}), drive).workers[0]).ios == 15);
  const RunResult run = MustRun(Simulated({Job("write", 1, 3)}), drive);
  REQUIRE(Writes(run.workers[0]).ios == 9 + 12 + 12);
  REQUIRE(run.workers[0].zone_resets == 0);
  REQUIRE(run.workers[0].reason == EndReason::kLessRoom);
  const std::vector<Zone> zones = ZonesOf(*drive);
  for (int i = 0; i < 4; ++i)
    REQUIRE(zones[static_cast<std::size_t>(i)].condition == ZoneCondition::kFull);
  REQUIRE(CountersOf(*drive).rule_violations == 0);
}

TEST_CASE("io_size beyond the range goes round and resets what it comes back to", "[engine]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload job = Job("write", 0, 2);
  job.io_size = 5 * kZoneSize;
  const RunResult run = MustRun(Simulated({job}), drive);
  REQUIRE(Writes(run.workers[0]).bytes == 5 * kZoneSize);
  REQUIRE(run.workers[0].zone_resets == 3);
}

TEST_CASE("streams that share a range move as many bytes as it has, each", "[engine]") {
  for (const std::uint32_t max_open : {0u, 1u, 3u}) {
    CAPTURE(max_open);
    const auto device = MakeDrive(SmallDrive());
    std::vector<Workload> jobs(3, Job("write", 0, 4));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      jobs[i].seed = i;
      jobs[i].max_open_zones = max_open;
    }
    const RunResult result = MustRun(Simulated(jobs), device);
    for (const WorkerResult& worker : result.workers) {
      CHECK(worker.reason == EndReason::kDone);
      CHECK(Writes(worker).bytes == 4 * kZoneSize);
    }
    CHECK(CountersOf(*device).bytes_written == 12 * kZoneSize);
  }
}

TEST_CASE("a tail that holds no block is finished", "[engine]") {
  for (const char* rw : {"write", "randwrite"}) {
    CAPTURE(rw);
    const auto drive = MakeDrive(SmallDrive());
    Workload job = Job(rw, 0, 4);
    job.write_block = 3 * kBlock;  // 16 blocks: five of them, and one block is left
    job.io_size = 4 * 15 * kBlock;
    const RunResult run = MustRun(Simulated({job}), drive);
    REQUIRE(run.workers[0].reason == EndReason::kDone);
    REQUIRE(Writes(run.workers[0]).ios == 20);
    REQUIRE(run.workers[0].zone_finishes >= 3);
    REQUIRE(run.workers[0].zone_finishes == CountersOf(*drive).finishes);
    REQUIRE(Taken(run.workers[0], OpClass::kFinish) == run.workers[0].zone_finishes);
    REQUIRE(CountersOf(*drive).rule_violations == 0);
  }
}

TEST_CASE("random writes keep to max_open_zones and go on resetting until size is written",
          "[engine]") {
  for (const std::uint32_t limit : {1u, 2u, 3u, 4u}) {
    CAPTURE(limit);
    const auto drive = MakeDrive(SmallDrive(32));
    std::vector<Workload> jobs(2, Job("randwrite", 0, 32));
    for (Workload& job : jobs) {
      job.max_open_zones = limit;
      job.io_size = 40 * kZoneSize;
      job.seed = 5 + job.clone;
    }
    const RunResult run = MustRun(Simulated(jobs), drive);
    std::uint64_t bytes = 0, resets = 0;
    for (const WorkerResult& worker : run.workers) {
      CAPTURE(worker.detail);
      REQUIRE(worker.reason == EndReason::kDone);
      bytes += Writes(worker).bytes;
      resets += worker.zone_resets;
    }
    const DriveCounters counters = CountersOf(*drive);
    REQUIRE(bytes == 80 * kZoneSize);
    REQUIRE(resets == counters.resets);
    REQUIRE(resets >= 48);  // 80 zones' worth into 32
    REQUIRE(counters.open_high_water <= limit);
    REQUIRE(counters.rule_violations == 0);
  }
}

TEST_CASE("conventional zones are written anywhere and never reset", "[engine]") {
  EmulatedOptions options = SmallDrive();
  options.conventional = 2;
  for (const char* rw : {"write", "randwrite"}) {
    CAPTURE(rw);
    const auto drive = MakeDrive(options);
    Workload job = Job(rw, 0, 2);
    job.io_size = 4 * kZoneSize;
    const RunResult run = MustRun(Simulated({job}), drive);
    REQUIRE(run.workers[0].reason == EndReason::kDone);
    REQUIRE(Writes(run.workers[0]).bytes == 4 * kZoneSize);
    REQUIRE(run.workers[0].zone_resets == 0);
    Workload both = Job(rw, 0, 4);
    both.io_size = 8 * kZoneSize;
    const RunResult mixed = MustRun(Simulated({both}), drive);
    REQUIRE(mixed.workers[0].reason == EndReason::kDone);
    REQUIRE(Writes(mixed.workers[0]).bytes == 8 * kZoneSize);
    REQUIRE(CountersOf(*drive).rule_violations == 0);
  }
}

TEST_CASE("read-only and offline zones are passed by, and nothing but them is an error",
          "[engine]") {
  EmulatedOptions options = SmallDrive();
  options.read_only_zones = {1};
  options.offline_zones = {2};
  for (const char* rw : {"write", "randwrite"}) {
    CAPTURE(rw);
    const auto drive = MakeDrive(options);
    Workload job = Job(rw, 0, 4);
    job.io_size = 4 * kZoneSize;
    const RunResult run = MustRun(Simulated({job}), drive);
    REQUIRE(run.workers[0].reason == EndReason::kDone);
    REQUIRE(Writes(run.workers[0]).bytes == 4 * kZoneSize);
    REQUIRE(run.workers[0].zones_touched == 2);
    const RunResult none = MustRun(Simulated({Job(rw, 1, 2)}), drive);
    REQUIRE(none.workers[0].reason == EndReason::kNoWritableZone);
    REQUIRE(none.workers[0].detail.find("read-only, offline") != std::string::npos);
    REQUIRE(CountersOf(*drive).rule_violations == 0);
  }
}

TEST_CASE("periodic resets need threshold and frequency", "[engine]") {
  for (const char* rw : {"write", "randwrite"}) {
    CAPTURE(rw);
    const auto drive = MakeDrive(SmallDrive());
    MustRun(Simulated({Job("write", 0, 4)}), drive);
    Workload job = Job(rw, 0, 4);
    job.io_size = 2 * kZoneSize;
    job.zone_reset_threshold = 0.5;
    job.zone_reset_frequency = 0.25;
    const RunResult run = MustRun(Simulated({job}), drive);
    REQUIRE(run.workers[0].reason == EndReason::kDone);
    REQUIRE(run.workers[0].zone_resets == CountersOf(*drive).resets);
    REQUIRE(run.workers[0].zone_resets > 2);
    REQUIRE(CountersOf(*drive).rule_violations == 0);
  }
}

TEST_CASE("a writer whose places in the target set are taken for good ends and says so",
          "[engine]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload half = Job("write", 0, 2);
  half.io_size = 3 * kBlock;  // leaves zone 0 open
  Workload other = Job("write", 4, 2);
  half.max_open_zones = other.max_open_zones = 1;
  const RunResult run = MustRun(Simulated({half, other}), drive);
  REQUIRE(run.workers[0].reason != EndReason::kIoError);
  REQUIRE(run.workers[1].reason != EndReason::kIoError);
  const bool one_starved = run.workers[0].reason == EndReason::kNoWritableZone ||
                           run.workers[1].reason == EndReason::kNoWritableZone;
  const bool in_turn =
      Writes(run.workers[1]).bytes == 2 * kZoneSize && Writes(run.workers[0]).bytes == 3 * kBlock;
  REQUIRE((one_starved || in_turn));
  for (const WorkerResult& worker : run.workers) {
    if (worker.reason == EndReason::kNoWritableZone) {
      REQUIRE(worker.detail.find("--max_open_zones") != std::string::npos);
    }
  }
}

TEST_CASE("without zone mode a zoned drive's refusal names the zone and what to do", "[engine]") {
  const auto drive = MakeDrive(SmallDrive());
  MustRun(Simulated({Job("write", 2, 1)}), drive);
  const std::vector<Zone> before = ZonesOf(*drive);
  Workload job = Job("write", 2, 2);
  job.zone_mode = ZoneMode::kNone;
  job.depth = 1;
  const RunResult run = MustRun(Simulated({job}), drive);
  const WorkerResult& worker = run.workers[0];
  REQUIRE(worker.reason == EndReason::kIoError);
  REQUIRE(worker.error.errc == Errc::kZoneFull);
  REQUIRE(worker.error_op == "write");
  REQUIRE(Writes(worker).ios == 0);
  CAPTURE(worker.detail);
  REQUIRE(worker.detail.find("zone 2 starts at 131072") != std::string::npos);
  REQUIRE(worker.detail.find("condition full") != std::string::npos);
  REQUIRE(worker.detail.find("--zonemode=zbd") != std::string::npos);
  REQUIRE(ZonesOf(*drive) == before);

  Workload beyond = Job("write", 4, 2);
  beyond.zone_mode = ZoneMode::kNone;
  beyond.depth = 1;
  beyond.offset += kBlock;
  beyond.size -= kBlock;
  const RunResult other = MustRun(Simulated({beyond}), drive);
  REQUIRE(other.workers[0].error.errc == Errc::kNotAtWritePointer);
  REQUIRE(other.workers[0].detail.find("write pointer 262144") != std::string::npos);
}

TEST_CASE("fill_device writes until there is no room, and resets nothing", "[engine]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload before = Job("write", 2, 1);
  before.io_size = 5 * kBlock;
  MustRun(Simulated({before}), drive);
  Workload job = Job("write", 0, 8);
  job.fills_device = true;
  for (const std::uint64_t bytes : {8 * kZoneSize - 5 * kBlock, std::uint64_t{0}}) {
    const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
    CAPTURE(worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(Writes(worker).bytes == bytes);
    REQUIRE(worker.zone_resets == 0);
  }
}
