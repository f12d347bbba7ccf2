// SPDX-License-Identifier: MIT
// The report's own section: what fio's shape has no place for.
#pragma once

#include <string>
#include <vector>

#include "report/blocks.h"

namespace zonal::report {

void AppendZonalSection(std::string& out, const std::vector<Block>& blocks, const RunResult& result,
                        int significant_figures);

// "a number", "unlimited", "unknown".
std::string LimitText(Limit limit);

}  // namespace zonal::report
