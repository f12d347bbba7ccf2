// SPDX-License-Identifier: MIT
#include "engine/prepare.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/status_macros.h"
#include "engine/batching.h"
#include "engine/checks.h"
#include "engine/limitless_device.h"
#include "engine/pacing.h"
#include "engine/streams.h"

namespace zonal::engine {
namespace {

// What a worker needs to know of its zones beforehand.
struct ZoneFacts {
  std::uint64_t smallest_capacity = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t bytes_held = 0;
  std::uint64_t pass_bytes = 0;  // in whole blocks of the writer's
  bool conventional = false;
  bool write_pointers = false;
  bool partly_written = false;
};

// `skip`: bytes passed by behind each zone, as far as `pass_bytes` goes.
ZoneFacts Survey(const ZoneManager& manager, const WorkerSetup& setup, std::uint64_t skip) {
  ZoneFacts facts;
  const WorkRange& range = setup.range;
  const std::uint64_t block = std::max<std::uint64_t>(1, setup.least_write());
  const Geometry& geometry = manager.geometry();
  ZoneId next = geometry.ZoneOf(range.begin);  // that a stream comes to
  const ZoneId last = geometry.ZoneOf(range.end - 1);
  for (ZoneId zone = geometry.ZoneOf(range.begin); zone <= last; zone = zone.Next()) {
    const bool visited = zone == next;
    if (visited)
      next = ZoneId(zone.value() + 1 + static_cast<std::uint32_t>(skip / geometry.zone_size));
    if (manager.TypeOf(zone) == ZoneType::kConventional) {
      facts.conventional = true;
      const std::uint64_t end = std::min(geometry.EndOf(zone), range.end);
      if (visited) facts.pass_bytes += end - std::max(geometry.StartOf(zone), range.begin);
      continue;
    }
    facts.write_pointers = true;
    const std::uint64_t capacity = manager.CapacityOf(zone);
    facts.smallest_capacity = std::min(facts.smallest_capacity, capacity);
    const bool to_the_end = setup.workload.write_zone_remainder;
    if (visited) facts.pass_bytes += to_the_end ? capacity : capacity - capacity % block;
    const std::uint64_t held = manager.CommittedOf(zone);
    facts.bytes_held += held;
    const bool full = manager.ConditionOf(zone) == ZoneCondition::kFull;
    facts.partly_written |= !full && held != 0 && held != capacity;
  }
  return facts;
}

ZoneRange ZonesOf(const Geometry& geometry, const WorkRange& range) {
  const ZoneId first = geometry.ZoneOf(range.begin);
  return {first, geometry.ZoneOf(range.end - 1).value() - first.value() + 1};
}

absl::Status CreateManager(Target& target, const std::vector<const Workload*>& workers,
                           const Clock& clock) {
  ZONAL_ASSIGN_OR_RETURN(target.write_targets, AgreeOnWriteTargets(workers, target.device->info()));
  ManagerOptions options;
  options.write_targets = target.write_targets.count_or(0);
  options.writers = std::max<std::uint32_t>(1, target.zone_writers);
  options.clock = &clock;
  const bool ignores = std::any_of(workers.begin(), workers.end(), [](const Workload* worker) {
    return worker->ignore_device_limits;
  });
  std::shared_ptr<Device> managed = target.device;
  if (ignores) managed = std::make_shared<LimitlessDevice>(target.device);
  ZONAL_ASSIGN_OR_RETURN(target.manager, ZoneManager::Create(std::move(managed), options));
  target.service = Service::Create(*target.device);
  const bool verifies = std::any_of(workers.begin(), workers.end(), [](const Workload* worker) {
    return worker->verify.enabled() && WorkerSetup::DoesWrite(*worker);
  });
  if (verifies) target.coordination.unverified.Create(target.manager->geometry().zone_count);
  const bool appends = std::any_of(workers.begin(), workers.end(), [](const Workload* worker) {
    return worker->appends && WorkerSetup::DoesWrite(*worker);
  });
  if (appends && target.write_targets.has_count()) {
    target.coordination.append_zones.Create(
        std::min(target.write_targets.count_or(0), target.manager->geometry().zone_count));
  }
  return absl::OkStatus();
}

absl::Status PrepareTarget(Target& target, const std::vector<const Workload*>& workers,
                           const Clock& clock) {
  bool zone_mode = false;
  for (const Workload* worker : workers) {
    ZONAL_RETURN_IF_ERROR(
        CheckAgainstDevice(*worker, target.device->info(), target.zones_laid_over));
    ZONAL_RETURN_IF_ERROR(CheckAppend(*worker, target.device->info()));
    zone_mode |= worker->zone_mode == ZoneMode::kZbd;
  }
  ZONAL_RETURN_IF_ERROR(CheckAllAppend(workers));
  return zone_mode ? CreateManager(target, workers, clock) : absl::OkStatus();
}

// Zones that were open before the run are appended to first: they have their slots.
void JoinOpenZones(Target& target) {
  std::vector<ZoneId> zones = target.manager->TargetZones();
  std::sort(zones.begin(), zones.end());
  std::uint32_t place = 0;
  for (const ZoneId zone : zones) target.coordination.append_zones.Join(zone, place);
}

absl::Status PrepareWorker(WorkerSetup& setup, std::vector<std::string>& notices) {
  const Workload& workload = setup.workload;
  const Geometry& geometry = setup.target->device->info().geometry;
  ZoneManager* manager = setup.target->manager.get();
  const bool zone_mode = workload.zone_mode == ZoneMode::kZbd;
  const auto has_write_pointer = [manager](ZoneId zone) {
    return manager->TypeOf(zone) != ZoneType::kConventional;
  };
  std::vector<std::string> rounded;
  ZONAL_ASSIGN_OR_RETURN(setup.range, ResolveRange(workload, geometry, has_write_pointer, rounded));
  ZONAL_RETURN_IF_ERROR(
      CheckAlignment(workload, setup.target->device->info(), setup.range.begin, setup.range.end));
  for (std::string& line : rounded) {
    // Clones of one job would say the same again.
    if (std::find(notices.begin(), notices.end(), line) == notices.end()) {
      notices.push_back(std::move(line));
    }
  }
  ZONAL_RETURN_IF_ERROR(CheckDistributions(workload, setup.range.size()));
  ZONAL_ASSIGN_OR_RETURN(setup.zone_skip, ResolveZoneSkip(workload, geometry));
  if (workload.zone_mode == ZoneMode::kStrided) {
    ZONAL_RETURN_IF_ERROR(CheckWindows(workload, setup.target->device->info(), setup.zone_skip));
    // A round of all windows, or as many bytes as were asked for.
    if (setup.range.single_pass) setup.range.bytes_to_move = WindowsOf(setup).BytesOfAll();
  }
  // Streams that leave gaps go round until as many bytes are moved as the range has.
  if (workload.zone_mode == ZoneMode::kStrided || workload.sequential_skip != 0) {
    setup.range.single_pass = false;
  }
  if (!zone_mode) return absl::OkStatus();
  const bool is_stream = workload.pattern == Pattern::kSequential;
  const ZoneFacts facts = Survey(*manager, setup, is_stream ? setup.zone_skip : 0);
  setup.has_conventional = facts.conventional;
  setup.has_write_pointers = facts.write_pointers;
  setup.partly_written = facts.partly_written;
  setup.pass_bytes = std::min(facts.pass_bytes, setup.range.bytes_to_move);
  if (workload.trims) {
    ZONAL_RETURN_IF_ERROR(CheckTrims(workload, setup.target->device->info(), facts.conventional));
    // Whole zones, and no part of one.
    if (!setup.range.single_pass && !workload.writes) {
      setup.range.bytes_to_move -= setup.range.bytes_to_move % geometry.zone_size;
    }
  }
  if (!setup.writes()) return absl::OkStatus();
  if (setup.appends()) ZONAL_RETURN_IF_ERROR(CheckAppendZones(workload, facts.conventional));
  ZONAL_RETURN_IF_ERROR(CheckCapacity(workload, facts.smallest_capacity));
  if (workload.zone_reset_threshold) {
    Coordination& all = setup.target->coordination;
    all.bytes_held.store(static_cast<std::int64_t>(facts.bytes_held), std::memory_order_relaxed);
    all.counted_begin = setup.range.begin;
    all.counted_end = setup.range.end;
  }
  if (!setup.uses_targets()) return absl::OkStatus();
  const absl::Status seeded = manager->SeedTargets(ZonesOf(geometry, setup.range));
  if (seeded.ok()) {
    if (setup.appends()) JoinOpenZones(*setup.target);
    return seeded;
  }
  return absl::Status(seeded.code(), workload.target + ": " + std::string(seeded.message()));
}

void NoteTransferLimit(const WorkerSetup& setup, std::vector<std::string>& notices) {
  const Workload& workload = setup.workload;
  const bool cut = (workload.reads && setup.read_block() < workload.read_block.max) ||
                   (workload.writes && setup.write_block() < workload.write_block.max);
  if (!cut) return;
  const Geometry& geometry = setup.target->device->info().geometry;
  const bool by_append = setup.appends() && setup.write_limit() != setup.transfer_limit();
  notices.push_back(workload.name + ": " + workload.target +
                    (by_append ? " appends at most " : " transfers at most ") +
                    std::to_string(by_append ? geometry.max_append : geometry.max_transfer) +
                    " bytes at once; larger blocks are sent in pieces of that size");
}

// Periodic resets count the data of one common range, and the zones appended to are
// common to all who append.
absl::Status CheckCommonRange(const std::vector<WorkerSetup>& workers) {
  for (const WorkerSetup& a : workers) {
    const bool shares_zones = a.appends() && a.uses_targets();
    if (!a.workload.writes || !(a.workload.zone_reset_threshold || shares_zones)) continue;
    for (const WorkerSetup& b : workers) {
      if (b.target != a.target || !b.workload.writes) continue;
      if (b.range.begin == a.range.begin && b.range.end == a.range.end) continue;
      return absl::InvalidArgumentError(
          b.workload.name + ": multi-jobs with different write ranges are not supported with " +
          (a.workload.zone_reset_threshold ? "zone_reset_threshold"
                                           : "write_mode=zone_append and a limit on open zones") +
          "; give all jobs the same offset and size");
    }
  }
  return absl::OkStatus();
}

bool HasItsOwnQueue(const Target& target) {
  return target.device->info().is_emulated && !target.zones_laid_over;
}

void CapSynchronousDepth(WorkerSetup& setup, std::vector<std::string>& notices) {
  Workload& workload = setup.workload;
  const bool synchronous = workload.queue == QueueKind::kSync && !HasItsOwnQueue(*setup.target);
  if (!synchronous || workload.depth == 1) return;
  if (workload.clone == 0) {
    notices.push_back(workload.name + ": iodepth=" + std::to_string(workload.depth) +
                      " has no effect: ioengine=psync is synchronous and runs at queue depth 1; "
                      "for more, choose io_uring or libaio");
  }
  workload.depth = 1;
}

void NoteQueueKind(const Target& target, const std::vector<const Workload*>& workers,
                   std::vector<std::string>& notices) {
  if (!HasItsOwnQueue(target)) return;
  for (const Workload* worker : workers) {
    if (worker->queue == QueueKind::kDefault || !worker->queue_chosen) continue;
    notices.push_back(target.spec + ": an emulated drive has a queue of its own; ioengine=" +
                      std::string(ToString(worker->queue)) + " is accepted and has no effect");
    return;
  }
}

}  // namespace

absl::StatusOr<Prepared> Prepare(const RunPlan& plan, const DeviceResolver& devices,
                                 const Clock& clock) {
  if (plan.workers.empty()) return absl::InvalidArgumentError("nothing to run: no workers");
  Prepared prepared;
  ZONAL_RETURN_IF_ERROR(CheckOrder(plan.workers));
  std::map<std::string, std::size_t> index_of;
  std::vector<std::vector<const Workload*>> users;
  std::vector<Workload> workloads;
  for (const Workload& workload : plan.workers) {
    ZONAL_RETURN_IF_ERROR(CheckWorkload(workload));
    ZONAL_RETURN_IF_ERROR(CheckPace(workload));
    ZONAL_RETURN_IF_ERROR(CheckBatching(workload));
    ZONAL_RETURN_IF_ERROR(CheckVerify(workload));
    workloads.push_back(AsVerified(workload));
  }
  ZONAL_RETURN_IF_ERROR(CheckStateFiles(workloads));
  for (const Workload& workload : workloads) {
    const auto [where, is_new] = index_of.try_emplace(workload.target, users.size());
    if (is_new) users.emplace_back();
    users[where->second].push_back(&workload);
  }
  for (const std::vector<const Workload*>& workers : users) {
    ZONAL_ASSIGN_OR_RETURN(std::unique_ptr<Target> target, OpenTarget(workers, devices, clock));
    target->zone_writers = WritersAtOnce(workloads, target->spec);
    ZONAL_RETURN_IF_ERROR(PrepareTarget(*target, workers, clock));
    NoteQueueKind(*target, workers, prepared.notices);
    prepared.targets.push_back(std::move(target));
  }
  for (const Workload& workload : workloads) {
    WorkerSetup setup;
    setup.workload = workload;
    setup.index = static_cast<std::uint32_t>(prepared.workers.size());
    setup.target = prepared.targets[index_of.at(workload.target)].get();
    setup.run_seed = plan.seed;
    setup.keep_latencies = plan.keep_latencies;
    CapSynchronousDepth(setup, prepared.notices);
    ZONAL_RETURN_IF_ERROR(PrepareWorker(setup, prepared.notices));
    if (workload.clone == 0) NoteTransferLimit(setup, prepared.notices);
    prepared.workers.push_back(std::move(setup));
  }
  ZONAL_RETURN_IF_ERROR(CheckCommonRange(prepared.workers));
  prepared.order = std::make_unique<RunOrder>(prepared.workers);
  for (WorkerSetup& setup : prepared.workers) {
    setup.order = prepared.order.get();
    const Pace& pace = setup.workload.pace;
    if (pace.flow != 0) setup.flow = &prepared.flows[pace.flow_id];
  }
  return prepared;
}

}  // namespace zonal::engine
