// SPDX-License-Identifier: MIT
#include "report/text_block.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/distribution.h"

namespace zonal::report {
namespace {

using absl::StrAppendFormat;

std::string Extreme(std::uint64_t value) { return FormatNumber(value, 6, 1000, false); }

// "    slat", "    clat", "     lat".
void AppendLatency(std::string& out, std::string_view name, const Histogram& histogram) {
  if (histogram.count() == 0) return;
  const TimeUnit unit = UnitOf(histogram);
  const auto scale = static_cast<double>(unit.ns);
  StrAppendFormat(&out, "%8s (%s): min=%s, max=%s, avg=%5.2f, stdev=%5.2f\n", std::string(name),
                  std::string(unit.name), Extreme(histogram.min() / unit.ns),
                  Extreme(histogram.max() / unit.ns), histogram.mean() / scale,
                  histogram.stdev() / scale);
}

void AppendPercentiles(std::string& out, std::string_view name, const Histogram& histogram) {
  constexpr int kColumns = 80, kMargin = 6;
  std::array<std::uint64_t, kPercentiles.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = histogram.Percentile(kPercentiles[i]);
  const TimeUnit unit = UnitOf(values.front(), values.back());
  for (std::uint64_t& value : values) value = (value + unit.ns - 1) / unit.ns;
  const int width = std::max(5, static_cast<int>(absl::StrCat(values.back()).size()));
  const auto per_line = static_cast<std::size_t>((kColumns - kMargin) / (width + 12));
  StrAppendFormat(&out, "    %s percentiles (%s):\n", std::string(name), std::string(unit.name));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % per_line == 0) out += "     |";
    const bool last = i + 1 == values.size();
    StrAppendFormat(&out, " %5.2fth=[%*u]%s", kPercentiles[i], width, values[i], last ? "" : ",");
    if (last || (i + 1) % per_line == 0) out += '\n';
  }
}

std::uint64_t Rounded(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

void AppendRates(std::string& out, const DirectionResult& direction, const GroupDirection& group) {
  const RateSamples& bandwidth = direction.bandwidth_kib;
  if (bandwidth.count != 0) {
    const bool large = bandwidth.mean > 1024.0 * 1024.0;
    const double scale = large ? 1024.0 : 1.0;
    StrAppendFormat(&out,
                    "   bw (  %s/s): min=%5u, max=%5u, per=%3.2f%%, avg=%5.2f, stdev=%5.2f, "
                    "samples=%u\n",
                    large ? "MiB" : "KiB", Rounded(bandwidth.min / scale),
                    Rounded(bandwidth.max / scale), ShareOfGroup(direction, group),
                    bandwidth.mean / scale, bandwidth.stdev / scale, bandwidth.count);
  }
  const RateSamples& iops = direction.iops;
  if (iops.count != 0) {
    StrAppendFormat(&out, "   iops        : min=%5u, max=%5u, avg=%5.2f, stdev=%5.2f, samples=%u\n",
                    Rounded(iops.min), Rounded(iops.max), iops.mean, iops.stdev, iops.count);
  }
}

void AppendDirection(std::string& out, Direction name, const WorkerResult& worker,
                     const GroupDirection& group, int figures) {
  const DirectionResult& direction = Of(worker, name);
  if (direction.bytes == 0) return;
  const std::uint64_t bandwidth = PerSecond(direction.bytes, direction.runtime);
  StrAppendFormat(&out, "%s: IOPS=%s, BW=%s(%s/%umsec)", std::string(DirectionName(name)),
                  FormatNumber(PerSecond(direction.ios, direction.runtime), figures, 1000, false),
                  BothBases(bandwidth, figures, "/s"),
                  FormatNumber(direction.bytes, figures, 1024, true),
                  Milliseconds(direction.runtime));
  if (worker.counts_zone_resets) StrAppendFormat(&out, "; %u zone resets", worker.zone_resets);
  out += '\n';
  AppendLatency(out, "slat", direction.submission);
  AppendLatency(out, "clat", direction.completion);
  AppendLatency(out, "lat", direction.total);
  if (direction.completion.count() != 0)
    AppendPercentiles(out, "clat", direction.completion);
  else if (direction.total.count() != 0)
    AppendPercentiles(out, "lat", direction.total);
  AppendRates(out, direction, group);
}

// The classes that are not empty, at most five to a line.
template <std::size_t N>
void AppendShares(std::string& out, std::string_view unit, const std::array<double, N>& shares) {
  int on_line = 0;
  for (std::size_t i = 0; i < N; ++i) {
    if (shares[i] <= 0) continue;
    if (on_line == 5) {
      out += '\n';
      on_line = 0;
    }
    if (on_line == 0) StrAppendFormat(&out, "  lat (%s)   : ", std::string(unit));
    StrAppendFormat(&out, "%s%s=%3.2f%%", on_line == 0 ? "" : ", ", std::string(kLatencyNames[i]),
                    shares[i]);
    ++on_line;
  }
  if (on_line != 0) out += '\n';
}

void AppendDepths(std::string& out, std::string_view title,
                  const std::array<std::string_view, 7>& names,
                  const std::array<double, 7>& shares) {
  out += title;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    StrAppendFormat(&out, "%s%s=%3.1f%%", i == 0 ? "" : ", ", std::string(names[i]), shares[i]);
  }
  out += '\n';
}

double PercentOf(nanoseconds part, nanoseconds whole) {
  if (whole.count() <= 0) return 0.0;
  return 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

void AppendProcessor(std::string& out, const WorkerResult& worker) {
  StrAppendFormat(&out, "  cpu          : usr=%3.2f%%, sys=%3.2f%%, ctx=%u, majf=%u, minf=%u\n",
                  PercentOf(worker.user_cpu, worker.runtime),
                  PercentOf(worker.system_cpu, worker.runtime), worker.context_switches,
                  worker.major_faults, worker.minor_faults);
}

void AppendIssued(std::string& out, const WorkerResult& worker) {
  const DirectionResult& read = Of(worker, Direction::kRead);
  const DirectionResult& write = Of(worker, Direction::kWrite);
  const DirectionResult& trim = Of(worker, Direction::kTrim);
  StrAppendFormat(&out, "     issued rwts: total=%u,%u,%u,%u short=%u,%u,%u,0 dropped=%u,%u,%u,0\n",
                  read.issued_ios, write.issued_ios, trim.issued_ios,
                  Of(worker, OpClass::kFlush).count(), read.short_ios, write.short_ios,
                  trim.short_ios, read.dropped_ios, write.dropped_ios, trim.dropped_ios);
}

void AppendHeader(std::string& out, const Block& block, const TextContext& context) {
  const WorkerResult& worker = block.result;
  const int error = ErrnoOf(worker);
  StrAppendFormat(&out, "%s: (groupid=%u, jobs=%u): err=%2d", worker.name, worker.group, block.jobs,
                  error);
  if (error != 0) {
    StrAppendFormat(&out, " (file:%s, func=%s, error=%s)",
                    block.workload == nullptr ? "" : block.workload->target, worker.error_op,
                    std::generic_category().message(error));
  }
  StrAppendFormat(&out, ": pid=%d:", context.host_facts ? worker.thread_id : 0);
  if (context.host_facts && context.options.timestamp_ms != 0) {
    out += " " + WallClock(context.options.timestamp_ms);
  }
  out += '\n';
}

}  // namespace

std::string_view DirectionName(Direction direction) {
  switch (direction) {
    case Direction::kRead:
      return "  read";
    case Direction::kWrite:
      return "  write";
    case Direction::kTrim:
      return "  trim";
  }
  return "";
}

std::string BothBases(std::uint64_t bytes, int significant_figures, std::string_view suffix) {
  const std::string tail(suffix);
  return absl::StrCat(FormatNumber(bytes, significant_figures, 1024, true), tail, " (",
                      FormatNumber(bytes, significant_figures, 1000, true), tail, ")");
}

std::string WallClock(std::int64_t timestamp_ms) {
  const auto seconds = static_cast<std::time_t>(timestamp_ms / 1000);
  std::tm local{};
  if (localtime_r(&seconds, &local) == nullptr) return "";
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local));
}

void AppendBlock(std::string& out, const Block& block,
                 const std::array<GroupDirection, kDirections>& group, const TextContext& context) {
  const WorkerResult& worker = block.result;
  AppendHeader(out, block, context);
  for (const Direction name : {Direction::kRead, Direction::kWrite, Direction::kTrim}) {
    AppendDirection(out, name, worker, group[static_cast<std::size_t>(name)],
                    context.options.significant_figures);
  }
  const LatencyShares latencies = SharesOfLatency(worker);
  AppendShares(out, "nsec", latencies.ns);
  AppendShares(out, "usec", latencies.us);
  AppendShares(out, "msec", latencies.ms);
  if (context.host_facts) AppendProcessor(out, worker);
  AppendDepths(out, "  IO depths    : ", kDepthNames, SharesOfDepth(worker));
  AppendDepths(out, "     submit    : ", kBatchNames, SharesOfBatches(worker.submit_batches));
  AppendDepths(out, "     complete  : ", kBatchNames, SharesOfBatches(worker.complete_batches));
  AppendIssued(out, worker);
  StrAppendFormat(&out, "     latency   : target=0, window=0, percentile=100.00%%, depth=%u\n",
                  worker.depth_asked);
}

}  // namespace zonal::report
