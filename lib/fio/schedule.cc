// SPDX-License-Identifier: MIT
// stonewall, wait_for, exitall and groups, over the workers of all jobs.
#include <numeric>
#include <string>

#include "absl/strings/str_cat.h"
#include "fio/plan_builder.h"

namespace zonal::fio {
namespace {

std::vector<std::uint32_t> Workers(std::uint32_t first, std::uint32_t end) {
  std::vector<std::uint32_t> workers(end - first);
  std::iota(workers.begin(), workers.end(), first);
  return workers;
}

// Of jobs before `waiter`, the one it names: fio has no references forward.
absl::StatusOr<std::size_t> Awaited(const std::vector<Job>& jobs, std::size_t waiter) {
  const std::string& name = jobs[waiter].order.wait_for;
  std::size_t found = jobs.size();
  for (std::size_t i = 0; i < waiter; ++i) {
    if (jobs[i].name != name) continue;
    if (found != jobs.size()) {
      return absl::InvalidArgumentError(absl::StrCat("job ", jobs[waiter].name, ": wait_for=", name,
                                                     ": more than one job has that name"));
    }
    found = i;
  }
  if (found == jobs.size()) {
    return absl::InvalidArgumentError(absl::StrCat("job ", jobs[waiter].name, ": wait_for=", name,
                                                   ": there is no such job before it"));
  }
  return found;
}

void SetEnds(const Order& order, zonal::Schedule& schedule) {
  if (!order.exit_all) return;
  schedule.ends_all = order.exit_what == ExitWhat::kAll;
  schedule.ends_its_group = !schedule.ends_all;
}

}  // namespace

// A stage is what runs between two stonewalls: its workers wait for those of the
// stage before, which have waited for all earlier ones.
absl::Status Schedule(const std::vector<Job>& jobs, const std::vector<WorkerSpan>& workers_of,
                      RunPlan& plan) {
  std::uint32_t stage = 0, stage_first = 0, before_first = 0, group = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Order& order = jobs[i].order;
    const WorkerSpan span = workers_of[i];
    if (order.stonewall && span.first > stage_first) {
      ++stage;
      before_first = stage_first;
      stage_first = span.first;
    }
    if ((order.stonewall || order.new_group) && i > 0) ++group;
    zonal::Schedule schedule;
    schedule.stage = stage;
    if (stage > 0) schedule.after = Workers(before_first, stage_first);
    if (!order.wait_for.empty()) {
      const absl::StatusOr<std::size_t> awaited = Awaited(jobs, i);
      if (!awaited.ok()) return awaited.status();
      const WorkerSpan other = workers_of[*awaited];
      // One of an earlier stage has ended anyway.
      if (other.first >= stage_first) {
        for (const std::uint32_t w : Workers(other.first, other.first + other.count)) {
          schedule.after.push_back(w);
        }
      }
    }
    SetEnds(order, schedule);
    for (std::uint32_t w = span.first; w < span.first + span.count; ++w) {
      Workload& work = plan.workers[w];
      schedule.start_delay = work.schedule.start_delay;
      work.schedule = schedule;
      work.group = group;
    }
  }
  return absl::OkStatus();
}

}  // namespace zonal::fio
