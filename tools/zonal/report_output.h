// SPDX-License-Identifier: MIT
// Where the report of a run goes, and in which forms: what comes before the run,
// whole reports while it goes on, and the last one.
#pragma once

#include <fstream>
#include <ostream>
#include <string>

#include "zonal/fio.h"

namespace zonal::cli {

class ReportOutput {
 public:
  // `invocation` outlives it.
  explicit ReportOutput(const FioInvocation& invocation) : invocation_(invocation) {}
  // Standard output if no path was given. False, with errno, if the file cannot be
  // written.
  bool Open();

  // Only the normal report has something to say before the run.
  void Announce();
  // Whole reports of totals so far, as often as the invocation asks for.
  void ReportWhile(RunControl& control);
  // In all forms asked for; as of now.
  void Report(const RunResult& result);
  bool Finish() { return static_cast<bool>(stream().flush()); }

 private:
  std::ostream& stream();

  const FioInvocation& invocation_;
  std::ofstream file_;
};

}  // namespace zonal::cli
