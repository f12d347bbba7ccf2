// SPDX-License-Identifier: MIT
// Jobs -> a command line that makes them: --showcmd. Pure.
#pragma once

#include <string>
#include <vector>

#include "fio/job.h"

namespace zonal::fio {

// Options of one line, without the program's name; quoted for a shell. Every job
// has all its options behind its name: parsed again, the plan is the same.
std::string ShowCommand(const std::vector<Job>& jobs);

}  // namespace zonal::fio
