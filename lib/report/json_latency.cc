// SPDX-License-Identifier: MIT
#include <cmath>

#include "absl/strings/str_format.h"
#include "report/distribution.h"
#include "report/json_parts.h"

namespace zonal::report {
namespace {

std::uint64_t Rounded(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

template <typename Names, std::size_t N>
Json SharesJson(const Names& names, const std::array<double, N>& shares) {
  Json out = Json::object();
  for (std::size_t i = 0; i < N; ++i) out[std::string(names[i])] = SixDecimals(shares[i]);
  return out;
}

double Rate(std::uint64_t amount, nanoseconds time) {
  if (const std::uint64_t ms = Milliseconds(time); ms != 0) {
    return static_cast<double>(amount) * 1000.0 / static_cast<double>(ms);
  }
  return static_cast<double>(PerSecond(amount, time));
}

}  // namespace

double SixDecimals(double value) { return std::round(value * 1e6) / 1e6; }

Json LatencyJson(const Histogram& histogram, const LatencyDetail& detail) {
  Json out = Json::object();
  out["min"] = histogram.min();
  out["max"] = histogram.max();
  out["mean"] = SixDecimals(histogram.mean());
  out["stddev"] = SixDecimals(histogram.stdev());
  out["N"] = histogram.count();
  if (histogram.count() == 0) return out;
  for (const double percent : detail.percentiles) {
    out["percentile"][absl::StrFormat("%.6f", percent)] = histogram.Percentile(percent);
  }
  for (int bucket = 0; detail.bins && bucket < Histogram::kBucketCount; ++bucket) {
    if (histogram.bucket(bucket) == 0) continue;
    out["bins"][std::to_string(Histogram::MiddleOf(bucket))] = histogram.bucket(bucket);
  }
  return out;
}

Json DirectionJson(const DirectionResult& direction, const GroupDirection& group,
                   const WorkerView& view, bool bins) {
  const std::uint64_t bandwidth = PerSecond(direction.bytes, direction.runtime);
  const LatencyDetail shown{PercentilesOf(view), bins};
  const auto latency = [&shown](const Histogram& histogram, bool in_detail) {
    return LatencyJson(histogram, in_detail ? shown : LatencyDetail{});
  };
  Json out = Json::object();
  out["io_bytes"] = direction.bytes;
  out["io_kbytes"] = direction.bytes / 1024;
  out["bw_bytes"] = bandwidth;
  out["bw"] = bandwidth / 1024;
  out["iops"] = SixDecimals(Rate(direction.ios, direction.runtime));
  out["runtime"] = Milliseconds(direction.runtime);
  out["total_ios"] = direction.issued_ios;
  out["short_ios"] = direction.short_ios;
  out["drop_ios"] = direction.dropped_ios;
  out["slat_ns"] = latency(direction.submission, view.submission_percentiles);
  out["clat_ns"] = latency(direction.completion, view.completion_percentiles);
  out["lat_ns"] = latency(direction.total, view.total_percentiles);
  out["bw_min"] = Rounded(direction.bandwidth_kib.min);
  out["bw_max"] = Rounded(direction.bandwidth_kib.max);
  out["bw_agg"] = SixDecimals(ShareOfGroup(direction, group));
  out["bw_mean"] = SixDecimals(direction.bandwidth_kib.mean);
  out["bw_dev"] = SixDecimals(direction.bandwidth_kib.stdev);
  out["bw_samples"] = direction.bandwidth_kib.count;
  out["iops_min"] = Rounded(direction.iops.min);
  out["iops_max"] = Rounded(direction.iops.max);
  out["iops_mean"] = SixDecimals(direction.iops.mean);
  out["iops_stddev"] = SixDecimals(direction.iops.stdev);
  out["iops_samples"] = direction.iops.count;
  return out;
}

void AddDistributions(Json& job, const WorkerResult& worker) {
  job["iodepth_level"] = SharesJson(kDepthNames, SharesOfDepth(worker));
  job["iodepth_submit"] = SharesJson(kBatchNames, SharesOfBatches(worker.submit_batches));
  job["iodepth_complete"] = SharesJson(kBatchNames, SharesOfBatches(worker.complete_batches));
  const LatencyShares latencies = SharesOfLatency(worker);
  job["latency_ns"] = SharesJson(kLatencyNames, latencies.ns);
  job["latency_us"] = SharesJson(kLatencyNames, latencies.us);
  job["latency_ms"] = SharesJson(kLatencyNames, latencies.ms);
}

}  // namespace zonal::report
