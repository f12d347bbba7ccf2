// SPDX-License-Identifier: MIT
#include "workload/block_sizes.h"

#include <map>

#include "support/catch.h"

using namespace zonal;
using workload::BlockSizes;

namespace {

std::map<std::uint64_t, int> Draw(BlockSizes sizes, int count) {
  std::map<std::uint64_t, int> seen;
  for (int i = 0; i < count; ++i) ++seen[sizes.Next()];
  return seen;
}

// Pearson's statistic against equal or given shares of `count`.
double ChiSquare(const std::map<std::uint64_t, int>& seen,
                 const std::map<std::uint64_t, double>& expected, int count) {
  double sum = 0;
  for (const auto& [bytes, share] : expected) {
    const double want = share * count;
    const double got = seen.count(bytes) == 0 ? 0 : seen.at(bytes);
    sum += (got - want) * (got - want) / want;
  }
  return sum;
}

}  // namespace

TEST_CASE("a fixed block size is always the same", "[workload]") {
  REQUIRE(Draw(BlockSizes(4096, {}), 100) == std::map<std::uint64_t, int>{{4096, 100}});
  REQUIRE(Draw(BlockSizes(65536, {32768, 0, 1}), 9) == std::map<std::uint64_t, int>{{32768, 9}});
}

TEST_CASE("a range draws each multiple of its least evenly", "[workload]") {
  constexpr int kDraws = 16000;
  const auto seen = Draw(BlockSizes(BlockSize(4096, 65536), {0, 0, 7}), kDraws);
  REQUIRE(seen.size() == 16);
  std::map<std::uint64_t, double> even;
  for (std::uint64_t i = 1; i <= 16; ++i) {
    REQUIRE(seen.count(i * 4096) == 1);
    even[i * 4096] = 1.0 / 16;
  }
  REQUIRE(ChiSquare(seen, even, kDraws) < 37.7);  // 15 degrees of freedom, p = 0.001
}

TEST_CASE("a range whose largest is no multiple of its least stops below it", "[workload]") {
  const auto seen = Draw(BlockSizes(BlockSize(4096, 10000), {}), 1000);
  REQUIRE(seen.size() == 2);
  REQUIRE(seen.count(4096) + seen.count(8192) == 2);
}

TEST_CASE("unaligned sizes are multiples of the device's block only", "[workload]") {
  const auto seen = Draw(BlockSizes(BlockSize(3 * 512, 6 * 512), {0, 512, 3}), 1000);
  REQUIRE(seen.size() == 4);
  REQUIRE(seen.begin()->first == 3 * 512);
  REQUIRE(seen.rbegin()->first == 6 * 512);
}

TEST_CASE("shares are drawn in their proportions and no other size is", "[workload]") {
  BlockSize split(4096, 65536);
  split.shares = {{4096, 50}, {16384, 30}, {65536, 20}};
  constexpr int kDraws = 10000;
  const auto seen = Draw(BlockSizes(split, {0, 0, 5}), kDraws);
  REQUIRE(seen.size() == 3);
  REQUIRE(ChiSquare(seen, {{4096, 0.5}, {16384, 0.3}, {65536, 0.2}}, kDraws) < 13.8);
  split.shares = {{4096, 0}, {8192, 100}};
  REQUIRE(Draw(BlockSizes(split, {}), 50) == std::map<std::uint64_t, int>{{8192, 50}});
}
