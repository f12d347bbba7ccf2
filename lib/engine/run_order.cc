// SPDX-License-Identifier: MIT
#include "engine/run_order.h"

#include <algorithm>

namespace zonal::engine {
namespace {

// A bit for each pair: does the first come after the second?
class Reach {
 public:
  Reach() = default;
  explicit Reach(std::size_t workers) : words_((workers + 63) / 64), bits_(words_ * workers) {}
  bool empty() const noexcept { return bits_.empty(); }
  bool Get(std::size_t from, std::size_t to) const noexcept {
    return !empty() && (bits_[from * words_ + to / 64] >> to % 64 & 1) != 0;
  }
  void Set(std::size_t from, std::size_t to) noexcept {
    bits_[from * words_ + to / 64] |= std::uint64_t{1} << to % 64;
  }
  void Add(std::size_t from, std::size_t through) noexcept {
    for (std::size_t i = 0; i < words_; ++i)
      bits_[from * words_ + i] |= bits_[through * words_ + i];
  }

 private:
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

enum class Mark : std::uint8_t { kNew, kOpen, kDone };

// Depth first: who each worker comes after, through others too. False when a worker
// is met that is still open: `path` then ends with the circle.
class Follower {
 public:
  explicit Follower(const std::vector<Workload>& workers)
      : workers_(workers), marks_(workers.size(), Mark::kNew), reach_(workers.size()) {}

  bool Follow(std::uint32_t from) {
    if (marks_[from] == Mark::kDone) return true;
    path_.push_back(from);
    if (marks_[from] == Mark::kOpen) return false;
    marks_[from] = Mark::kOpen;
    for (const std::uint32_t before : workers_[from].schedule.after) {
      if (!Follow(before)) return false;
      reach_.Set(from, before);
      reach_.Add(from, before);
    }
    marks_[from] = Mark::kDone;
    path_.pop_back();
    return true;
  }
  std::string Circle() const {
    std::string text;
    const auto first = std::find(path_.begin(), path_.end(), path_.back());
    for (auto at = first; at != path_.end(); ++at) {
      text += (at == first ? "" : " waits for ") + workers_[*at].name;
    }
    return text;
  }
  const Reach& reach() const noexcept { return reach_; }

 private:
  const std::vector<Workload>& workers_;
  std::vector<Mark> marks_;
  Reach reach_;
  std::vector<std::uint32_t> path_;
};

// Empty without any order: most plans have none, and some have thousands of workers.
Reach ReachOf(const std::vector<Workload>& workers) {
  const bool any = std::any_of(workers.begin(), workers.end(), [](const Workload& worker) {
    return !worker.schedule.after.empty();
  });
  if (!any) return {};
  Follower follower(workers);
  for (std::uint32_t i = 0; i < workers.size(); ++i) follower.Follow(i);
  return follower.reach();
}

bool WritesZones(const Workload& workload) {
  return workload.zone_mode == ZoneMode::kZbd && WorkerSetup::DoesWrite(workload);
}

}  // namespace

absl::Status CheckOrder(const std::vector<Workload>& workers) {
  for (const Workload& worker : workers) {
    for (const std::uint32_t before : worker.schedule.after) {
      if (before < workers.size()) continue;
      return absl::InvalidArgumentError(worker.name + ": it waits for worker " +
                                        std::to_string(before) + ", and there are " +
                                        std::to_string(workers.size()));
    }
  }
  Follower follower(workers);
  for (std::uint32_t i = 0; i < workers.size(); ++i) {
    if (follower.Follow(i)) continue;
    return absl::InvalidArgumentError("no job of these would ever start: " + follower.Circle() +
                                      "; remove one wait_for or stonewall");
  }
  return absl::OkStatus();
}

// An upper bound: for each writer, all that are neither before nor after it.
std::uint32_t WritersAtOnce(const std::vector<Workload>& all, const std::string& target) {
  const Reach reach = ReachOf(all);
  const auto counts = [&](const Workload& w) { return w.target == target && WritesZones(w); };
  std::size_t most = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!counts(all[i])) continue;
    std::size_t with_it = 0;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const bool apart = reach.Get(i, j) || reach.Get(j, i);
      if (!apart && counts(all[j])) ++with_it;
    }
    most = std::max(most, with_it);
    if (reach.empty()) break;
  }
  return static_cast<std::uint32_t>(most);
}

RunOrder::RunOrder(const std::vector<WorkerSetup>& workers) : entries_(workers.size()) {
  std::vector<Workload> workloads;
  workloads.reserve(workers.size());
  for (const WorkerSetup& setup : workers) workloads.push_back(setup.workload);
  const Reach reach = ReachOf(workloads);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const Workload& workload = workers[i].workload;
    Entry& entry = entries_[i];
    entry.name = workload.name;
    entry.target = workers[i].target;
    entry.writes_zones = WritesZones(workload);
    entry.after = workload.schedule.after;
    if (!reach.empty()) {
      for (std::size_t j = 0; j < workers.size(); ++j) entry.comes_after.push_back(reach.Get(i, j));
    }
    entry.start_delay = workload.schedule.start_delay;
    entry.ends_all = workload.schedule.ends_all;
    entry.ends_its_stage = workload.schedule.ends_its_group;
    entry.error_ends_all = workload.errors.ends_all;
    entry.stage = workload.schedule.stage;
  }
}

bool RunOrder::MayStart(std::uint32_t worker) const noexcept {
  const std::vector<std::uint32_t>& after = entries_[worker].after;
  return std::all_of(after.begin(), after.end(),
                     [this](std::uint32_t other) { return StateOf(other) == State::kEnded; });
}

void RunOrder::Ended(std::uint32_t worker, bool failed) {
  const Entry& entry = entries_[worker];
  if (failed && entry.error_ends_all) {
    AskOthersToEnd(worker, true, std::nullopt);
  } else if (entry.ends_all) {
    AskOthersToEnd(worker, false, std::nullopt);
  } else if (entry.ends_its_stage) {
    AskOthersToEnd(worker, false, entry.stage);
  }
  SetState(worker, State::kEnded);
  { const std::lock_guard lock(mutex_); }  // nobody is between looking and sleeping
  ended_.notify_all();
}

void RunOrder::AskOthersToEnd(std::uint32_t ender, bool by_error,
                              std::optional<std::uint32_t> stage) {
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (i == ender || (stage && entries_[i].stage != *stage)) continue;
    std::uint32_t nobody = kNobody;  // the first one stands
    entries_[i].ender.compare_exchange_strong(nobody, by_error ? ender | kByError : ender);
  }
}

RunOrder::Ender RunOrder::EnderOf(std::uint32_t worker) const noexcept {
  const std::uint32_t ender = entries_[worker].ender.load();
  if (ender == kNobody) return {};
  return {&entries_[ender & ~kByError].name, (ender & kByError) != 0};
}

bool RunOrder::DataMayCome(std::uint32_t reader) const noexcept {
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (!entry.writes_zones || entry.target != entries_[reader].target) continue;
    const bool after_us = !entry.comes_after.empty() && entry.comes_after[reader];
    if (!after_us && StateOf(i) != State::kEnded) return true;
  }
  return false;
}

bool RunOrder::WaitsForAStuckOne(const Entry& entry) const noexcept {
  for (std::uint32_t i = 0; i < entry.comes_after.size(); ++i) {
    if (entry.comes_after[i] && StateOf(i) == State::kStuck) return true;
  }
  return false;
}

bool RunOrder::NoWriterCanGoOn(const Target* target) const noexcept {
  for (const Entry& entry : entries_) {
    if (!entry.writes_zones || entry.target != target) continue;
    const State state = entry.state.load(std::memory_order_acquire);
    if (state == State::kRunning) return false;
    if (state == State::kPending && !WaitsForAStuckOne(entry)) return false;
  }
  return true;
}

std::uint64_t RunOrder::RestartsOn(const Target* target) const noexcept {
  std::uint64_t sum = 0;
  for (const Entry& entry : entries_) {
    if (entry.target == target) sum += entry.restarts.load(std::memory_order_acquire);
  }
  return sum;
}

void RunOrder::WaitToStart(std::uint32_t worker, nanoseconds at_most) {
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, at_most, [&] { return MayStart(worker); });
}

}  // namespace zonal::engine
