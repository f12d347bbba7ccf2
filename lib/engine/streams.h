// SPDX-License-Identifier: MIT
// From a worker's setup to the generators of its positions.
#pragma once

#include "engine/setup.h"
#include "workload/random_stream.h"
#include "workload/windows.h"

namespace zonal::engine {

inline workload::RandomStream::Options RandomStreamOptions(const WorkerSetup& setup,
                                                           Direction direction, std::uint64_t begin,
                                                           std::uint64_t end) {
  const Workload& workload = setup.workload;
  const auto at = static_cast<std::size_t>(direction);
  const bool reads = direction == Direction::kRead;
  workload::RandomStream::Options options;
  options.begin = begin;
  options.end = end;
  options.block = std::min(reads ? setup.least_read() : setup.least_write(), end - begin);
  options.align = workload.block_align[at];
  options.may_repeat = workload.may_repeat_blocks;
  options.seed = reads ? workload.seed : ~workload.seed;
  options.run_length = workload.run_length;
  options.repeats_offset = workload.repeats_offset;
  options.random_percent = workload.random_percent[at];
  return options;
}

inline workload::Windows WindowsOf(const WorkerSetup& setup) {
  const Workload& workload = setup.workload;
  workload::Windows::Options options;
  options.begin = setup.range.begin;
  options.end = setup.range.end;
  if (workload.zone_mode == ZoneMode::kStrided) {
    options.quota = workload.zone_size;
    options.range = workload.zone_range;
    options.skip = setup.zone_skip;
  }
  return workload::Windows(options);
}

}  // namespace zonal::engine
