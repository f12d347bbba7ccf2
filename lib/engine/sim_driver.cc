// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "engine/drivers.h"
#include "engine/run_order.h"

namespace zonal::engine {
namespace {

constexpr nanoseconds kStepCosts{1000};
// Only a device that works by itself (a file under laid-over zones) is waited for.
constexpr nanoseconds kRealWait{1'000'000};

class Simulation {
 public:
  Simulation(Workers& workers, Targets& targets, stats::LogFiles& logs, std::uint64_t seed,
             VirtualClock& clock)
      : logs_(logs), clock_(clock), rng_(seed) {
    for (const auto& worker : workers) alive_.push_back(worker.get());
    for (const auto& target : targets) {
      if (target->service) services_.push_back(target->service.get());
    }
  }

  void Run() {
    std::size_t quiet = 0;  // steps in a row that did nothing
    while (!alive_.empty()) {
      if (Pick()) {
        clock_.Advance(kStepCosts);
        quiet = 0;
      } else if (++quiet >= 2 * alive_.size() && NobodyCanRun()) {
        MoveOn();
        quiet = 0;
      }
    }
  }

 private:
  // One participant at random. True if it did something.
  bool Pick() {
    const std::uint64_t at = rng_.Below(alive_.size() + services_.size());
    if (at >= alive_.size()) return services_[at - alive_.size()]->Step();
    return StepWorker(at);
  }

  bool StepWorker(std::size_t at) {
    const StepResult step = alive_[at]->Step();
    if (alive_[at]->log_is_half_full()) logs_.Write();
    if (step.kind == StepResult::Kind::kDone) {
      alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(at));
      return true;
    }
    if (step.kind == StepResult::Kind::kIdle && (!next_ || step.until < *next_)) {
      next_ = step.until;
    }
    return step.kind == StepResult::Kind::kRan;
  }

  // A zone on its way from one worker to another takes a step of each: only who
  // did nothing several times over waits for something else.
  bool NobodyCanRun() {
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
      if (Everybody()) return false;
    }
    return true;
  }

  // Everyone once; false if none of them did anything.
  bool Everybody() {
    next_.reset();
    bool ran = false;
    for (Service* service : services_) ran |= service->Step();
    for (std::size_t i = alive_.size(); i-- > 0;) ran |= StepWorker(i);
    return ran;
  }

  void MoveOn() {
    if (EndStarved()) return;
    if (next_) {
      clock_.AdvanceTo(*next_);
      return;
    }
    const auto busy = std::find_if(alive_.begin(), alive_.end(),
                                   [](const Worker* worker) { return worker->in_flight() != 0; });
    if (busy != alive_.end()) {
      (*busy)->WaitForIo(kRealWait);
      return;
    }
    // Nobody can run, nobody will be ready later, nothing is under way.
    for (Worker* worker : alive_) worker->GiveUp();
  }

  // Writers that only another writer of the device could help, when all of them
  // are in that state: readers that look again from time to time change nothing.
  bool EndStarved() {
    bool ended = false;
    for (Worker* worker : alive_) {
      if (!worker->stuck()) continue;
      if (!worker->setup().order->NoWriterCanGoOn(worker->setup().target)) continue;
      worker->GiveUp();
      ended = true;
    }
    return ended || EndOneStarving();
  }

  // Writers may come after readers that wait for each other's writers: one of these
  // has to end for another to go on.
  bool EndOneStarving() {
    for (Worker* worker : alive_) {
      if (!worker->starving()) continue;
      if (!worker->setup().order->NoWriterCanGoOn(worker->setup().target)) continue;
      worker->GiveUp();
      return true;
    }
    return false;
  }

  stats::LogFiles& logs_;
  VirtualClock& clock_;
  Rng rng_;
  std::vector<Worker*> alive_;
  std::vector<Service*> services_;
  std::optional<Instant> next_;
};

}  // namespace

void DriveSimulation(Workers& workers, Targets& targets, const RunCompany& company,
                     std::uint64_t seed, VirtualClock& clock) {
  Simulation(workers, targets, company.logs, seed, clock).Run();
}

}  // namespace zonal::engine
