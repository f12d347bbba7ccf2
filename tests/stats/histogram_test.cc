// SPDX-License-Identifier: MIT
#include "zonal/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "support/catch.h"
#include "zonal/rng.h"

namespace zonal {
namespace {

std::uint64_t TestSeed() {
  const char* text = std::getenv("ZONAL_SEED");
  return text == nullptr ? 20260101 : std::strtoull(text, nullptr, 0);
}

// A value of a random magnitude: every power of two is as likely.
std::uint64_t RandomLatency(Rng& rng) {
  const auto bits = rng.Below(34);
  return rng.Next() & ((std::uint64_t{2} << bits) - 1);
}

std::uint64_t LowerBound(int bucket) {  // by search, not by formula
  std::uint64_t low = 0, high = std::uint64_t{1} << 40;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (Histogram::BucketOf(middle) >= bucket)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

TEST_CASE("values fall into fio's buckets", "[stats]") {
  struct Row {
    std::uint64_t ns;
    int bucket;
    std::uint64_t middle;
  };
  const Row rows[] = {
      {0, 0, 0},
      {1, 1, 1},
      {63, 63, 63},
      {64, 64, 64},
      {127, 127, 127},
      {128, 128, 129},
      {129, 128, 129},
      {130, 129, 131},
      {255, 191, 255},
      {256, 192, 258},
      {259, 192, 258},
      {260, 193, 262},
      {511, 255, 510},
      {512, 256, 516},
      {1023, 319, 1020},
      {1024, 320, 1032},
      {1'000'000, 954, 1'003'520},
      {std::uint64_t{1} << 33, 1792, (std::uint64_t{1} << 33) + (1 << 26)},
      {(std::uint64_t{1} << 34) - 1, 1855, (std::uint64_t{1} << 34) - (1 << 26)},
      {std::uint64_t{1} << 34, 1855, (std::uint64_t{1} << 34) - (1 << 26)},
      {~std::uint64_t{0}, 1855, (std::uint64_t{1} << 34) - (1 << 26)},
  };
  for (const Row& row : rows) {
    CAPTURE(row.ns);
    CHECK(Histogram::BucketOf(row.ns) == row.bucket);
    CHECK(Histogram::MiddleOf(row.bucket) == row.middle);
  }
}

TEST_CASE("each bucket's middle lies inside it and within 1/64 of its values", "[stats]") {
  for (int bucket = 0; bucket < Histogram::kBucketCount - 1; ++bucket) {
    const std::uint64_t low = LowerBound(bucket), high = LowerBound(bucket + 1) - 1;
    const std::uint64_t middle = Histogram::MiddleOf(bucket);
    CAPTURE(bucket, low, high, middle);
    REQUIRE(low <= middle);
    REQUIRE(middle <= high);
    REQUIRE((high - low) * 64 <= low + 64);
  }
}

TEST_CASE("percentiles agree with a sorted array within a bucket", "[stats]") {
  const std::uint64_t seed = TestSeed();
  CAPTURE(seed);
  Rng rng(seed);
  for (const std::size_t n : {1u, 2u, 10u, 999u, 1000u, 20'000u}) {
    Histogram histogram;
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < n; ++i) {
      values.push_back(RandomLatency(rng));
      histogram.Record(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double percent : {0.0, 1.0, 5.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
      // Integer arithmetic in hundredths of a percent: no rounding in the reference.
      const auto hundredths = static_cast<std::size_t>(percent * 100 + 0.5);
      const std::size_t rank = std::max<std::size_t>(1, (hundredths * n + 9999) / 10000);
      const std::uint64_t exact = values[rank - 1];
      CAPTURE(n, percent, exact);
      const std::uint64_t found = histogram.Percentile(percent);
      REQUIRE(Histogram::BucketOf(found) == Histogram::BucketOf(exact));
      REQUIRE(found <= histogram.max());
      REQUIRE(found >= histogram.min());
    }
    REQUIRE(histogram.min() == values.front());
    REQUIRE(histogram.max() == values.back());
  }
}

TEST_CASE("an empty histogram answers zero", "[stats]") {
  const Histogram empty;
  CHECK(empty.count() == 0);
  CHECK(empty.min() == 0);
  CHECK(empty.max() == 0);
  CHECK(empty.mean() == 0.0);
  CHECK(empty.stdev() == 0.0);
  CHECK(empty.Percentile(50) == 0);
}

TEST_CASE("a percentile in the overflow bucket is the exact maximum", "[stats]") {
  Histogram histogram;
  histogram.Record(100'000'000'000);
  CHECK(histogram.Percentile(99) == 100'000'000'000);
}

TEST_CASE("adding two histograms is recording all their values in one", "[stats]") {
  const std::uint64_t seed = TestSeed();
  CAPTURE(seed);
  Rng rng(seed);
  Histogram one, two, both;
  for (int i = 0; i < 5000; ++i) {
    // Below 2^20, so that the sums of squares are exact in any order.
    const std::uint64_t value = RandomLatency(rng) & 0xFFFFF;
    (rng.Chance(1, 3) ? one : two).Record(value);
    both.Record(value);
  }
  one.Add(two);
  CHECK(one == both);
  one.Add(Histogram());
  CHECK(one == both);
}

TEST_CASE("mean and deviation are those of the sample", "[stats]") {
  Histogram histogram;
  for (const std::uint64_t value : {2u, 4u, 4u, 4u, 5u, 5u, 7u, 9u}) histogram.Record(value);
  CHECK(histogram.sum() == 40);
  CHECK(histogram.mean() == Approx(5.0));
  CHECK(histogram.stdev() == Approx(std::sqrt(32.0 / 7.0)));

  Histogram equal;
  for (int i = 0; i < 1000; ++i) equal.Record(123'457);
  CHECK(equal.stdev() == Approx(0.0).margin(0.5));
}

}  // namespace
}  // namespace zonal
