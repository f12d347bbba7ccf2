// SPDX-License-Identifier: MIT
#include "workload/block_permutation.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/catch.h"

using zonal::workload::BlockPermutation;

namespace {

std::vector<std::uint64_t> OnePass(BlockPermutation& numbers, std::uint64_t count) {
  std::vector<std::uint64_t> pass;
  for (std::uint64_t i = 0; i < count; ++i) pass.push_back(numbers.Next());
  return pass;
}

}  // namespace

TEST_CASE("each number comes once per pass, whatever the count", "[workload]") {
  std::vector<std::uint64_t> counts{4095, 4096, 4097, 65536, 100003};
  for (std::uint64_t count = 1; count <= 130; ++count) counts.push_back(count);
  for (const std::uint64_t count : counts) {
    CAPTURE(count);
    BlockPermutation numbers(count, count * 7 + 1);
    for (int pass = 0; pass < 3; ++pass) {
      std::vector<std::uint64_t> drawn = OnePass(numbers, count);
      REQUIRE(numbers.left() == 0);
      std::sort(drawn.begin(), drawn.end());
      for (std::uint64_t i = 0; i < count; ++i) REQUIRE(drawn[i] == i);
    }
  }
}

TEST_CASE("passes and seeds differ, and the same seed repeats", "[workload]") {
  BlockPermutation a(1000, 1), b(1000, 1), c(1000, 2);
  const auto first = OnePass(a, 1000);
  REQUIRE(first == OnePass(b, 1000));
  REQUIRE(first != OnePass(c, 1000));
  REQUIRE(first != OnePass(a, 1000));
}

TEST_CASE("the order has no visible drift or step", "[workload]") {
  // Mean of the first tenth is near the middle, and few neighbours are adjacent.
  constexpr std::uint64_t kCount = 100000;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    BlockPermutation numbers(kCount, seed);
    double sum = 0;
    std::uint64_t adjacent = 0, previous = numbers.Next();
    for (int i = 0; i < 10000; ++i) {
      const std::uint64_t n = numbers.Next();
      sum += static_cast<double>(n);
      adjacent += n - previous + 1 <= 2 ? 1 : 0;
      previous = n;
    }
    // Standard error of the mean is 0.29 % of the range; this is six of them.
    REQUIRE(sum / 10000 == Approx(kCount / 2.0).margin(kCount * 0.018));
    REQUIRE(adjacent < 20);
  }
}
