// SPDX-License-Identifier: MIT
// Every kind of damage, for every kind of checksum, and what it is called.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "verify/block_fixture.h"

using namespace zonal;
using namespace zonal::testing;
using verify::Expected;
using verify::Identity;
using verify::Judge;
using verify::Judgement;
using verify::Verdict;

namespace {

constexpr std::size_t kBytes = 4096;

Judgement Of(std::span<const std::byte> block, Checksum checksum,
             const Expected& expected = Wanted()) {
  return Judge(block, expected, Summer(checksum));
}

bool Says(const Judgement& judgement, const std::string& words) {
  return judgement.message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a block read as it was written is right", "[verify]") {
  for (const Checksum checksum : kWithHeader) {
    for (const std::size_t bytes : {512u, 4096u, 65536u, 28672u, 1000u}) {
      for (const std::size_t header_at : {0u, 8u, 300u}) {
        CAPTURE(verify::ToString(checksum), bytes, header_at);
        Expected expected = Wanted();
        expected.header_at = header_at;
        const auto block = Block(checksum, Write(), bytes, header_at);
        const Judgement judged = Of(block, checksum, expected);
        CHECK(judged.message == "");
        CHECK(judged.verdict == Verdict::kOk);
      }
    }
  }
}

TEST_CASE("a header comes back as it was written", "[verify]") {
  for (const Checksum checksum : kWithHeader) {
    CAPTURE(verify::ToString(checksum));
    Identity identity{~0ull, 1ull << 62, 1ull << 40, 0xFFFFFFFF, 0x80000000, true};
    const auto block = Block(checksum, identity, 8192);
    verify::Header header;
    REQUIRE(verify::ReadHeader(block, 0, header) == verify::HeaderState::kValid);
    CHECK(header.checksum == checksum);
    CHECK(header.length == 8192);
    CHECK(header.identity == identity);
    CHECK(header.digest == verify::DigestOf(block, 0, Summer(checksum)));
  }
}

TEST_CASE("data of other writes is told apart", "[verify]") {
  struct Row {
    const char* name;
    Identity write;
    Verdict verdict;
    const char* words;
  };
  const Row rows[] = {
      {"another run",
       {kRun + 1, kOffset, 42, 3, 6, false},
       Verdict::kOtherRun,
       "0x0000000000abcdf0"},
      {"another offset", {kRun, kOffset + 4096, 42, 3, 6, false}, Verdict::kMisplaced, "misplaced"},
      {"another zone", {kRun, kOffset, 42, 4, 6, false}, Verdict::kMisplaced, "in zone 4"},
      {"before the last reset",
       {kRun, kOffset, 42, 3, 4, false},
       Verdict::kEarlierLife,
       "epoch 4, offset 3153920; expected run 0x0000000000abcdef, epoch 6"},
      {"after a reset", {kRun, kOffset, 42, 3, 8, false}, Verdict::kLaterLife, "later life"},
      {"an earlier write", {kRun, kOffset, 41, 3, 6, false}, Verdict::kOtherWrite, "write 41"},
      {"a later write", {kRun, kOffset, 43, 3, 6, false}, Verdict::kOtherWrite, "write 43"},
  };
  for (const Checksum checksum : kWithHeader) {
    for (const Row& row : rows) {
      CAPTURE(verify::ToString(checksum), row.name);
      const Judgement judged = Of(Block(checksum, row.write), checksum);
      CAPTURE(judged.message);
      CHECK(judged.verdict == row.verdict);
      CHECK(Says(judged, row.words));
      CHECK(Says(judged, "at offset 3153920 (zone 3)"));
    }
  }
}

TEST_CASE("what is not expected is not compared", "[verify]") {
  Expected expected = Wanted();
  expected.run_id.reset();
  expected.epoch.reset();
  expected.sequence.reset();
  const Identity other{kRun + 1, kOffset, 7, 3, 99, false};
  CHECK(Of(Block(Checksum::kMd5, other), Checksum::kMd5, expected).ok());
  Identity elsewhere = other;
  elsewhere.offset += 512;
  CHECK(Of(Block(Checksum::kMd5, elsewhere), Checksum::kMd5, expected).verdict ==
        Verdict::kMisplaced);
}

TEST_CASE("of a place that may have been written again, later writes are right", "[verify]") {
  Expected expected = Wanted();
  expected.or_later = true;
  CHECK(Of(Block(Checksum::kCrc32c, Write(43)), Checksum::kCrc32c, expected).ok());
  CHECK(Of(Block(Checksum::kCrc32c, Write(41)), Checksum::kCrc32c, expected).verdict ==
        Verdict::kOtherWrite);
  expected.sequence = 0xFFFFFFFF;  // the low half wraps
  CHECK(Of(Block(Checksum::kCrc32c, Write(1ull << 32)), Checksum::kCrc32c, expected).ok());
}

TEST_CASE("an appended block is known by its zone and sequence", "[verify]") {
  const Identity appended{kRun, kZoneStart, 42, 3, 6, true};
  CHECK(Of(Block(Checksum::kCrc64, appended), Checksum::kCrc64).ok());
  Identity elsewhere = appended;
  elsewhere.offset += 1u << 20;
  CHECK(Of(Block(Checksum::kCrc64, elsewhere), Checksum::kCrc64).verdict == Verdict::kMisplaced);
}

TEST_CASE("zeros and strangers are missing data", "[verify]") {
  for (const Checksum checksum : kWithHeader) {
    CAPTURE(verify::ToString(checksum));
    const Judgement zeros = Of(std::vector<std::byte>(kBytes), checksum);
    CHECK(zeros.verdict == Verdict::kMissing);
    CHECK(Says(zeros, "only zeros"));
    const Judgement stranger = Of(Noise(kBytes, 5), checksum);
    CHECK(stranger.verdict == Verdict::kMissing);
    CHECK(Says(stranger, "no header"));
  }
}

TEST_CASE("another checksum, length or version is another format", "[verify]") {
  const Judgement kind = Of(Block(Checksum::kMd5, Write()), Checksum::kCrc32c);
  CHECK(kind.verdict == Verdict::kOtherFormat);
  CHECK(Says(kind, "verify=md5"));
  auto longer = Block(Checksum::kCrc32c, Write(), 8192);
  longer.resize(4096);
  CHECK(Of(longer, Checksum::kCrc32c).verdict == Verdict::kOtherFormat);
  auto block = Block(Checksum::kHeaderOnly, Write(), 512);
  block[8] = std::byte{9};                                    // the version
  std::fill(block.begin() + 500, block.end(), std::byte{1});  // no tag vouches for it
  CHECK(Of(block, Checksum::kHeaderOnly).verdict == Verdict::kOtherFormat);
}

// The tail of the block is what stood there before: nothing, a write of an earlier
// life, of another run, or an earlier write of this life.
TEST_CASE("a block torn at any sector is torn, whichever end is old", "[verify]") {
  const Identity befores[] = {{kRun, kOffset, 40, 3, 4, false},
                              {kRun ^ 99, kOffset, 42, 3, 6, false},
                              {kRun, kOffset, 41, 3, 6, false}};
  for (const Checksum checksum : kWithHeader) {
    const auto block = Block(checksum, Write());
    std::vector<std::vector<std::byte>> olds = {std::vector<std::byte>(kBytes), Noise(kBytes, 9)};
    for (const Identity& before : befores) olds.push_back(Block(checksum, before));
    for (std::size_t which = 0; which < olds.size(); ++which) {
      for (std::size_t at = 512; at < kBytes; at += 512) {
        CAPTURE(verify::ToString(checksum), which, at);
        const auto cut = static_cast<std::ptrdiff_t>(at);
        auto tail_old = block;
        std::copy(olds[which].begin() + cut, olds[which].end(), tail_old.begin() + cut);
        const Judgement tail = Of(tail_old, checksum);
        CAPTURE(tail.message);
        CHECK(tail.verdict == Verdict::kTorn);
        CHECK(Says(tail, "byte " + std::to_string(at)));
        auto head_old = block;
        std::copy(olds[which].begin(), olds[which].begin() + cut, head_old.begin());
        const Judgement head = Of(head_old, checksum);
        CAPTURE(head.message);
        CHECK(head.verdict == Verdict::kTorn);
        CHECK(Says(head, "bytes from " + std::to_string(at)));
      }
    }
  }
}

TEST_CASE("a sector of another write in the middle is found, equal payloads or not", "[verify]") {
  for (const Checksum checksum : kWithHeader) {
    for (std::size_t at = 512; at < kBytes - 512; at += 512) {
      CAPTURE(verify::ToString(checksum), at);
      std::vector<std::byte> now(kBytes, std::byte{7}), before(kBytes, std::byte{7});
      verify::StampBlock(now, Write(42), 0, Summer(checksum));
      verify::StampBlock(before, Write(41), 0, Summer(checksum));
      std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(at), 512,
                  now.begin() + static_cast<std::ptrdiff_t>(at));
      const Judgement judged = Of(now, checksum);
      CHECK(judged.verdict == Verdict::kTorn);
      CHECK(Says(judged, "of write 41"));
    }
  }
}

TEST_CASE("any flipped bit is found by every checksum", "[verify]") {
  for (const Checksum checksum : kWithDigest) {
    const auto block = Block(checksum, Write(), 1024);
    const auto summer = Summer(checksum);
    for (std::size_t bit = 0; bit < block.size() * 8; ++bit) {
      CAPTURE(verify::ToString(checksum), bit);
      auto flipped = block;
      flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      const Judgement judged = Judge(flipped, Wanted(), summer);
      REQUIRE(!judged.ok());
      const std::size_t at = bit / 8;
      const bool in_payload = at >= verify::HeaderBytes(checksum) && at % 512 < 504;
      const bool in_header = at < verify::HeaderBytes(checksum);
      if (in_payload || in_header) REQUIRE(judged.verdict == Verdict::kCorrupt);
    }
  }
}

TEST_CASE("a header alone protects itself and shows foreign sectors", "[verify]") {
  const auto block = Block(Checksum::kHeaderOnly, Write(), 1024);
  for (std::size_t bit = 0; bit < verify::kFixedHeaderBytes * 8; ++bit) {
    CAPTURE(bit);
    auto flipped = block;
    flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    REQUIRE(Of(flipped, Checksum::kHeaderOnly).verdict == Verdict::kCorrupt);
  }
}

TEST_CASE("random damage never passes and never reads outside the block", "[verify][random]") {
  const char* given = std::getenv("ZONAL_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
  Rng rng(seed);
  for (int round = 0; round < 20000; ++round) {
    CAPTURE(seed, round);
    const Checksum checksum = kWithDigest[rng.Below(std::size(kWithDigest))];
    const std::size_t bytes = 512 + 8 * rng.Below(600);
    const std::size_t header_at = 8 * rng.Below(40);
    auto block = Block(checksum, Write(), bytes, header_at);
    const auto original = block;
    for (std::uint64_t n = 1 + rng.Below(4); n > 0; --n) {
      const std::size_t at = rng.Below(bytes);
      const std::size_t count = std::min<std::size_t>(bytes - at, 1 + rng.Below(64));
      for (std::size_t i = 0; i < count; ++i) block[at + i] = static_cast<std::byte>(rng.Next());
    }
    Expected expected = Wanted();
    expected.header_at = header_at;
    const Judgement judged = Of(block, checksum, expected);
    REQUIRE(judged.ok() == (block == original));
    REQUIRE(judged.ok() == judged.message.empty());
  }
}
