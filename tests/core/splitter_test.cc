// SPDX-License-Identifier: MIT
// Pieces by table, then the properties on random geometries: they concatenate
// to what is transferable of the input and cross no zone end, no capacity, no
// transfer limit and no write unit.
#include "zonal/splitter.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "support/catch.h"
#include "zonal/rng.h"

namespace zonal {
namespace {

TEST_CASE("the first piece is cut where the first limit is", "[core]") {
  struct Row {
    std::string name;
    std::uint64_t offset, bytes, capacity_end;
    SplitLimits limits;
    Piece expected;
  };
  const Row rows[] = {
      {"nothing cuts", 0, 100, 1000, {0, 1}, {0, 100}},
      {"ends at the capacity exactly", 900, 100, 1000, {0, 1}, {900, 100}},
      {"cut at the capacity", 900, 200, 1000, {0, 1}, {900, 100}},
      {"starts at the capacity", 1000, 10, 1000, {0, 1}, {1000, 0}},
      {"starts above the capacity", 1001, 10, 1000, {0, 1}, {1001, 0}},
      {"empty range", 5, 0, 1000, {0, 1}, {5, 0}},
      {"transfer limit", 0, 1000, 4096, {256, 1}, {0, 256}},
      {"limit rounded down to a unit", 0, 1000, 4096, {300, 128}, {0, 256}},
      {"first piece ends on a unit though it starts off one",
       100,
       1000,
       4096,
       {300, 128},
       {100, 284}},
      {"limit below a unit", 0, 1000, 4096, {64, 128}, {0, 64}},
      {"limit not reached: the input's own end stands", 0, 200, 4096, {300, 128}, {0, 200}},
      {"above 4 GiB", 5ull << 32, 1ull << 33, 6ull << 32, {0, 512}, {5ull << 32, 1ull << 32}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(FirstPiece(row.offset, row.bytes, row.capacity_end, row.limits) == row.expected);
  }
}

// One random case; returns what is wrong with its pieces, or nothing.
std::string Check(Rng& rng) {
  Geometry geometry;
  geometry.block_size = 512;
  geometry.zone_size = 512 * (1 + rng.Below(40));  // powers of two and others
  geometry.zone_count = static_cast<std::uint32_t>(1 + rng.Below(6));
  const std::uint64_t short_by = rng.Chance(1, 2) ? rng.Below(geometry.zone_size / 512) * 512 : 0;
  geometry.size_bytes = geometry.zone_size * geometry.zone_count - short_by;
  std::vector<std::uint64_t> capacity;
  for (std::uint32_t z = 0; z < geometry.zone_count; ++z) {
    capacity.push_back(512 * (1 + rng.Below(geometry.SizeOf(ZoneId(z)) / 512)));
  }
  const SplitLimits limits{rng.Chance(1, 3) ? 0 : 512 * (1 + rng.Below(12)),
                           static_cast<std::uint32_t>(512 << rng.Below(3))};
  const std::uint64_t offset = rng.Below(geometry.size_bytes / 512) * 512;
  const std::uint64_t bytes = rng.Below((geometry.size_bytes - offset) / 512 + 1) * 512;
  const auto capacity_of = [&](ZoneId zone) { return capacity[zone.value()]; };

  std::vector<bool> covered(geometry.size_bytes / 512, false);
  std::uint64_t last_end = offset;
  std::string wrong;
  const auto require = [&](bool holds, const char* what) {
    if (!holds && wrong.empty()) wrong = what;
  };
  const std::uint64_t total =
      ForEachPiece(geometry, offset, bytes, limits, capacity_of, [&](Piece piece) {
        const ZoneId zone = geometry.ZoneOf(piece.offset);
        const std::uint64_t end = piece.offset + piece.bytes;
        const std::uint64_t capacity_end = geometry.StartOf(zone) + capacity_of(zone);
        require(piece.bytes > 0, "an empty piece");
        require(piece.offset >= last_end, "pieces overlap or go back");
        require(end <= geometry.EndOf(zone), "a piece crosses its zone's end");
        require(end <= capacity_end, "a piece crosses its zone's capacity");
        require(end <= offset + bytes, "a piece leaves the range");
        require(limits.max_bytes == 0 || piece.bytes <= limits.max_bytes, "above the limit");
        const bool own_end = end == offset + bytes || end == capacity_end;
        const bool fits = limits.max_bytes == 0 || limits.max_bytes >= 2 * limits.unit;
        require(own_end || !fits || end % limits.unit == 0, "a piece breaks a write unit");
        for (std::uint64_t b = piece.offset; b < end; b += 512) covered[b / 512] = true;
        last_end = end;
      });
  std::uint64_t expected = 0;
  for (std::uint64_t b = offset; b < offset + bytes; b += 512) {
    const ZoneId zone = geometry.ZoneOf(b);
    const bool transferable = b - geometry.StartOf(zone) < capacity_of(zone);
    require(covered[b / 512] == transferable, "a block is missing, or should not be there");
    expected += transferable ? 512 : 0;
  }
  require(total == expected, "the total is wrong");
  return wrong;
}

TEST_CASE("pieces cover a range exactly and cross nothing", "[core]") {
  const char* text = std::getenv("ZONAL_SEED");
  const std::uint64_t base = text == nullptr ? 1 : std::strtoull(text, nullptr, 0);
  for (std::uint64_t seed = base; seed < base + (text == nullptr ? 20000 : 1); ++seed) {
    Rng rng(seed);
    const std::string wrong = Check(rng);
    if (!wrong.empty()) FAIL(wrong << "; replay with ZONAL_SEED=" << seed);
  }
  SUCCEED();
}

}  // namespace
}  // namespace zonal
