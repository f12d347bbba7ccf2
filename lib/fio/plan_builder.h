// SPDX-License-Identifier: MIT
// Jobs as typed -> workloads for the engine. Pure.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fio/job_set.h"
#include "zonal/fio.h"

namespace zonal::fio {

// plan_checks.cc: what needs more than one option, or more than one job, to
// judge. InvalidArgument names the job and what to do; `notices` gets what has
// no effect.
absl::Status CheckJobs(const JobSet& set, Command& command);

// Clones, files and seeds. `command` is moved from.
absl::StatusOr<FioInvocation> BuildInvocation(const JobSet& set, Command& command,
                                              const FioParseOptions& options);

// targets.cc: the files of clone `clone` of `job`.
std::vector<std::string> FilesOf(const Job& job, std::uint32_t clone);
// True if the names are made, not typed.
inline bool HasMadeNames(const Job& job) { return job.files.names.empty(); }

// schedule.cc: what the workers of each job wait for and end, and their groups.
// `workers_of[i]` are the first worker of job i and how many there are.
struct WorkerSpan {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
absl::Status Schedule(const std::vector<Job>& jobs, const std::vector<WorkerSpan>& workers_of,
                      RunPlan& plan);

}  // namespace zonal::fio
