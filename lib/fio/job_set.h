// SPDX-License-Identifier: MIT
// Sections of options -> jobs. Pure.
#pragma once

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "fio/job.h"
#include "fio/sections.h"

namespace zonal::fio {

struct JobSet {
  std::vector<Job> jobs;
  OptionValues global;  // typed for all jobs
};

// Defaults hold for the jobs behind them; a source starts with those of the
// command line, and its first job waits for the source before it. `command` gets
// notices, and says which sections of sources are wanted. InvalidArgument names
// the option and where it stands.
absl::StatusOr<JobSet> BuildJobs(std::span<const Section> sections, const FioParseOptions& options,
                                 Command& command);

}  // namespace zonal::fio
