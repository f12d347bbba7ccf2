// SPDX-License-Identifier: MIT
// How much a worker does: loops, most_operations, files it may not create. The
// totals are those that fio's zoned suite asks for (tests 24, 26, 27, 59, 62, 63).
#include <unistd.h>

#include <filesystem>

#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

// Zones of 1 MiB, 768 KiB of which can be written, as the suite's layouts have.
constexpr std::uint64_t kMib = 1 << 20;
constexpr std::uint64_t kCapacity = 3 * kMib / 4;

EmulatedOptions SuiteDrive() {
  EmulatedOptions options = SmallDrive();
  options.zone_size = kMib;
  options.zone_capacity = kCapacity;
  return options;
}

Workload SuiteJob(const std::string& rw, std::uint32_t zone, std::uint64_t block,
                  std::uint32_t loops) {
  Workload job = Job(rw, 0, 1);
  job.offset = zone * kMib;
  job.size = kMib;
  job.read_block = job.write_block = block;
  job.loops = loops;
  job.depth = 1;
  return job;
}

std::uint64_t SumOfWrites(const RunResult& run) {
  std::uint64_t bytes = 0;
  for (const WorkerResult& worker : run.workers) bytes += Writes(worker).bytes;
  return bytes;
}

std::uint64_t SumOfResets(const RunResult& run) {
  std::uint64_t resets = 0;
  for (const WorkerResult& worker : run.workers) resets += worker.zone_resets;
  return resets;
}

void CheckTotals(const RunResult& run, Device& drive, std::uint64_t written) {
  for (const WorkerResult& worker : run.workers) {
    CAPTURE(worker.name, worker.detail);
    REQUIRE(worker.reason == EndReason::kDone);
  }
  const DriveCounters counters = CountersOf(drive);
  REQUIRE(SumOfWrites(run) == written);
  REQUIRE(counters.bytes_written == written);
  REQUIRE(counters.resets == SumOfResets(run));
  REQUIRE(counters.rule_violations == 0);
}

}  // namespace

TEST_CASE("a stream that loops writes its zone once per loop (suite 24)", "[engine][suite]") {
  const auto drive = MakeDrive(SuiteDrive());
  Workload job = SuiteJob("write", 3, kMib / 4, 9);
  job.zone_reset_frequency = 0.01;
  job.zone_reset_threshold = 0.90;
  const RunResult run = MustRun(Simulated({job}), drive);
  CheckTotals(run, *drive, 9 * kCapacity);
  REQUIRE(SumOfResets(run) >= 8);
  REQUIRE(SumOfResets(run) <= 10);
}

TEST_CASE("one zone overwritten four times (suite 26, 27)", "[engine][suite]") {
  for (const std::uint32_t depth : {1u, 16u}) {
    CAPTURE(depth);
    auto drive = MakeDrive(SuiteDrive());
    Workload job = SuiteJob("write", 2, kBlock, 4);
    job.depth = depth;
    RunResult run = MustRun(Simulated({job}), drive);
    CheckTotals(run, *drive, 4 * kCapacity);
    REQUIRE(SumOfResets(run) == 3);

    drive = MakeDrive(SuiteDrive());
    Workload random = SuiteJob("randwrite", 2, kBlock, 4);
    random.depth = depth;
    run = MustRun(Simulated({random}), drive);
    // Without verification a random writer goes on resetting until `size` is written.
    CheckTotals(run, *drive, 4 * kMib);
    REQUIRE(SumOfResets(run) == 5);
  }
}

// Each half of the zone but the first costs one reset, whoever writes it. Threads may
// come between each other's looks at the zone and writes to it: hence so many runs.
TEST_CASE("two jobs that loop over one zone reset it after each half (suite 62)",
          "[engine][suite]") {
  for (const DriverKind driver : kBoth) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      CAPTURE(static_cast<int>(driver), seed);
      const auto drive = MakeDrive(SuiteDrive());
      std::vector<Workload> jobs(2, SuiteJob("write", 1, kMib / 4, 2));
      for (Workload& job : jobs) {
        job.zone_reset_frequency = 1;
        job.zone_reset_threshold = 0.5;
      }
      const RunResult run = MustRun(Driven(driver, jobs, seed), drive);
      CheckTotals(run, *drive, 4 * kMib);
      REQUIRE(SumOfResets(run) == 7);
    }
  }
}

TEST_CASE("a reader beside a looping writer counts no data of its own (suite 63)",
          "[engine][suite]") {
  const auto drive = MakeDrive(SuiteDrive());
  MustRun(Simulated({SuiteJob("write", 0, kMib / 4, 1)}), drive);
  const std::uint64_t before = CountersOf(*drive).bytes_written;
  Workload writer = SuiteJob("write", 1, kMib / 4, 2);
  writer.zone_reset_frequency = 1;
  writer.zone_reset_threshold = 0.5;
  const RunResult run = MustRun(Simulated({SuiteJob("read", 0, kMib / 4, 2), writer}), drive);
  REQUIRE(Reads(run.workers[0]).bytes == 2 * kCapacity);
  REQUIRE(Writes(run.workers[1]).bytes == 2 * kMib);
  REQUIRE(run.workers[1].zone_resets == 3);
  REQUIRE(CountersOf(*drive).bytes_written - before == 2 * kMib);
}

TEST_CASE("a mixed job loops by bytes (suite 17)", "[engine][suite]") {
  const auto drive = MakeDrive(SuiteDrive());
  Workload job = SuiteJob("randrw", 7, kBlock, 2);
  job.depth = 8;
  job.may_repeat_blocks = true;
  const RunResult run = MustRun(Simulated({job}), drive);
  REQUIRE(run.workers[0].reason == EndReason::kDone);
  REQUIRE(Writes(run.workers[0]).bytes + Reads(run.workers[0]).bytes == 2 * kMib);
}

TEST_CASE("threads loop as the simulation does", "[engine]") {
  const auto drive = MakeDrive(SuiteDrive());
  const RunResult run = MustRun(Threaded({SuiteJob("write", 2, kBlock, 3)}), drive);
  CheckTotals(run, *drive, 3 * kCapacity);
  REQUIRE(SumOfResets(run) == 2);
}

TEST_CASE("a stream that loops over partly written zones says what it wrote less", "[engine]") {
  const auto drive = MakeDrive(SuiteDrive());
  Workload before = SuiteJob("write", 2, kBlock, 1);
  before.io_size = 8 * kBlock;
  MustRun(Simulated({before}), drive);
  const RunResult run = MustRun(Simulated({SuiteJob("write", 2, kBlock, 3)}), drive);
  REQUIRE(run.workers[0].reason == EndReason::kLessRoom);
  REQUIRE(Writes(run.workers[0]).bytes == 3 * kCapacity - 8 * kBlock);
  REQUIRE(run.workers[0].detail.find("of " + std::to_string(3 * kCapacity) + " bytes") !=
          std::string::npos);
}

TEST_CASE("most_operations ends a job, whatever its loops", "[engine]") {
  for (const char* rw : {"write", "randwrite", "rw"}) {
    for (const std::uint64_t most : {1u, 7u, 200u}) {
      CAPTURE(rw, most);
      const auto drive = MakeDrive(SuiteDrive());
      Workload job = SuiteJob(rw, 1, kBlock, 5);
      job.depth = 8;
      job.most_operations = most;
      const RunResult run = MustRun(Simulated({job}), drive);
      REQUIRE(run.workers[0].reason == EndReason::kDone);
      REQUIRE(Writes(run.workers[0]).ios + Reads(run.workers[0]).ios == most);
    }
  }
  const auto drive = MakeDrive(SuiteDrive());
  Workload enough = SuiteJob("write", 1, kBlock, 1);
  enough.most_operations = 1000;
  REQUIRE(Writes(MustRun(Simulated({enough}), drive).workers[0]).bytes == kCapacity);
}

TEST_CASE("a file that is not there is not created unless it may be", "[engine]") {
  const auto path =
      std::filesystem::temp_directory_path() / ("zonal_may_create." + std::to_string(::getpid()));
  Workload job = Job("write", 0, 4);
  job.zone_mode = ZoneMode::kNone;
  job.direct = false;
  job.queue = QueueKind::kSync;
  job.depth = 1;
  job.target = path.string();
  job.may_create = false;
  RunControl control;
  RunPlan plan = Threaded({job});
  const auto refused = Run(plan, control);
  REQUIRE(absl::IsNotFound(refused.status()));
  REQUIRE_FALSE(std::filesystem::exists(path));
  plan.workers[0].may_create = true;
  const auto run = Run(plan, control);
  const bool ok = run.ok();
  const bool exists = std::filesystem::exists(path);
  std::filesystem::remove(path);
  REQUIRE(ok);
  REQUIRE(exists);
}
