// SPDX-License-Identifier: MIT
// What a Workload can say and the engine cannot do yet. Refused before anything
// is opened, by name: nothing that was asked for is dropped silently. A row goes
// when its subject is built; the file goes with the last one.
#pragma once

#include "absl/status/status.h"
#include "zonal/workload.h"

namespace zonal::engine {

// Unimplemented names the field and, where it has another name there, fio's option.
absl::Status CheckAvailable(const Workload& workload);

}  // namespace zonal::engine
