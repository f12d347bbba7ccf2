// SPDX-License-Identifier: MIT
// One thread asks, a worker answers at its next step: the worker looks at a flag and
// never waits.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "zonal/clock.h"
#include "zonal/run.h"

namespace zonal::engine {

class ResultExchange {
 public:
  // The asker's. False if the worker has ended: its result may be read as it is.
  // After `at_most` without an answer `result` is that of the last time.
  bool Ask(Instant run_started, nanoseconds at_most, WorkerResult& result) {
    std::unique_lock lock(mutex_);
    if (closed_) return false;
    run_started_ = run_started;
    asked_.store(true, std::memory_order_relaxed);
    changed_.wait_for(lock, at_most,
                      [this] { return closed_ || !asked_.load(std::memory_order_relaxed); });
    if (closed_) return false;
    result = last_;
    return true;
  }

  // The worker's.
  bool asked() const noexcept { return asked_.load(std::memory_order_relaxed); }
  template <typename MakeResult>
  void Give(MakeResult make) {
    const std::lock_guard lock(mutex_);
    last_ = make(run_started_);
    asked_.store(false, std::memory_order_relaxed);
    changed_.notify_one();
  }
  // Nothing of the worker's changes any more.
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

 private:
  std::atomic<bool> asked_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  Instant run_started_;
  WorkerResult last_;
};

}  // namespace zonal::engine
