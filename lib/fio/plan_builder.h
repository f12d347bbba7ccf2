// SPDX-License-Identifier: MIT
// Jobs as typed -> workloads for the engine. Pure.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fio/job.h"
#include "zonal/fio.h"

namespace zonal::fio {

// plan_checks.cc: what needs more than one option, or more than one job, to
// judge. InvalidArgument names the job and what to do; `notices` gets what has
// no effect.
absl::Status CheckJobs(const std::vector<Job>& jobs, const OptionValues& global,
                       std::vector<std::string>& notices);

FioInvocation BuildInvocation(const std::vector<Job>& jobs, const OptionValues& global,
                              Command command, const FioParseOptions& options);

}  // namespace zonal::fio
