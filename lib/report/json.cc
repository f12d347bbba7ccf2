// SPDX-License-Identifier: MIT
// The JSON report: fio's keys in fio's order, then "zonal".
#include <algorithm>

#include "report/distribution.h"
#include "report/json_parts.h"
#include "report/text_block.h"
#include "zonal/report.h"

namespace zonal {
namespace {

using report::Block;
using report::Json;

Json OptionsJson(const std::vector<std::pair<std::string, std::string>>& options) {
  Json out = Json::object();
  for (const auto& [name, value] : options) out[name] = value;
  return out;
}

// Wall-clock time at which the worker started; 0 without host facts.
std::int64_t StartMs(const WorkerResult& worker, const RunResult& result,
                     const ReportOptions& options) {
  if (result.simulated || options.timestamp_ms == 0) return 0;
  return options.timestamp_ms - (result.wall - worker.started_after).count() / 1'000'000;
}

void AddProcessor(Json& job, const WorkerResult& worker, bool host_facts) {
  const auto percent = [&](nanoseconds part) {
    return host_facts ? report::SixDecimals(report::PercentOf(part, worker.runtime)) : 0.0;
  };
  job["usr_cpu"] = percent(worker.user_cpu);
  job["sys_cpu"] = percent(worker.system_cpu);
  job["ctx"] = host_facts ? worker.context_switches : 0;
  job["majf"] = host_facts ? worker.major_faults : 0;
  job["minf"] = host_facts ? worker.minor_faults : 0;
}

Json SyncJson(const Block& block, bool bins) {
  const Histogram& flushes = report::Of(block.result, OpClass::kFlush);
  Json out = Json::object();
  out["total_ios"] = flushes.count();
  out["lat_ns"] = report::LatencyJson(report::ShowsLatencies(block.view) ? flushes : Histogram(),
                                      {report::PercentilesOf(block.view), bins});
  return out;
}

void AddErrors(Json& job, const Block& block) {
  if (!block.view.error_counts) return;
  job["total_err"] = block.result.io_errors;
  job["first_error"] = ToErrno(block.result.first_error);
}

void AddLatencyTarget(Json& job, const Block& block) {
  const Pace pace = block.workload == nullptr ? Pace{} : block.workload->pace;
  job["latency_depth"] = report::DepthOf(block.result);
  job["latency_target"] = report::Microseconds(pace.latency_target);
  job["latency_target_ns"] = pace.latency_target.count();
  job["latency_percentile"] = report::SixDecimals(pace.latency_percentile);
  job["latency_window"] = report::Microseconds(pace.latency_window);
  job["latency_window_us"] = report::Microseconds(pace.latency_window);
}

std::uint64_t ElapsedSeconds(nanoseconds time) {
  return (static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count())) + 999'999'999) /
         1'000'000'000;
}

struct JsonContext {
  const std::vector<Block>& blocks;
  const RunResult& result;
  const ReportOptions& options;
  bool bins = false;
};

// Flushes stand between the directions and their mix.
void AddDirections(Json& job, const Block& block, const JsonContext& context) {
  constexpr const char* kNames[report::kShown] = {"read", "write", "trim", "mixed"};
  for (const report::Shown shown : report::ShownOf(block.view)) {
    job[kNames[static_cast<std::size_t>(shown)]] = report::DirectionJson(
        report::Of(block, shown), report::SumOfGroup(context.blocks, block.result.group, shown),
        block.view, context.bins);
    if (shown == report::Shown::kTrim) job["sync"] = SyncJson(block, context.bins);
  }
}

Json JobJson(const Block& block, const JsonContext& context) {
  const WorkerResult& worker = block.result;
  Json job = Json::object();
  job["jobname"] = worker.name;
  job["groupid"] = worker.group;
  job["job_start"] = StartMs(worker, context.result, context.options);
  job["error"] = report::ErrnoOf(worker);
  job["eta"] = 0;
  job["elapsed"] = ElapsedSeconds(worker.started_after + worker.runtime);
  if (block.first_worker < context.options.job_options.size()) {
    job["job options"] = OptionsJson(context.options.job_options[block.first_worker]);
  }
  AddDirections(job, block, context);
  job["job_runtime"] = report::Milliseconds(worker.runtime);
  AddProcessor(job, worker, !context.result.simulated);
  report::AddDistributions(job, worker);
  AddErrors(job, block);
  AddLatencyTarget(job, block);
  if (!block.view.description.empty()) job["desc"] = block.view.description;
  if (worker.counts_zone_resets) job["zone_resets"] = worker.zone_resets;
  job["zonal"] = report::JobZonalJson(block, context.bins);
  return job;
}

Json DiskJson(const RunResult& result) {
  Json out = Json::array();
  for (const TargetResult& target : result.targets) {
    if (result.simulated || !target.disk) continue;
    const DiskUse& disk = *target.disk;
    out.push_back(Json{{"name", report::DiskName(target)},
                       {"read_ios", disk.read_ios},
                       {"write_ios", disk.write_ios},
                       {"read_sectors", disk.read_sectors},
                       {"write_sectors", disk.write_sectors},
                       {"read_merges", disk.read_merges},
                       {"write_merges", disk.write_merges},
                       {"read_ticks", disk.read_ms},
                       {"write_ticks", disk.write_ms},
                       {"in_queue", disk.in_queue_ms},
                       {"util", report::SixDecimals(report::Utilization(disk, result.wall))}});
  }
  return out;
}

std::string Format(const RunPlan& plan, const RunResult& result, const ReportOptions& options,
                   bool bins) {
  const std::vector<Block> blocks = report::MakeBlocks(plan, result, options);
  const std::int64_t now = result.simulated ? 0 : options.timestamp_ms;
  Json out = Json::object();
  out["fio version"] = options.version;
  out["timestamp"] = now / 1000;
  out["timestamp_ms"] = now;
  out["time"] = now == 0 ? std::string() : report::WallClock(now);
  if (!options.global_options.empty()) out["global options"] = OptionsJson(options.global_options);
  out["jobs"] = Json::array();
  const JsonContext context{blocks, result, options, bins};
  for (const Block& block : blocks) out["jobs"].push_back(JobJson(block, context));
  out["disk_util"] = DiskJson(result);
  out["zonal"] = report::RunZonalJson(result, options);
  // Names and specs are bytes; what is not UTF-8 becomes a replacement character
  // instead of an exception.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string FormatJson(const RunPlan& plan, const RunResult& result, const ReportOptions& options) {
  return Format(plan, result, options, false);
}

std::string FormatJsonPlus(const RunPlan& plan, const RunResult& result,
                           const ReportOptions& options) {
  return Format(plan, result, options, true);
}

}  // namespace zonal
