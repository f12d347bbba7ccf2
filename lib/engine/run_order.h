// SPDX-License-Identifier: MIT
// Who may start, who has ended, and whom an end takes along. Thread-safe; looked
// at when a worker starts, ends, is stuck or finds no data, never per I/O; only
// asked_to_end() is for every step.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/setup.h"
#include "zonal/clock.h"
#include "zonal/workload.h"

namespace zonal::engine {

// Schedule::after names workers of the plan, and nobody waits for himself, however
// far round. InvalidArgument names the circle.
absl::Status CheckOrder(const std::vector<Workload>& workers);

// Of the writers in zone mode of `target`, how many may run at once at most.
std::uint32_t WritersAtOnce(const std::vector<Workload>& all, const std::string& target);

class RunOrder {
 public:
  explicit RunOrder(const std::vector<WorkerSetup>& workers);

  // Before any worker's first step.
  void Begin(Instant now) noexcept { begun_at_ = now; }

  // All that it comes after have ended.
  bool MayStart(std::uint32_t worker) const noexcept;
  // Its delay counts from the start of the run, as fio's does.
  Instant EarliestStart(std::uint32_t worker) const noexcept {
    return begun_at_ + entries_[worker].start_delay;
  }
  void Started(std::uint32_t worker) noexcept { SetState(worker, State::kRunning); }
  // It can do nothing until another does something, or it can again.
  void SetStuck(std::uint32_t worker, bool stuck) noexcept {
    SetState(worker, stuck ? State::kStuck : State::kRunning);
    if (!stuck) entries_[worker].restarts.fetch_add(1, std::memory_order_release);
  }
  void Ended(std::uint32_t worker, bool failed);

  // The name of whose end or error ends this worker too; null: nobody's.
  struct Ender {
    const std::string* name = nullptr;
    bool by_error = false;
  };
  bool asked_to_end(std::uint32_t worker) const noexcept {
    return entries_[worker].ender.load(std::memory_order_relaxed) != kNobody;
  }
  Ender EnderOf(std::uint32_t worker) const noexcept;

  // Somebody who has not ended may still write the target of `reader`: what it
  // cannot read now it may read later.
  bool DataMayCome(std::uint32_t reader) const noexcept;
  // No writer of the target can go on unless another one does: those that have
  // started are stuck, and those that have not wait for one that is.
  bool NoWriterCanGoOn(const Target* target) const noexcept;

  // How often stuck workers of the target went on: between two equal answers none did.
  std::uint64_t RestartsOn(const Target* target) const noexcept;

  // Sleeps until MayStart(worker), or `at_most` is over.
  void WaitToStart(std::uint32_t worker, nanoseconds at_most);

 private:
  enum class State : std::uint8_t { kPending, kRunning, kStuck, kEnded };
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr std::uint32_t kByError = std::uint32_t{1} << 31;  // with the index

  struct Entry {
    std::string name;
    const Target* target = nullptr;
    bool writes_zones = false;
    std::vector<std::uint32_t> after;
    std::vector<bool> comes_after;  // directly or through others
    nanoseconds start_delay{0};
    bool ends_all = false, ends_its_stage = false, error_ends_all = false;
    std::uint32_t stage = 0;
    std::atomic<State> state{State::kPending};
    std::atomic<std::uint64_t> restarts{0};
    std::atomic<std::uint32_t> ender{kNobody};
  };

  State StateOf(std::uint32_t worker) const noexcept {
    return entries_[worker].state.load(std::memory_order_acquire);
  }
  void SetState(std::uint32_t worker, State state) noexcept {
    entries_[worker].state.store(state, std::memory_order_release);
  }
  bool WaitsForAStuckOne(const Entry& entry) const noexcept;
  void AskOthersToEnd(std::uint32_t ender, bool by_error, std::optional<std::uint32_t> stage);

  std::vector<Entry> entries_;
  Instant begun_at_;
  std::mutex mutex_;
  std::condition_variable ended_;
};

}  // namespace zonal::engine
