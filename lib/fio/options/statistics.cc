// SPDX-License-Identifier: MIT
// What is measured and shown.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

Status SetKbBase(string_view value, Target target) {
  constexpr Choice<KbBase> kBases[] = {{"1024", KbBase::k1024}, {"1000", KbBase::k1000}};
  ZONAL_ASSIGN_OR_RETURN(target.job.kb_base, Choose(value, kBases));
  target.job.view.kb_base = static_cast<int>(target.job.kb_base);
  return OkStatus();
}

constexpr Choice<bool> kUnits[] = {{"0", false}, {"8", false}, {"1", true}};
Status UnitBase(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.view.rates_in_bits, Choose(value, kUnits));
  return OkStatus();
}

Status Percentiles(string_view value, Target target) {
  constexpr std::size_t kMost = 20;
  ZONAL_ASSIGN_OR_RETURN(target.job.view.percentiles, ParseFloatList(value, {0, 100}, kMost));
  return OkStatus();
}

Status GtodReduce(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const bool reduce, ParseBool(value));
  if (!reduce) return OkStatus();
  WorkerView& view = target.job.view;
  view.submission = view.completion = view.total = false;
  return OkStatus();
}

constexpr Option kRows[] = {
    Switch("clat_percentiles", "1", "Percentiles of completion latencies.",
           Flag<&WorkerView::completion_percentiles>),
    Switch("lat_percentiles", "0", "Percentiles of latencies from submission to completion.",
           Flag<&WorkerView::total_percentiles>),
    Switch("slat_percentiles", "0", "Percentiles of submission latencies.",
           Flag<&WorkerView::submission_percentiles>),
    Value("percentile_list", "P[:P...]", "1:5:10:...:99.99", "Which percentiles; at most 20.",
          Percentiles),
    Switch("disable_lat", "0", "Leaves latencies from submission to completion out.",
           InverseFlag<&WorkerView::total>),
    Switch("disable_clat", "0", "Leaves completion latencies out.",
           InverseFlag<&WorkerView::completion>),
    Switch("disable_slat", "0", "Leaves submission latencies out.",
           InverseFlag<&WorkerView::submission>),
    Switch("gtod_reduce", "0", "Leaves all latencies out.", GtodReduce),
    Value("kb_base", "1024|1000", "1024",
          "1000: k is 1000 and Ki is 1024 in values, and decimal forms stand first in the report.",
          SetKbBase),
    Value("unit_base", "0|8|1", "0", "1: rates in bits per second.", UnitBase),
    NoEffect("disable_bw_measurement", "0|1", "Bandwidth is counted anyway.").Also("disable_bw"),
    NoEffect("disk_util", "0|1", "Counts of the block layer cost nothing."),
    NoEffect("bwavgtime", "MS", "Rates are sampled twice a second."),
    NoEffect("iopsavgtime", "MS", "Rates are sampled twice a second."),
    Refused("stats", "0|1", "Every job is counted.", "1"),
    Refused("block_error_percentiles", "0|1", "Errors are counted by kind.", "0"),
};

}  // namespace

std::span<const Option> StatisticsOptions() { return kRows; }

}  // namespace zonal::fio
