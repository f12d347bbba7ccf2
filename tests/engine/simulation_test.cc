// SPDX-License-Identifier: MIT
// Small runs under the simulation: the same seed gives the same bytes, and
// thousands of seeds keep the rules and end.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "engine/drive_fixture.h"
#include "zonal/report.h"
#include "zonal/rng.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

// Three jobs that share four zones, with limits tighter than their number.
RunPlan SharedZones(std::uint64_t seed) {
  Workload random = Job("randwrite", 0, 4);
  random.io_size = 6 * kZoneSize;
  Workload sequential = Job("write", 0, 4);
  sequential.io_size = 5 * kZoneSize;
  Workload mixed = Job("randrw", 0, 4);
  mixed.io_size = 8 * kZoneSize;
  mixed.check_stamps = true;
  std::vector<Workload> jobs{random, sequential, mixed};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].max_open_zones = 2;
    jobs[i].stamp_blocks = true;
    jobs[i].seed = 100 + i;
    jobs[i].group = static_cast<std::uint32_t>(i);
  }
  return Simulated(jobs, seed);
}

struct Reports {
  std::string text, json;
};

Reports ReportsOf(const RunPlan& plan) {
  EmulatedOptions options = SmallDrive(4);
  options.order = CompletionOrder::kSeeded;
  options.seed = 11;
  const RunResult run = MustRun(plan, MakeDrive(options));
  ReportOptions report;
  report.version = "zonal";
  report.engine_names.assign(plan.workers.size(), "io_uring");
  return {FormatText(plan, run, report), FormatJson(plan, run, report)};
}

std::string GoldenPath() { return std::string(ZONAL_GOLDEN_DIR) + "/three_jobs.txt"; }

}  // namespace

TEST_CASE("three jobs sharing four zones rerun to the byte, as recorded", "[engine][golden]") {
  const auto [text, json] = ReportsOf(SharedZones(1));
  const Reports again = ReportsOf(SharedZones(1));
  REQUIRE(text == again.text);
  REQUIRE(json == again.json);
  REQUIRE(json != ReportsOf(SharedZones(2)).json);
  // ZONAL_REGENERATE=1 records it anew, after a change that is meant.
  if (std::getenv("ZONAL_REGENERATE") != nullptr) std::ofstream(GoldenPath()) << text;
  std::ifstream golden(GoldenPath());
  std::stringstream recorded;
  recorded << golden.rdbuf();
  REQUIRE(text == recorded.str());
}

namespace {

EmulatedOptions RandomDrive(Rng& rng) {
  EmulatedOptions options = SmallDrive(4 + static_cast<std::uint32_t>(rng.Below(5)));
  options.zone_capacity = OneOf(rng, {16 * kBlock, 16 * kBlock, 13 * kBlock});
  options.conventional = static_cast<std::uint32_t>(OneOf(rng, {0, 0, 1, 2}));
  const auto open = static_cast<std::uint32_t>(1 + rng.Below(4));
  options.max_open = Limit::Of(open);
  options.max_active = Limit::Of(open + static_cast<std::uint32_t>(rng.Below(3)));
  options.order = OneOf(
      rng, {CompletionOrder::kSubmission, CompletionOrder::kSeeded, CompletionOrder::kReverse});
  options.seed = rng.Next();
  options.read_past_write_pointer_fails = true;
  if (rng.Chance(1, 4)) {
    options.dialect = Dialect::kZbc;
    options.zone_capacity = 0;
    options.max_active = Limit::Unlimited();
    options.max_append = 0;
  }
  if (rng.Chance(1, 8)) options.offline_zones = {3};
  if (rng.Chance(1, 8)) {
    options.read_only_zones = {2};
    // Nobody can know how much of a read-only zone may be read: all of it, here.
    options.read_past_write_pointer_fails = false;
  }
  return options;
}

void RandomSizes(Rng& rng, Workload& job) {
  if (rng.Chance(1, 3)) job.write_block = BlockSize(kBlock, (1 + rng.Below(16)) * kBlock);
  if (rng.Chance(1, 3)) job.read_block = BlockSize(kBlock, (1 + rng.Below(16)) * kBlock);
  job.write_zone_remainder = rng.Chance(1, 3);
  if (rng.Chance(1, 4)) job.loops = static_cast<std::uint32_t>(1 + rng.Below(3));
  if (rng.Chance(1, 8)) job.most_operations = 1 + rng.Below(50);
  if (rng.Chance(1, 8)) job.zone_skip = (1 + rng.Below(2)) * kZoneSize;
}

Workload RandomTrims(Rng& rng, const EmulatedOptions& drive) {
  const std::uint32_t first = drive.conventional;
  const auto count = static_cast<std::uint32_t>(1 + rng.Below(drive.zones - first));
  Workload job = Job(rng.Chance(1, 2) ? "rand" : "", first, count);
  job.name = "trim";
  job.trims = true;
  job.trim_block = kZoneSize;
  if (rng.Chance(1, 4)) {
    job.writes = true;
    job.stamp_blocks = true;
    job.write_block = OneOf(rng, {kBlock, 3 * kBlock});
  }
  job.depth = static_cast<std::uint32_t>(OneOf(rng, {1, 2, 4}));
  job.io_size = (1 + rng.Below(2 * count)) * kZoneSize;
  job.seed = rng.Next();
  return job;
}

Workload RandomJob(Rng& rng, const EmulatedOptions& drive, std::uint32_t max_open) {
  const char* const kinds[] = {"write", "read", "randwrite", "randread", "rw", "randrw"};
  const auto first = static_cast<std::uint32_t>(rng.Chance(1, 2) ? 0 : rng.Below(drive.zones));
  const auto count = static_cast<std::uint32_t>(1 + rng.Below(drive.zones - first));
  Workload job = Job(OneOf(rng, kinds), first, count);
  job.depth = static_cast<std::uint32_t>(OneOf(rng, {1, 2, 4, 8}));
  job.write_block = OneOf(rng, {kBlock, kBlock, 2 * kBlock, 3 * kBlock});
  job.read_block = OneOf(rng, {kBlock, 2 * kBlock});
  if (rng.Chance(1, 2)) job.io_size = (1 + rng.Below(2 * count)) * kZoneSize;
  job.max_open_zones = max_open;
  job.read_percent = static_cast<std::uint32_t>(OneOf(rng, {30, 70, 95}));
  job.may_repeat_blocks = rng.Chance(1, 2);
  job.stamp_blocks = true;
  RandomSizes(rng, job);
  // Conventional blocks may be read before anybody wrote them.
  job.check_stamps = drive.conventional == 0 && drive.read_only_zones.empty();
  job.seed = rng.Next();
  return job;
}

// When and how fast the job runs. All of it ends far within the bound of a run.
void HoldBack(Rng& rng, std::size_t index, Workload& job) {
  Pace& pace = job.pace;
  if (rng.Chance(1, 3)) {
    for (std::uint64_t& rate : pace.ios_per_second)
      rate = OneOf<std::uint64_t>(rng, {0, 20'000, 100'000});
    pace.poisson = rng.Chance(1, 2);
  }
  if (rng.Chance(1, 4)) pace.bytes_per_second[1] = 100'000'000;
  if (rng.Chance(1, 4)) {
    pace.think_time = std::chrono::microseconds(1 + rng.Below(100));
    pace.think_blocks = static_cast<std::uint32_t>(1 + rng.Below(8));
    pace.think_after_issue = rng.Chance(1, 2);
    pace.ignore_think_time = rng.Chance(1, 2);
  }
  if (rng.Chance(1, 3)) {
    pace.flow = static_cast<std::uint32_t>(OneOf(rng, {1, 3, 100}));
    pace.flow_sleep = std::chrono::microseconds(rng.Below(2) * 30);
  }
  if (rng.Chance(1, 4)) {
    pace.latency_target = std::chrono::microseconds(1 + rng.Below(20));
    pace.latency_window = std::chrono::microseconds(50);
    pace.latency_run = true;
  }
  if (rng.Chance(1, 3)) {
    job.batching.submit = static_cast<std::uint32_t>(rng.Below(4));
    job.batching.complete_min = static_cast<std::uint32_t>(1 + rng.Below(4));
    job.batching.low_depth = static_cast<std::uint32_t>(rng.Below(4));
  }
  if (rng.Chance(1, 4)) job.schedule.start_delay = std::chrono::microseconds(rng.Below(5000));
  if (index != 0 && rng.Chance(1, 3)) {
    job.schedule.after = {static_cast<std::uint32_t>(rng.Below(index))};
  }
  job.schedule.ends_all = rng.Chance(1, 16);
}

struct Sums {
  std::uint64_t bytes = 0, resets = 0, finishes = 0, trims = 0;
};

void CheckWorkers(const RunResult& run, Sums& sums) {
  for (const WorkerResult& worker : run.workers) {
    CAPTURE(worker.name, ToString(worker.reason), worker.detail);
    REQUIRE(worker.reason != EndReason::kIoError);
    REQUIRE(worker.reason != EndReason::kVerifyMismatch);
    REQUIRE((worker.reason == EndReason::kDone) == worker.detail.empty());
    REQUIRE(worker.io_errors == 0);
    sums.bytes += Writes(worker).bytes;
    sums.resets += worker.zone_resets;
    sums.trims += worker.directions[2].ios;
    sums.finishes += worker.zone_finishes;
  }
}

void CheckDrive(Device& drive, const EmulatedOptions& options, std::uint32_t max_open,
                const Sums& sums) {
  const DriveCounters counters = CountersOf(drive);
  REQUIRE(counters.rule_violations == 0);
  REQUIRE(counters.bytes_written == sums.bytes);
  REQUIRE(counters.resets == sums.resets);
  REQUIRE(counters.finishes == sums.finishes);
  REQUIRE(counters.implicit_closes == 0);
  const std::uint32_t limit = Tighter(options.max_open, options.max_active).count_or(~0u);
  REQUIRE(counters.open_high_water <= std::min(limit, max_open == 0 ? ~0u : max_open));
  if (options.conventional != 0 || sums.finishes != 0 || sums.trims != 0) return;
  // Without tails only full zones are reset: nothing that was written is missing.
  std::uint64_t held =
      sums.resets * (options.zone_capacity == 0 ? kZoneSize : options.zone_capacity);
  for (const Zone& zone : ZonesOf(drive)) {
    if (zone.condition != ZoneCondition::kReadOnly) held += zone.written();
  }
  REQUIRE(held == sums.bytes);
}

std::string Describe(const std::vector<Workload>& jobs) {
  std::ostringstream text;
  for (const Workload& job : jobs) {
    text << job.name << " from " << job.offset / kZoneSize << " zones " << job.size / kZoneSize
         << " io " << job.io_size << " depth " << job.depth << " w " << job.write_block.min << "-"
         << job.write_block.max << " r " << job.read_block.min << "-" << job.read_block.max
         << " loops " << job.loops << " ops " << job.most_operations << " skip " << job.zone_skip
         << (job.write_zone_remainder ? " remainder" : "") << (job.trims ? " trims" : "")
         << (job.writes ? " writes" : "") << " after";
    for (const std::uint32_t index : job.schedule.after) text << " " << index;
    text << "\n";
  }
  return text.str();
}

void RunSeed(std::uint64_t seed) {
  Rng rng(seed);
  const EmulatedOptions options = RandomDrive(rng);
  const std::uint32_t device_limit = options.max_open.count_or(0);
  const auto max_open = static_cast<std::uint32_t>(rng.Below(device_limit + 1));
  std::vector<Workload> jobs;
  for (std::uint64_t n = 1 + rng.Below(4); n > 0; --n) {
    jobs.push_back(rng.Chance(1, 6) ? RandomTrims(rng, options)
                                    : RandomJob(rng, options, max_open));
    jobs.back().max_open_zones = max_open;
  }
  // Far more than any of these runs takes: a microsecond per step.
  constexpr nanoseconds kBound = std::chrono::seconds(2);
  for (Workload& job : jobs) job.runtime = kBound;
  Rng pace(seed ^ 0x5C4ED);
  for (std::size_t i = 0; i < jobs.size() && seed % 2 == 0; ++i) HoldBack(pace, i, jobs[i]);
  const auto drive = MakeDrive(options);
  INFO(Describe(jobs));
  const RunResult run = MustRun(Simulated(jobs, seed), drive);
  REQUIRE(run.wall < kBound);
  Sums sums;
  CheckWorkers(run, sums);
  CheckDrive(*drive, options, max_open, sums);
}

}  // namespace

TEST_CASE("random runs keep every rule and end", "[engine][random]") {
  const std::uint64_t first = SeedOr(1);
  const std::uint64_t runs = std::getenv("ZONAL_SEED") != nullptr ? 1 : ZONAL_RANDOM_RUNS;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    CAPTURE(seed);  // ZONAL_SEED=seed replays it alone
    RunSeed(seed);
  }
}
