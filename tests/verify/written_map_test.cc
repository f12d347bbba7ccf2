// SPDX-License-Identifier: MIT
// Against a std::map that does the same slowly.
#include "verify/written_map.h"

#include <cstdlib>
#include <map>

#include "support/catch.h"
#include "zonal/rng.h"

using namespace zonal;
using verify::WrittenBlock;
using verify::WrittenMap;

namespace {

WrittenMap Map(std::uint64_t begin, std::uint64_t end, std::uint64_t granule, bool sequences) {
  auto map = WrittenMap::Create({begin, end, granule, sequences});
  REQUIRE(map.ok());
  return *std::move(map);
}

class Model {
 public:
  void Remove(std::uint64_t offset, std::uint64_t bytes) {
    for (auto it = blocks_.begin(); it != blocks_.end();) {
      const bool hit = it->first < offset + bytes && it->first + it->second.bytes > offset;
      it = hit ? blocks_.erase(it) : std::next(it);
    }
  }
  void Add(std::uint64_t offset, std::uint64_t bytes, std::uint32_t sequence) {
    Remove(offset, bytes);
    blocks_[offset] = {offset, bytes, sequence};
  }
  std::optional<WrittenBlock> Next(std::uint64_t from) const {
    const auto it = blocks_.lower_bound(from);
    return it == blocks_.end() ? std::nullopt : std::optional(it->second);
  }
  std::size_t size() const { return blocks_.size(); }

 private:
  std::map<std::uint64_t, WrittenBlock> blocks_;
};

void RunSeed(std::uint64_t seed) {
  Rng rng(seed);
  const std::uint64_t granule = rng.Chance(1, 2) ? 4096 : 1;
  const std::uint64_t begin = rng.Below(100) * granule;
  const std::uint64_t granules = rng.Chance(1, 4) ? 100000 : 1 + rng.Below(400);
  const bool sequences = rng.Chance(1, 2);
  WrittenMap map = Map(begin, begin + granules * granule, granule, sequences);
  Model model;
  for (std::uint32_t step = 1; step < 200; ++step) {
    const std::uint64_t at = rng.Below(granules);
    const std::uint64_t longest = rng.Chance(1, 10) ? 200 : 8;
    const std::uint64_t count = 1 + rng.Below(std::min(longest, granules - at));
    const std::uint64_t offset = begin + at * granule;
    CAPTURE(seed, step, offset, count);
    if (rng.Chance(3, 4)) {
      map.Add(offset, count * granule, step);
      model.Add(offset, count * granule, sequences ? step : 0);
    } else {
      map.Remove(offset, count * granule);
      model.Remove(offset, count * granule);
    }
    REQUIRE(map.blocks() == model.size());
    const std::uint64_t from = begin + rng.Below(granules) * granule;
    REQUIRE(map.Next(from) == model.Next(from));
  }
  std::uint64_t at = begin;
  for (std::uint64_t n = map.blocks(); n > 0; --n) {
    const auto block = map.Next(at);
    REQUIRE(block == model.Next(at));
    at = block->offset + block->bytes;
  }
  REQUIRE(!map.Next(at));
}

}  // namespace

TEST_CASE("a map of written blocks agrees with a list of them", "[verify][random]") {
  const char* given = std::getenv("ZONAL_SEED");
  const std::uint64_t first = given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
  for (std::uint64_t seed = first; seed < first + (given != nullptr ? 1 : 1000); ++seed) {
    RunSeed(seed);
  }
}

TEST_CASE("a range that is no multiple of the granule ends in a short block", "[verify]") {
  WrittenMap map = Map(0, 10000, 4096, false);
  map.Add(8192, 1808, 0);
  CHECK(map.Next(0) == WrittenBlock{8192, 1808, 0});
}

TEST_CASE("a large drive takes memory only where it was written", "[verify]") {
  constexpr std::uint64_t kPiB = std::uint64_t{1} << 50;
  WrittenMap map = Map(0, kPiB / 32, 4096, true);
  map.Add(kPiB / 33 / 4096 * 4096, 65536, 9);
  const auto block = map.Next(0);
  REQUIRE(block.has_value());
  CHECK(*block == WrittenBlock{kPiB / 33 / 4096 * 4096, 65536, 9});
  map.Remove(block->offset + 4096, 4096);
  CHECK(map.blocks() == 0);
  CHECK(!map.Next(0));
}
