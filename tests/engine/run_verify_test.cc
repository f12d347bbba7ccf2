// SPDX-License-Identifier: MIT
// Verification through whole runs: all that was written is read back, in every
// pattern and at every depth.
#include <functional>

#include "engine/verify_fixture.h"
#include "zonal/fault.h"

using namespace zonal;
using namespace zonal::testing;

TEST_CASE("what is written is read back, whatever pattern, depth and checksum", "[verify]") {
  constexpr Checksum kAll[] = {Checksum::kHeaderOnly, Checksum::kCrc32c, Checksum::kCrc32,
                               Checksum::kCrc64,      Checksum::kXxhash, Checksum::kMd5,
                               Checksum::kSha1,       Checksum::kSha256, Checksum::kSha512};
  for (const Checksum checksum : kAll) {
    for (const char* rw : {"write", "randwrite"}) {
      for (const std::uint32_t depth : {1u, 8u, 64u}) {
        CAPTURE(static_cast<int>(checksum), rw, depth);
        EmulatedOptions options = SmallDrive();
        options.order = CompletionOrder::kReverse;
        options.zone_capacity = 13 * kBlock;
        const auto drive = MakeDrive(options);
        Workload job = Verified(rw, 1, 4, checksum);
        job.depth = depth;
        const RunResult run = MustRun(Simulated({job}), drive);
        const WorkerResult& worker = run.workers[0];
        CAPTURE(worker.detail);
        CHECK(worker.reason == EndReason::kDone);
        CHECK(Writes(worker).bytes == 4 * 13 * kBlock);
        CHECK(Reads(worker).bytes == 4 * 13 * kBlock);
        CHECK(worker.verify.blocks == 4 * 13);
        CHECK(worker.verify.mismatches == 0);
        CHECK(CountersOf(*drive).rule_violations == 0);
      }
    }
  }
}

TEST_CASE("zones are reset before a verifying pass, and only then", "[verify]") {
  for (const char* rw : {"write", "randwrite"}) {
    for (const std::uint32_t targets : {0u, 1u, 2u}) {
      CAPTURE(rw, targets);
      const auto drive = MakeDrive(SmallDrive());
      Workload before = Job("write", 0, 3);
      before.io_size = 2 * kZoneSize + 5 * kBlock;
      MustRun(Simulated({before}), drive);
      Workload job = Verified(rw, 0, 4);
      job.max_open_zones = targets;
      job.loops = 3;
      const RunResult run = MustRun(Simulated({job}), drive);
      const WorkerResult& worker = run.workers[0];
      CAPTURE(worker.detail);
      CHECK(worker.reason == EndReason::kDone);
      CHECK(Writes(worker).bytes == 3 * 4 * kZoneSize);
      CHECK(Reads(worker).bytes == 3 * 4 * kZoneSize);
      CHECK(worker.zone_resets == 3 + 4 + 4);
      CHECK(CountersOf(*drive).rule_violations == 0);
    }
  }
}

TEST_CASE("blocks of various sizes are verified", "[verify]") {
  for (const char* rw : {"write", "randwrite"}) {
    for (const std::uint32_t interval : {0u, 4096u}) {
      CAPTURE(rw, interval);
      const auto drive = MakeDrive(SmallDrive());
      Workload job = Verified(rw, 0, 4, Checksum::kMd5);
      job.write_block = BlockSize(kBlock, 4 * kBlock);
      job.verify.interval = interval;
      job.depth = 16;
      MustVerify(Simulated({job}), drive);
      CHECK(CountersOf(*drive).bytes_written == 4 * kZoneSize);
    }
  }
}

TEST_CASE("a zone whose end holds no block is finished, and all of it verified", "[verify]") {
  for (const char* rw : {"write", "randwrite"}) {
    for (const bool remainder : {false, true}) {
      CAPTURE(rw, remainder);
      const auto drive = MakeDrive(SmallDrive());
      Workload job = Verified(rw, 0, 4);
      job.write_block = 3 * kBlock;
      job.write_zone_remainder = remainder;
      job.depth = 8;
      MustVerify(Simulated({job}), drive);
      CHECK(CountersOf(*drive).bytes_written == 4 * (remainder ? 16 : 15) * kBlock);
    }
  }
}

TEST_CASE("a backlog is verified while writing goes on, each block once", "[verify]") {
  for (const char* rw : {"write", "randwrite"}) {
    for (const std::uint32_t batch : {0u, 1u, 3u}) {
      CAPTURE(rw, batch);
      Workload job = Verified(rw, 0, 4);
      job.verify.backlog = 4;
      job.verify.backlog_batch = batch;
      job.loops = 2;
      MustVerify(Simulated({job}), MakeDrive(SmallDrive()));
    }
  }
}

TEST_CASE("a thread that reads back a backlog does not sleep before it", "[verify]") {
  Workload job = Verified("write", 0, 4);
  job.verify.backlog = 1;
  job.depth = 1;
  job.loops = 8;  // 512 times
  const RunResult run = MustRun(Threaded({job}), MakeDrive(SmallDrive()));
  CHECK(run.workers[0].verify.blocks == 512);
  CHECK(run.wall < std::chrono::seconds(5));  // 20 ms each would be ten
}

TEST_CASE("a scheduled reset waits until the zone is verified", "[verify]") {
  for (const char* rw : {"write", "randwrite", "rw", "randrw"}) {
    CAPTURE(rw);
    Workload job = Verified(rw, 0, 2, Checksum::kMd5);
    job.zone_reset_frequency = 0.3;
    job.zone_reset_threshold = 0.1;
    job.loops = 2;
    const RunResult run = MustRun(Simulated({job}), MakeDrive(SmallDrive()));
    const WorkerResult& worker = run.workers[0];
    CAPTURE(worker.detail);
    CHECK(worker.reason == EndReason::kDone);
    CHECK(worker.verify.dropped == 0);
    CHECK(worker.verify.blocks * kBlock == Writes(worker).bytes);
    CHECK(worker.zone_resets > 4);
  }
}

TEST_CASE("conventional zones and plain files of overlapping writes are verified", "[verify]") {
  EmulatedOptions options = SmallDrive();
  options.conventional = 4;
  for (const ZoneMode mode : {ZoneMode::kZbd, ZoneMode::kNone}) {
    for (const std::uint32_t depth : {1u, 16u}) {
      CAPTURE(static_cast<int>(mode), depth);
      Workload job = Verified("randwrite", 0, 4);
      job.zone_mode = mode;
      job.may_repeat_blocks = true;
      job.write_block = BlockSize(kBlock, 3 * kBlock);
      job.io_size = 10 * kZoneSize;
      job.depth = depth;
      const RunResult run = MustRun(Simulated({job}), MakeDrive(options));
      const WorkerResult& worker = run.workers[0];
      CAPTURE(worker.detail);
      CHECK(worker.reason == EndReason::kDone);
      CHECK(worker.verify.mismatches == 0);
      CHECK(worker.verify.blocks != 0);
      CHECK(Reads(worker).bytes < Writes(worker).bytes);
    }
  }
}

TEST_CASE("a pattern is written and verified", "[verify]") {
  Workload job = Verified("randwrite", 0, 4, Checksum::kPattern);
  job.verify.pattern.assign(24, std::byte{0xA5});
  job.verify.pattern_has_offset = true;
  job.verify.pattern_offset_at = 16;
  MustVerify(Simulated({job}), MakeDrive(SmallDrive()));
}

TEST_CASE("a write that failed and was written again is verified too", "[verify]") {
  for (const FaultKind kind : {FaultKind::kBefore, FaultKind::kAfter, FaultKind::kPartial}) {
    for (const char* rw : {"write", "randwrite"}) {
      for (const std::uint32_t depth : {1u, 16u}) {
        CAPTURE(static_cast<int>(kind), rw, depth);
        FaultRule rule;
        rule.op = IoOp::kWrite;
        rule.nth = 5;
        rule.every = 9;
        rule.kind = kind;
        rule.partial_bytes = kBlock;
        const auto drive = MakeDrive(SmallDrive());
        Workload job = Verified(rw, 0, 4);
        job.write_block = 2 * kBlock;
        job.depth = depth;
        job.errors.go_on[1] = true;
        job.recover_write_errors = true;
        const std::shared_ptr<Device> faulty = NewFaultDevice(drive, {rule});
        const WorkerResult worker = MustRun(Simulated({job}), faulty).workers[0];
        CAPTURE(worker.detail);
        CHECK(worker.reason == EndReason::kDone);
        CHECK(worker.verify.mismatches == 0);
        CHECK(worker.io_errors != 0);
        CHECK(worker.verify.blocks >= Writes(worker).ios);
      }
    }
  }
}

TEST_CASE("verifying jobs share zones, each on a thread", "[verify]") {
  EmulatedOptions options = SmallDrive();
  options.order = CompletionOrder::kSeeded;
  const auto drive = MakeDrive(options);
  std::vector<Workload> jobs;
  for (const char* rw : {"write", "randwrite", "rw", "randwrite"}) {
    Workload job = Verified(rw, 0, 8);
    job.loops = 3;
    job.max_open_zones = 3;
    job.verify.backlog = jobs.size() * 5;
    job.seed = 10 + jobs.size();
    jobs.push_back(job);
  }
  const RunResult run = MustRun(Threaded(jobs), drive);
  for (const WorkerResult& worker : run.workers) {
    CAPTURE(worker.name, worker.detail, ToString(worker.reason));
    CHECK(worker.reason == EndReason::kDone);
    CHECK(worker.verify.mismatches == 0);
    CHECK(worker.verify.dropped == 0);
    CHECK(worker.verify.blocks * kBlock == Writes(worker).bytes);
  }
  CHECK(CountersOf(*drive).rule_violations == 0);
}

TEST_CASE("two jobs do not save their states to one file", "[verify]") {
  Workload job = Verified("write", 0, 2);
  job.verify.state_save = "one.state";
  RunControl control;
  const auto run = Run(Simulated({job, job}), control, Always(MakeDrive(SmallDrive())));
  REQUIRE(!run.ok());
  CHECK(run.status().message().find("another job's") != std::string::npos);
}

TEST_CASE("what cannot be verified is refused with the reason", "[verify]") {
  struct Row {
    const char* words;
    std::function<void(Workload&)> spoil;
  };
  const Row rows[] = {
      {"verify_interval=4095 does not divide", [](Workload& w) { w.verify.interval = 4095; }},
      {"needs 72 bytes for its header",
       [](Workload& w) {
         w.verify.interval = 64;
         w.verify.checksum = Checksum::kCrc32c;
       }},
      {"needs a verify_pattern", [](Workload& w) { w.verify.checksum = Checksum::kPattern; }},
      {"load the state of the run",
       [](Workload& w) {
         w.verify.only = true;
         w.write_block = BlockSize(kBlock, 2 * kBlock);
       }},
      {"cannot be opened", [](Workload& w) { w.verify.state_load = "no-such.state"; }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    Workload job = Verified("write", 0, 2);
    row.spoil(job);
    RunControl control;
    const auto run = Run(Simulated({job}), control, Always(MakeDrive(SmallDrive())));
    REQUIRE(!run.ok());
    CAPTURE(run.status().ToString());
    CHECK(run.status().message().find(row.words) != std::string::npos);
  }
}
