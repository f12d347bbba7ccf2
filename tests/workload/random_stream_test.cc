// SPDX-License-Identifier: MIT
#include "workload/random_stream.h"

#include <algorithm>
#include <set>
#include <vector>

#include "support/catch.h"

using namespace zonal;
using workload::RandomStream;

namespace {

constexpr std::uint64_t kBlock = 4096;

RandomStream::Options Blocks(std::uint64_t count) {
  RandomStream::Options options;
  options.begin = 10 * kBlock;
  options.end = (10 + count) * kBlock;
  options.block = kBlock;
  options.seed = 5;
  return options;
}

std::vector<std::uint64_t> Draw(const RandomStream::Options& options, int count,
                                std::uint64_t bytes = kBlock) {
  RandomStream stream(options, {});
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < count; ++i) seen.push_back(stream.Next(bytes));
  return seen;
}

int HowOftenItGoesOn(const std::vector<std::uint64_t>& seen) {
  int times = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) times += seen[i] == seen[i - 1] + kBlock ? 1 : 0;
  return times;
}

}  // namespace

TEST_CASE("each block is drawn once a pass", "[workload]") {
  const auto seen = Draw(Blocks(100), 200);
  for (const int pass : {0, 1}) {
    const std::set<std::uint64_t> once(seen.begin() + 100 * pass, seen.begin() + 100 * (pass + 1));
    REQUIRE(once.size() == 100);
    REQUIRE(*once.begin() == 10 * kBlock);
    REQUIRE(*once.rbegin() == 109 * kBlock);
  }
}

TEST_CASE("offsets are multiples of the alignment, and a block fits behind each", "[workload]") {
  for (const std::uint64_t align : {kBlock / 8, kBlock, 3 * kBlock, 200 * kBlock}) {
    CAPTURE(align);
    auto options = Blocks(100);
    options.align = align;
    options.may_repeat = true;
    for (const std::uint64_t offset : Draw(options, 1000)) {
      REQUIRE((offset - options.begin) % align == 0);
      REQUIRE(offset + kBlock <= options.end);
    }
  }
}

TEST_CASE("runs of consecutive offsets", "[workload]") {
  auto options = Blocks(1 << 20);
  options.run_length = 4;
  const auto seen = Draw(options, 4000);
  for (std::size_t i = 0; i + 4 <= seen.size(); i += 4) {
    for (std::size_t k = 1; k < 4; ++k) REQUIRE(seen[i + k] == seen[i] + k * kBlock);
  }
  REQUIRE(HowOftenItGoesOn(seen) == 3000);
  // At the end of the range a run is cut.
  auto small = Blocks(3);
  small.run_length = 100;
  for (const std::uint64_t offset : Draw(small, 50)) REQUIRE(offset + kBlock <= small.end);
}

TEST_CASE("one offset several times", "[workload]") {
  auto options = Blocks(1 << 20);
  options.run_length = 3;
  options.repeats_offset = true;
  const auto seen = Draw(options, 3000);
  std::set<std::uint64_t> different;
  for (std::size_t i = 0; i < seen.size(); i += 3) {
    REQUIRE(seen[i] == seen[i + 1]);
    REQUIRE(seen[i] == seen[i + 2]);
    different.insert(seen[i]);
  }
  REQUIRE(different.size() == 1000);
}

TEST_CASE("a share of the operations goes on where the last one ended", "[workload]") {
  constexpr int kDraws = 20000;
  for (const std::uint32_t percent : {0u, 30u, 75u, 100u}) {
    CAPTURE(percent);
    auto options = Blocks(std::uint64_t{1} << 40);
    options.may_repeat = true;
    options.random_percent = percent;
    const double share = HowOftenItGoesOn(Draw(options, kDraws)) / double{kDraws};
    REQUIRE(share == Approx((100 - percent) / 100.0).margin(0.012));
  }
}

TEST_CASE("a stream of which nothing is random is sequential, round and round", "[workload]") {
  auto options = Blocks(5);
  options.random_percent = 0;
  const auto seen = Draw(options, 12);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    REQUIRE(seen[i] == options.begin + i % 5 * kBlock);
  }
}

TEST_CASE("a stream after a distribution stays in its range", "[workload]") {
  RandomDistribution zipf;
  zipf.kind = RandomDistribution::Kind::kZipf;
  zipf.parameter = 1.1;
  RandomStream stream(Blocks(100), zipf);
  std::vector<int> seen(110);
  for (int i = 0; i < 10000; ++i) ++seen.at(stream.Next(kBlock) / kBlock);
  for (std::size_t i = 0; i < 10; ++i) REQUIRE(seen[i] == 0);
  REQUIRE(*std::max_element(seen.begin(), seen.end()) > 1500);  // 1/zeta of 100 ranks: 0.2
}
