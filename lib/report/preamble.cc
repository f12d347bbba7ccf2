// SPDX-License-Identifier: MIT
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/blocks.h"
#include "zonal/report.h"

namespace zonal {
namespace {

std::string BlockRange(const BlockSize& block, int figures) {
  return FormatNumber(block.min, figures, 1024, true) + "-" +
         FormatNumber(block.max, figures, 1024, true);
}

void AppendJobLine(std::string& out, const Workload& work, const std::string& engine, int figures) {
  absl::StrAppendFormat(&out,
                        "%s: (g=%u): rw=%s, bs=(R) %s, (W) %s, (T) %s, ioengine=%s, iodepth=%u\n",
                        work.name, work.group, std::string(report::ReadWriteName(work)),
                        BlockRange(work.read_block, figures), BlockRange(work.write_block, figures),
                        BlockRange(work.trim_block, figures), engine, work.depth);
}

}  // namespace

std::string FormatPreamble(const RunPlan& plan, const ReportOptions& options) {
  std::string out;
  for (std::size_t i = 0; i < plan.workers.size(); ++i) {
    const Workload& work = plan.workers[i];
    if (work.clone == 1) out += "...\n";
    if (work.clone != 0) continue;
    AppendJobLine(out, work,
                  i < options.engine_names.size() ? options.engine_names[i]
                                                  : std::string(ToString(work.queue)),
                  options.significant_figures);
  }
  const std::size_t count = plan.workers.size();
  absl::StrAppend(&out, options.version, "\nStarting ", count, count == 1 ? " thread" : " threads",
                  "\n");
  return out;
}

}  // namespace zonal
