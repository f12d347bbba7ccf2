// SPDX-License-Identifier: MIT
#include "report_output.h"

#include <algorithm>
#include <chrono>
#include <iostream>

#include "zonal/report.h"

namespace zonal::cli {

bool ReportOutput::Open() {
  if (invocation_.output_path.empty()) return true;
  file_.open(invocation_.output_path, std::ios::trunc);
  return file_.is_open();
}

std::ostream& ReportOutput::stream() { return file_.is_open() ? file_ : std::cout; }

void ReportOutput::Announce() {
  const std::vector<ReportFormat>& formats = invocation_.formats;
  if (std::find(formats.begin(), formats.end(), ReportFormat::kNormal) == formats.end()) return;
  stream() << FormatPreamble(invocation_.plan, invocation_.report) << std::flush;
}

void ReportOutput::ReportWhile(RunControl& control) {
  if (invocation_.status_interval.count() == 0) return;
  control.status_interval = invocation_.status_interval;
  control.on_status = [this](const RunResult& so_far) {
    Report(so_far);
    stream() << std::flush;
  };
}

void ReportOutput::Report(const RunResult& result) {
  ReportOptions options = invocation_.report;
  options.timestamp_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::system_clock::now().time_since_epoch())
                             .count();
  stream() << FormatReport(invocation_.plan, result, options, invocation_.formats);
}

}  // namespace zonal::cli
