// SPDX-License-Identifier: MIT
// Verification through whole runs: all that was written is read back, in every
// pattern and at every depth; damage between writing and reading is found.
#include <algorithm>
#include <functional>
#include <map>

#include "engine/drive_fixture.h"
#include "verify/block.h"
#include "zonal/fault.h"
#include "zonal/forwarding.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

Workload Verified(const std::string& rw, std::uint32_t first_zone, std::uint32_t zones,
                  Checksum checksum = Checksum::kCrc32c) {
  Workload job = Job(rw, first_zone, zones);
  job.verify.checksum = checksum;
  return job;
}

// A run that must be right, with as many bytes read back as written.
void MustVerify(const RunPlan& plan, const std::shared_ptr<Device>& drive) {
  const RunResult run = MustRun(plan, drive);
  for (const WorkerResult& worker : run.workers) {
    CAPTURE(worker.name, worker.detail, ToString(worker.reason));
    CHECK(worker.reason == EndReason::kDone);
    CHECK(worker.verify.mismatches == 0);
    CHECK(worker.verify.dropped == 0);
    CHECK(Reads(worker).bytes == Writes(worker).bytes);
    CHECK(Writes(worker).bytes != 0);
  }
}

}  // namespace

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

namespace {

using Change = std::function<void(std::span<std::byte>)>;

// Changes what reads of one place return.
class LyingQueue : public ForwardingQueue {
 public:
  LyingQueue(std::unique_ptr<IoQueue> under, std::uint64_t offset, Change change)
      : ForwardingQueue(std::move(under)), offset_(offset), change_(std::move(change)) {}

  std::size_t Submit(std::span<const IoRequest> requests) noexcept override {
    const std::size_t taken = ForwardingQueue::Submit(requests);
    for (const IoRequest& request : requests.first(taken)) sent_[request.user_data] = request;
    return taken;
  }
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override {
    const std::size_t count = ForwardingQueue::Poll(out, min, wait);
    for (const Completion& completion : out.first(count)) {
      const IoRequest& request = sent_[completion.user_data];
      if (request.op != IoOp::kRead || request.offset != offset_) continue;
      change_({static_cast<std::byte*>(request.buffer), request.bytes});
    }
    return count;
  }

 private:
  const std::uint64_t offset_;
  const Change change_;
  std::map<std::uint64_t, IoRequest> sent_;
};

class LyingDevice : public ForwardingDevice {
 public:
  LyingDevice(std::shared_ptr<Device> under, std::uint64_t offset, Change change)
      : ForwardingDevice(std::move(under)), offset_(offset), change_(std::move(change)) {}

 protected:
  std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) override {
    return std::make_unique<LyingQueue>(std::move(queue), offset_, change_);
  }

 private:
  const std::uint64_t offset_;
  const Change change_;
};

}  // namespace

TEST_CASE("damage between writing and reading back is found and named", "[verify]") {
  const auto flip = [](std::span<std::byte> data) { data[2000] ^= std::byte{1}; };
  const auto header = [](std::span<std::byte> data) { data[20] ^= std::byte{1}; };
  const auto zeros = [](std::span<std::byte> data) { std::ranges::fill(data, std::byte{0}); };
  const auto half = [](std::span<std::byte> data) {
    std::ranges::fill(data.subspan(data.size() / 2), std::byte{0});
  };
  // As another write would have left it.
  const auto other = [](std::uint64_t run_xor, std::uint64_t offset_plus,
                        std::uint32_t epoch_minus) {
    return [=](std::span<std::byte> data) {
      verify::Header found;
      if (verify::ReadHeader(data, 0, found) != verify::HeaderState::kValid) return;
      found.identity.run_id ^= run_xor;
      found.identity.offset += offset_plus;
      found.identity.epoch -= epoch_minus;
      auto summer = verify::Checksummer::Create(found.checksum);
      verify::StampBlock(data, found.identity, 0, *summer);
    };
  };
  struct Row {
    const char* name;
    Change change;
    const char* words;
  };
  const Row rows[] = {
      {"flip", flip, "corrupt: its crc32c does not fit"},
      {"header", header, "corrupt: its header is damaged"},
      {"zeros", zeros, "missing: only zeros"},
      {"half", half,
       "torn: 4 of 8 sectors are not of the header's write, the first at byte 2048, "
       "which is zeros"},
      {"other run", other(1, 0, 0), "of another run"},
      {"other place", other(0, 4096, 0), "misplaced"},
      {"earlier life", other(0, 0, 2), "of an earlier life of the zone"},
  };
  for (const Row& row : rows) {
    for (const char* rw : {"write", "randwrite"}) {
      for (const bool fatal : {false, true}) {
        CAPTURE(row.name, rw, fatal);
        const std::uint64_t offset = kZoneSize + 5 * kBlock;
        const auto drive = MakeDrive(SmallDrive());
        MustRun(Simulated({Job("write", 1, 2)}), drive);  // so that zones had a life before
        Workload job = Verified(rw, 1, 2);
        job.depth = 1;
        job.verify.fatal = fatal;
        const RunResult run =
            MustRun(Simulated({job}), std::make_shared<LyingDevice>(drive, offset, row.change));
        const WorkerResult& worker = run.workers[0];
        CAPTURE(worker.detail);
        CHECK(worker.reason == EndReason::kVerifyMismatch);
        CHECK(worker.verify.mismatches == 1);
        CHECK(worker.verify.blocks == (fatal ? 6 : 32));
        CHECK(worker.io_errors == 1);
        CHECK(worker.detail.find(row.words) != std::string::npos);
        CHECK(worker.detail.find("at offset " + std::to_string(offset) + " (zone 1)") !=
              std::string::npos);
      }
    }
  }
}

TEST_CASE("a run that survives mismatches counts them", "[verify]") {
  const auto flip = [](std::span<std::byte> data) { data[2000] ^= std::byte{1}; };
  Workload job = Verified("write", 0, 2);
  job.errors.go_on_after_mismatch = true;
  const RunResult run = MustRun(
      Simulated({job}), std::make_shared<LyingDevice>(MakeDrive(SmallDrive()), 3 * kBlock, flip));
  const WorkerResult& worker = run.workers[0];
  CHECK(worker.reason == EndReason::kDone);
  CHECK(worker.io_errors == 1);
  CHECK(worker.verify.mismatches == 1);
  CHECK(worker.verify.messages.size() == 1);
}

TEST_CASE("a lost overwrite of a rewritable place is found", "[verify]") {
  EmulatedOptions options = SmallDrive();
  options.conventional = 2;
  Workload job = Verified("write", 0, 1);
  job.loops = 2;
  job.depth = 1;
  int reads = 0;
  std::vector<std::byte> first;
  // The second pass reads what the first wrote.
  const auto stale = [&](std::span<std::byte> data) {
    if (reads++ == 0) first.assign(data.begin(), data.end());
    std::ranges::copy(first, data.begin());
  };
  const RunResult run = MustRun(
      Simulated({job}), std::make_shared<LyingDevice>(MakeDrive(options), 3 * kBlock, stale));
  const WorkerResult& worker = run.workers[0];
  CAPTURE(worker.detail);
  CHECK(reads == 2);
  CHECK(worker.verify.mismatches == 1);
  CHECK(worker.detail.find("of another write: it is of write 4 of") != std::string::npos);
}

TEST_CASE("a reading job verifies what another wrote", "[verify]") {
  for (const std::uint64_t block : {kBlock, 4 * kBlock}) {
    for (const char* rw : {"read", "randread"}) {
      CAPTURE(block, rw);
      const auto drive = MakeDrive(SmallDrive());
      Workload writer = Verified("write", 1, 2, Checksum::kSha1);
      writer.verify.reads_back = false;
      CHECK(Reads(MustRun(Simulated({writer}), drive).workers[0]).bytes == 0);
      Workload reader = Verified(rw, 0, 4, Checksum::kSha1);
      reader.read_block = block;  // of several blocks: each tells its length
      const RunResult run = MustRun(Simulated({reader}, 99), drive);
      CAPTURE(run.workers[0].detail);
      CHECK(run.workers[0].reason == EndReason::kDone);
      CHECK(run.workers[0].verify.blocks * kBlock == Reads(run.workers[0]).bytes);
      const auto zero = [](std::span<std::byte> data) { data[700] ^= std::byte{1}; };
      const RunResult bad =
          MustRun(Simulated({reader}, 99), std::make_shared<LyingDevice>(drive, kZoneSize, zero));
      CHECK(bad.workers[0].reason == EndReason::kVerifyMismatch);
    }
  }
}

TEST_CASE("a reading job takes blocks of any run, and tells of how many they are", "[verify]") {
  for (const char* rw : {"read", "randread"}) {
    for (const DriverKind driver : kBoth) {
      CAPTURE(rw, static_cast<int>(driver));
      const auto drive = MakeDrive(SmallDrive());
      MustRun(Simulated({Verified("write", 0, 2)}, 7), drive);
      const RunResult one = MustRun(Driven(driver, {Verified(rw, 0, 2)}, 1), drive);
      REQUIRE(one.workers[0].verify.runs.size() == 1);
      CHECK(one.workers[0].verify.runs[0].blocks == 32);
      CHECK(one.workers[0].verify.runs[0].first_offset == 0);
      MustRun(Simulated({Verified("write", 2, 3)}, 8), drive);
      const RunResult mix = MustRun(Driven(driver, {Verified(rw, 0, 5)}, 1), drive);
      const WorkerResult& worker = mix.workers[0];
      CAPTURE(worker.detail);
      CHECK(worker.reason == EndReason::kDone);
      CHECK(worker.verify.mismatches == 0);
      CHECK(worker.verify.mixed_zones == 0);
      REQUIRE(worker.verify.runs.size() == 2);
      CHECK(worker.verify.runs[0].run_id != worker.verify.runs[1].run_id);
      CHECK(worker.verify.runs[0].blocks + worker.verify.runs[1].blocks == 5 * 16);
      std::vector<std::uint64_t> begins = {worker.verify.runs[0].first_offset,
                                           worker.verify.runs[1].first_offset};
      std::ranges::sort(begins);
      CHECK(begins == std::vector<std::uint64_t>{0, 2 * kZoneSize});
    }
  }
}

TEST_CASE("asked for its own run, a reading job finds those of another seed wrong", "[verify]") {
  const auto drive = MakeDrive(SmallDrive());
  MustRun(Simulated({Verified("write", 0, 2)}, 7), drive);
  Workload reader = Verified("read", 0, 2);
  reader.verify.own_run = true;
  CHECK(MustRun(Simulated({reader}, 7), drive).workers[0].reason == EndReason::kDone);
  const RunResult other = MustRun(Simulated({reader}, 8), drive);
  const WorkerResult& worker = other.workers[0];
  CAPTURE(worker.detail);
  CHECK(worker.reason == EndReason::kVerifyMismatch);
  CHECK(worker.verify.mismatches == 32);
  CHECK(worker.detail.find("of another run: it is of write 1 of run") != std::string::npos);
}

TEST_CASE("to a reading job one zone's blocks of one run are of one life", "[verify]") {
  // As if a block of zone 1 had been written before the zone's last reset.
  const auto as = [](std::uint64_t run_xor, std::uint32_t epoch_minus) {
    return [=](std::span<std::byte> data) {
      verify::Header found;
      if (verify::ReadHeader(data, 0, found) != verify::HeaderState::kValid) return;
      found.identity.run_id ^= run_xor;
      found.identity.epoch -= epoch_minus;
      auto summer = verify::Checksummer::Create(found.checksum);
      verify::StampBlock(data, found.identity, 0, *summer);
    };
  };
  const auto drive = MakeDrive(SmallDrive());
  Workload writer = Verified("write", 0, 3);
  writer.loops = 2;  // the second pass resets
  MustRun(Simulated({writer}), drive);
  const std::uint64_t offset = kZoneSize + 5 * kBlock;
  const auto read = [&](const Change& change) {
    return MustRun(Simulated({Verified("read", 0, 3)}),
                   std::make_shared<LyingDevice>(drive, offset, change))
        .workers[0];
  };
  const WorkerResult earlier = read(as(0, 2));
  CAPTURE(earlier.detail);
  CHECK(earlier.reason == EndReason::kVerifyMismatch);
  CHECK(earlier.verify.mismatches == 1);
  CHECK(earlier.detail.find("of an earlier life of the zone") != std::string::npos);
  // Of another run it is a mix, and told as such.
  const WorkerResult mixed = read(as(1, 2));
  CAPTURE(mixed.detail);
  CHECK(mixed.reason == EndReason::kDone);
  CHECK(mixed.verify.mixed_zones == 1);
  REQUIRE(mixed.verify.runs.size() == 2);
  CHECK(mixed.verify.runs[1].blocks == 1);
  CHECK(mixed.verify.runs[1].first_offset == offset);
}

TEST_CASE("verify_only reads what the same job would have written", "[verify]") {
  EmulatedOptions options = SmallDrive();
  options.conventional = 4;
  struct Row {
    const char* rw;
    ZoneMode mode;
    std::uint32_t zone;
  };
  for (const Row& row : {Row{"write", ZoneMode::kZbd, 4}, Row{"randwrite", ZoneMode::kZbd, 4},
                         Row{"write", ZoneMode::kNone, 0}, Row{"randwrite", ZoneMode::kNone, 0}}) {
    CAPTURE(row.rw, row.zone);
    const auto drive = MakeDrive(options);
    Workload job = Verified(row.rw, row.zone, 4);
    job.zone_mode = row.mode;
    if (row.mode == ZoneMode::kNone) job.io_size = 2 * kZoneSize;  // a part of the blocks
    const RunResult wrote = MustRun(Simulated({job}), drive);
    job.verify.only = true;
    const RunResult run = MustRun(Simulated({job}), drive);
    const WorkerResult& worker = run.workers[0];
    CAPTURE(worker.detail);
    CHECK(worker.reason == EndReason::kDone);
    CHECK(Writes(worker).bytes == 0);
    CHECK(worker.verify.blocks * kBlock == Writes(wrote.workers[0]).bytes);
  }
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
