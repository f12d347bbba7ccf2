// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zonal/report.h"

namespace zonal {

std::string FormatReport(const RunPlan& plan, const RunResult& result, const ReportOptions& options,
                         std::span<const ReportFormat> formats) {
  const auto wanted = [formats](ReportFormat format) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  };
  std::string out;
  if (wanted(ReportFormat::kTerse)) out += FormatTerse(plan, result, options);
  if (wanted(ReportFormat::kJsonPlus)) {
    out += FormatJsonPlus(plan, result, options);
  } else if (wanted(ReportFormat::kJson)) {
    out += FormatJson(plan, result, options);
  }
  if (wanted(ReportFormat::kNormal)) out += FormatText(plan, result, options);
  return out;
}

}  // namespace zonal
