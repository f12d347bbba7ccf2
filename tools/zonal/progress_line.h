// SPDX-License-Identifier: MIT
// The live line of a run, rewritten in place on standard error: how far, how
// fast, and how long it will still take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zonal/report.h"
#include "zonal/run.h"

namespace zonal::cli {

// What is left, from what was done so far; negative if nothing tells.
nanoseconds EstimateRemaining(const RunPlan& plan, const std::vector<WorkerProgress>& workers,
                              nanoseconds elapsed);

class ProgressLine {
 public:
  // Hooks itself into `control`, which must not outlive it. `eta`: "auto" (only
  // on a terminal), "always" or "never".
  ProgressLine(const RunPlan& plan, RunControl& control, std::string_view eta);
  // Takes the line away, once the run is over.
  void Clear();

 private:
  void Show(const std::string& line);
  ProgressSample last_;    // the line shows the rates since
  std::size_t shown_ = 0;  // characters on the screen
};

}  // namespace zonal::cli
