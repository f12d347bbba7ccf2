// SPDX-License-Identifier: MIT
#include "report/text_zonal.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/distribution.h"
#include "report/text_block.h"

namespace zonal::report {
namespace {

using absl::StrAppendFormat;

// Whether anybody wrote it in zone mode: else no limit was in force.
bool ZonesWereWritten(const TargetResult& target, const std::vector<Block>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [&target](const Block& block) {
    return block.target == &target && block.result.counts_zone_resets;
  });
}

void AppendTarget(std::string& out, const TargetResult& target, const std::vector<Block>& blocks,
                  int figures) {
  const DeviceInfo& info = target.info;
  StrAppendFormat(&out, "  %s: %s", info.spec, info.backend);
  if (!info.identity.empty()) StrAppendFormat(&out, " (%s)", info.identity);
  if (info.geometry.is_zoned()) {
    StrAppendFormat(&out, ", %u zones of %s, max open %s, max active %s", info.geometry.zone_count,
                    FormatNumber(info.geometry.zone_size, figures, 1024, true),
                    LimitText(info.max_open), LimitText(info.max_active));
  } else {
    StrAppendFormat(&out, ", %s", FormatNumber(info.geometry.size_bytes, figures, 1024, true));
  }
  StrAppendFormat(&out, ", queue %s\n", target.queue);
  if (ZonesWereWritten(target, blocks)) {
    StrAppendFormat(&out, "    zones written at once: %s\n", LimitText(target.write_targets));
  }
}

void AppendOperation(std::string& out, std::string_view name, const Histogram& histogram) {
  const TimeUnit unit = UnitOf(histogram.min(), histogram.max());
  StrAppendFormat(&out, "    %-9s (%s): count=%u, min=%u, avg=%.2f, p50=%u, p99=%u, max=%u\n",
                  std::string(name), std::string(unit.name), histogram.count(),
                  histogram.min() / unit.ns, histogram.mean() / static_cast<double>(unit.ns),
                  histogram.Percentile(50) / unit.ns, histogram.Percentile(99) / unit.ns,
                  histogram.max() / unit.ns);
}

std::string WriteDepth(const WorkerResult& worker) {
  std::string text = worker.write_depth_per_zone == 0 ? std::string("any")
                                                      : absl::StrCat(worker.write_depth_per_zone);
  if (!worker.write_depth_reason.empty())
    absl::StrAppend(&text, " (", worker.write_depth_reason, ")");
  return text;
}

bool IsZoned(const Block& block) {
  return block.target == nullptr || block.target->info.geometry.is_zoned();
}

// A reader that found blocks of one run has nothing to tell.
void AppendRuns(std::string& out, const WorkerResult& worker) {
  const VerifyResult& verify = worker.verify;
  if (verify.runs.size() < 2) return;
  StrAppendFormat(&out, "    verified blocks are of %u runs", verify.runs.size());
  char separator = ':';
  for (const VerifyResult::Run& run : verify.runs) {
    StrAppendFormat(&out, "%c %u of run 0x%016x from offset %u on", separator, run.blocks,
                    run.run_id, run.first_offset);
    separator = ',';
  }
  if (verify.mixed_zones != 0) {
    StrAppendFormat(&out, "; zones that hold blocks of two runs: %u", verify.mixed_zones);
  }
  out += '\n';
}

void AppendBlockFacts(std::string& out, const Block& block) {
  const WorkerResult& worker = block.result;
  StrAppendFormat(&out, "  %s:", worker.name);
  if (IsZoned(block)) {
    // Jobs of a group may touch the same zone: each counts it.
    StrAppendFormat(&out, " zones touched %u%s, finished %u", worker.zones_touched,
                    block.jobs > 1 ? " (added over jobs)" : "", worker.zone_finishes);
    if (block.workload != nullptr && block.workload->writes) {
      StrAppendFormat(&out, ", writes in flight per zone %s", WriteDepth(worker));
    }
  }
  StrAppendFormat(&out, "%s errors %u", IsZoned(block) ? "," : "", worker.io_errors);
  if (worker.stale_reads != 0) StrAppendFormat(&out, ", reads retried %u", worker.stale_reads);
  out += '\n';
  for (const Shown shown : {Shown::kRead, Shown::kWrite, Shown::kTrim}) {
    const Histogram& from_due = Of(worker, static_cast<Direction>(shown)).from_due;
    if (from_due.count() == 0) continue;
    AppendOperation(out, absl::StrCat(std::string(DirectionName(shown)), " from due"), from_due);
  }
  for (int i = 0; i < kOpClasses; ++i) {
    const auto op = static_cast<OpClass>(i);
    if (Of(worker, op).count() != 0) AppendOperation(out, ToString(op), Of(worker, op));
  }
  AppendRuns(out, worker);
}

// Of every worker, also where a group is reported as one.
void AppendEnds(std::string& out, const RunResult& result) {
  for (const WorkerResult& worker : result.workers) {
    for (const std::string& line : worker.recoveries) {
      StrAppendFormat(&out, "  %s: %s\n", worker.name, line);
    }
    if (worker.reason == EndReason::kDone) continue;
    StrAppendFormat(&out, "  %s: ended early, %s", worker.name,
                    std::string(ToString(worker.reason)));
    if (!worker.detail.empty()) StrAppendFormat(&out, ": %s", worker.detail);
    if (worker.reason == EndReason::kIoError) {
      StrAppendFormat(&out, " [%s, %s 0x%x]", std::string(ToString(worker.error.errc)),
                      std::string(ToString(worker.error.origin)), worker.error.raw);
    }
    out += '\n';
  }
}

}  // namespace

std::string LimitText(Limit limit) {
  if (limit.has_count()) return absl::StrCat(*limit.count());
  return limit.is_unlimited() ? "unlimited" : "unknown";
}

void AppendZonalSection(std::string& out, const std::vector<Block>& blocks, const RunResult& result,
                        int significant_figures) {
  StrAppendFormat(&out, "\nZonal: seed %u%s\n", result.seed, result.simulated ? ", simulated" : "");
  for (const TargetResult& target : result.targets) {
    AppendTarget(out, target, blocks, significant_figures);
  }
  for (const Block& block : blocks) {
    if (HasOutput(block.result)) AppendBlockFacts(out, block);
  }
  AppendEnds(out, result);
}

}  // namespace zonal::report
