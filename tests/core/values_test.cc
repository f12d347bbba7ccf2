// SPDX-License-Identifier: MIT
// Limit, Geometry, Zone, Clock and Rng: the small values everything stands on.
#include <string>
#include <vector>

#include "support/catch.h"
#include "zonal/clock.h"
#include "zonal/geometry.h"
#include "zonal/limit.h"
#include "zonal/rng.h"
#include "zonal/zone.h"

namespace zonal {
namespace {

TEST_CASE("a limit has three values and no arithmetic on two of them", "[core]") {
  CHECK(Limit::Of(2).Admits(1));
  CHECK_FALSE(Limit::Of(2).Admits(2));
  CHECK_FALSE(Limit::Of(0).Admits(0));
  CHECK(Limit::Unknown().Admits(1'000'000));
  CHECK(Limit::Unlimited().Admits(1'000'000));
  CHECK_FALSE(Limit::Unknown().count().has_value());
  CHECK(Limit::Unlimited().count_or(7) == 7);
  CHECK(Limit::Of(3).count_or(7) == 3);
  CHECK_FALSE(Limit::Unknown() == Limit::Unlimited());
}

TEST_CASE("the tighter of two limits", "[core]") {
  CHECK(Tighter(Limit::Of(3), Limit::Of(5)) == Limit::Of(3));
  CHECK(Tighter(Limit::Unlimited(), Limit::Of(5)) == Limit::Of(5));
  CHECK(Tighter(Limit::Of(5), Limit::Unknown()) == Limit::Of(5));
  CHECK(Tighter(Limit::Unknown(), Limit::Unlimited()) == Limit::Unlimited());
  CHECK(Tighter(Limit::Unknown(), Limit::Unknown()) == Limit::Unknown());
}

TEST_CASE("zones of any size tile the device, the last one may be short", "[core]") {
  for (const std::uint64_t zone_size : {4096ull, 12288ull, 5ull << 32}) {
    CAPTURE(zone_size);
    Geometry geometry;
    geometry.zone_size = zone_size;
    geometry.zone_count = 3;
    geometry.size_bytes = 2 * zone_size + 512;
    CHECK(geometry.ZoneOf(0) == ZoneId(0));
    CHECK(geometry.ZoneOf(zone_size - 1) == ZoneId(0));
    CHECK(geometry.ZoneOf(zone_size) == ZoneId(1));
    CHECK(geometry.ZoneOf(geometry.size_bytes - 1) == ZoneId(2));
    CHECK(geometry.StartOf(ZoneId(2)) == 2 * zone_size);
    CHECK(geometry.SizeOf(ZoneId(1)) == zone_size);
    CHECK(geometry.SizeOf(ZoneId(2)) == 512);
  }
}

TEST_CASE("the condition decides whether a write pointer means anything", "[core]") {
  Zone zone;
  zone.start = 1000;
  zone.size = 500;
  zone.capacity = 400;
  zone.write_pointer = 1100;
  struct Row {
    ZoneCondition condition;
    bool has_pointer;
    std::uint64_t remaining, written;
  };
  const Row rows[] = {
      {ZoneCondition::kEmpty, true, 300, 100},
      {ZoneCondition::kImplicitOpen, true, 300, 100},
      {ZoneCondition::kExplicitOpen, true, 300, 100},
      {ZoneCondition::kClosed, true, 300, 100},
      {ZoneCondition::kFull, false, 0, 400},
      {ZoneCondition::kReadOnly, false, 0, 400},
      {ZoneCondition::kOffline, false, 0, 0},
      {ZoneCondition::kNotWritePointer, false, 0, 400},
  };
  for (const Row& row : rows) {
    zone.condition = row.condition;
    CAPTURE(ToString(row.condition));
    CHECK(zone.has_write_pointer() == row.has_pointer);
    CHECK(zone.remaining() == row.remaining);
    CHECK(zone.written() == row.written);
  }
}

TEST_CASE("a virtual clock stands still and never goes back", "[core]") {
  VirtualClock clock;
  CHECK(clock.Now().ns == 0);
  clock.Advance(nanoseconds(50));
  clock.AdvanceTo(Instant{20});
  CHECK(clock.Now().ns == 50);
  CHECK(clock.is_virtual());
  CHECK_FALSE(MonotonicClock().is_virtual());
  const Instant earlier = MonotonicClock().Now();
  CHECK(earlier <= MonotonicClock().Now());
}

TEST_CASE("the generator is xoshiro256** seeded by splitmix64", "[core]") {
  // splitmix64 of 0, as published with the algorithm.
  std::uint64_t state = 0;
  CHECK(SplitMix64(state) == 0xE220A8397B1DCDAFull);
  CHECK(SplitMix64(state) == 0x6E789E6AA1B965F4ull);
  Rng a(1), b(1), c(2);
  const std::uint64_t first = a.Next();
  CHECK(first == b.Next());
  CHECK(first != c.Next());
}

TEST_CASE("bounded draws stay inside and are even", "[core]") {
  Rng rng(7);
  std::vector<int> counts(10);
  for (int i = 0; i < 100000; ++i) ++counts[rng.Below(10)];
  for (const int count : counts) {
    CHECK(count > 9500);
    CHECK(count < 10500);
  }
  CHECK(rng.Below(1) == 0);
  int hits = 0;
  for (int i = 0; i < 100000; ++i) hits += rng.Chance(1, 4) ? 1 : 0;
  CHECK(hits > 24000);
  CHECK(hits < 26000);
}

}  // namespace
}  // namespace zonal
