// SPDX-License-Identifier: MIT
// The stage before the first I/O: opens the targets, checks the plan against
// them, resolves ranges and limits. An error means nothing was sent.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/flow.h"
#include "engine/run_order.h"
#include "engine/setup.h"
#include "zonal/clock.h"
#include "zonal/run.h"

namespace zonal::engine {

struct Prepared {
  std::vector<std::unique_ptr<Target>> targets;  // in order of first use
  std::vector<WorkerSetup> workers;              // in plan order
  std::unique_ptr<RunOrder> order;
  std::map<std::uint32_t, FlowGroup> flows;  // by flow_id
  std::vector<std::string> notices;
};

// `clock` must outlive the result.
absl::StatusOr<Prepared> Prepare(const RunPlan& plan, const DeviceResolver& devices,
                                 const Clock& clock);

// Opens the device of `workers`, which all name the same one (targets.cc).
absl::StatusOr<std::unique_ptr<Target>> OpenTarget(const std::vector<const Workload*>& workers,
                                                   const DeviceResolver& devices,
                                                   const Clock& clock);

}  // namespace zonal::engine
