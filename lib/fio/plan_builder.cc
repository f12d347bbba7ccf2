// SPDX-License-Identifier: MIT
#include "fio/plan_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "zonal/rng.h"

namespace zonal::fio {
namespace {

QueueKind QueueOf(const Job& job) {
  if (job.ioengine == "io_uring") return QueueKind::kIoUring;
  if (job.ioengine == "libaio") return QueueKind::kLibaio;
  return QueueKind::kSync;
}

// A seed nobody typed has 53 bits: readers of JSON keep all of them.
constexpr std::uint64_t kSeedBits = (std::uint64_t{1} << 53) - 1;

// randseed wins over randrepeat, as in fio.
std::uint64_t BaseSeed(const Job& job, std::uint64_t entropy) {
  constexpr std::uint64_t kDefaultSeed = 1;
  return job.randseed.value_or(job.randrepeat ? kDefaultSeed : entropy & kSeedBits);
}

// Every worker its own sequence, also where jobs share a seed.
std::uint64_t WorkerSeed(std::uint64_t base, std::uint64_t index) {
  std::uint64_t state = base;
  state = SplitMix64(state) ^ index;
  return SplitMix64(state) & kSeedBits;
}

Workload WorkloadOf(const Job& job) {
  Workload work;
  work.name = job.name;
  work.target = job.filename;
  work.pattern = job.rw.pattern;
  work.reads = job.rw.reads;
  work.writes = job.rw.writes;
  work.read_percent = job.read_percent;
  work.read_block = job.read_block;
  work.write_block = job.write_block;
  work.trim_block = job.write_block;
  work.offset = job.offset.bytes;
  work.size = job.size.bytes;
  work.io_size = job.io_size.bytes;
  work.relative_offset = job.offset.relative;
  work.relative_size = job.size.relative;
  work.relative_io_size = job.io_size.relative;
  work.queue = QueueOf(job);
  work.queue_chosen = job.ioengine_typed;
  work.depth = job.iodepth;
  work.direct = job.direct;
  work.may_repeat_blocks = job.norandommap;
  work.runtime = job.runtime;
  work.time_based = job.time_based;
  work.ramp_time = job.ramp_time;
  work.zone_mode = job.zone_mode;
  work.zone_size = job.zone_size;
  work.zone_capacity = job.zone_capacity;
  work.max_open_zones = job.max_open_zones;
  work.worker_max_open_zones = job.rw.writes ? job.job_max_open_zones : 0;
  work.read_beyond_write_pointer = job.read_beyond_wp;
  work.zone_reset_threshold = job.zone_reset_threshold;
  work.zone_reset_frequency = job.zone_reset_frequency;
  return work;
}

}  // namespace

FioInvocation BuildInvocation(const std::vector<Job>& jobs, const OptionValues& global,
                              Command command, const FioParseOptions& options) {
  FioInvocation result;
  result.plan.seed = BaseSeed(jobs.front(), options.entropy);
  for (const Job& job : jobs) {
    const std::uint64_t base = BaseSeed(job, options.entropy);
    Workload work = WorkloadOf(job);
    for (work.clone = 0; work.clone < job.numjobs; ++work.clone) {
      work.seed = WorkerSeed(base, result.plan.workers.size());
      result.plan.workers.push_back(work);
      result.report.job_options.push_back(job.typed);
      result.report.engine_names.push_back(job.ioengine);
      result.report.group_reporting_of.push_back(job.group_reporting);
    }
  }
  result.report.group_reporting =
      std::all_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.group_reporting; });
  result.report.global_options = global;
  result.report.significant_figures = command.significant_figures;
  result.output_format = std::move(command.output_format);
  result.output_path = std::move(command.output_path);
  result.eta = std::move(command.eta);
  result.notices = std::move(command.notices);
  return result;
}

}  // namespace zonal::fio
