// SPDX-License-Identifier: MIT
// Rates, think time, flow, latency targets.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr Choice<bool> kProcesses[] = {{"linear", false}, {"poisson", true}};
Status Process(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.work.pace.poisson, Choose(value, kProcesses));
  return OkStatus();
}

constexpr Choice<bool> kBlocksTypes[] = {{"complete", false}, {"issue", true}};
Status BlocksType(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.work.pace.think_after_issue, Choose(value, kBlocksTypes));
  return OkStatus();
}

Status LatencyPercentile(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.work.pace.latency_percentile, ParseFloat(value, {0, 100}));
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("rate", "SIZE[,SIZE][,SIZE]", "no limit", "At most so many bytes per second.",
          Counts<&Pace::bytes_per_second, 0, kMost64>),
    Value("rate_min", "SIZE[,SIZE][,SIZE]", "", "The job fails below so many bytes per second.",
          Counts<&Pace::least_bytes_per_second, 0, kMost64>)
        .Also("ratemin"),
    Value("rate_iops", "N[,N][,N]", "no limit", "At most so many operations per second.",
          Counts<&Pace::ios_per_second, 0, kMost64>),
    Value("rate_iops_min", "N[,N][,N]", "", "The job fails below so many operations per second.",
          Counts<&Pace::least_ios_per_second, 0, kMost64>),
    Value("rate_process", "linear|poisson", "linear",
          "Gaps between operations of a limited rate: equal, or as of independent arrivals.",
          Process),
    Value("rate_cycle", "TIME", "1s",
          "Over which rate_min and rate_iops_min are taken; milliseconds without a unit.",
          Milliseconds<&Pace::least_window>)
        .Also("ratecycle"),
    Switch("rate_ignore_thinktime", "0", "Does not catch up for the time spent thinking.",
           Flag<&Pace::ignore_think_time>),
    Value("thinktime", "TIME", "0", "Stalls between operations; microseconds without a unit.",
          Microseconds<&Pace::think_time>),
    Value("thinktime_spin", "TIME", "0",
          "Of thinktime, this long busily; microseconds without a unit.",
          Microseconds<&Pace::think_spin>),
    Value("thinktime_blocks", "N", "1", "Operations between two stalls.",
          Count<&Pace::think_blocks, 1, kMost32>),
    Value("thinktime_blocks_type", "complete|issue", "complete",
          "Which operations thinktime_blocks counts.", BlocksType),
    Value("thinktime_iotime", "TIME", "0", "Stalls whenever this long was worked.",
          Time<&Pace::think_io_time>),
    Value("flow", "N", "0",
          "Among jobs of one flow_id with a weight, operations are in proportion to the weights.",
          Count<&Pace::flow, 0, 1000>),
    Value("flow_id", "N", "0", "Which jobs share a flow.", Count<&Pace::flow_id, 0, kMost32>),
    Value("flow_sleep", "TIME", "0",
          "Sleeps this long when ahead of the flow; microseconds without a unit.",
          Microseconds<&Pace::flow_sleep>),
    Value("latency_target", "TIME", "",
          "Seeks the depth up to iodepth that keeps this latency; microseconds without a unit.",
          Microseconds<&Pace::latency_target>),
    Value("latency_window", "TIME", "",
          "How long each depth is tried; microseconds without a unit.",
          Microseconds<&Pace::latency_window>),
    Value("latency_percentile", "0..100", "100",
          "How many operations in a hundred must keep latency_target.", LatencyPercentile),
    Switch("latency_run", "0", "Goes on when the depth is found, adapting it.",
           Flag<&Pace::latency_run>),
    Value("max_latency", "TIME", "no limit",
          "The job fails on an operation that takes longer; microseconds without a unit.",
          Microseconds<&Pace::max_latency>),
    Refused("thinkcycles", "N", "Use thinktime_spin.", "0"),
};

}  // namespace

std::span<const Option> PaceOptions() { return kRows; }

}  // namespace zonal::fio
