// SPDX-License-Identifier: MIT
// What the report shows as one: a worker, or the workers of a group merged.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zonal/report.h"

namespace zonal::report {

// What the report shows as a direction: with kMixed, all of them as one.
enum class Shown : std::uint8_t { kRead, kWrite, kTrim, kMixed };
inline constexpr int kShown = 4;

struct Block {
  WorkerResult result;                   // merged: see MergeInto in blocks.cc
  WorkerView view;                       // of the first worker; what it hides is not in `result`
  DirectionResult mixed;                 // empty unless the view shows it
  const Workload* workload = nullptr;    // of the first worker; null if the plan has none for it
  const TargetResult* target = nullptr;  // where the first worker ran; null if unknown
  std::size_t first_worker = 0;
  std::uint32_t jobs = 1;
};

std::vector<Block> MakeBlocks(const RunPlan& plan, const RunResult& result,
                              const ReportOptions& options);

// False if all are left out: those of flushes are then, too.
inline bool ShowsLatencies(const WorkerView& view) {
  return view.submission || view.completion || view.total;
}

// Something moved, or failed in trying: fio prints a block for it.
bool HasOutput(const WorkerResult& worker);

// Per second, by whole milliseconds as fio reckons; by nanoseconds where the
// time is shorter than one. 0 if no time passed.
std::uint64_t PerSecond(std::uint64_t amount, nanoseconds time);
std::uint64_t Milliseconds(nanoseconds time);
std::uint64_t Microseconds(nanoseconds time);
double PercentOf(nanoseconds part, nanoseconds whole);  // 0 of nothing

// Bytes of one direction of a report group, over its longest run time.
struct GroupDirection {
  std::uint64_t bytes = 0;
  std::uint64_t bandwidth = 0;             // bytes per second, of all
  std::uint64_t slowest = 0, fastest = 0;  // of the blocks
  nanoseconds shortest_run{0}, longest_run{0};
};
GroupDirection SumOfGroup(const std::vector<Block>& blocks, std::uint32_t group, Shown shown);

// The share of the group's bandwidth that a block's samples show, in percent.
double ShareOfGroup(const DirectionResult& direction, const GroupDirection& group);

// The errno that fio would show; 0 if the worker met no error.
int ErrnoOf(const WorkerResult& worker);

// The share of the run in which the disk had work, in percent.
double Utilization(const DiskUse& disk, nanoseconds wall);
// As fio names a disk: the last part of its path.
std::string DiskName(const TargetResult& target);

// The depth that was asked for, or the one that keeps latency_target.
inline std::uint32_t DepthOf(const WorkerResult& worker) {
  return worker.depth_found != 0 ? worker.depth_found : worker.depth_asked;
}

// "randwrite": as fio's job line names it.
std::string_view ReadWriteName(const Workload& workload);

// In the report's order.
std::vector<Shown> ShownOf(const WorkerView& view);
inline const DirectionResult& Of(const Block& block, Shown shown) {
  return shown == Shown::kMixed ? block.mixed
                                : block.result.directions[static_cast<std::size_t>(shown)];
}
inline const DirectionResult& Of(const WorkerResult& worker, Direction direction) {
  return worker.directions[static_cast<std::size_t>(direction)];
}
inline const Histogram& Of(const WorkerResult& worker, OpClass op) {
  return worker.operations[static_cast<std::size_t>(op)];
}

}  // namespace zonal::report
