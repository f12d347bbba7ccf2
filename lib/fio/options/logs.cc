// SPDX-License-Identifier: MIT
// Logs over time.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

// Without a value the job's name is the file's.
template <auto Member>
Status LogName(string_view value, Target target) {
  At<Member>(target) = value.empty() ? kLogOfJobName : value;
  return OkStatus();
}

constexpr Option Log(string_view name, string_view meaning, ApplyFunction apply) {
  Option option = Value(name, "FILE", "the job's name", meaning, apply);
  option.value_rule = ValueRule::kOptional;
  option.bare = "";
  return option;
}

constexpr Option kRows[] = {
    Log("write_bw_log", "Writes bandwidth over time to FILE_bw.N.log.",
        LogName<&TimeLogs::bandwidth>),
    Log("write_lat_log", "Writes latencies over time to FILE_lat.N.log, and slat and clat.",
        LogName<&TimeLogs::latency>),
    Log("write_iops_log", "Writes operations per second over time to FILE_iops.N.log.",
        LogName<&TimeLogs::iops>),
    Log("write_hist_log", "Writes histograms of latencies over time to FILE_clat_hist.N.log.",
        LogName<&TimeLogs::histogram>),
    Value("log_avg_msec", "MS", "0",
          "Averages over this long; 0: a line for each operation. Milliseconds without a unit.",
          Milliseconds<&TimeLogs::average_over>),
    Value("log_hist_msec", "MS", "0", "A histogram this often. Milliseconds without a unit.",
          Milliseconds<&TimeLogs::histogram_every>),
    Switch("log_max_value", "0", "The highest value of each interval, not the mean.",
           Flag<&TimeLogs::highest>),
    Switch("log_offset", "0", "Lines of single operations have their offsets.",
           Flag<&TimeLogs::with_offsets>),
    Switch("per_job_logs", "1", "Files of each job have its number.", Flag<&TimeLogs::per_worker>),
    NoEffect("log_entries", "N", "Logs grow as they need to."),
    Refused("log_hist_coarseness", "0..6", "Add up the buckets of the log.", "0"),
    Refused("log_window_value", "avg|max|both", "Use log_max_value.", "avg"),
    Refused("log_prio", "0|1", "All operations have one priority.", "0"),
    Refused("log_issue_time", "0|1", "Lines have completion times.", "0"),
    Refused("log_compression", "SIZE", "Compress the files afterwards.", "0"),
    Refused("log_compression_cpus", "CPUS", "Compress the files afterwards."),
    Refused("log_store_compressed", "0|1", "Compress the files afterwards.", "0"),
    Refused("log_unix_epoch", "0|1", "Add job_start of the JSON report.", "0"),
    Refused("log_alternate_epoch", "0|1", "Add job_start of the JSON report.", "0"),
    Refused("log_alternate_epoch_clock_id", "ID", "Add job_start of the JSON report.", "0"),
};

}  // namespace

std::span<const Option> LogsOptions() { return kRows; }

}  // namespace zonal::fio
