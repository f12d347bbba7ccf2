// SPDX-License-Identifier: MIT
#include "fio/plan_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "zonal/rng.h"

namespace zonal::fio {
namespace {

QueueKind QueueOf(const Job& job) {
  if (job.ioengine == "io_uring") return QueueKind::kIoUring;
  if (job.ioengine == "libaio" || job.ioengine == "sg") return QueueKind::kLibaio;
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

// Which of the options about buffers wins, in fio's order.
DataFill FillOf(const Job& job) {
  const Buffers& buffers = job.buffers;
  DataFill fill = job.work.fill;
  fill.pattern = buffers.pattern;
  using Kind = DataFill::Kind;
  if (!buffers.pattern.empty())
    fill.kind = Kind::kPattern;
  else if (buffers.zero)
    fill.kind = Kind::kZeros;
  else if (buffers.refill || fill.compress_percent != 0 || fill.dedupe_percent != 0)
    fill.kind = Kind::kRefill;
  else if (buffers.scramble)
    fill.kind = Kind::kScramble;
  return fill;
}

bool MapIsOff(const Job& job) {
  const Workload& work = job.work;
  // Ends of zones written short fit into no map of whole blocks; and what is drawn
  // unevenly could not be drawn without repetition.
  const bool uneven = std::any_of(
      work.distribution.begin(), work.distribution.end(),
      [](const RandomDistribution& d) { return d.kind != RandomDistribution::Kind::kUniform; });
  return job.norandommap.value_or(work.write_zone_remainder) || uneven;
}

void SetRange(const Job& job, Workload& work) {
  work.offset = job.offset.bytes;
  work.relative_offset = job.offset.relative;
  work.size = job.size.bytes;
  work.relative_size = job.size.relative;
  work.io_size = job.io_size.bytes;
  work.relative_io_size = job.io_size.relative;
  if (job.files.file_size != 0) {  // then `size` is only how much is moved
    if (job.io_size == Extent{}) {
      work.io_size = job.size.bytes;
      work.relative_io_size = job.size.relative;
    }
    work.size = job.files.file_size;
    work.relative_size = std::nullopt;
  }
  work.offset_increment = job.offset_increment.bytes;
  work.relative_offset_increment = job.offset_increment.relative;
  work.zone_skip = job.zone_skip.bytes;
  work.relative_zone_skip = job.zone_skip.relative;
}

void SetLogNames(const std::string& name, TimeLogs& logs) {
  for (std::string* log : {&logs.bandwidth, &logs.latency, &logs.iops, &logs.histogram}) {
    if (*log == kLogOfJobName) *log = name;
  }
}

// The part of one of `files` files, where fio spreads a job over them.
std::uint64_t Part(std::uint64_t whole, std::uint64_t files) {
  return whole == 0 ? 0 : std::max<std::uint64_t>(1, whole / files);
}

void TakePart(std::uint64_t files, bool divide_size, Workload& work) {
  if (divide_size) work.size = Part(work.size, files);
  work.io_size = Part(work.io_size, files);
  work.most_operations = Part(work.most_operations, files);
  work.depth = static_cast<std::uint32_t>((work.depth + files - 1) / files);
  for (auto* rates : {&work.pace.bytes_per_second, &work.pace.ios_per_second,
                      &work.pace.least_bytes_per_second, &work.pace.least_ios_per_second}) {
    for (std::uint64_t& rate : *rates) rate = Part(rate, files);
  }
}

Workload WorkloadOf(const Job& job) {
  Workload work = job.work;
  work.name = job.name;
  work.queue = QueueOf(job);
  work.queue_chosen = job.ioengine_typed;
  work.may_repeat_blocks = MapIsOff(job);
  work.worker_max_open_zones = work.writes ? job.job_max_open_zones : 0;
  work.fill = FillOf(job);
  SetRange(job, work);
  SetLogNames(job.name, work.logs);
  return work;
}

class PlanBuilder {
 public:
  PlanBuilder(const FioParseOptions& options, Command& command, FioInvocation& result)
      : options_(options), command_(command), result_(result) {}

  absl::Status Add(const Job& job) {
    const WorkerSpan span{static_cast<std::uint32_t>(result_.plan.workers.size()), 0};
    spans_.push_back(span);
    for (std::uint32_t clone = 0; clone < job.numjobs; ++clone) {
      const std::vector<std::string> files = FilesOf(job, clone);
      if (clone == 0 && files.size() > 1) {
        command_.notices.push_back(absl::StrCat(
            "job ", job.name, ": each of its ", files.size(),
            " files has a worker of its own, with its part of size, iodepth and rates"));
      }
      for (const std::string& file : files) AddWorker(job, clone, file, files.size());
      if (result_.plan.workers.size() > kMostWorkers) {
        return absl::InvalidArgumentError(
            absl::StrCat("more than ", kMostWorkers, " workers: fewer copies or files, please"));
      }
    }
    spans_.back().count =
        static_cast<std::uint32_t>(result_.plan.workers.size()) - spans_.back().first;
    return absl::OkStatus();
  }

  const std::vector<WorkerSpan>& spans() const { return spans_; }

 private:
  static constexpr std::size_t kMostWorkers = 16384;

  void AddWorker(const Job& job, std::uint32_t clone, const std::string& file, std::size_t files) {
    const std::size_t index = result_.plan.workers.size();
    Workload work = WorkloadOf(job);
    work.target = file;
    work.clone = clone;
    work.seed = WorkerSeed(BaseSeed(job, options_.entropy), index);
    if (files > 1) TakePart(files, job.files.file_size == 0, work);
    SetCpus(job.cpus, index, work);
    SetStartDelay(job.order, work);
    SetVerifyState(job, index, work);
    result_.plan.workers.push_back(std::move(work));
    result_.report.job_options.push_back(job.typed);
    result_.report.engine_names.push_back(job.ioengine);
    result_.report.group_reporting_of.push_back(job.group_reporting);
    result_.report.views.push_back(job.view);
    if (job.files.unlink) result_.unlink_after.push_back(file);
  }

  static void SetCpus(const Cpus& cpus, std::size_t index, Workload& work) {
    work.cpus = cpus.allowed;
    if (cpus.split && !cpus.allowed.empty()) {
      work.cpus = {cpus.allowed[index % cpus.allowed.size()]};
    }
  }

  static void SetStartDelay(const Order& order, Workload& work) {
    const auto width = (order.start_delay_most - order.start_delay_least).count();
    work.schedule.start_delay = order.start_delay_least;
    if (width > 0) {
      std::uint64_t state = work.seed ^ 0x73746172;  // apart from the worker's own draws
      work.schedule.start_delay += nanoseconds(
          static_cast<std::int64_t>(SplitMix64(state) % (static_cast<std::uint64_t>(width) + 1)));
    }
  }

  void SetVerifyState(const Job& job, std::size_t index, Workload& work) const {
    const std::string& directory = command_.aux_path;
    const std::string path =
        absl::StrCat(directory, directory.empty() || directory.back() == '/' ? "" : "/", "local-",
                     job.name, "-", index, "-verify.state");
    if (job.verify_state.save) work.verify.state_save = path;
    if (job.verify_state.load) work.verify.state_load = path;
  }

  const FioParseOptions& options_;
  Command& command_;
  FioInvocation& result_;
  std::vector<WorkerSpan> spans_;
};

}  // namespace

absl::StatusOr<FioInvocation> BuildInvocation(const JobSet& set, Command& command,
                                              const FioParseOptions& options) {
  FioInvocation result;
  result.plan.seed = BaseSeed(set.jobs.front(), options.entropy);
  PlanBuilder builder(options, command, result);
  for (const Job& job : set.jobs) ZONAL_RETURN_IF_ERROR(builder.Add(job));
  ZONAL_RETURN_IF_ERROR(Schedule(set.jobs, builder.spans(), result.plan));
  result.report.group_reporting = std::all_of(set.jobs.begin(), set.jobs.end(),
                                              [](const Job& job) { return job.group_reporting; });
  result.report.global_options = set.global;
  result.report.significant_figures = command.significant_figures;
  result.report.terse_version = command.terse_version;
  result.formats = std::move(command.formats);
  if (command.append_terse) result.formats.push_back(ReportFormat::kTerse);
  result.output_path = std::move(command.output_path);
  result.eta = std::move(command.eta);
  result.eta_interval = command.eta_interval;
  result.eta_newline = command.eta_newline;
  result.status_interval = command.status_interval;
  return result;
}

}  // namespace zonal::fio
