// SPDX-License-Identifier: MIT
// A run made up by hand, with every feature of a report: clones in a group, a
// mixed job, zone resets, a failed job, one that found nothing to read.
#pragma once

#include "zonal/report.h"

namespace zonal {

struct SampleRun {
  RunPlan plan;
  RunResult result;
  ReportOptions options;
};

SampleRun MakeSampleRun();

}  // namespace zonal
