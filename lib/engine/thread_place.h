// SPDX-License-Identifier: MIT
// Where a worker's thread runs and how it is scheduled (Workload::cpus, nice).
#pragma once

#include "absl/status/status.h"
#include "zonal/workload.h"

namespace zonal::engine {

inline bool WantsPlace(const Workload& workload) noexcept {
  return !workload.cpus.empty() || workload.nice != 0;
}

// Of the calling thread, and nothing else; `nice` is added to what it has. The error
// names the option, and what the system said.
absl::Status PlaceThread(const Workload& workload);

// Would that work? Asks with a thread of its own, which is then gone.
absl::Status TryPlace(const Workload& workload);

}  // namespace zonal::engine
