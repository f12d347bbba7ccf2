// SPDX-License-Identifier: MIT
#include "report/distribution.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace zonal::report {
namespace {

constexpr std::array<std::uint64_t, 11> kBounds = {2,   4,   10,  20,   50,  100,
                                                   250, 500, 750, 1000, 2000};

double Share(std::uint64_t count, std::uint64_t total, double floor) {
  if (count == 0 || total == 0) return 0.0;
  return std::max(floor, 100.0 * static_cast<double>(count) / static_cast<double>(total));
}

std::uint64_t Sum(std::span<const std::uint64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// The class of `value` among the first `bounds` bounds; `bounds` if above all.
std::size_t ClassOf(std::uint64_t value, std::size_t bounds) {
  const auto end = kBounds.begin() + static_cast<std::ptrdiff_t>(bounds);
  return static_cast<std::size_t>(std::upper_bound(kBounds.begin(), end, value) - kBounds.begin());
}

struct LatencyCounts {
  std::array<std::uint64_t, 10> ns{}, us{};
  std::array<std::uint64_t, 12> ms{};

  void Add(std::uint64_t value, std::uint64_t count) {
    if (value < 1000)
      ns[ClassOf(value, 10)] += count;
    else if (value < 1'000'000)
      us[ClassOf(value / 1000, 10)] += count;
    else
      ms[ClassOf(value / 1'000'000, 11)] += count;
  }
  std::uint64_t total() const { return Sum(ns) + Sum(us) + Sum(ms); }
};

template <std::size_t N>
void ToShares(std::array<double, N>& shares, const std::array<std::uint64_t, N>& counts,
              std::uint64_t total) {
  for (std::size_t i = 0; i < N; ++i) shares[i] = Share(counts[i], total, 0.01);
}

std::array<double, 7> DepthShares(const std::array<std::uint64_t, 7>& counts) {
  std::array<double, 7> shares{};
  const std::uint64_t total = Sum(counts);
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = Share(counts[i], total, 0.1);
  return shares;
}

}  // namespace

LatencyShares SharesOfLatency(const WorkerResult& worker) {
  LatencyCounts counts;
  for (const DirectionResult& direction : worker.directions) {
    const Histogram& histogram = direction.completion;
    for (int bucket = 0; bucket < Histogram::kBucketCount; ++bucket) {
      if (histogram.bucket(bucket) == 0) continue;
      counts.Add(Histogram::MiddleOf(bucket), histogram.bucket(bucket));
    }
  }
  LatencyShares shares;
  ToShares(shares.ns, counts.ns, counts.total());
  ToShares(shares.us, counts.us, counts.total());
  ToShares(shares.ms, counts.ms, counts.total());
  return shares;
}

std::array<double, 7> SharesOfDepth(const WorkerResult& worker) {
  std::array<std::uint64_t, 7> counts{};
  std::copy_n(worker.depth_levels.begin(), counts.size(), counts.begin());
  counts.back() += worker.depth_levels.back();
  return DepthShares(counts);
}

std::array<double, 7> SharesOfBatches(const std::array<std::uint64_t, 8>& batches) {
  // fio's classes: none at all (which we never count), 1-4, 5-8, ... 33-64, more.
  return DepthShares({0, batches[0] + batches[1] + batches[2], batches[3], batches[4], batches[5],
                      batches[6], batches[7]});
}

TimeUnit UnitOf(const Histogram& histogram) {
  for (const TimeUnit unit : {TimeUnit{"msec", 1'000'000}, TimeUnit{"usec", 1'000}}) {
    if (UnitOf(histogram.min(), histogram.max()).ns >= unit.ns &&
        histogram.stdev() > static_cast<double>(unit.ns)) {
      return unit;
    }
  }
  return {"nsec", 1};
}

TimeUnit UnitOf(std::uint64_t smallest_ns, std::uint64_t largest_ns) {
  for (const TimeUnit unit : {TimeUnit{"msec", 1'000'000}, TimeUnit{"usec", 1'000}}) {
    if (smallest_ns > 2 * unit.ns && largest_ns >= 100 * unit.ns) return unit;
  }
  return {"nsec", 1};
}

std::vector<double> PercentilesOf(const WorkerView& view) {
  std::vector<double> percentiles = view.percentiles;
  if (percentiles.empty()) percentiles.assign(kPercentiles.begin(), kPercentiles.end());
  std::sort(percentiles.begin(), percentiles.end());
  return percentiles;
}

}  // namespace zonal::report
