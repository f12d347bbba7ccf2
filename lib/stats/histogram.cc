// SPDX-License-Identifier: MIT
#include "zonal/histogram.h"

#include <algorithm>
#include <cmath>

namespace zonal {

void Histogram::Add(const Histogram& other) noexcept {
  for (std::size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  sum_of_squares_ += other.sum_of_squares_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Histogram::mean() const noexcept {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

double Histogram::stdev() const noexcept {
  if (count_ < 2) return 0.0;
  const double n = static_cast<double>(count_);
  const double sum = static_cast<double>(sum_);
  // Cancellation may leave a tiny negative number when all values are equal.
  const double variance = std::max(0.0, (sum_of_squares_ - sum * sum / n) / (n - 1));
  return std::sqrt(variance);
}

std::uint64_t Histogram::Percentile(double percent) const noexcept {
  if (count_ == 0) return 0;
  const double share = std::clamp(percent, 0.0, 100.0) / 100.0;
  // The rank of the value asked for, 1-based and rounded up. The subtraction
  // keeps 99.9 % of 1000 at rank 999 although 0.999 has no exact double.
  const double exact = share * static_cast<double>(count_);
  const std::uint64_t rank = std::clamp<std::uint64_t>(
      static_cast<std::uint64_t>(std::ceil(exact - exact * 1e-12)), 1, count_);
  std::uint64_t seen = 0;
  for (int bucket = 0; bucket < kBucketCount; ++bucket) {
    seen += buckets_[static_cast<std::size_t>(bucket)];
    if (seen < rank) continue;
    // Values beyond the last bucket are in it; their exact size is not known.
    return bucket == kBucketCount - 1 ? max_ : std::clamp(MiddleOf(bucket), min_, max_);
  }
  return max_;
}

std::uint64_t Histogram::MiddleOf(int bucket) noexcept {
  constexpr int kExact = 2 << kGroupBits;  // these hold one value each
  if (bucket < kExact) return static_cast<std::uint64_t>(bucket);
  const int shift = (bucket >> kGroupBits) - 1;
  const std::uint64_t low =
      static_cast<std::uint64_t>((1 << kGroupBits) + (bucket & ((1 << kGroupBits) - 1))) << shift;
  return low + (std::uint64_t{1} << shift) / 2;
}

}  // namespace zonal
