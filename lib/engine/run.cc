// SPDX-License-Identifier: MIT
#include "zonal/run.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/status_macros.h"
#include "engine/drivers.h"
#include "engine/prepare.h"
#include "engine/thread_place.h"

namespace zonal {
namespace {

using engine::Prepared;
using engine::Workers;

absl::StatusOr<Workers> CreateWorkers(const Prepared& prepared, const RunControl& control,
                                      const Clock& clock) {
  Workers workers;
  for (const engine::WorkerSetup& setup : prepared.workers) {
    ZONAL_ASSIGN_OR_RETURN(workers.emplace_back(), engine::Worker::Create(setup, control, clock));
  }
  return workers;
}

absl::Status CheckCommands(const RunPlan& plan, const RunControl& control) {
  for (const Workload& workload : plan.workers) {
    if (workload.command_before.empty() && workload.command_after.empty()) continue;
    if (control.on_command) continue;
    return absl::InvalidArgumentError(
        workload.name +
        ": it has commands to run (exec_prerun, exec_postrun), and the caller "
        "gave no RunControl::on_command to run them");
  }
  return absl::OkStatus();
}

// Simulated workers share one thread, which is the caller's.
absl::Status CheckPlaces(const RunPlan& plan, std::vector<std::string>& notices) {
  for (const Workload& workload : plan.workers) {
    if (!engine::WantsPlace(workload)) continue;
    if (plan.driver == DriverKind::kThreads) {
      ZONAL_RETURN_IF_ERROR(engine::TryPlace(workload));
    } else if (workload.clone == 0) {
      notices.push_back(workload.name +
                        ": cpus_allowed and nice have no effect in a simulated run");
    }
  }
  return absl::OkStatus();
}

// A stream keeps one zone busy at a time: it never has more writes in flight than
// the zone may have.
void NoteWriteDepth(const Workers& workers, std::vector<std::string>& notices) {
  for (const std::unique_ptr<engine::Worker>& worker : workers) {
    const Workload& workload = worker->setup().workload;
    const QueueFeatures& features = worker->features();
    const bool limited =
        features.write_depth_per_zone != 0 && features.write_depth_per_zone < workload.depth;
    if (!limited || workload.clone != 0 || workload.zone_mode != ZoneMode::kZbd ||
        !worker->setup().writes()) {
      continue;
    }
    notices.push_back(
        workload.name + ": iodepth=" + std::to_string(workload.depth) + ": at most " +
        std::to_string(features.write_depth_per_zone) +
        " writes are in flight per zone: " + std::string(features.write_depth_reason));
  }
}

RunResult Announce(const RunPlan& plan, Prepared& prepared, const Workers& workers) {
  RunResult result;
  result.seed = plan.seed;
  result.simulated = plan.driver == DriverKind::kSimulation;
  for (const auto& target : prepared.targets) {
    TargetResult& shown = result.targets.emplace_back();
    shown.info = target->device->info();
    shown.spec = target->spec;
    shown.write_targets = target->write_targets;
    const auto user = std::find_if(workers.begin(), workers.end(), [&](const auto& worker) {
      return worker->setup().target == target.get();
    });
    shown.queue = (*user)->queue_name();
  }
  result.notices = std::move(prepared.notices);
  NoteWriteDepth(workers, result.notices);
  return result;
}

// What a device and the kernel have counted for it so far.
struct DeviceCounts {
  std::optional<DiskUse> disk;
  std::optional<DriveCounters> drive;
};

std::vector<DeviceCounts> CountDevices(const Prepared& prepared) {
  std::vector<DeviceCounts> counts;
  for (const auto& target : prepared.targets) {
    DeviceCounts& count = counts.emplace_back();
    count.disk = engine::CountsOfDisk(target->device->info().block_device_number);
    if (absl::StatusOr<DriveCounters> drive = target->device->Counters(); drive.ok()) {
      count.drive = *drive;
    }
  }
  return counts;
}

void AddCounts(const std::vector<DeviceCounts>& before, const std::vector<DeviceCounts>& after,
               RunResult& result) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    result.targets[i].disk = engine::Between(before[i].disk, after[i].disk);
    if (before[i].drive && after[i].drive) {
      result.targets[i].drive = Between(*before[i].drive, *after[i].drive);
    }
  }
}

}  // namespace

absl::StatusOr<RunResult> Run(const RunPlan& plan, RunControl& control,
                              const DeviceResolver& devices) {
  const bool simulated = plan.driver == DriverKind::kSimulation;
  VirtualClock virtual_clock;  // outlives all that reads it
  const Clock& clock = simulated ? virtual_clock : MonotonicClock();
  ZONAL_RETURN_IF_ERROR(CheckCommands(plan, control));
  ZONAL_ASSIGN_OR_RETURN(Prepared prepared, engine::Prepare(plan, devices, clock));
  ZONAL_RETURN_IF_ERROR(CheckPlaces(plan, prepared.notices));
  ZONAL_ASSIGN_OR_RETURN(Workers workers, CreateWorkers(prepared, control, clock));
  ZONAL_ASSIGN_OR_RETURN(const std::unique_ptr<stats::LogFiles> logs,
                         stats::LogFiles::Create(plan.workers));
  for (std::size_t i = 0; i < workers.size(); ++i) workers[i]->KeepLog(logs->of(i));
  RunResult result = Announce(plan, prepared, workers);
  if (control.on_start) control.on_start(result);

  const std::vector<DeviceCounts> before = CountDevices(prepared);
  const Instant started = clock.Now();
  const auto show_status = [&](std::vector<WorkerResult> so_far) {
    RunResult status = result;
    status.workers = std::move(so_far);
    status.wall = clock.Now() - started;
    AddCounts(before, CountDevices(prepared), status);
    control.on_status(status);
  };
  const engine::RunCompany company{control, *logs, started, show_status};
  prepared.order->Begin(started);
  if (simulated) {
    engine::DriveSimulation(workers, prepared.targets, company, plan.seed, virtual_clock);
  } else {
    engine::DriveOnThreads(workers, prepared.targets, company, clock);
  }
  result.wall = clock.Now() - started;
  AddCounts(before, CountDevices(prepared), result);
  logs->Write();
  for (std::string& complaint : logs->Complaints()) result.notices.push_back(std::move(complaint));
  for (const auto& worker : workers) result.workers.push_back(worker->TakeResult(started));
  return result;
}

}  // namespace zonal
