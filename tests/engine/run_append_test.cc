// SPDX-License-Identifier: MIT
// write_mode=zone_append: the worker picks the zone, the drive the place. What is
// appended is where the drive said, however many append at once.
#include <cstdio>
#include <functional>
#include <map>
#include <vector>

#include "engine/drive_fixture.h"
#include "verify/state_file.h"
#include "zonal/forwarding.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

Workload Appending(const std::string& rw, std::uint32_t first_zone, std::uint32_t zones) {
  Workload job = Job(rw, first_zone, zones);
  job.appends = true;
  job.verify.checksum = Checksum::kCrc32c;
  return job;
}

std::uint64_t AppendsOf(const WorkerResult& worker) {
  return worker.operations[static_cast<std::size_t>(OpClass::kAppend)].count();
}

void CheckVerified(const WorkerResult& worker) {
  CAPTURE(worker.name, worker.detail, ToString(worker.reason));
  CHECK(worker.reason == EndReason::kDone);
  CHECK(worker.verify.mismatches == 0);
  CHECK(worker.verify.dropped == 0);
  CHECK(Writes(worker).bytes != 0);
  CHECK(Reads(worker).bytes == Writes(worker).bytes);
  CHECK(AppendsOf(worker) == Writes(worker).ios);
}

absl::Status RefusalOf(const std::vector<Workload>& jobs, const EmulatedOptions& options) {
  RunControl control;
  const auto run = Run(Simulated(jobs), control, Always(MakeDrive(options)));
  return run.ok() ? absl::OkStatus() : run.status();
}

}  // namespace

TEST_CASE("what is appended is read back where it landed", "[append]") {
  for (const DriverKind driver : kBoth) {
    for (const char* rw : {"write", "randwrite"}) {
      for (const std::uint32_t depth : {1u, 4u, 32u}) {
        for (const CompletionOrder order :
             {CompletionOrder::kSubmission, CompletionOrder::kReverse, CompletionOrder::kSeeded}) {
          CAPTURE(static_cast<int>(driver), rw, depth, static_cast<int>(order));
          EmulatedOptions options = SmallDrive();
          options.order = order;
          const auto drive = MakeDrive(options);
          Workload job = Appending(rw, 1, 5);
          job.depth = depth;
          job.loops = 2;
          const WorkerResult worker = MustRun(Driven(driver, {job}), drive).workers[0];
          CheckVerified(worker);
          CHECK(Writes(worker).bytes == 2 * 5 * kZoneSize);
          CHECK(worker.zone_resets == 5);
          CHECK(CountersOf(*drive).rule_violations == 0);
        }
      }
    }
  }
}

TEST_CASE("several jobs append to the same zones, and each verifies its own", "[append]") {
  for (const DriverKind driver : kBoth) {
    for (const std::uint32_t targets : {0u, 1u, 3u}) {
      CAPTURE(static_cast<int>(driver), targets);
      EmulatedOptions options = SmallDrive();
      options.order = CompletionOrder::kSeeded;
      const auto drive = MakeDrive(options);
      std::vector<Workload> jobs;
      for (const char* rw : {"write", "randwrite", "write", "randwrite"}) {
        Workload job = Appending(rw, 0, 8);
        job.max_open_zones = targets;
        job.depth = 8;
        job.io_size = 3 * kZoneSize;
        job.verify.backlog = jobs.size() * 3;
        job.seed = jobs.size() + 1;
        jobs.push_back(job);
      }
      const RunResult run = MustRun(Driven(driver, jobs), drive);
      for (const WorkerResult& worker : run.workers) CheckVerified(worker);
      const DriveCounters counters = CountersOf(*drive);
      CHECK(counters.rule_violations == 0);
      CHECK(counters.open_high_water <= (targets == 0 ? 4 : targets));
    }
  }
}

TEST_CASE("appends that are not verified reset full zones as writes do", "[append]") {
  for (const DriverKind driver : kBoth) {
    for (const char* rw : {"write", "randwrite", "rw", "randrw"}) {
      CAPTURE(static_cast<int>(driver), rw);
      const auto drive = MakeDrive(SmallDrive());
      Workload job = Appending(rw, 0, 4);
      job.verify = {};
      job.write_block = BlockSize(kBlock, 3 * kBlock);
      job.io_size = 20 * kZoneSize;
      job.depth = 16;
      const WorkerResult worker = MustRun(Driven(driver, {job}), drive).workers[0];
      CAPTURE(worker.detail);
      CHECK(worker.reason == EndReason::kDone);
      CHECK(Writes(worker).bytes + Reads(worker).bytes == 20 * kZoneSize);
      CHECK(AppendsOf(worker) == Writes(worker).ios);
      CHECK(worker.zone_resets != 0);
      CHECK(CountersOf(*drive).rule_violations == 0);
    }
  }
}

TEST_CASE("what was appended is verified by the next run", "[append]") {
  const std::string path = "run_append_test.drive", state = "run_append_test.state";
  for (const char* rw : {"write", "randwrite"}) {
    CAPTURE(rw);
    REQUIRE(CreateEmulatedFile(path, SmallDrive(), true).ok());
    Workload job = Appending(rw, 0, 4);
    job.target = path;
    job.verify.state_save = state;
    RunControl control;
    REQUIRE(Run(Simulated({job}, 7), control).ok());
    const auto saved = verify::LoadState(state);
    REQUIRE(saved.ok());
    // The device told the places, so the state tells which write is in which.
    for (const verify::State::Blocks& blocks : saved->blocks) CHECK(blocks.first_sequence != 0);
    Workload reader = Job("read", 0, 4);
    reader.target = path;
    reader.verify.checksum = Checksum::kCrc32c;
    Workload loading = reader;
    loading.verify.state_load = state;
    for (const Workload& next : {loading, reader}) {
      RunControl again;
      const auto run = Run(Simulated({next}, 8), again);
      REQUIRE(run.ok());
      CAPTURE(run->workers[0].detail);
      CHECK(run->workers[0].reason == EndReason::kDone);
      CHECK(run->workers[0].verify.blocks == 64);
    }
  }
  std::remove(path.c_str());
  std::remove(state.c_str());
}

namespace {

// Tells, of appends, what it likes.
using Lie = std::function<std::uint64_t(std::uint64_t)>;  // of a landed offset

class LyingQueue : public ForwardingQueue {
 public:
  LyingQueue(std::unique_ptr<IoQueue> under, Lie lie)
      : ForwardingQueue(std::move(under)), lie_(std::move(lie)) {}
  std::size_t Submit(std::span<const IoRequest> requests) noexcept override {
    const std::size_t taken = ForwardingQueue::Submit(requests);
    for (const IoRequest& request : requests.first(taken)) sent_[request.user_data] = request.op;
    return taken;
  }
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override {
    const std::size_t count = ForwardingQueue::Poll(out, min, wait);
    for (Completion& completion : out.first(count)) {
      if (sent_[completion.user_data] != IoOp::kAppend) continue;
      completion.result.offset = lie_(completion.result.offset);
    }
    return count;
  }

 private:
  const Lie lie_;
  std::map<std::uint64_t, IoOp> sent_;
};

class LyingDevice : public ForwardingDevice {
 public:
  LyingDevice(std::shared_ptr<Device> under, Lie lie)
      : ForwardingDevice(std::move(under)), lie_(std::move(lie)) {}

 protected:
  std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) override {
    return std::make_unique<LyingQueue>(std::move(queue), lie_);
  }

 private:
  const Lie lie_;
};

}  // namespace

TEST_CASE("a drive that tells the places of two appends crosswise is found out", "[append]") {
  for (const char* rw : {"write", "randwrite"}) {
    CAPTURE(rw);
    // Blocks 2 and 3 of each zone, the one for the other.
    const auto swap = [](std::uint64_t offset) {
      const std::uint64_t block = offset % kZoneSize / kBlock;
      return block == 2 || block == 3 ? offset ^ kBlock : offset;
    };
    const WorkerResult worker =
        MustRun(Simulated({Appending(rw, 0, 1)}),
                std::make_shared<LyingDevice>(MakeDrive(SmallDrive()), swap))
            .workers[0];
    CAPTURE(worker.detail);
    CHECK(worker.reason == EndReason::kVerifyMismatch);
    CHECK(worker.verify.mismatches == 2);
    CHECK(worker.detail.find("of another write: it is of write") != std::string::npos);
    CHECK(worker.detail.find("appended") != std::string::npos);
  }
}

TEST_CASE("an impossible place of an append is the device's fault", "[append]") {
  struct Row {
    const char* name;
    Lie lie;
  };
  const Row rows[] = {
      {"in another zone", [](std::uint64_t offset) { return offset + kZoneSize; }},
      {"before the device", [](std::uint64_t offset) { return offset - kZoneSize; }},
      {"off the blocks", [](std::uint64_t offset) { return offset + 512; }},
      {"all in one place", [](std::uint64_t offset) { return offset - offset % kZoneSize; }},
  };
  for (const Row& row : rows) {
    for (const DriverKind driver : kBoth) {
      CAPTURE(row.name, static_cast<int>(driver));
      Workload job = Appending("write", 0, 1);
      job.verify.reads_back = false;
      const WorkerResult worker =
          MustRun(Driven(driver, {job}),
                  std::make_shared<LyingDevice>(MakeDrive(SmallDrive()), row.lie))
              .workers[0];
      CAPTURE(worker.detail);
      CHECK(worker.reason == EndReason::kIoError);
      CHECK(worker.error.errc == Errc::kDeviceMisbehaved);
    }
  }
}

TEST_CASE("where appends are not possible they are refused by name", "[append]") {
  struct Row {
    const char* words;
    std::function<void(Workload&, EmulatedOptions&)> spoil;
  };
  const Row rows[] = {
      {"needs --zonemode=zbd", [](auto& job, auto&) { job.zone_mode = ZoneMode::kNone; }},
      {"its queue has no append", [](auto&, auto& drive) { drive.max_append = 0; }},
      {"appends at most 4096 bytes",
       [](auto& job, auto& drive) {
         drive.max_append = kBlock;
         job.write_block = 2 * kBlock;
       }},
      {"conventional zones", [](auto&, auto& drive) { drive.conventional = 1; }},
      {"does not go with recover_zbd_write_error",
       [](auto& job, auto&) {
         job.recover_write_errors = true;
         job.errors.go_on[1] = true;
       }},
      {"does not go with sync", [](auto& job, auto&) { job.forced_writes = true; }},
      {"does not go with job_max_open_zones",
       [](auto& job, auto&) {
         job.max_open_zones = 2;
         job.worker_max_open_zones = 1;
       }},
  };
  for (const Row& row : rows) {
    Workload job = Appending("write", 0, 2);
    EmulatedOptions options = SmallDrive();
    row.spoil(job, options);
    const absl::Status refused = RefusalOf({job}, options);
    CAPTURE(row.words, refused.ToString());
    CHECK(refused.code() == absl::StatusCode::kInvalidArgument);
    CHECK(refused.message().find("write_mode=zone_append") != std::string::npos);
    CHECK(refused.message().find(row.words) != std::string::npos);
  }
  Workload plain = Job("write", 0, 2);
  CHECK(RefusalOf({Appending("write", 0, 2), plain}, SmallDrive()).message().find("or none") !=
        std::string::npos);
  CHECK(RefusalOf({Appending("write", 0, 2), Appending("write", 0, 3)}, SmallDrive())
            .message()
            .find("different write ranges") != std::string::npos);
}
