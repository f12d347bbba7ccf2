// SPDX-License-Identifier: MIT
// Who calls Step(): a thread per worker, or one loop in a seeded order.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/setup.h"
#include "engine/worker.h"
#include "stats/log_files.h"

namespace zonal::engine {

using Workers = std::vector<std::unique_ptr<Worker>>;
using Targets = std::vector<std::unique_ptr<Target>>;

// What drivers look after besides workers and services.
struct RunCompany {
  RunControl& control;
  stats::LogFiles& logs;  // written as the run goes on, and not after it
  Instant started;
  // Hands totals so far to RunControl::on_status.
  std::function<void(std::vector<WorkerResult>)> show_status;
};

// One thread per worker, which sleeps in Poll only; one for the progress callback if
// there is one; one that writes the logs if there are any; and one per target whose
// queues cannot reset zones natively.
void DriveOnThreads(Workers& workers, Targets& targets, const RunCompany& company,
                    const Clock& clock);

// All workers and services on the calling thread, picked at random. Each step that
// did something takes a microsecond of virtual time; when none can run, the clock
// moves to the time the first one asked for. Same seed, same run.
void DriveSimulation(Workers& workers, Targets& targets, const RunCompany& company,
                     std::uint64_t seed, VirtualClock& clock);

}  // namespace zonal::engine
