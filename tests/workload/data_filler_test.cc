// SPDX-License-Identifier: MIT
#include "workload/data_filler.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/catch.h"

using namespace zonal;
using workload::DataFiller;
using Kind = DataFill::Kind;

namespace {

constexpr std::size_t kBlock = 4096;
using Block = std::vector<std::byte>;

DataFill Of(Kind kind) {
  DataFill fill;
  fill.kind = kind;
  return fill;
}

// What `count` writes from one buffer would send; with `reads`, a read spoils the
// buffer before each.
std::vector<Block> Written(const DataFill& fill, int count, bool reads = false,
                           std::size_t bytes = kBlock) {
  DataFiller filler(fill, 7, reads);
  Block buffer(bytes);
  filler.Prepare(buffer);
  std::vector<Block> blocks;
  for (int i = 0; i < count; ++i) {
    if (reads) std::fill(buffer.begin(), buffer.end(), std::byte{0xEE});
    filler.NextBlock(buffer, static_cast<std::uint64_t>(i) * bytes);
    blocks.push_back(buffer);
  }
  return blocks;
}

std::size_t Different(const std::vector<Block>& blocks) {
  return std::set<Block>(blocks.begin(), blocks.end()).size();
}

std::size_t Zeros(const Block& block) {
  return static_cast<std::size_t>(std::count(block.begin(), block.end(), std::byte{0}));
}

}  // namespace

TEST_CASE("one random pattern stays, and does not compress", "[workload][fill]") {
  const auto blocks = Written(Of(Kind::kRandom), 5);
  REQUIRE(Different(blocks) == 1);
  REQUIRE(Zeros(blocks[0]) < kBlock / 64);
}

TEST_CASE("refilled blocks all differ, the same for a seed", "[workload][fill]") {
  const auto blocks = Written(Of(Kind::kRefill), 50);
  REQUIRE(Different(blocks) == 50);
  REQUIRE(blocks == Written(Of(Kind::kRefill), 50));
}

TEST_CASE("scrambled blocks differ in every sector, and little", "[workload][fill]") {
  const auto blocks = Written(Of(Kind::kScramble), 20);
  REQUIRE(Different(blocks) == 20);
  for (std::size_t sector = 0; sector < kBlock; sector += 512) {
    std::size_t same = 0;
    for (std::size_t i = sector; i < sector + 512; ++i) same += blocks[3][i] == blocks[4][i];
    REQUIRE(same >= 512 - 16);
    REQUIRE(same < 512);
  }
}

TEST_CASE("zeros and patterns, also where reads spoil the buffers", "[workload][fill]") {
  for (const bool reads : {false, true}) {
    CAPTURE(reads);
    for (const Block& block : Written(Of(Kind::kZeros), 3, reads)) REQUIRE(Zeros(block) == kBlock);
    DataFill pattern = Of(Kind::kPattern);
    pattern.pattern = {std::byte{0xAB}, std::byte{1}, std::byte{2}};
    for (const Block& block : Written(pattern, 3, reads)) {
      for (std::size_t i = 0; i < kBlock; ++i) REQUIRE(block[i] == pattern.pattern[i % 3]);
    }
  }
  DataFill longer = Of(Kind::kPattern);
  longer.pattern.assign(2 * kBlock, std::byte{9});
  REQUIRE(Written(longer, 1)[0] == Block(kBlock, std::byte{9}));
}

TEST_CASE("a percentage of each chunk compresses away", "[workload][fill]") {
  for (const std::uint32_t percent : {10u, 50u, 75u, 100u}) {
    CAPTURE(percent);
    DataFill fill = Of(Kind::kRandom);
    fill.compress_percent = percent;
    const auto blocks = Written(fill, 10);
    if (percent != 100) REQUIRE(Different(blocks) == 10);
    for (const Block& block : blocks) {
      for (std::size_t chunk = 0; chunk < kBlock; chunk += 512) {
        const Block part(block.begin() + static_cast<std::ptrdiff_t>(chunk),
                         block.begin() + static_cast<std::ptrdiff_t>(chunk + 512));
        const std::size_t away = 512 * percent / 100;
        REQUIRE(Zeros(part) >= away);
        REQUIRE(Zeros(part) <= away + 20);
      }
    }
  }
}

TEST_CASE("a percentage of the blocks repeats an earlier one", "[workload][fill]") {
  for (const std::uint32_t percent : {20u, 80u}) {
    CAPTURE(percent);
    DataFill fill = Of(Kind::kRefill);
    fill.dedupe_percent = percent;
    const double share = 1 - static_cast<double>(Different(Written(fill, 2000, false, 64))) / 2000;
    REQUIRE(share == Approx(percent / 100.0).margin(0.035));
  }
}

TEST_CASE("blocks of any length are filled to their end", "[workload][fill]") {
  for (const std::size_t bytes : {1u, 7u, 8u, 513u, 4095u}) {
    CAPTURE(bytes);
    REQUIRE(Different(Written(Of(Kind::kRefill), 4, false, bytes)) > 1);
    REQUIRE(Written(Of(Kind::kRandom), 1, false, bytes)[0].size() == bytes);
  }
}
