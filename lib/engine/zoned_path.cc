// SPDX-License-Identifier: MIT
#include "engine/zoned_path.h"

#include "core/status_macros.h"

namespace zonal::engine {

absl::StatusOr<std::unique_ptr<Path>> ZonedPath::Create(const WorkerSetup& setup,
                                                        const Clock& clock, Verifier* verifier) {
  ZoneQueueOptions options;
  options.queue.kind = setup.workload.queue;
  options.queue.depth = setup.workload.depth;
  options.queue.clock = &clock;
  options.service = setup.target->service.get();
  ZONAL_ASSIGN_OR_RETURN(std::unique_ptr<ZoneQueue> queue,
                         ZoneQueue::Create(*setup.target->manager, options));
  return std::unique_ptr<Path>(new ZonedPath(setup, std::move(queue), verifier));
}

}  // namespace zonal::engine
