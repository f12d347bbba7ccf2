// SPDX-License-Identifier: MIT
#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

// Zone 0 full, zone 1 with five blocks, zone 3 full, the rest empty.
std::shared_ptr<Device> PartlyWritten(const EmulatedOptions& options) {
  const auto drive = MakeDrive(options);
  Workload job = Job("write", 0, 1);
  job.stamp_blocks = true;
  MustRun(Simulated({job}), drive);
  job.offset = kZoneSize;
  job.io_size = 5 * kBlock;
  MustRun(Simulated({job}), drive);
  job.offset = 3 * kZoneSize;
  job.io_size = 0;
  MustRun(Simulated({job}), drive);
  return drive;
}

}  // namespace

TEST_CASE("a sequential read takes what is written and skips what is not", "[engine]") {
  const auto drive = PartlyWritten(SmallDrive());
  Workload job = Job("read", 0, 8);
  job.check_stamps = true;
  const WorkerResult all = MustRun(Simulated({job}), drive).workers[0];
  REQUIRE(all.reason == EndReason::kDone);
  REQUIRE(Reads(all).ios == 16 + 5 + 16);
  REQUIRE(all.zones_touched == 3);
  REQUIRE_FALSE(all.counts_zone_resets);

  // Whole blocks only: 20 KiB of zone 1 are one block of 16 KiB.
  job.read_block = 4 * kBlock;
  REQUIRE(Reads(MustRun(Simulated({job}), drive).workers[0]).bytes == (16 + 4 + 16) * kBlock);

  // Anywhere inside a zone, and not rounded to nothing.
  job.read_block = kBlock;
  job.offset = kZoneSize + 2 * kBlock;
  job.size = 2 * kBlock;
  REQUIRE(Reads(MustRun(Simulated({job}), drive).workers[0]).ios == 2);
}

TEST_CASE("a reader of empty zones ends at once and says why", "[engine]") {
  for (const char* rw : {"read", "randread"}) {
    for (const DriverKind driver : {DriverKind::kSimulation, DriverKind::kThreads}) {
      CAPTURE(rw);
      const auto drive = PartlyWritten(SmallDrive());
      RunPlan plan = Simulated({Job(rw, 4, 2)});
      plan.driver = driver;
      const WorkerResult worker = MustRun(plan, drive).workers[0];
      REQUIRE(worker.reason == EndReason::kNoReadableData);
      REQUIRE(Reads(worker).ios == 0);
      REQUIRE(worker.detail.find("nothing to read") != std::string::npos);
    }
  }
}

TEST_CASE("a zone holds no block that is larger than it (suite 31)", "[engine][suite]") {
  const auto drive = PartlyWritten(SmallDrive());
  for (const char* rw : {"read", "randread"}) {
    CAPTURE(rw);
    Workload job = Job(rw, 0, 8);
    job.read_block = 2 * kZoneSize;
    const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
    REQUIRE(worker.reason == EndReason::kNoReadableData);
    REQUIRE(worker.detail.find("no block crosses their ends") != std::string::npos);
    REQUIRE(Reads(worker).bytes == 0);
  }
}

TEST_CASE("random reads are uniform over the committed blocks", "[engine]") {
  const auto drive = PartlyWritten(SmallDrive());
  for (const bool repeat : {false, true}) {
    CAPTURE(repeat);
    // 37 readable blocks of 128: draws are accepted or come from the index.
    Workload job = Job("randread", 0, 8);
    job.may_repeat_blocks = repeat;
    job.io_size = 37 * 40 * kBlock;
    job.check_stamps = true;
    const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(Reads(worker).ios == 37 * 40);
    REQUIRE(worker.zones_touched == 3);
  }
  // Nearly empty: 1 readable block in 4096, found through the index.
  EmulatedOptions large = SmallDrive(256);
  const auto sparse = MakeDrive(large);
  Workload one = Job("write", 200, 1);
  one.io_size = kBlock;
  one.stamp_blocks = true;
  MustRun(Simulated({one}), sparse);
  Workload job = Job("randread", 0, 256);
  job.io_size = 1000 * kBlock;
  job.check_stamps = true;
  const WorkerResult worker = MustRun(Simulated({job}), sparse).workers[0];
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(Reads(worker).ios == 1000);
  REQUIRE(CountersOf(*sparse).rule_violations == 0);
}

TEST_CASE("a mixed worker on empty zones writes first", "[engine]") {
  for (const char* rw : {"rw", "randrw"}) {
    CAPTURE(rw);
    EmulatedOptions options = SmallDrive();
    options.read_past_write_pointer_fails = true;
    const auto drive = MakeDrive(options);
    Workload job = Job(rw, 0, 8);
    job.read_percent = 90;
    job.stamp_blocks = job.check_stamps = true;
    const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
    CAPTURE(worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(Reads(worker).ios > 64);
    REQUIRE(Writes(worker).ios > 0);
    REQUIRE(Reads(worker).ios + Writes(worker).ios == 128);
    REQUIRE(CountersOf(*drive).rule_violations == 0);
  }
}

// What a reset takes from under a read has to be read again: the drive then moved more
// than the report says (suite 17, 30, 69).
TEST_CASE("a worker lets its own reads of a zone end before it resets it", "[engine][suite]") {
  for (const DriverKind driver : kBoth) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      for (const char* rw : {"rw", "randrw"}) {
        CAPTURE(static_cast<int>(driver), seed, rw);
        const auto drive = MakeDrive(SmallDrive());
        Workload job = Job(rw, 2, 2);
        job.depth = 8;
        job.loops = 8;
        job.seed = seed;
        const WorkerResult worker = MustRun(Driven(driver, {job}, seed), drive).workers[0];
        REQUIRE(worker.reason == EndReason::kDone);
        REQUIRE(worker.zone_resets > 0);
        REQUIRE(worker.stale_reads == 0);
        REQUIRE(CountersOf(*drive).bytes_read == Reads(worker).bytes);
      }
    }
  }
}

// Two jobs that waited for each other's zones read twice as often as they wrote: a
// write that had to wait was drawn anew, and came out as a read half the time.
TEST_CASE("the mix is kept where writes wait for zones, slots and resets", "[engine]") {
  for (const char* rw : {"rw", "randrw"}) {
    for (const std::uint32_t max_open : {0u, 2u, 3u}) {
      CAPTURE(rw, max_open);
      const auto drive = MakeDrive(SmallDrive());
      std::vector<Workload> jobs(3, Job(rw, 0, 8));
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].seed = 7 * i;
        jobs[i].max_open_zones = max_open;
        jobs[i].io_size = 64 * kZoneSize;
      }
      std::uint64_t reads = 0, writes = 0;
      for (const WorkerResult& worker : MustRun(Simulated(jobs), drive).workers) {
        CHECK(worker.reason == EndReason::kDone);
        reads += Reads(worker).ios;
        writes += Writes(worker).ios;
      }
      CHECK(reads + writes == 3 * 64 * 16);
      // Five standard deviations of as many fair coins.
      CHECK(reads > writes - 280);
      CHECK(writes > reads - 280);
    }
  }
}

TEST_CASE("a mix of 100 percent reads never writes", "[engine]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload job = Job("randrw", 0, 8);
  job.read_percent = 100;
  const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
  REQUIRE(worker.reason == EndReason::kNoReadableData);
  REQUIRE(CountersOf(*drive).writes == 0);
}

TEST_CASE("a reader waits for the first data of a writer in the same run", "[engine]") {
  for (const char* rw : {"read", "randread"}) {
    CAPTURE(rw);
    const auto drive = MakeDrive(SmallDrive());
    Workload reader = Job(rw, 0, 4);
    reader.io_size = 40 * kBlock;
    const RunResult run = MustRun(Simulated({reader, Job("write", 0, 4)}), drive);
    REQUIRE(run.workers[0].reason == EndReason::kDone);
    REQUIRE(Reads(run.workers[0]).ios == 40);
    REQUIRE(CountersOf(*drive).rule_violations == 0);
  }
}

TEST_CASE("read_beyond_write_pointer reads anywhere but in offline zones", "[engine]") {
  EmulatedOptions options = SmallDrive();
  options.offline_zones = {2};
  for (const char* rw : {"read", "randread"}) {
    CAPTURE(rw);
    const auto drive = MakeDrive(options);
    Workload job = Job(rw, 0, 4);
    job.read_beyond_write_pointer = true;
    job.io_size = 3 * kZoneSize;
    const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
    CAPTURE(worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
    REQUIRE(Reads(worker).bytes == 3 * kZoneSize);
    REQUIRE(worker.zones_touched == 3);
    REQUIRE(CountersOf(*drive).rule_violations == 0);
  }
}

TEST_CASE("a stamp of another run is a mismatch that names the block", "[engine]") {
  const auto drive = PartlyWritten(SmallDrive());
  Workload job = Job("read", 0, 1);
  job.check_stamps = true;
  const WorkerResult worker = MustRun(Simulated({job}, 2), drive).workers[0];
  REQUIRE(worker.reason == EndReason::kVerifyMismatch);
  REQUIRE(worker.detail.find("block at offset 0: the stamp's run seed is 1, expected 2") !=
          std::string::npos);
}
