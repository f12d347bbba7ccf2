// SPDX-License-Identifier: MIT
// The live line.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/blocks.h"
#include "zonal/report.h"

namespace zonal {
namespace {

constexpr char kDirectionLetters[kDirections] = {'r', 'w', 't'};

struct Moved {
  std::uint64_t bytes = 0, ios = 0;  // between the samples
  bool ever = false;
};
// A worker's totals begin anew when its ramp is over.
Moved Between(const std::vector<WorkerProgress>& before, const std::vector<WorkerProgress>& now,
              std::size_t direction) {
  Moved moved;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const WorkerProgress& to = now[i];
    moved.ever |= to.ios[direction] != 0;
    const bool goes_on = i < before.size() && before[i].ios[direction] <= to.ios[direction] &&
                         before[i].bytes[direction] <= to.bytes[direction];
    moved.bytes += to.bytes[direction] - (goes_on ? before[i].bytes[direction] : 0);
    moved.ios += to.ios[direction] - (goes_on ? before[i].ios[direction] : 0);
  }
  return moved;
}

bool IsRunning(const WorkerProgress& worker) { return worker.state != 'P' && worker.state != '_'; }

// "R(2),_(1)".
std::string States(const std::vector<WorkerProgress>& workers) {
  std::string out;
  for (std::size_t i = 0; i < workers.size();) {
    std::size_t end = i;
    while (end < workers.size() && workers[end].state == workers[i].state) ++end;
    absl::StrAppendFormat(&out, "%s%c(%u)", i == 0 ? "" : ",", workers[i].state, end - i);
    i = end;
  }
  return out;
}

std::string Percent(const std::vector<WorkerProgress>& workers, nanoseconds elapsed,
                    nanoseconds remaining) {
  if (remaining.count() >= 0 && (elapsed + remaining).count() > 0) {
    const double whole = static_cast<double>((elapsed + remaining).count());
    return absl::StrFormat("%3.1f%%", 100.0 * static_cast<double>(elapsed.count()) / whole);
  }
  std::uint64_t done = 0, planned = 0;
  for (const WorkerProgress& worker : workers) {
    done += worker.bytes_done;
    planned += worker.bytes_planned;
  }
  if (planned == 0) return "-.-%";
  const double share = static_cast<double>(done) / static_cast<double>(planned);
  return absl::StrFormat("%3.1f%%", 100.0 * std::min(1.0, share));
}

std::string Eta(nanoseconds remaining) {
  if (remaining.count() < 0) return "--m:--s";
  const auto seconds =
      static_cast<std::uint64_t>((remaining.count() + 999'999'999) / 1'000'000'000);
  std::string out;
  if (seconds >= 86400) absl::StrAppendFormat(&out, "%02ud:", seconds / 86400);
  if (seconds >= 3600) absl::StrAppendFormat(&out, "%02uh:", seconds / 3600 % 24);
  absl::StrAppendFormat(&out, "%02um:%02us", seconds / 60 % 60, seconds % 60);
  return out;
}

}  // namespace

std::string FormatProgress(const ProgressSample& before, const ProgressSample& now,
                           nanoseconds remaining, int significant_figures) {
  const std::vector<WorkerProgress>& workers = now.workers;
  const nanoseconds interval = now.elapsed - before.elapsed;
  std::string rates, iops;
  for (std::size_t i = 0; i < kDirections; ++i) {
    const Moved moved = Between(before.workers, workers, i);
    if (!moved.ever) continue;
    const char* comma = rates.empty() ? "" : ",";
    absl::StrAppendFormat(
        &rates, "%s%c=%s/s", comma, kDirectionLetters[i],
        FormatNumber(report::PerSecond(moved.bytes, interval), significant_figures, 1024, true));
    absl::StrAppendFormat(
        &iops, "%s%c=%s", comma, kDirectionLetters[i],
        FormatNumber(report::PerSecond(moved.ios, interval), significant_figures, 1000, false));
  }
  const auto running = std::count_if(workers.begin(), workers.end(), IsRunning);
  std::string out = absl::StrFormat("Jobs: %d (f=%d): [%s][%s]", running, running, States(workers),
                                    Percent(workers, now.elapsed, remaining));
  if (!rates.empty()) absl::StrAppendFormat(&out, "[%s][%s IOPS]", rates, iops);
  absl::StrAppendFormat(&out, "[eta %s]", Eta(remaining));
  return out;
}

}  // namespace zonal
