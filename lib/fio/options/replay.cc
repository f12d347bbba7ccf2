// SPDX-License-Identifier: MIT
// Replay, steady state: not of this front end.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr string_view kNoReplay = "Recorded I/O is not replayed by this command.";
constexpr string_view kNoSteadyState = "Use runtime and ramp_time, and judge the logs.";

constexpr Option kRows[] = {
    Refused("read_iolog", "FILE", kNoReplay),
    Refused("write_iolog", "FILE", kNoReplay),
    Refused("read_iolog_chunked", "0|1", kNoReplay, "0"),
    Refused("replay_no_stall", "0|1", kNoReplay, "0"),
    Refused("replay_redirect", "DEVICE", kNoReplay),
    Refused("replay_scale", "N", kNoReplay, "1"),
    Refused("replay_align", "SIZE", kNoReplay, "0"),
    Refused("replay_time_scale", "PERCENT", kNoReplay, "100"),
    Refused("replay_skip", "KINDS", kNoReplay),
    Refused("merge_blktrace_file", "FILE", kNoReplay),
    Refused("merge_blktrace_scalars", "LIST", kNoReplay),
    Refused("merge_blktrace_iters", "LIST", kNoReplay),
    Refused("steadystate", "CRITERION", kNoSteadyState).Also("ss"),
    Refused("steadystate_duration", "TIME", kNoSteadyState, "0").Also("ss_dur"),
    Refused("steadystate_ramp_time", "TIME", kNoSteadyState, "0").Also("ss_ramp"),
    Refused("steadystate_check_interval", "TIME", kNoSteadyState).Also("ss_interval"),
};

}  // namespace

std::span<const Option> ReplayOptions() { return kRows; }

}  // namespace zonal::fio
