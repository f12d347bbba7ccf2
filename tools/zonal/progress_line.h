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

struct LiveLineOptions {
  std::string_view mode = "auto";  // "auto" (only on a terminal), "always" or "never"
  int significant_figures = 4;
  nanoseconds interval{0};  // how often it changes; 0: as RunControl has it
  nanoseconds newline{0};   // a new line instead of the old one so often; 0: never
};

class ProgressLine {
 public:
  // Hooks itself into `control`, which must not outlive it.
  ProgressLine(const RunPlan& plan, RunControl& control, const LiveLineOptions& options);
  // Takes the line away, once the run is over.
  void Clear();

 private:
  void Show(const std::string& line);
  void EndLineIfDue(nanoseconds elapsed);
  const nanoseconds newline_;
  nanoseconds line_began_{0};
  ProgressSample last_;    // the line shows the rates since
  std::size_t shown_ = 0;  // characters on the screen
};

}  // namespace zonal::cli
