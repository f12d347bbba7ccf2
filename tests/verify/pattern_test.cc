// SPDX-License-Identifier: MIT
#include "verify/pattern.h"

#include <algorithm>

#include "verify/block_fixture.h"

using namespace zonal;
using namespace zonal::testing;
using verify::BlockPattern;
using verify::Judgement;
using verify::JudgePattern;
using verify::Verdict;

TEST_CASE("a pattern is repeated from the block's first byte", "[verify]") {
  const auto bytes = Noise(7, 1);
  std::vector<std::byte> block(4096);
  verify::FillPattern(block, {bytes, {}}, 12345);
  for (std::size_t i = 0; i < block.size(); ++i) REQUIRE(block[i] == bytes[i % 7]);
  CHECK(JudgePattern(block, {bytes, {}}, Wanted()).ok());
}

TEST_CASE("any changed byte of a pattern is found, and where", "[verify]") {
  for (const std::size_t length : {1u, 4u, 7u, 16u, 600u, 5000u}) {
    const auto bytes = Noise(length, 2);
    std::optional<std::size_t> offset_at;
    if (length == 16 || length == 600) offset_at = 5;  // repeated: one changed copy is no move
    const BlockPattern pattern{bytes, offset_at};
    std::vector<std::byte> block(1024);
    verify::FillPattern(block, pattern, kOffset);
    REQUIRE(JudgePattern(block, pattern, Wanted()).ok());
    for (std::size_t at = 0; at < block.size(); ++at) {
      CAPTURE(length, at);
      auto changed = block;
      changed[at] ^= std::byte{0x10};
      const Judgement judged = JudgePattern(changed, pattern, Wanted());
      REQUIRE(judged.verdict == Verdict::kCorrupt);
      REQUIRE(judged.message.find("byte " + std::to_string(at) + " is") != std::string::npos);
    }
  }
}

TEST_CASE("a pattern with the offset in it shows misplaced blocks", "[verify]") {
  const auto bytes = Noise(64, 3);
  const BlockPattern pattern{bytes, 8};
  std::vector<std::byte> block(4096);
  verify::FillPattern(block, pattern, kOffset + 4096);
  const Judgement judged = JudgePattern(block, pattern, Wanted());
  CHECK(judged.verdict == Verdict::kMisplaced);
  CHECK(judged.message.find("for offset 3158016") != std::string::npos);
  std::fill(block.begin(), block.end(), std::byte{0});
  CHECK(JudgePattern(block, pattern, Wanted()).verdict == Verdict::kMissing);
}
