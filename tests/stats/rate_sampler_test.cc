// SPDX-License-Identifier: MIT
#include "stats/rate_sampler.h"

#include "support/catch.h"

namespace zonal::stats {
namespace {

Instant At(std::int64_t milliseconds) { return Instant{milliseconds * 1'000'000}; }

TEST_CASE("a sample closes when its window is over, and not before", "[stats]") {
  RateSampler sampler;
  sampler.Start(At(1000), 0, 0);
  sampler.Update(At(1499), 4096 * 100, 100);
  CHECK(sampler.iops().count == 0);
  sampler.Update(At(1500), 4096 * 100, 100);
  CHECK(sampler.iops().count == 1);
  CHECK(sampler.iops().mean == Approx(200));
  CHECK(sampler.bandwidth_kib().mean == Approx(800));
  sampler.Update(At(1999), 4096 * 150, 150);
  CHECK(sampler.iops().count == 1);
}

TEST_CASE("samples know their extremes, mean and deviation", "[stats]") {
  RateSampler sampler;
  sampler.Start(At(0), 0, 0);
  std::uint64_t ios = 0;
  for (int i = 1; i <= 3; ++i) {
    ios += static_cast<std::uint64_t>(i) * 50;  // 100, 200, 300 per second
    sampler.Update(At(500 * i), ios * 2048, ios);
  }
  const RateSamples iops = sampler.iops();
  CHECK(iops.count == 3);
  CHECK(iops.min == Approx(100));
  CHECK(iops.max == Approx(300));
  CHECK(iops.mean == Approx(200));
  CHECK(iops.stdev == Approx(100));
  CHECK(sampler.bandwidth_kib().stdev == Approx(200));
}

TEST_CASE("a stall is one low sample over the time it took", "[stats]") {
  RateSampler sampler;
  sampler.Start(At(0), 0, 0);
  sampler.Update(At(2000), 1024, 10);
  CHECK(sampler.iops().count == 1);
  CHECK(sampler.iops().mean == Approx(5));
}

TEST_CASE("starting over forgets what came before", "[stats]") {
  RateSampler sampler;
  sampler.Start(At(0), 0, 0);
  sampler.Update(At(500), 1 << 20, 1000);
  sampler.Start(At(700), 2 << 20, 2000);
  CHECK(sampler.iops().count == 0);
  sampler.Update(At(1200), 3 << 20, 2050);
  CHECK(sampler.iops().mean == Approx(100));
  CHECK(sampler.bandwidth_kib().min == Approx(2048));
}

}  // namespace
}  // namespace zonal::stats
