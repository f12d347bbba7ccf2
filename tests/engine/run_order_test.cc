// SPDX-License-Identifier: MIT
// When workers start, in relation to others, and whom their end takes along.
#include "engine/run_order.h"

#include <algorithm>
#include <mutex>

#include "engine/drive_fixture.h"
#include "zonal/fault.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

Workload After(Workload job, std::vector<std::uint32_t> others) {
  job.schedule.after = std::move(others);
  return job;
}

std::vector<Workload> Named(std::vector<std::vector<std::uint32_t>> afters) {
  std::vector<Workload> jobs;
  for (std::size_t i = 0; i < afters.size(); ++i) {
    jobs.push_back(After(Job("write", 0, 1), afters[i]));
    jobs.back().name = std::string(1, static_cast<char>('a' + i));
  }
  return jobs;
}

nanoseconds EndOf(const WorkerResult& worker) { return worker.started_after + worker.runtime; }

}  // namespace

TEST_CASE("an order without circles is accepted, one with is refused by name", "[engine]") {
  struct Row {
    const char* name;
    std::vector<std::vector<std::uint32_t>> after;
    const char* complaint;  // null: accepted
  };
  const Row rows[] = {
      {"none", {{}, {}}, nullptr},
      {"chain", {{}, {0}, {1}}, nullptr},
      {"backward", {{2}, {}, {1}}, nullptr},
      {"diamond", {{}, {0}, {0}, {1, 2}}, nullptr},
      {"itself", {{}, {1}}, "b waits for b"},
      {"two", {{1}, {0}}, "a waits for b waits for a"},
      {"a tail into a circle", {{1}, {2}, {3}, {1}}, "b waits for c waits for d waits for b"},
      {"nobody", {{}, {7}}, "b: it waits for worker 7, and there are 2"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const absl::Status status = engine::CheckOrder(Named(row.after));
    REQUIRE(status.ok() == (row.complaint == nullptr));
    if (status.ok()) continue;
    CAPTURE(status.ToString());
    REQUIRE(std::string(status.message()).find(row.complaint) != std::string::npos);
  }
}

TEST_CASE("a circle is refused before anything is opened", "[engine]") {
  RunControl control;
  const auto result = Run(Simulated(Named({{1}, {0}})), control,
                          [](const Workload&) -> absl::StatusOr<std::shared_ptr<Device>> {
                            return absl::InternalError("opened");
                          });
  REQUIRE(result.status().code() == absl::StatusCode::kInvalidArgument);
}

TEST_CASE("writers at once are those that are neither before nor after each other", "[engine]") {
  REQUIRE(engine::WritersAtOnce(Named({{}, {}, {}}), "emu") == 3);
  REQUIRE(engine::WritersAtOnce(Named({{}, {0}, {1}}), "emu") == 1);
  REQUIRE(engine::WritersAtOnce(Named({{}, {0}, {0}, {1, 2}}), "emu") == 2);
  REQUIRE(engine::WritersAtOnce(Named({{}, {}}), "other") == 0);
  std::vector<Workload> mixed = Named({{}, {}});
  mixed[1].writes = false;
  mixed[1].reads = true;
  REQUIRE(engine::WritersAtOnce(mixed, "emu") == 1);
}

TEST_CASE("a worker starts when all it comes after have ended", "[engine]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    // Listed backwards, so that the order in the plan does not help.
    const RunResult run =
        MustRun(Driven(driver, {After(Job("read", 0, 2), {1, 2}), After(Job("write", 0, 1), {2}),
                                Job("write", 1, 1)}),
                MakeDrive(SmallDrive()));
    for (const WorkerResult& worker : run.workers) {
      CAPTURE(worker.detail);
      REQUIRE(worker.reason == EndReason::kDone);
    }
    REQUIRE(Reads(run.workers[0]).bytes == 2 * kZoneSize);
    REQUIRE(run.workers[0].started_after >= EndOf(run.workers[1]));
    REQUIRE(run.workers[1].started_after >= EndOf(run.workers[2]));
  }
}

TEST_CASE("a delay counts from the start of the run", "[engine]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    Workload late = Job("write", 1, 1);
    late.schedule.start_delay = std::chrono::milliseconds(30);
    Workload later = After(Job("write", 2, 1), {1});
    later.schedule.start_delay = std::chrono::milliseconds(40);
    const RunResult run =
        MustRun(Driven(driver, {Job("write", 0, 1), late, later}), MakeDrive(SmallDrive()));
    REQUIRE(run.workers[0].started_after < std::chrono::milliseconds(25));
    REQUIRE(run.workers[1].started_after >= std::chrono::milliseconds(30));
    REQUIRE(run.workers[2].started_after >= std::chrono::milliseconds(40));
    if (driver != DriverKind::kSimulation) continue;
    REQUIRE(run.workers[1].started_after < std::chrono::milliseconds(31));
    REQUIRE(run.workers[2].started_after < std::chrono::milliseconds(41));
  }
}

TEST_CASE("a reader waits for a writer that starts later, unless that comes after it", "[engine]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    Workload late = Job("write", 0, 2);
    late.schedule.start_delay = std::chrono::milliseconds(20);
    const RunResult waits =
        MustRun(Driven(driver, {Job("read", 0, 2), late}), MakeDrive(SmallDrive()));
    REQUIRE(waits.workers[0].reason == EndReason::kDone);
    REQUIRE(Reads(waits.workers[0]).bytes > 0);

    const RunResult ends =
        MustRun(Driven(driver, {Job("read", 0, 2), After(Job("write", 0, 2), {0})}),
                MakeDrive(SmallDrive()));
    REQUIRE(ends.workers[0].reason == EndReason::kNoReadableData);
    REQUIRE(ends.workers[1].reason == EndReason::kDone);
    REQUIRE(Writes(ends.workers[1]).bytes == 2 * kZoneSize);
  }
}

// Two zones are open outside the range of the first writer, whose limit they fill. It
// waits for a writer that waits for a reader that waits for its data.
TEST_CASE("a stuck writer ends although others have not started", "[engine]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    EmulatedOptions options = SmallDrive();
    options.max_open = options.max_active = Limit::Of(1);
    const auto drive = MakeDrive(options);
    REQUIRE(drive->Manage(ZoneOp::kOpen, {ZoneId(7), 1}, nanoseconds{0}).ok());
    const RunResult run = MustRun(
        Driven(driver, {Job("write", 0, 1), Job("read", 0, 1), After(Job("write", 1, 1), {1})}),
        drive);
    REQUIRE(run.workers[0].reason == EndReason::kNoWritableZone);
    REQUIRE(run.workers[1].reason == EndReason::kNoReadableData);
    REQUIRE(run.workers[2].reason == EndReason::kNoWritableZone);
  }
}

TEST_CASE("stages that follow each other have the whole target set each", "[engine]") {
  Workload first = Job("randwrite", 0, 8);
  first.max_open_zones = 4;
  first.io_size = 8 * kZoneSize;
  const auto drive = MakeDrive(SmallDrive());
  const RunResult run = MustRun(Simulated({first, After(first, {0})}), drive);
  REQUIRE(run.workers[0].reason == EndReason::kDone);
  REQUIRE(run.workers[1].reason == EndReason::kDone);
  REQUIRE(CountersOf(*drive).open_high_water == 4);
}

TEST_CASE("a worker that is done ends all others, or those of its stage", "[engine]") {
  for (const DriverKind driver : kBoth) {
    for (const bool only_stage : {false, true}) {
      CAPTURE(static_cast<int>(driver), only_stage);
      Workload first = Job("write", 0, 1);
      first.schedule.ends_all = !only_stage;
      first.schedule.ends_its_group = only_stage;
      Workload endless = Job("randwrite", 1, 1);
      endless.time_based = true;
      endless.runtime = std::chrono::seconds(100);
      Workload next = After(Job("write", 2, 1), {0, 1});
      next.schedule.stage = 1;
      const RunResult run =
          MustRun(Driven(driver, {first, endless, next}), MakeDrive(SmallDrive()));
      REQUIRE(Writes(run.workers[0]).bytes == kZoneSize);
      REQUIRE(run.wall < std::chrono::seconds(50));
      for (const WorkerResult& worker : run.workers) {
        REQUIRE(worker.reason == EndReason::kDone);
        REQUIRE(worker.runtime.count() >= 0);
      }
      REQUIRE(Writes(run.workers[2]).bytes == (only_stage ? kZoneSize : 0));
    }
  }
}

TEST_CASE("an error ends all workers where that is asked for", "[engine][fault]") {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.zone = ZoneId(0);
  rule.nth = 3;
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    Workload fails = Job("write", 0, 1);
    fails.errors.ends_all = true;
    Workload endless = Job("randwrite", 1, 1);
    endless.time_based = true;
    endless.runtime = std::chrono::seconds(100);
    const RunResult run = MustRun(Driven(driver, {fails, endless, After(Job("write", 2, 1), {1})}),
                                  NewFaultDevice(MakeDrive(SmallDrive()), {rule}));
    REQUIRE(run.workers[0].reason == EndReason::kIoError);
    for (const std::size_t other : {1u, 2u}) {
      REQUIRE(run.workers[other].reason == EndReason::kEndedByError);
      REQUIRE(run.workers[other].detail.find("because write failed") != std::string::npos);
    }
    REQUIRE(Writes(run.workers[2]).ios == 0);
  }
}

TEST_CASE("commands run before the first and after the last operation", "[engine]") {
  for (const DriverKind driver : kBoth) {
    CAPTURE(static_cast<int>(driver));
    Workload job = Job("write", 0, 1);
    job.command_before = "before";
    job.command_after = "after";
    Workload next = After(Job("write", 1, 1), {0});
    next.command_before = "next";
    const auto drive = MakeDrive(SmallDrive());
    RunControl control;
    std::mutex mutex;
    std::vector<std::string> ran;
    control.on_command = [&](const std::string& command, const Workload&) {
      const std::lock_guard lock(mutex);
      ran.push_back(command + " " + std::to_string(CountersOf(*drive).bytes_written));
      return 0;
    };
    const auto run = Run(Driven(driver, {job, next}), control, Always(drive));
    REQUIRE(run.ok());
    REQUIRE(ran == std::vector<std::string>{"before 0", "after 65536", "next 65536"});
  }
}

TEST_CASE("a command that fails fails its worker, and needs somebody to run it", "[engine]") {
  for (const DriverKind driver : kBoth) {
    for (const bool before : {true, false}) {
      CAPTURE(static_cast<int>(driver), before);
      Workload job = Job("write", 0, 1);
      (before ? job.command_before : job.command_after) = "false";
      const RunPlan plan = Driven(driver, {job});
      RunControl control;
      REQUIRE(Run(plan, control, Always(MakeDrive(SmallDrive()))).status().code() ==
              absl::StatusCode::kInvalidArgument);
      control.on_command = [](const std::string&, const Workload&) { return 3; };
      const auto run = Run(plan, control, Always(MakeDrive(SmallDrive())));
      REQUIRE(run.ok());
      const WorkerResult& worker = run->workers[0];
      REQUIRE(worker.reason == EndReason::kCommandFailed);
      REQUIRE(worker.detail.find("`false` ended with status 3") != std::string::npos);
      REQUIRE(Writes(worker).bytes == (before ? 0 : kZoneSize));
    }
  }
}

TEST_CASE("a run that is stopped does not start who waits", "[engine]") {
  Workload endless = Job("randwrite", 1, 1);
  endless.time_based = true;
  endless.runtime = std::chrono::seconds(100);
  RunControl control;
  control.progress_interval = std::chrono::milliseconds(5);
  control.on_progress = [&](const std::vector<WorkerProgress>& all, nanoseconds) {
    if (all[0].bytes_done != 0) control.Stop();
  };
  Workload delayed = Job("write", 3, 1);
  delayed.schedule.start_delay = std::chrono::seconds(100);
  const auto run =
      Run(Driven(DriverKind::kThreads, {endless, After(Job("write", 2, 1), {0}), delayed}), control,
          Always(MakeDrive(SmallDrive())));
  REQUIRE(run.ok());
  REQUIRE(run->wall < std::chrono::seconds(50));
  for (const WorkerResult& worker : run->workers) {
    REQUIRE(worker.reason == EndReason::kInterrupted);
  }
  REQUIRE(Writes(run->workers[1]).ios == 0);
}
