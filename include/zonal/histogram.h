// SPDX-License-Identifier: MIT
// A latency histogram: 64 linear buckets per power of two (fio's layout:
// relative error below 1.6 %), 29 groups from 1 ns to about 17 s, plus exact
// minimum, maximum, sum and sum of squares. Adding two histograms is adding
// their buckets. A value type; not thread-safe: each worker owns its own.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace zonal {

class Histogram {
 public:
  static constexpr int kGroupBits = 6;
  static constexpr int kGroups = 29;
  static constexpr int kBucketCount = kGroups << kGroupBits;

  // Hot. Values above the last bucket are counted in it; the extremes are exact.
  void Record(std::uint64_t ns) noexcept {
    ++buckets_[static_cast<std::size_t>(BucketOf(ns))];
    ++count_;
    sum_ += ns;
    sum_of_squares_ += static_cast<double>(ns) * static_cast<double>(ns);
    if (ns < min_) min_ = ns;
    if (ns > max_) max_ = ns;
  }
  void Add(const Histogram& other) noexcept;
  void Clear() noexcept { *this = Histogram(); }

  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t min() const noexcept { return count_ == 0 ? 0 : min_; }
  std::uint64_t max() const noexcept { return max_; }
  std::uint64_t sum() const noexcept { return sum_; }
  double mean() const noexcept;
  double stdev() const noexcept;  // of the sample: n - 1
  // The middle of the bucket that holds the given fraction (0..100) of the
  // values, never outside min() to max(). 0 if empty.
  std::uint64_t Percentile(double percent) const noexcept;
  std::uint64_t bucket(int index) const noexcept {
    return buckets_[static_cast<std::size_t>(index)];
  }

  // Values below 128 have a bucket each; above, the top seven bits pick it.
  static constexpr int BucketOf(std::uint64_t ns) noexcept {
    const int msb = 63 - std::countl_zero(ns | 1);
    if (msb <= kGroupBits) return static_cast<int>(ns);
    const int shift = msb - kGroupBits;
    const int index =
        ((shift + 1) << kGroupBits) + static_cast<int>((ns >> shift) & ((1u << kGroupBits) - 1));
    return index < kBucketCount ? index : kBucketCount - 1;
  }
  static std::uint64_t MiddleOf(int bucket) noexcept;  // ns

  friend bool operator==(const Histogram&, const Histogram&) = default;

 private:
  std::array<std::uint64_t, kBucketCount> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  double sum_of_squares_ = 0;
  std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_ = 0;
};

}  // namespace zonal
