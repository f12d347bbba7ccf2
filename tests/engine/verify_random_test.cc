// SPDX-License-Identifier: MIT
// Verifying jobs of all kinds share drives of all kinds, under the simulation: on a
// drive that does nothing wrong nothing is found wrong, nothing is lost, and all end.
#include <cstdlib>

#include "engine/drive_fixture.h"
#include "zonal/rng.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

EmulatedOptions RandomDrive(Rng& rng) {
  EmulatedOptions options = SmallDrive(4 + static_cast<std::uint32_t>(rng.Below(5)));
  options.zone_capacity = OneOf(rng, {16 * kBlock, 13 * kBlock});
  options.conventional = static_cast<std::uint32_t>(OneOf(rng, {0, 0, 0, 2}));
  const auto open = static_cast<std::uint32_t>(1 + rng.Below(4));
  options.max_open = Limit::Of(open);
  options.max_active = Limit::Of(open + static_cast<std::uint32_t>(rng.Below(3)));
  options.order = OneOf(
      rng, {CompletionOrder::kSubmission, CompletionOrder::kSeeded, CompletionOrder::kReverse});
  options.seed = rng.Next();
  options.read_past_write_pointer_fails = true;
  if (rng.Chance(1, 8)) options.offline_zones = {3};
  return options;
}

Workload RandomJob(Rng& rng, const EmulatedOptions& drive, std::uint32_t max_open) {
  const auto first = static_cast<std::uint32_t>(rng.Chance(2, 3) ? 0 : rng.Below(drive.zones));
  const auto count = static_cast<std::uint32_t>(1 + rng.Below(drive.zones - first));
  Workload job = Job(OneOf(rng, {"write", "randwrite", "rw", "randrw"}), first, count);
  job.depth = static_cast<std::uint32_t>(OneOf(rng, {1, 2, 4, 16}));
  job.write_block = OneOf(rng, {BlockSize(kBlock), BlockSize(2 * kBlock), BlockSize(3 * kBlock),
                                BlockSize(kBlock, 4 * kBlock)});
  job.loops = static_cast<std::uint32_t>(OneOf(rng, {1, 1, 2, 3}));
  if (rng.Chance(1, 3)) job.io_size = (1 + rng.Below(2 * count)) * kZoneSize;
  job.max_open_zones = max_open;
  job.read_percent = static_cast<std::uint32_t>(OneOf(rng, {30, 70}));
  job.write_zone_remainder = rng.Chance(1, 4);
  job.verify.checksum = OneOf(rng, {Checksum::kCrc32c, Checksum::kXxhash, Checksum::kHeaderOnly});
  job.verify.interval = rng.Chance(1, 3) ? kBlock : 0;
  if (rng.Chance(1, 3)) job.verify.backlog = 1 + rng.Below(20);
  if (rng.Chance(1, 3)) job.verify.backlog_batch = static_cast<std::uint32_t>(rng.Below(5));
  job.seed = rng.Next();
  return job;
}

void RunSeed(std::uint64_t seed) {
  Rng rng(seed);
  const EmulatedOptions options = RandomDrive(rng);
  const auto max_open = static_cast<std::uint32_t>(rng.Below(options.max_open.count_or(0) + 1));
  std::vector<Workload> jobs;
  const std::uint64_t count = OneOf(rng, {1u, 1u, 2u, 3u});
  for (std::uint64_t n = 0; n < count; ++n) jobs.push_back(RandomJob(rng, options, max_open));
  if (rng.Chance(1, 4)) {
    for (Workload& job : jobs) {
      job.offset = jobs[0].offset;
      job.size = jobs[0].size;
      job.zone_reset_threshold = 0.3;
      job.zone_reset_frequency = 0.2;
    }
  }
  constexpr nanoseconds kBound = std::chrono::seconds(2);
  for (Workload& job : jobs) job.runtime = kBound;
  const auto drive = MakeDrive(options);
  const RunResult run = MustRun(Simulated(jobs, seed), drive);
  CHECK(run.wall < kBound);
  for (const WorkerResult& worker : run.workers) {
    CAPTURE(worker.name, ToString(worker.reason), worker.detail);
    REQUIRE(worker.reason != EndReason::kIoError);
    // Jobs that write the same conventional blocks destroy each other's.
    if (options.conventional != 0 && jobs.size() > 1) continue;
    REQUIRE(worker.reason != EndReason::kVerifyMismatch);
    REQUIRE(worker.verify.mismatches == 0);
    // Blocks of various sizes overlap there.
    if (options.conventional == 0) REQUIRE(worker.verify.dropped == 0);
    if (options.conventional == 0 && (worker.name == "write" || worker.name == "randwrite")) {
      REQUIRE(Reads(worker).bytes == Writes(worker).bytes);
    }
  }
  REQUIRE(CountersOf(*drive).rule_violations == 0);
}

}  // namespace

TEST_CASE("random verifying runs find nothing wrong on a right drive", "[verify][random]") {
  const std::uint64_t first = SeedOr(1);
  const std::uint64_t runs = std::getenv("ZONAL_SEED") != nullptr ? 1 : ZONAL_RANDOM_RUNS;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    CAPTURE(seed);  // ZONAL_SEED=seed replays it alone
    RunSeed(seed);
  }
}
