// SPDX-License-Identifier: MIT
// Who calls Step(): a thread per worker, or one loop in a seeded order.
#pragma once

#include <memory>
#include <vector>

#include "engine/setup.h"
#include "engine/worker.h"

namespace zonal::engine {

using Workers = std::vector<std::unique_ptr<Worker>>;
using Targets = std::vector<std::unique_ptr<Target>>;

// One thread per worker, which sleeps in Poll only; one for the progress callback
// if there is one; and one per target whose queues cannot reset zones natively.
void DriveOnThreads(Workers& workers, Targets& targets, RunControl& control, const Clock& clock);

// All workers and services on the calling thread, picked at random. Each step that
// did something takes a microsecond of virtual time; when none can run, the clock
// moves to the time the first one asked for. Same seed, same run.
void DriveSimulation(Workers& workers, Targets& targets, std::uint64_t seed, VirtualClock& clock);

}  // namespace zonal::engine
