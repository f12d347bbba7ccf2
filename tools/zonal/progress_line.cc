// SPDX-License-Identifier: MIT
#include "progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>

namespace zonal::cli {
namespace {

// One worker's; nullopt if nothing tells.
std::optional<nanoseconds> RemainingOf(const Workload& workload, const WorkerProgress& progress,
                                       nanoseconds elapsed) {
  if (progress.state == '_') return nanoseconds(0);
  std::optional<nanoseconds> by_time;
  if (workload.runtime.count() > 0) {
    by_time = std::max(nanoseconds(0), workload.ramp_time + workload.runtime - elapsed);
    if (workload.time_based) return by_time;
  }
  if (progress.bytes_done == 0 || progress.bytes_planned == 0) return by_time;
  const double left = progress.bytes_planned > progress.bytes_done
                          ? static_cast<double>(progress.bytes_planned - progress.bytes_done)
                          : 0.0;
  const nanoseconds by_bytes(static_cast<std::int64_t>(static_cast<double>(elapsed.count()) * left /
                                                       static_cast<double>(progress.bytes_done)));
  return by_time ? std::min(*by_time, by_bytes) : by_bytes;
}

}  // namespace

nanoseconds EstimateRemaining(const RunPlan& plan, const std::vector<WorkerProgress>& workers,
                              nanoseconds elapsed) {
  nanoseconds longest(0);
  for (std::size_t i = 0; i < workers.size() && i < plan.workers.size(); ++i) {
    const std::optional<nanoseconds> remaining = RemainingOf(plan.workers[i], workers[i], elapsed);
    if (!remaining) return nanoseconds(-1);
    longest = std::max(longest, *remaining);
  }
  return longest;
}

ProgressLine::ProgressLine(const RunPlan& plan, RunControl& control, const LiveLineOptions& options)
    : newline_(options.newline) {
  if (options.mode == "never") return;
  if (options.mode != "always" && isatty(STDERR_FILENO) == 0) return;
  if (options.interval.count() > 0) control.progress_interval = options.interval;
  control.on_progress = [this, &plan, figures = options.significant_figures](
                            const std::vector<WorkerProgress>& workers, nanoseconds elapsed) {
    ProgressSample now{workers, elapsed};
    Show(FormatProgress(last_, now, EstimateRemaining(plan, workers, elapsed), figures));
    EndLineIfDue(elapsed);
    last_ = std::move(now);
  };
}

void ProgressLine::EndLineIfDue(nanoseconds elapsed) {
  if (newline_.count() == 0 || elapsed - line_began_ < newline_) return;
  std::cerr << '\n' << std::flush;
  line_began_ = elapsed;
  shown_ = 0;
}

void ProgressLine::Show(const std::string& line) {
  // Blanks cover what a longer line left behind.
  const std::size_t blanks = shown_ > line.size() ? shown_ - line.size() : 0;
  std::cerr << line << std::string(blanks, ' ') << '\r' << std::flush;
  shown_ = line.size();
}

void ProgressLine::Clear() {
  if (shown_ != 0) Show("");
}

}  // namespace zonal::cli
