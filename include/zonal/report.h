// SPDX-License-Identifier: MIT
// RunResult -> text in fio's shape, JSON with fio's keys plus one object
// "zonal", fio's semicolon lines. Pure functions; thread-safe. Results go in,
// strings come out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "zonal/run.h"

namespace zonal {

// How a worker's figures are shown. Switches that change the report only; a block
// of several workers is shown as its first.
struct WorkerView {
  // Latencies left out of it (disable_slat, disable_clat, disable_lat; gtod_reduce:
  // all three). The classes of latency in percent are of completions.
  bool submission = true, completion = true, total = true;
  // Of which of them percentiles are shown (slat_percentiles and so on).
  bool submission_percentiles = false, completion_percentiles = true, total_percentiles = false;
  std::vector<double> percentiles;  // 0..100, at most 20; empty: fio's default list
  int kb_base = 1024;               // 1000: the decimal form stands first
  bool rates_in_bits = false;       // unit_base=1
  bool error_counts = false;        // continue_on_error: how many, and the first
  // unified_rw_reporting: reads, writes and trims apart, all as one ("mixed"), or both.
  enum class Directions : std::uint8_t { kApart, kMixed, kBoth };
  Directions directions = Directions::kApart;
  std::string description;
  friend bool operator==(const WorkerView&, const WorkerView&) = default;
};

enum class ReportFormat : std::uint8_t { kNormal, kTerse, kJson, kJsonPlus };

struct ReportOptions {
  int significant_figures = 4;    // 1..10, fio's meaning
  int terse_version = 3;          // 3, 4 or 5
  std::vector<WorkerView> views;  // per worker; where there is none: the defaults
  bool group_reporting = false;
  // Per worker, where given; else `group_reporting` holds for all. Such a worker
  // joins the report block of the worker before it if their groups are equal.
  std::vector<bool> group_reporting_of;
  std::string version;            // printed after the job lines
  std::int64_t timestamp_ms = 0;  // JSON and text; 0: host facts are left out
  // Per worker, as typed, in order: for JSON's "job options".
  std::vector<std::vector<std::pair<std::string, std::string>>> job_options;
  std::vector<std::pair<std::string, std::string>> global_options;
  // Per worker: what the job line prints, e.g. "rw=write, bs=(R) ...": the
  // engine name as typed.
  std::vector<std::string> engine_names;
};

// The lines printed before the run: one per job ("..." for its clones), the
// version, "Starting N threads".
std::string FormatPreamble(const RunPlan& plan, const ReportOptions& options);
std::string FormatText(const RunPlan& plan, const RunResult& result, const ReportOptions& options);
std::string FormatJson(const RunPlan& plan, const RunResult& result, const ReportOptions& options);
// The same with a map `bins` (latency in ns -> how many) beside percentiles.
std::string FormatJsonPlus(const RunPlan& plan, const RunResult& result,
                           const ReportOptions& options);
// A line of fields separated by semicolons for each block, in fio's terse versions
// 3 to 5.
std::string FormatTerse(const RunPlan& plan, const RunResult& result, const ReportOptions& options);
// Each of `formats` once, in fio's order whatever theirs is: terse, JSON, normal.
// JSON and JSON+ together are JSON+.
std::string FormatReport(const RunPlan& plan, const RunResult& result, const ReportOptions& options,
                         std::span<const ReportFormat> formats);
// "4096B", "64.0KiB", "12.5k": fio's number style (base 1000 or 1024).
std::string FormatNumber(std::uint64_t value, int significant_figures, int base,
                         bool with_byte_unit);
// What RunControl::on_progress was given: totals so far.
struct ProgressSample {
  std::vector<WorkerProgress> workers;
  nanoseconds elapsed{0};
};
// The live line, without its CR. Rates are those between the two samples, so that
// a stall shows at once; after an empty `before`, those since the start. Directions
// that never moved anything are left out. A negative `remaining` is unknown:
// "eta --m:--s".
std::string FormatProgress(const ProgressSample& before, const ProgressSample& now,
                           nanoseconds remaining, int significant_figures = 4);

}  // namespace zonal
