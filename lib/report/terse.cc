// SPDX-License-Identifier: MIT
// fio's terse lines: a field's place is its name, so that no field is ever left out.
// Sizes are KiB, latencies usec, run times msec. Version 3 has reads and writes, 4
// trims as well, 5 also the samples of bandwidth and IOPS.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/blocks.h"
#include "report/distribution.h"
#include "zonal/report.h"

namespace zonal {
namespace {

using absl::StrAppend;
using absl::StrAppendFormat;
using report::Block;

// As many as fio has places for.
constexpr std::size_t kPercentileFields = 20;

std::uint64_t Rounded(double value) { return static_cast<std::uint64_t>(value + 0.5); }

void AppendLatency(std::string& out, const Histogram& histogram) {
  StrAppendFormat(&out, ";%u;%u;%f;%f", histogram.min() / 1000, histogram.max() / 1000,
                  histogram.mean() / 1000, histogram.stdev() / 1000);
}

// Of the whole latency where its percentiles are asked for, else of completions.
void AppendPercentiles(std::string& out, const DirectionResult& direction, const WorkerView& view) {
  const Histogram& histogram = view.total_percentiles ? direction.total : direction.completion;
  std::vector<double> percentiles;
  const bool hidden = view.total_percentiles ? !view.total : !view.completion;
  if (!hidden && (view.total_percentiles || view.completion_percentiles)) {
    percentiles = report::PercentilesOf(view);
  }
  for (std::size_t i = 0; i < kPercentileFields; ++i) {
    if (i < percentiles.size()) {
      StrAppendFormat(&out, ";%f%%=%u", percentiles[i],
                      histogram.Percentile(percentiles[i]) / 1000);
    } else {
      out += ";0%=0";
    }
  }
}

void AppendSamples(std::string& out, const DirectionResult& direction, double share, int version) {
  const RateSamples& bandwidth = direction.bandwidth_kib;
  StrAppendFormat(&out, ";%u;%u;%f%%;%f;%f", Rounded(bandwidth.min), Rounded(bandwidth.max), share,
                  bandwidth.mean, bandwidth.stdev);
  if (version < 5) return;
  const RateSamples& iops = direction.iops;
  StrAppendFormat(&out, ";%u;%u;%u;%f;%f;%u", bandwidth.count, Rounded(iops.min), Rounded(iops.max),
                  iops.mean, iops.stdev, iops.count);
}

void AppendDirection(std::string& out, const Block& block, const std::vector<Block>& blocks,
                     report::Shown which, int version) {
  const DirectionResult& direction = report::Of(block, which);
  StrAppend(&out, ";", direction.bytes / 1024, ";",
            report::PerSecond(direction.bytes, direction.runtime) / 1024, ";",
            report::PerSecond(direction.ios, direction.runtime), ";",
            report::Milliseconds(direction.runtime));
  AppendLatency(out, direction.submission);
  AppendLatency(out, direction.completion);
  AppendPercentiles(out, direction, block.view);
  AppendLatency(out, direction.total);
  const report::GroupDirection group = report::SumOfGroup(blocks, block.result.group, which);
  AppendSamples(out, direction, report::ShareOfGroup(direction, group), version);
}

void AppendProcessor(std::string& out, const WorkerResult& worker, bool host_facts) {
  if (!host_facts) {
    out += ";0.000000%;0.000000%;0;0;0";
    return;
  }
  StrAppendFormat(&out, ";%f%%;%f%%;%u;%u;%u", report::PercentOf(worker.user_cpu, worker.runtime),
                  report::PercentOf(worker.system_cpu, worker.runtime), worker.context_switches,
                  worker.major_faults, worker.minor_faults);
}

// What is below a microsecond has no fields of its own: it is in the first class.
void AppendShares(std::string& out, const WorkerResult& worker) {
  for (const double share : report::SharesOfDepth(worker)) StrAppendFormat(&out, ";%3.1f%%", share);
  report::LatencyShares latencies = report::SharesOfLatency(worker);
  for (const double share : latencies.ns) latencies.us.front() += share;
  for (const double share : latencies.us) StrAppendFormat(&out, ";%3.2f%%", share);
  for (const double share : latencies.ms) StrAppendFormat(&out, ";%3.2f%%", share);
}

void AppendDisks(std::string& out, const RunResult& result) {
  if (result.simulated) return;
  for (const TargetResult& target : result.targets) {
    if (!target.disk) continue;
    const DiskUse& disk = *target.disk;
    StrAppendFormat(&out, ";%s;%u;%u;%u;%u;%u;%u;%u;%3.2f%%", report::DiskName(target),
                    disk.read_ios, disk.write_ios, disk.read_merges, disk.write_merges,
                    disk.read_ms, disk.write_ms, disk.in_queue_ms,
                    report::Utilization(disk, result.wall));
  }
}

std::string Line(const Block& block, const std::vector<Block>& blocks, const RunResult& result,
                 const ReportOptions& options) {
  const WorkerResult& worker = block.result;
  std::string out = absl::StrCat(options.terse_version, ";", options.version, ";", worker.name, ";",
                                 worker.group, ";", report::ErrnoOf(worker));
  for (const report::Shown shown : report::ShownOf(block.view)) {
    if (shown == report::Shown::kTrim && options.terse_version < 4) continue;
    AppendDirection(out, block, blocks, shown, options.terse_version);
  }
  AppendProcessor(out, worker, !result.simulated);
  AppendShares(out, worker);
  AppendDisks(out, result);
  if (block.view.error_counts) {
    StrAppend(&out, ";", worker.io_errors, ";", ToErrno(worker.first_error));
  }
  if (!block.view.description.empty()) StrAppend(&out, ";", block.view.description);
  return out + "\n";
}

}  // namespace

std::string FormatTerse(const RunPlan& plan, const RunResult& result,
                        const ReportOptions& options) {
  const std::vector<Block> blocks = report::MakeBlocks(plan, result, options);
  std::string out;
  for (const Block& block : blocks) out += Line(block, blocks, result, options);
  return out;
}

}  // namespace zonal
