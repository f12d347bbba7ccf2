// SPDX-License-Identifier: MIT
#include "report/blocks.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace zonal::report {
namespace {

// Workers of a group run side by side: their rates add up.
void MergeSamples(RateSamples& into, const RateSamples& from) {
  into.count += from.count;
  into.min += from.min;
  into.max += from.max;
  into.mean += from.mean;
  into.stdev = std::hypot(into.stdev, from.stdev);  // of a sum of independent rates
}

void MergeDirection(DirectionResult& into, const DirectionResult& from) {
  into.ios += from.ios;
  into.issued_ios += from.issued_ios;
  into.bytes += from.bytes;
  into.short_ios += from.short_ios;
  into.dropped_ios += from.dropped_ios;
  into.runtime = std::max(into.runtime, from.runtime);
  into.submission.Add(from.submission);
  into.completion.Add(from.completion);
  into.total.Add(from.total);
  into.from_due.Add(from.from_due);
  MergeSamples(into.bandwidth_kib, from.bandwidth_kib);
  MergeSamples(into.iops, from.iops);
}

template <std::size_t N>
void AddCounts(std::array<std::uint64_t, N>& into, const std::array<std::uint64_t, N>& from) {
  for (std::size_t i = 0; i < N; ++i) into[i] += from[i];
}

void MergeVerify(VerifyResult& into, const VerifyResult& from) {
  into.blocks += from.blocks;
  into.mismatches += from.mismatches;
  into.dropped += from.dropped;
  into.messages.insert(into.messages.end(), from.messages.begin(), from.messages.end());
  for (const VerifyResult::Run& run : from.runs) {
    const auto same =
        std::find_if(into.runs.begin(), into.runs.end(),
                     [&run](const VerifyResult::Run& other) { return other.run_id == run.run_id; });
    if (same == into.runs.end()) {
      into.runs.push_back(run);
      continue;
    }
    same->blocks += run.blocks;
    same->first_offset = std::min(same->first_offset, run.first_offset);
  }
  into.mixed_zones += from.mixed_zones;
}

// Name, thread and the like stay those of the first worker; the first failure
// is the block's.
void MergeInto(WorkerResult& into, const WorkerResult& from) {
  for (std::size_t i = 0; i < into.directions.size(); ++i) {
    MergeDirection(into.directions[i], from.directions[i]);
  }
  for (std::size_t i = 0; i < into.operations.size(); ++i)
    into.operations[i].Add(from.operations[i]);
  into.running = into.running || from.running;
  into.counts_zone_resets = into.counts_zone_resets || from.counts_zone_resets;
  into.zone_resets += from.zone_resets;
  into.zone_finishes += from.zone_finishes;
  into.stale_reads += from.stale_reads;
  MergeVerify(into.verify, from.verify);
  into.io_errors += from.io_errors;
  into.zones_touched += from.zones_touched;
  if (into.reason == EndReason::kDone && from.reason != EndReason::kDone) {
    into.reason = from.reason;
    into.detail = from.detail;
  }
  if (into.first_error.ok()) into.first_error = from.first_error;
  if (into.error.ok() && !from.error.ok()) {
    into.error = from.error;
    into.error_op = from.error_op;
  }
  AddCounts(into.depth_levels, from.depth_levels);
  AddCounts(into.submit_batches, from.submit_batches);
  AddCounts(into.complete_batches, from.complete_batches);
  into.runtime = std::max(into.runtime, from.runtime);
  into.user_cpu += from.user_cpu;
  into.system_cpu += from.system_cpu;
  into.context_switches += from.context_switches;
  into.major_faults += from.major_faults;
  into.minor_faults += from.minor_faults;
}

bool JoinsGroup(const ReportOptions& options, std::size_t worker) {
  return worker < options.group_reporting_of.size() ? options.group_reporting_of[worker]
                                                    : options.group_reporting;
}

void Hide(WorkerResult& worker, const WorkerView& view) {
  for (DirectionResult& direction : worker.directions) {
    if (!view.submission) direction.submission.Clear();
    if (!view.completion) direction.completion.Clear();
    if (!view.total) direction.total.Clear();
  }
}

const TargetResult* TargetOf(const Workload* workload, const RunResult& result) {
  if (workload == nullptr) return nullptr;
  for (const TargetResult& target : result.targets) {
    if (target.spec == workload->target) return &target;
  }
  return nullptr;
}

}  // namespace

std::vector<Block> MakeBlocks(const RunPlan& plan, const RunResult& result,
                              const ReportOptions& options) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < result.workers.size(); ++i) {
    const WorkerResult& worker = result.workers[i];
    if (!blocks.empty() && JoinsGroup(options, i) && blocks.back().result.group == worker.group) {
      MergeInto(blocks.back().result, worker);
      ++blocks.back().jobs;
      continue;
    }
    Block block;
    block.result = worker;
    if (i < options.views.size()) block.view = options.views[i];
    block.workload = i < plan.workers.size() ? &plan.workers[i] : nullptr;
    block.target = TargetOf(block.workload, result);
    block.first_worker = i;
    blocks.push_back(std::move(block));
  }
  for (Block& block : blocks) {
    Hide(block.result, block.view);
    if (block.view.directions == WorkerView::Directions::kApart) continue;
    for (const DirectionResult& direction : block.result.directions) {
      MergeDirection(block.mixed, direction);
    }
  }
  return blocks;
}

bool HasOutput(const WorkerResult& worker) {
  return ErrnoOf(worker) != 0 ||
         std::any_of(worker.directions.begin(), worker.directions.end(),
                     [](const DirectionResult& direction) { return direction.issued_ios != 0; });
}

std::uint64_t PerSecond(std::uint64_t amount, nanoseconds time) {
  __extension__ using Wide = unsigned __int128;
  const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
  const std::uint64_t ms = Milliseconds(time);
  if (ms != 0) return static_cast<std::uint64_t>(static_cast<Wide>(amount) * 1000 / ms);
  return ns == 0 ? 0 : static_cast<std::uint64_t>(static_cast<Wide>(amount) * 1'000'000'000 / ns);
}

std::uint64_t Milliseconds(nanoseconds time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0)) / 1'000'000;
}

std::uint64_t Microseconds(nanoseconds time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0)) / 1'000;
}

double PercentOf(nanoseconds part, nanoseconds whole) {
  if (whole.count() <= 0) return 0.0;
  return 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::vector<Shown> ShownOf(const WorkerView& view) {
  switch (view.directions) {
    case WorkerView::Directions::kApart:
      return {Shown::kRead, Shown::kWrite, Shown::kTrim};
    case WorkerView::Directions::kMixed:
      return {Shown::kMixed};
    case WorkerView::Directions::kBoth:
      break;
  }
  return {Shown::kRead, Shown::kWrite, Shown::kTrim, Shown::kMixed};
}

GroupDirection SumOfGroup(const std::vector<Block>& blocks, std::uint32_t group, Shown shown) {
  GroupDirection sum;
  for (const Block& block : blocks) {
    const std::vector<Shown> of_block = ShownOf(block.view);
    const bool is_shown = std::find(of_block.begin(), of_block.end(), shown) != of_block.end();
    const DirectionResult& one = Of(block, shown);
    if (block.result.group != group || !is_shown || one.bytes == 0) continue;
    const std::uint64_t bandwidth = PerSecond(one.bytes, one.runtime);
    const bool first = sum.bytes == 0;
    sum.slowest = first ? bandwidth : std::min(sum.slowest, bandwidth);
    sum.fastest = std::max(sum.fastest, bandwidth);
    sum.shortest_run = first ? one.runtime : std::min(sum.shortest_run, one.runtime);
    sum.longest_run = std::max(sum.longest_run, one.runtime);
    sum.bytes += one.bytes;
  }
  sum.bandwidth = PerSecond(sum.bytes, sum.longest_run);
  return sum;
}

double ShareOfGroup(const DirectionResult& direction, const GroupDirection& group) {
  if (group.bandwidth == 0) return 0.0;
  const double kib = static_cast<double>(group.bandwidth) / 1024.0;
  return std::min(100.0, direction.bandwidth_kib.mean * 100.0 / kib);
}

double Utilization(const DiskUse& disk, nanoseconds wall) {
  const std::uint64_t ms = Milliseconds(wall);
  if (ms == 0) return 0.0;
  return std::min(100.0, 100.0 * static_cast<double>(disk.busy_ms) / static_cast<double>(ms));
}

std::string DiskName(const TargetResult& target) {
  const std::string& spec = target.info.spec;
  return spec.substr(spec.rfind('/') + 1);
}

int ErrnoOf(const WorkerResult& worker) {
  if (worker.reason == EndReason::kVerifyMismatch) return EILSEQ;
  const bool failed = worker.reason == EndReason::kIoError ||
                      worker.reason == EndReason::kCommandFailed ||
                      worker.reason == EndReason::kTooSlow;
  // As fio: also of a worker that went on after an error.
  if (!failed && worker.error.ok()) return ToErrno(worker.first_error);
  return worker.error.ok() ? EIO : ToErrno(worker.error);
}

std::string_view ReadWriteName(const Workload& workload) {
  const bool random = workload.pattern == Pattern::kRandom;
  if (workload.trims && workload.writes) return random ? "randtrimwrite" : "trimwrite";
  if (workload.trims) return random ? "randtrim" : "trim";
  if (workload.reads && workload.writes) return random ? "randrw" : "rw";
  if (workload.writes) return random ? "randwrite" : "write";
  return random ? "randread" : "read";
}

}  // namespace zonal::report
