// SPDX-License-Identifier: MIT
// One block of the normal report, in fio's shape.
#pragma once

#include <string>
#include <vector>

#include "report/blocks.h"

namespace zonal::report {

// Host facts (threads, processor time, wall clock) are left out of the report of
// a simulation, which reruns to the byte.
struct TextContext {
  const ReportOptions& options;
  bool host_facts = true;
};

// `group` per direction: for the share that the bandwidth samples are of it.
void AppendBlock(std::string& out, const Block& block,
                 const std::array<GroupDirection, kShown>& group, const TextContext& context);

// "  read", in the width of the direction lines and of the group's lines.
std::string_view DirectionName(Shown shown);

// "Mon Nov 30 19:00:40 2026", local time.
std::string WallClock(std::int64_t timestamp_ms);

}  // namespace zonal::report
