// SPDX-License-Identifier: MIT
#include "workload/stamp.h"

#include <cstring>
#include <vector>

#include "support/catch.h"

using namespace zonal::workload;

namespace {

const Stamp kFirst{99, 3, 2, 3 * 65536 + 4096, 17};

std::vector<std::byte> Stamped() {
  std::vector<std::byte> data(3 * 512, std::byte{0xAA});
  StampBlocks(data, 512, kFirst);
  return data;
}

bool Contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a stamped buffer reads back and checks", "[stamp]") {
  const std::vector<std::byte> data = Stamped();
  Stamp second = kFirst;
  second.offset += 512;
  REQUIRE(ReadStamp(std::span(data).first(512)) == kFirst);
  REQUIRE(ReadStamp(std::span(data).subspan(512, 512)) == second);
  REQUIRE(CheckStamps(data, 512, kFirst).empty());
  Stamp other_writer = kFirst;
  other_writer.worker = 7;
  other_writer.sequence = 1;
  REQUIRE(CheckStamps(data, 512, other_writer).empty());
}

TEST_CASE("a mismatch names the block and the field", "[stamp]") {
  const std::vector<std::byte> data = Stamped();
  Stamp expected = kFirst;
  expected.offset += 512;
  REQUIRE(Contains(CheckStamps(data, 512, expected), "offset is 200704, expected 201216"));
  expected = kFirst;
  expected.zone = 4;
  REQUIRE(Contains(CheckStamps(data, 512, expected), "zone is 3, expected 4"));
  expected = kFirst;
  expected.run_seed = 1;
  REQUIRE(Contains(CheckStamps(data, 512, expected), "run seed is 99, expected 1"));
}

TEST_CASE("every changed byte of the fields, and a torn tail, is noticed", "[stamp]") {
  const std::vector<std::byte> good = Stamped();
  for (std::size_t at = 0; at < 512; ++at) {
    if (at >= 48 && at < 504) continue;  // between the fields and the tail
    CAPTURE(at);
    std::vector<std::byte> bad = good;
    bad[512 + at] ^= std::byte{1};
    const std::string off = CheckStamps(bad, 512, kFirst);
    REQUIRE(Contains(off, "block at offset 201216: it carries no stamp"));
  }
}
