// SPDX-License-Identifier: MIT
// The JSON report: fio's keys in fio's order, then "zonal".
#include <algorithm>

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
    if (!host_facts || worker.runtime.count() <= 0) return 0.0;
    return report::SixDecimals(100.0 * static_cast<double>(part.count()) /
                               static_cast<double>(worker.runtime.count()));
  };
  job["usr_cpu"] = percent(worker.user_cpu);
  job["sys_cpu"] = percent(worker.system_cpu);
  job["ctx"] = host_facts ? worker.context_switches : 0;
  job["majf"] = host_facts ? worker.major_faults : 0;
  job["minf"] = host_facts ? worker.minor_faults : 0;
}

Json SyncJson(const WorkerResult& worker) {
  const Histogram& flushes = report::Of(worker, OpClass::kFlush);
  Json out = Json::object();
  out["total_ios"] = flushes.count();
  out["lat_ns"] = report::LatencyJson(flushes, true);
  return out;
}

std::uint64_t ElapsedSeconds(nanoseconds time) {
  return (static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count())) + 999'999'999) /
         1'000'000'000;
}

Json JobJson(const Block& block, const std::vector<Block>& blocks, const RunResult& result,
             const ReportOptions& options) {
  const WorkerResult& worker = block.result;
  const auto direction = [&](Direction which) {
    return report::DirectionJson(report::Of(worker, which),
                                 report::SumOfGroup(blocks, worker.group, which));
  };
  Json job = Json::object();
  job["jobname"] = worker.name;
  job["groupid"] = worker.group;
  job["job_start"] = StartMs(worker, result, options);
  job["error"] = report::ErrnoOf(worker);
  job["eta"] = 0;
  job["elapsed"] = ElapsedSeconds(worker.started_after + worker.runtime);
  if (block.first_worker < options.job_options.size()) {
    job["job options"] = OptionsJson(options.job_options[block.first_worker]);
  }
  job["read"] = direction(Direction::kRead);
  job["write"] = direction(Direction::kWrite);
  job["trim"] = direction(Direction::kTrim);
  job["sync"] = SyncJson(worker);
  job["job_runtime"] = report::Milliseconds(worker.runtime);
  AddProcessor(job, worker, !result.simulated);
  report::AddDistributions(job, worker);
  job["latency_depth"] = worker.depth_asked;
  job["latency_target"] = 0;
  job["latency_target_ns"] = 0;
  job["latency_percentile"] = 100.0;
  job["latency_window"] = 0;
  job["latency_window_us"] = 0;
  if (worker.counts_zone_resets) job["zone_resets"] = worker.zone_resets;
  job["zonal"] = report::JobZonalJson(block);
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

}  // namespace

std::string FormatJson(const RunPlan& plan, const RunResult& result, const ReportOptions& options) {
  const std::vector<Block> blocks = report::MakeBlocks(plan, result, options);
  const std::int64_t now = result.simulated ? 0 : options.timestamp_ms;
  Json out = Json::object();
  out["fio version"] = options.version;
  out["timestamp"] = now / 1000;
  out["timestamp_ms"] = now;
  out["time"] = now == 0 ? std::string() : report::WallClock(now);
  if (!options.global_options.empty()) out["global options"] = OptionsJson(options.global_options);
  out["jobs"] = Json::array();
  for (const Block& block : blocks) out["jobs"].push_back(JobJson(block, blocks, result, options));
  out["disk_util"] = DiskJson(result);
  out["zonal"] = report::RunZonalJson(result, options);
  // Names and specs are bytes; what is not UTF-8 becomes a replacement character
  // instead of an exception.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace zonal
