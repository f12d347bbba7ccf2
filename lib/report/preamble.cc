// SPDX-License-Identifier: MIT
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/blocks.h"
#include "report/units.h"
#include "zonal/report.h"

namespace zonal {
namespace {

std::string BlockRange(const BlockSize& block, const report::Units& units) {
  return report::SizeText(block.min, units) + "-" + report::SizeText(block.max, units);
}

void AppendJobLine(std::string& out, const Workload& work, const std::string& engine,
                   const report::Units& units) {
  absl::StrAppendFormat(
      &out, "%s: (g=%u): rw=%s, bs=(R) %s, (W) %s, (T) %s, ioengine=%s, iodepth=%u\n", work.name,
      work.group, std::string(report::ReadWriteName(work)), BlockRange(work.read_block, units),
      BlockRange(work.write_block, units), BlockRange(work.trim_block, units), engine, work.depth);
}

}  // namespace

std::string FormatPreamble(const RunPlan& plan, const ReportOptions& options) {
  std::string out;
  for (std::size_t i = 0; i < plan.workers.size(); ++i) {
    const Workload& work = plan.workers[i];
    if (work.clone == 1) out += "...\n";
    if (work.clone != 0) continue;
    const WorkerView view = i < options.views.size() ? options.views[i] : WorkerView();
    AppendJobLine(out, work,
                  i < options.engine_names.size() ? options.engine_names[i]
                                                  : std::string(ToString(work.queue)),
                  report::UnitsOf(view, options));
  }
  const std::size_t count = plan.workers.size();
  absl::StrAppend(&out, options.version, "\nStarting ", count, count == 1 ? " thread" : " threads",
                  "\n");
  return out;
}

}  // namespace zonal
