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
// fio's latency object: min max mean stddev N, with percentiles on request and
// where there is a sample.
Json LatencyJson(const Histogram& histogram, bool with_percentiles);
Json DirectionJson(const DirectionResult& direction, const GroupDirection& group);
void AddDistributions(Json& job, const WorkerResult& worker);

// json_zonal.cc
Json RunZonalJson(const RunResult& result, const ReportOptions& options);
Json JobZonalJson(const Block& block);

}  // namespace zonal::report
