// SPDX-License-Identifier: MIT
#include "sample_run.h"

namespace zonal {
namespace {

using std::chrono::milliseconds;

// `count` values from `low` up in equal steps.
Histogram Ramp(std::uint64_t count, std::uint64_t low, std::uint64_t step) {
  Histogram histogram;
  for (std::uint64_t i = 0; i < count; ++i) histogram.Record(low + i * step);
  return histogram;
}

DirectionResult Moved(std::uint64_t ios, std::uint64_t block, nanoseconds runtime) {
  DirectionResult direction;
  direction.ios = direction.issued_ios = ios;
  direction.bytes = ios * block;
  direction.runtime = runtime;
  direction.submission = Ramp(ios, 700, 3);
  direction.completion = Ramp(ios, 5'000, 250);
  direction.total = Ramp(ios, 5'700, 253);
  direction.bandwidth_kib = {3, 4000, 4008, 4002.666667, 4.618802};
  direction.iops = {3, 1000, 1002, 1000.666667, 1.154701};
  return direction;
}

Workload Zoned(const char* name, std::uint32_t group) {
  Workload work;
  work.name = name;
  work.group = group;
  work.target = "/tmp/smr.zoned";
  work.zone_mode = ZoneMode::kZbd;
  work.direct = true;
  return work;
}

WorkerResult Result(const Workload& work) {
  WorkerResult worker;
  worker.name = work.name;
  worker.group = work.group;
  worker.counts_zone_resets = work.writes;
  worker.depth_asked = work.depth;
  worker.runtime = milliseconds(2001);
  worker.user_cpu = milliseconds(40);
  worker.system_cpu = milliseconds(300);
  worker.context_switches = 4835;
  worker.minor_faults = 15;
  worker.thread_id = 4242;
  return worker;
}

void AddMixed(SampleRun& run, std::uint32_t clone) {
  Workload work = Zoned("mixed", 0);
  work.pattern = Pattern::kRandom;
  work.reads = work.writes = true;
  work.write_block = 8192;
  work.depth = 8;
  work.queue = QueueKind::kLibaio;
  work.clone = clone;
  work.seed = 17 + clone;
  WorkerResult worker = Result(work);
  worker.directions[0] = Moved(2000, 4096, milliseconds(2001));
  worker.directions[1] = Moved(1800 - 100 * clone, 8192, milliseconds(2001 - clone));
  worker.zone_resets = 3;
  worker.zone_finishes = 1;
  worker.zones_touched = 4;
  worker.operations[static_cast<std::size_t>(OpClass::kReset)] = Ramp(3, 1'200'000, 50'000);
  worker.operations[static_cast<std::size_t>(OpClass::kFinish)] = Ramp(1, 900'000, 0);
  worker.operations[static_cast<std::size_t>(OpClass::kWaitZone)] = Ramp(40, 3'000, 4'000);
  worker.depth_levels = {10, 20, 70, 3700, 0, 0, 0, 0};
  worker.submit_batches = {3700, 50, 40, 10, 0, 0, 0, 0};
  worker.complete_batches = {3000, 500, 290, 10, 0, 0, 0, 0};
  worker.write_depth_per_zone = 1;
  worker.write_depth_reason = "the scheduler may reorder";
  run.plan.workers.push_back(work);
  run.result.workers.push_back(worker);
}

void AddWriter(SampleRun& run) {
  Workload work = Zoned("fill", 1);
  work.writes = true;
  work.write_block = work.read_block = 256 << 10;
  work.queue = QueueKind::kSync;
  work.seed = 19;
  WorkerResult worker = Result(work);
  worker.directions[1] = Moved(512, 256 << 10, milliseconds(640));
  ++worker.directions[1].issued_ios;              // the one that failed
  worker.directions[1].submission = Histogram();  // synchronous
  worker.directions[1].completion = Ramp(512, 2'500'000, 250'000);
  worker.directions[1].total = Ramp(512, 2'500'200, 250'000);
  worker.directions[1].bandwidth_kib = {1, 1500000, 1500000, 1500000, 0};
  worker.runtime = milliseconds(640);
  worker.zones_touched = 2;
  worker.depth_levels[0] = worker.submit_batches[0] = worker.complete_batches[0] = 512;
  worker.reason = EndReason::kIoError;
  worker.error =
      IoResult{140794396672, 0, nvme::kZoneInvalidWrite, Errc::kNotAtWritePointer, Origin::kNvme};
  worker.first_error = worker.error;
  worker.error_op = "write";
  worker.detail = "zone 525 has its write pointer at 140794658816 and is implicit-open";
  worker.io_errors = 1;
  run.plan.workers.push_back(work);
  run.result.workers.push_back(worker);
}

void AddReaderOfNothing(SampleRun& run) {
  Workload work = Zoned("empty", 1);
  work.reads = true;
  work.seed = 20;
  WorkerResult worker = Result(work);
  worker.reason = EndReason::kNoReadableData;
  worker.detail = "no zone of the range holds data: write first, or add --read_beyond_wp=1";
  run.plan.workers.push_back(work);
  run.result.workers.push_back(worker);
}

TargetResult SampleTarget() {
  TargetResult target;
  target.spec = "/tmp/smr.zoned";
  target.info.spec = "/tmp/smr.zoned";
  target.info.backend = "emulated";
  target.info.identity = "0f3a";
  target.info.model = ZoneModel::kHostManaged;
  target.info.geometry.size_bytes = 128ull << 26;
  target.info.geometry.zone_size = 1 << 26;
  target.info.geometry.zone_count = 128;
  target.info.geometry.block_size = 4096;
  target.info.max_open = Limit::Of(14);
  target.info.max_active = Limit::Unlimited();
  target.info.is_emulated = true;
  target.queue = "emulated";
  target.write_targets = Limit::Of(4);
  return target;
}

}  // namespace

SampleRun MakeSampleRun() {
  SampleRun run;
  AddMixed(run, 0);
  AddMixed(run, 1);
  AddWriter(run);
  AddReaderOfNothing(run);
  run.result.targets.push_back(SampleTarget());
  run.result.notices.push_back("rounded up offset from 1 to 67108864");
  run.result.seed = run.plan.seed = 42;
  run.result.wall = milliseconds(2010);
  run.result.simulated = true;
  run.plan.driver = DriverKind::kSimulation;
  run.options.version = "zonal-0.1.0";
  run.options.engine_names = {"libaio", "libaio", "psync", "psync"};
  run.options.global_options = {{"filename", "/tmp/smr.zoned"}, {"zonemode", "zbd"}};
  run.options.job_options = {{{"name", "mixed"}, {"rw", "randrw"}},
                             {{"name", "mixed"}, {"rw", "randrw"}},
                             {{"name", "fill"}, {"rw", "write"}},
                             {{"name", "empty"}}};
  return run;
}

}  // namespace zonal
