// SPDX-License-Identifier: MIT
// What a run comes to: an exit code, and sentences on what went differently than
// asked. Pure.
#pragma once

#include <string>
#include <vector>

#include "zonal/run.h"

namespace zonal::cli {

// Of exit_codes.h. A failed I/O outweighs an interruption, and that outweighs less
// done than asked: what an interrupted job would still have done nobody knows.
int ExitCodeOf(const RunResult& result);

// fio's: how many jobs failed, and nothing else that went differently than asked.
int FioExitCodeOf(const RunResult& result);

// For each worker that did not do what was asked: why, and a hint where there is
// one. The hints hold the words that fio has for them.
std::vector<std::string> ExplainEnds(const RunPlan& plan, const RunResult& result);

}  // namespace zonal::cli
