// SPDX-License-Identifier: MIT
#include "report/text_block.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/distribution.h"
#include "report/units.h"

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

// Digits behind the point that tell all of `percents`: two for 99.95.
int DecimalsOf(const std::vector<double>& percents) {
  int most = 0;
  for (const double percent : percents) {
    const std::string text = absl::StrFormat("%.9f", percent);
    const std::size_t last = text.find_last_not_of('0');
    most = std::max(most, static_cast<int>(last - text.find('.')));
  }
  return most;
}

void AppendPercentiles(std::string& out, std::string_view name, const Histogram& histogram,
                       const WorkerView& view) {
  constexpr int kColumns = 80, kMargin = 6;
  const std::vector<double> percents = PercentilesOf(view);
  std::vector<std::uint64_t> values;
  for (const double percent : percents) values.push_back(histogram.Percentile(percent));
  const TimeUnit unit = UnitOf(values.front(), values.back());
  for (std::uint64_t& value : values) value = (value + unit.ns - 1) / unit.ns;
  const int decimals = DecimalsOf(percents);
  const int percent_width = decimals == 0 ? 2 : 3 + decimals;
  const int width = std::max(5, static_cast<int>(absl::StrCat(values.back()).size()));
  const auto per_line =
      static_cast<std::size_t>(std::max(1, (kColumns - kMargin) / (width + percent_width + 7)));
  StrAppendFormat(&out, "    %s percentiles (%s):\n", std::string(name), std::string(unit.name));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % per_line == 0) out += "     |";
    const bool last = i + 1 == values.size();
    StrAppendFormat(&out, " %*.*fth=[%*u]%s", percent_width, decimals, percents[i], width,
                    values[i], last ? "" : ",");
    if (last || (i + 1) % per_line == 0) out += '\n';
  }
}

std::uint64_t Rounded(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

// Samples are KiB/s; with kb_base=1000 they are shown as kB/s (fio changes the name
// of the unit and leaves the numbers).
void AppendBandwidth(std::string& out, const RateSamples& samples, double share,
                     const Units& units) {
  const double one = units.kb_base == 1000 ? 1024.0 / 1000.0 : 1.0;
  const auto base = static_cast<double>(units.kb_base);
  const bool large = samples.mean * one > base * base;
  const double scale = large ? one / base : one;
  const char* name = units.kb_base == 1000 ? (large ? "MB" : "kB") : (large ? "MiB" : "KiB");
  StrAppendFormat(&out,
                  "   bw (%5s/s): min=%5u, max=%5u, per=%3.2f%%, avg=%5.2f, stdev=%5.2f, "
                  "samples=%u\n",
                  name, Rounded(samples.min * scale), Rounded(samples.max * scale), share,
                  samples.mean * scale, samples.stdev * scale, samples.count);
}

void AppendRates(std::string& out, const DirectionResult& direction, const GroupDirection& group,
                 const Units& units) {
  if (direction.bandwidth_kib.count != 0) {
    AppendBandwidth(out, direction.bandwidth_kib, ShareOfGroup(direction, group), units);
  }
  const RateSamples& iops = direction.iops;
  if (iops.count != 0) {
    StrAppendFormat(&out, "   iops        : min=%5u, max=%5u, avg=%5.2f, stdev=%5.2f, samples=%u\n",
                    Rounded(iops.min), Rounded(iops.max), iops.mean, iops.stdev, iops.count);
  }
}

void AppendLatencies(std::string& out, const DirectionResult& direction, const WorkerView& view) {
  AppendLatency(out, "slat", direction.submission);
  AppendLatency(out, "clat", direction.completion);
  AppendLatency(out, "lat", direction.total);
  const auto percentiles = [&](bool shown, const char* name, const Histogram& histogram) {
    if (shown && histogram.count() != 0) AppendPercentiles(out, name, histogram, view);
  };
  percentiles(view.submission_percentiles, "slat", direction.submission);
  percentiles(view.completion_percentiles, "clat", direction.completion);
  percentiles(view.total_percentiles, "lat", direction.total);
}

void AppendDirection(std::string& out, Shown name, const Block& block, const GroupDirection& group,
                     const Units& units) {
  const WorkerResult& worker = block.result;
  const DirectionResult& direction = Of(block, name);
  if (direction.bytes == 0) return;
  const std::uint64_t bandwidth = PerSecond(direction.bytes, direction.runtime);
  StrAppendFormat(
      &out, "%s: IOPS=%s, BW=%s(%s/%umsec)", std::string(DirectionName(name)),
      FormatNumber(PerSecond(direction.ios, direction.runtime), units.figures, 1000, false),
      RateInBoth(bandwidth, units), SizeText(direction.bytes, units),
      Milliseconds(direction.runtime));
  if (worker.counts_zone_resets) StrAppendFormat(&out, "; %u zone resets", worker.zone_resets);
  out += '\n';
  AppendLatencies(out, direction, block.view);
  AppendRates(out, direction, group, units);
}

// Flushes have no lines per direction: they belong to none.
void AppendFlushes(std::string& out, const Block& block) {
  const Histogram& flushes = Of(block.result, OpClass::kFlush);
  if (flushes.count() == 0 || !ShowsLatencies(block.view)) return;
  out += "  fsync/fdatasync/sync_file_range:\n";
  AppendLatency(out, "sync", flushes);
  AppendPercentiles(out, "sync", flushes, block.view);
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
  if (!block.view.description.empty()) {
    StrAppendFormat(&out, "  Description  : [%s]\n", block.view.description);
  }
}

void AppendErrors(std::string& out, const Block& block) {
  if (!block.view.error_counts) return;
  const int error = ToErrno(block.result.first_error);
  StrAppendFormat(&out, "     errors    : total=%u, first_error=%d/<%s>\n", block.result.io_errors,
                  error, std::generic_category().message(error));
}

}  // namespace

std::string_view DirectionName(Shown shown) {
  switch (shown) {
    case Shown::kRead:
      return "  read";
    case Shown::kWrite:
      return "  write";
    case Shown::kTrim:
      return "  trim";
    case Shown::kMixed:
      return "  mixed";
  }
  return "";
}

std::string WallClock(std::int64_t timestamp_ms) {
  const auto seconds = static_cast<std::time_t>(timestamp_ms / 1000);
  std::tm local{};
  if (localtime_r(&seconds, &local) == nullptr) return "";
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local));
}

void AppendBlock(std::string& out, const Block& block,
                 const std::array<GroupDirection, kShown>& group, const TextContext& context) {
  const WorkerResult& worker = block.result;
  const Units units = UnitsOf(block.view, context.options);
  AppendHeader(out, block, context);
  for (const Shown name : ShownOf(block.view)) {
    AppendDirection(out, name, block, group[static_cast<std::size_t>(name)], units);
  }
  const LatencyShares latencies = SharesOfLatency(worker);
  AppendShares(out, "nsec", latencies.ns);
  AppendShares(out, "usec", latencies.us);
  AppendShares(out, "msec", latencies.ms);
  AppendFlushes(out, block);
  if (context.host_facts) AppendProcessor(out, worker);
  AppendDepths(out, "  IO depths    : ", kDepthNames, SharesOfDepth(worker));
  AppendDepths(out, "     submit    : ", kBatchNames, SharesOfBatches(worker.submit_batches));
  AppendDepths(out, "     complete  : ", kBatchNames, SharesOfBatches(worker.complete_batches));
  AppendIssued(out, worker);
  AppendErrors(out, block);
  const Pace pace = block.workload == nullptr ? Pace{} : block.workload->pace;
  StrAppendFormat(&out, "     latency   : target=%d, window=%d, percentile=%.2f%%, depth=%u\n",
                  Microseconds(pace.latency_target), Microseconds(pace.latency_window),
                  pace.latency_percentile, DepthOf(worker));
}

}  // namespace zonal::report
