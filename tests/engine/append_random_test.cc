// SPDX-License-Identifier: MIT
// Appending jobs of all kinds share zones of drives of all kinds, under the
// simulation: each finds its blocks where the drive said, no limit is exceeded, all
// end, and a rerun comes to the same.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "engine/drive_fixture.h"
#include "zonal/rng.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

EmulatedOptions RandomDrive(Rng& rng) {
  EmulatedOptions options = SmallDrive(3 + static_cast<std::uint32_t>(rng.Below(5)));
  options.zone_capacity = OneOf(rng, {16 * kBlock, 13 * kBlock});
  const auto open = static_cast<std::uint32_t>(1 + rng.Below(4));
  options.max_open = Limit::Of(open);
  options.max_active = Limit::Of(open + static_cast<std::uint32_t>(rng.Below(3)));
  if (rng.Chance(1, 4)) options.max_open = options.max_active = Limit::Unlimited();
  options.max_append = OneOf(rng, {32 * kBlock, 2 * kBlock});
  options.order = OneOf(
      rng, {CompletionOrder::kSubmission, CompletionOrder::kSeeded, CompletionOrder::kReverse});
  options.seed = rng.Next();
  options.read_past_write_pointer_fails = true;
  if (rng.Chance(1, 8)) options.offline_zones = {1};
  return options;
}

Workload RandomJob(Rng& rng, const EmulatedOptions& drive) {
  Workload job =
      Job(OneOf(rng, {"write", "randwrite", "write", "randwrite", "rw", "randrw"}), 0, drive.zones);
  job.appends = true;
  job.depth = static_cast<std::uint32_t>(OneOf(rng, {1, 2, 4, 16}));
  job.write_block =
      OneOf(rng, {BlockSize(kBlock), BlockSize(2 * kBlock), BlockSize(kBlock, 2 * kBlock)});
  job.loops = static_cast<std::uint32_t>(OneOf(rng, {1, 1, 2}));
  if (rng.Chance(1, 2)) job.io_size = (1 + rng.Below(2 * drive.zones)) * kZoneSize;
  job.write_zone_remainder = rng.Chance(1, 4);
  if (rng.Chance(3, 4)) {
    job.verify.checksum = OneOf(rng, {Checksum::kCrc32c, Checksum::kXxhash, Checksum::kHeaderOnly});
    job.verify.interval = rng.Chance(1, 3) ? kBlock : 0;
    if (rng.Chance(1, 3)) job.verify.backlog = 1 + rng.Below(20);
  }
  job.seed = rng.Next();
  return job;
}

struct Outcome {
  std::vector<std::uint64_t> numbers;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome RunSeed(std::uint64_t seed) {
  Rng rng(seed);
  const EmulatedOptions options = RandomDrive(rng);
  const std::uint32_t limit = options.max_open.count_or(4);
  const auto max_open = static_cast<std::uint32_t>(rng.Below(limit + 1));
  constexpr nanoseconds kBound = std::chrono::seconds(2);
  std::vector<Workload> jobs;
  const std::uint64_t count = OneOf(rng, {1u, 2u, 3u, 4u});
  for (std::uint64_t n = 0; n < count; ++n) {
    jobs.push_back(RandomJob(rng, options));
    jobs.back().max_open_zones = max_open;
    jobs.back().runtime = kBound;
  }
  const auto drive = MakeDrive(options);
  const RunResult run = MustRun(Simulated(jobs, seed), drive);
  CHECK(run.wall < kBound);
  Outcome outcome;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const WorkerResult& worker = run.workers[i];
    CAPTURE(worker.name, ToString(worker.reason), worker.detail);
    REQUIRE(worker.reason != EndReason::kIoError);
    REQUIRE(worker.reason != EndReason::kVerifyMismatch);
    REQUIRE(worker.verify.mismatches == 0);
    // Jobs that do not verify reset zones under those that do.
    const bool all_verify = std::all_of(jobs.begin(), jobs.end(),
                                        [](const Workload& job) { return job.verify.enabled(); });
    if (all_verify) REQUIRE(worker.verify.dropped == 0);
    if (all_verify && !jobs[i].reads) REQUIRE(Reads(worker).bytes == Writes(worker).bytes);
    const Histogram& appends = worker.operations[static_cast<std::size_t>(OpClass::kAppend)];
    REQUIRE(appends.count() == Writes(worker).ios);
    outcome.numbers.insert(outcome.numbers.end(), {Writes(worker).ios, Reads(worker).bytes,
                                                   worker.zone_resets, worker.verify.blocks});
  }
  const DriveCounters counters = CountersOf(*drive);
  REQUIRE(counters.rule_violations == 0);
  if (max_open != 0) REQUIRE(counters.open_high_water <= max_open);
  outcome.numbers.push_back(counters.bytes_written);
  return outcome;
}

}  // namespace

TEST_CASE("random appending runs end right on a right drive, and again", "[append][random]") {
  const std::uint64_t first = SeedOr(1);
  const std::uint64_t runs = std::getenv("ZONAL_SEED") != nullptr ? 1 : ZONAL_RANDOM_RUNS;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    CAPTURE(seed);  // ZONAL_SEED=seed replays it alone
    const Outcome outcome = RunSeed(seed);
    if (seed % 10 == 0) REQUIRE(RunSeed(seed) == outcome);
  }
}
