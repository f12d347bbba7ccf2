// SPDX-License-Identifier: MIT
#include "workload/offsets.h"

#include <array>
#include <cstdint>
#include <set>

#include "support/catch.h"

using zonal::workload::RandomOffsets;
using zonal::workload::SequentialOffsets;

TEST_CASE("sequential offsets tile the range and cut the last block", "[workload]") {
  SequentialOffsets offsets(1000, 1000 + 2 * 512 + 100);
  std::uint64_t expected = 1000;
  for (const std::uint64_t fit : {512u, 512u, 100u}) {
    REQUIRE_FALSE(offsets.pass_over());
    REQUIRE(offsets.position() == expected);
    REQUIRE(offsets.Fit(512) == fit);
    offsets.Advance(fit);
    expected += fit;
  }
  REQUIRE(offsets.pass_over());
  offsets.StartPass();
  REQUIRE(offsets.position() == 1000);
}

TEST_CASE("random offsets visit each block once a pass", "[workload]") {
  for (const std::uint64_t block : {4096ull, 3 * 512ull}) {
    CAPTURE(block);
    RandomOffsets offsets(8192, 8192 + 777 * block + 5, block, false, 42);
    REQUIRE(offsets.blocks() == 777);
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 777; ++i) {
      const std::uint64_t offset = offsets.Next();
      REQUIRE(offset >= 8192);
      REQUIRE((offset - 8192) % block == 0);
      REQUIRE(seen.insert(offset).second);
    }
    REQUIRE(*seen.rbegin() == 8192 + 776 * block);
  }
}

TEST_CASE("repeating random offsets are uniform", "[workload]") {
  constexpr std::size_t kBlocks = 16;
  constexpr int kDraws = 160000;
  RandomOffsets offsets(0, kBlocks * 512, 512, true, 7);
  std::array<int, kBlocks> hits{};
  for (int i = 0; i < kDraws; ++i) ++hits[offsets.Next() / 512];
  double chi_squared = 0;
  for (const int n : hits) {
    const double off = n - kDraws / static_cast<double>(kBlocks);
    chi_squared += off * off / (kDraws / static_cast<double>(kBlocks));
  }
  REQUIRE(chi_squared < 37.7);  // 15 degrees of freedom, p = 0.001
}
