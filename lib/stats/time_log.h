// SPDX-License-Identifier: MIT
// What a worker did over time: a row for each operation, or one per direction for
// each interval. One thread records and never waits, allocates or touches a file;
// another takes the rows. The buffer between them is bounded: rows that find it full
// are lost and counted.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "zonal/clock.h"
#include "zonal/histogram.h"
#include "zonal/workload.h"

namespace zonal::stats {

struct Operation {
  Direction direction = Direction::kRead;
  std::uint64_t bytes = 0, offset = 0;
  Instant drawn, submitted, completed;
  bool has_submission = true;  // false: submitting and completing are one call
};

// Of an interval: rates over it; latencies are means, or the highest. Then `bytes`
// and `offset` are 0.
struct LogRow {
  std::uint64_t at_ms = 0;  // since Start(); the end of an interval
  Direction direction = Direction::kRead;
  // No latencies where nothing completed in the interval; no rates over a moment.
  bool has_rates = true, has_submission = true, has_completion = true;
  std::uint64_t bytes = 0, offset = 0;
  std::uint64_t kib_per_second = 0, ios_per_second = 0;
  std::uint64_t submission_ns = 0, completion_ns = 0, total_ns = 0;
};

// How many operations took how long, in one interval.
struct LogHistogram {
  std::uint64_t at_ms = 0;
  Direction direction = Direction::kRead;
  std::uint64_t bytes = 0;  // of the last operation
  std::array<std::uint32_t, Histogram::kBucketCount> counts{};
};

// A queue of fixed size between two threads.
template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : slots_(capacity) {}
  // The recording thread's. False if it is full.
  bool Push(const T& value) noexcept {
    const std::size_t at = pushed_.load(std::memory_order_relaxed);
    if (at - taken_.load(std::memory_order_acquire) == slots_.size()) return false;
    slots_[at % slots_.size()] = value;
    pushed_.store(at + 1, std::memory_order_release);
    return true;
  }
  // The taking thread's; calls `use` with each.
  template <typename Use>
  void TakeAll(Use use) {
    const std::size_t end = pushed_.load(std::memory_order_acquire);
    for (std::size_t at = taken_.load(std::memory_order_relaxed); at != end; ++at) {
      use(slots_[at % slots_.size()]);
      taken_.store(at + 1, std::memory_order_release);
    }
  }
  bool half_full() const noexcept {
    return pushed_.load(std::memory_order_relaxed) - taken_.load(std::memory_order_relaxed) >=
           (slots_.size() + 1) / 2;
  }

 private:
  std::vector<T> slots_;
  alignas(64) std::atomic<std::size_t> pushed_{0};
  alignas(64) std::atomic<std::size_t> taken_{0};
};

struct TimeLogOptions {
  bool after_ramp = false;     // there is a ramp: nothing is logged before the second Start()
  std::size_t rows = 1 << 16;  // room for so many that nobody took yet
  std::size_t histograms = 64;
};

class TimeLog {
 public:
  explicit TimeLog(const TimeLogs& what, const TimeLogOptions& options = {});

  // The recording thread's. Times count from the first Start().
  void Start(Instant now) noexcept;
  // Hot.
  void Record(const Operation& operation) noexcept;
  // Ends the last interval. The rates of less than half of one would say little: they
  // are left out.
  void Finish(Instant now) noexcept;
  bool half_full() const noexcept { return rows_.half_full() || histograms_.half_full(); }

  // The taking thread's.
  template <typename Use>
  void TakeRows(Use use) {
    rows_.TakeAll(use);
  }
  template <typename Use>
  void TakeHistograms(Use use) {
    histograms_.TakeAll(use);
  }
  std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  struct Interval {
    std::uint64_t ios = 0, bytes = 0;
    // Sums, or the highest.
    std::uint64_t submission_ns = 0, completion_ns = 0, total_ns = 0;
    bool has_submission = false;
  };

  void RecordOne(const Operation& operation) noexcept;
  void AddToInterval(const Operation& operation) noexcept;
  void AddToHistogram(const Operation& operation) noexcept;
  void EndInterval(Instant end, bool has_rates) noexcept;
  void EndHistograms(Instant end) noexcept;
  void Keep(const LogRow& row) noexcept {
    if (!rows_.Push(row)) lost_.fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t MillisecondsAt(Instant when) const noexcept;

  const nanoseconds interval_, histogram_interval_;
  const bool highest_, logs_operations_;
  bool started_ = false;
  bool ramp_goes_on_;
  Instant zero_, interval_start_, histogram_start_;
  std::array<Interval, kDirections> now_{};
  std::array<bool, kDirections> ever_{};  // directions that moved something
  std::unique_ptr<std::array<LogHistogram, kDirections>> counting_;
  Ring<LogRow> rows_;
  Ring<LogHistogram> histograms_;
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace zonal::stats
