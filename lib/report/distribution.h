// SPDX-License-Identifier: MIT
// Counts -> percentages, in fio's classes: latencies, depths, batch sizes; and
// the unit a latency is shown in. Shared by text and JSON. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "zonal/report.h"

namespace zonal::report {

// The class "10" holds what is below 10 and not in the class before it.
struct LatencyShares {
  std::array<double, 10> ns{}, us{};
  std::array<double, 12> ms{};  // the last one: 2000 and more
};
inline constexpr std::array<std::string_view, 12> kLatencyNames = {
    "2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"};

// Of all directions together, by completion latency, as fio does. Classes are decided
// by the middle of histogram buckets, so what lies within 1.6 % of a bound may fall to
// either side. A share above zero is at least 0.01.
LatencyShares SharesOfLatency(const WorkerResult& worker);

inline constexpr std::array<std::string_view, 7> kDepthNames = {"1",  "2",  "4",   "8",
                                                                "16", "32", ">=64"};
inline constexpr std::array<std::string_view, 7> kBatchNames = {"0",  "4",  "8",   "16",
                                                                "32", "64", ">=64"};
// A share above zero is at least 0.1.
std::array<double, 7> SharesOfDepth(const WorkerResult& worker);
std::array<double, 7> SharesOfBatches(const std::array<std::uint64_t, 8>& batches);

struct TimeUnit {
  std::string_view name;  // "nsec"
  std::uint64_t ns = 1;
};
// The unit of a latency line: the larger one if even the smallest value is well
// above it.
TimeUnit UnitOf(const Histogram& histogram);
// The same for percentiles, which have no deviation.
TimeUnit UnitOf(std::uint64_t smallest_ns, std::uint64_t largest_ns);

// fio's list, where a view has none of its own.
inline constexpr std::array<double, 17> kPercentiles = {1,  5,  10, 20, 30,   40,   50,    60,   70,
                                                        80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
// Those of a view, ascending.
std::vector<double> PercentilesOf(const WorkerView& view);

}  // namespace zonal::report
