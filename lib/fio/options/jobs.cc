// SPDX-License-Identifier: MIT
// Jobs: names, clones, what waits for what, groups, ends.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

Status Name(string_view value, Target target) {
  if (value.empty()) return InvalidArgumentError("a job needs a name");
  target.job.name = value;
  return OkStatus();
}

Status StartDelay(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const auto delay, ParseTimeRange(value));
  target.job.order.start_delay_least = delay.first;
  target.job.order.start_delay_most = delay.second;
  return OkStatus();
}

constexpr Choice<ExitWhat> kExitWhats[] = {
    {"group", ExitWhat::kGroup}, {"stonewall", ExitWhat::kStonewall}, {"all", ExitWhat::kAll}};
Status SetExitWhat(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.order.exit_what, Choose(value, kExitWhats));
  return OkStatus();
}

Status Thread(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const bool wanted, ParseBool(value));
  if (!wanted) {
    target.command.notices.emplace_back("thread=0 has no effect: jobs are always threads");
  }
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("name", "NAME", "",
          "Starts a job. Options before the first --name are defaults for all jobs, as are those "
          "of a job called global.",
          Name),
    Value("description", "TEXT", "", "Printed in the report.", Text<&WorkerView::description>),
    Value("numjobs", "1..4096", "1", "Copies of the job, each with its own random seed.",
          Count<&Job::numjobs, 1, 4096>),
    Switch("thread", "1", "Accepted: jobs are always threads.", Thread),
    Value("startdelay", "TIME[-TIME]", "0",
          "Starts the job this much later; of a range, a random time for each copy.", StartDelay),
    Switch("stonewall", "0", "Starts when all jobs before it have ended, in a new group.",
           Flag<&Order::stonewall>)
        .Also("wait_for_previous"),
    Value("wait_for", "NAME", "", "Starts when that job, given earlier, and its copies have ended.",
          Text<&Order::wait_for>),
    Switch("new_group", "0", "A new group of the report starts here.", Flag<&Order::new_group>),
    Switch("group_reporting", "0", "Reports the jobs of a group together.",
           Flag<&Job::group_reporting>),
    Switch("exitall", "0", "When the job ends, others are ended: exit_what says which.",
           Flag<&Order::exit_all>),
    Value("exit_what", "group|stonewall|all", "group",
          "What exitall ends: the jobs that run beside it, up to the next stonewall, or all.",
          SetExitWhat),
    Value("runtime", "TIME", "no limit", "Stops after this long: 30, 30s, 5m, 100ms.",
          Time<&Workload::runtime>)
        .Also("timeout"),
    Switch("time_based", "0", "Goes round the range until runtime is over.",
           Flag<&Workload::time_based>),
    Value("ramp_time", "TIME", "0", "Runs this long before counting anything.",
          Time<&Workload::ramp_time>),
    Value("loops", "N", "1", "Goes through all of the job so often.",
          Count<&Workload::loops, 1, kMost32>),
    Value("number_ios", "N", "no limit", "Ends after so many I/Os.",
          Count<&Workload::most_operations, 0, kMost64>),
    Value("exec_prerun", "COMMAND", "", "Runs this shell command before the job.",
          Text<&Workload::command_before>),
    Value("exec_postrun", "COMMAND", "", "Runs this shell command after the job.",
          Text<&Workload::command_after>),
    Refused("profile", "NAME", "Give the jobs themselves."),
};

}  // namespace

std::span<const Option> JobsOptions() { return kRows; }

}  // namespace zonal::fio
