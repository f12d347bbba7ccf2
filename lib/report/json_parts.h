// SPDX-License-Identifier: MIT
// Pieces of the JSON report. Key order is part of the promise: ordered_json.
#pragma once

#include <nlohmann/json.hpp>

#include "report/blocks.h"

namespace zonal::report {

using Json = nlohmann::ordered_json;

// json_latency.cc
// Six decimals, as fio prints them; the rest is rounding noise that differs
// between machines.
double SixDecimals(double value);
// fio's latency object: min max mean stddev N; where there is a sample the
// `percentiles` and on request the counts of all buckets, by their middle.
struct LatencyDetail {
  std::vector<double> percentiles;
  bool bins = false;
};
Json LatencyJson(const Histogram& histogram, const LatencyDetail& detail);
Json DirectionJson(const DirectionResult& direction, const GroupDirection& group,
                   const WorkerView& view, bool bins);
void AddDistributions(Json& job, const WorkerResult& worker);

// json_zonal.cc
Json RunZonalJson(const RunResult& result, const ReportOptions& options);
Json JobZonalJson(const Block& block, bool bins);

}  // namespace zonal::report
