// SPDX-License-Identifier: MIT
// Where zone words lie: neighbours on lines of their own while that is cheap.
#include "device/emulated/zone_words.h"

#include <memory>
#include <vector>

#include "support/catch.h"

namespace zonal::emulated {
namespace {

constexpr std::size_t kLine = 64 / sizeof(AtomicWord);

TEST_CASE("few zones: no two words share a cache line", "[emulated]") {
  for (const std::uint64_t zones : {1ull, 12ull, 65'536ull}) {
    CAPTURE(zones);
    REQUIRE(ZoneWords::BytesFor(zones) == zones * 64);
    std::vector<AtomicWord> memory(zones * kLine + 3);  // a mapping is rounded up
    const ZoneWords words = ZoneWords::Over(memory, zones);
    REQUIRE(words.size() == zones);
    for (std::size_t zone = 0; zone < zones; ++zone) {
      if (&words[zone] != &memory[zone * kLine]) FAIL("zone " << zone);
    }
  }
}

TEST_CASE("many zones, and the table in a file, are packed", "[emulated]") {
  constexpr std::uint64_t kZones = 65'537;
  REQUIRE(ZoneWords::BytesFor(kZones) == kZones * sizeof(AtomicWord));
  std::vector<AtomicWord> memory(kZones);
  const ZoneWords many = ZoneWords::Over(memory, kZones);
  REQUIRE(many.size() == kZones);
  CHECK(&many[kZones - 1] == &memory[kZones - 1]);

  const ZoneWords file = std::span(memory).first(5);
  REQUIRE(file.size() == 5);
  CHECK(&file[4] == &memory[4]);
}

}  // namespace
}  // namespace zonal::emulated
