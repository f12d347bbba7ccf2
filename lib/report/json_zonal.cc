// SPDX-License-Identifier: MIT
// The "zonal" objects: what fio's keys have no place for. Raw numbers end in
// their unit. `format` counts up when a key changes its meaning.
#include "absl/strings/str_format.h"
#include "report/distribution.h"
#include "report/json_parts.h"
#include "report/text_block.h"

namespace zonal::report {
namespace {

constexpr int kFormat = 1;

// Three values: a number, "unlimited", and null for "nobody told us".
Json LimitJson(Limit limit) {
  if (limit.has_count()) return *limit.count();
  return limit.is_unlimited() ? Json("unlimited") : Json(nullptr);
}

// Beyond 2^53 most readers of JSON lose bits of a number: such a seed is a string.
Json SeedJson(std::uint64_t seed) {
  constexpr std::uint64_t kLargestExact = std::uint64_t{1} << 53;
  return seed <= kLargestExact ? Json(seed) : Json(std::to_string(seed));
}

Json TargetJson(const TargetResult& target, bool host_facts) {
  const DeviceInfo& info = target.info;
  Json out = Json::object();
  out["spec"] = info.spec;
  out["backend"] = info.backend;
  out["identity"] = info.identity;
  out["model"] = ToString(info.model);
  out["emulated"] = info.is_emulated;
  out["queue"] = target.queue;
  out["size_bytes"] = info.geometry.size_bytes;
  out["block_size_bytes"] = info.geometry.block_size;
  out["zone_size_bytes"] = info.geometry.zone_size;
  out["zone_count"] = info.geometry.zone_count;
  out["max_open_zones"] = LimitJson(info.max_open);
  out["max_active_zones"] = LimitJson(info.max_active);
  out["write_target_limit"] = LimitJson(target.write_targets);
  if (target.drive) {
    for (const NamedCounter& counter : NamedCounters(*target.drive)) {
      out["drive"][std::string(counter.name)] = counter.value;
    }
  }
  if (!host_facts) return out;
  out["direct_io"] = info.direct_io;
  out["rotational"] = info.rotational;
  out["kernel"] = info.kernel;
  out["scheduler"] = info.scheduler;
  return out;
}

Json ErrorJson(const WorkerResult& worker) {
  if (worker.error.ok()) return nullptr;
  Json out = Json::object();
  out["operation"] = worker.error_op;
  out["errc"] = ToString(worker.error.errc);
  out["origin"] = ToString(worker.error.origin);
  out["raw"] = worker.error.raw;
  out["offset_bytes"] = worker.error.offset;
  out["bytes"] = worker.error.bytes;
  return out;
}

Json OperationsJson(const Block& block, bool bins) {
  const WorkerResult& worker = block.result;
  const LatencyDetail detail{PercentilesOf(block.view), bins};
  Json out = Json::object();
  for (int i = 0; i < kOpClasses; ++i) {
    const auto op = static_cast<OpClass>(i);
    out[std::string(ToString(op)) + "_ns"] = LatencyJson(Of(worker, op), detail);
  }
  return out;
}

Json FromDueJson(const Block& block, bool bins) {
  Json out = Json::object();
  for (const Shown shown : {Shown::kRead, Shown::kWrite, Shown::kTrim}) {
    const Histogram& from_due = Of(block.result, static_cast<Direction>(shown)).from_due;
    if (from_due.count() == 0) continue;
    out[std::string(DirectionName(shown)) + "_ns"] =
        LatencyJson(from_due, {PercentilesOf(block.view), bins});
  }
  return out;
}

}  // namespace

Json RunZonalJson(const RunResult& result, const ReportOptions& options) {
  Json out = Json::object();
  out["format"] = kFormat;
  out["version"] = options.version;
  out["seed"] = SeedJson(result.seed);
  out["simulated"] = result.simulated;
  out["wall_ns"] = result.wall.count();
  out["notices"] = result.notices;
  out["targets"] = Json::array();
  for (const TargetResult& target : result.targets) {
    out["targets"].push_back(TargetJson(target, !result.simulated));
  }
  return out;
}

Json VerifyJson(const VerifyResult& verify) {
  Json out = {{"blocks", verify.blocks},
              {"mismatches", verify.mismatches},
              {"dropped", verify.dropped},
              {"messages", verify.messages}};
  if (verify.runs.empty()) return out;
  out["runs"] = Json::array();
  for (const VerifyResult::Run& run : verify.runs) {
    out["runs"].push_back({{"run_id", absl::StrFormat("0x%016x", run.run_id)},
                           {"blocks", run.blocks},
                           {"first_offset_bytes", run.first_offset}});
  }
  out["mixed_zones"] = verify.mixed_zones;
  return out;
}

Json JobZonalJson(const Block& block, bool bins) {
  const WorkerResult& worker = block.result;
  Json out = Json::object();
  out["jobs"] = block.jobs;
  out["target"] = block.workload == nullptr ? Json(nullptr) : Json(block.workload->target);
  out["queue"] = block.target == nullptr ? Json(nullptr) : Json(block.target->queue);
  out["seed"] = block.workload == nullptr ? Json(nullptr) : SeedJson(block.workload->seed);
  out["end_reason"] = worker.running ? std::string_view("running") : ToString(worker.reason);
  out["detail"] = worker.detail;
  out["error"] = ErrorJson(worker);
  out["io_errors"] = worker.io_errors;
  out["done_ios"] = Json{{"read", Of(worker, Direction::kRead).ios},
                         {"write", Of(worker, Direction::kWrite).ios},
                         {"trim", Of(worker, Direction::kTrim).ios}};
  out["zone_resets"] = worker.zone_resets;
  out["zone_finishes"] = worker.zone_finishes;
  out["zones_touched"] = worker.zones_touched;
  out["reads_retried"] = worker.stale_reads;
  if (worker.verify.blocks + worker.verify.dropped != 0) out["verify"] = VerifyJson(worker.verify);
  out["write_target_limit"] =
      block.target == nullptr ? Json(nullptr) : LimitJson(block.target->write_targets);
  out["write_depth_per_zone"] =
      worker.write_depth_per_zone == 0 ? Json("unlimited") : Json(worker.write_depth_per_zone);
  out["write_depth_reason"] = worker.write_depth_reason;
  out["operations"] = OperationsJson(block, bins);
  if (Json from_due = FromDueJson(block, bins); !from_due.empty()) out["from_due"] = from_due;
  return out;
}

}  // namespace zonal::report
