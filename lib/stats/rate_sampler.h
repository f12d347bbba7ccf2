// SPDX-License-Identifier: MIT
// Bandwidth and IOPS sampled every 500 ms, for the "bw" and "iops" lines of a
// report. Fed with totals and clock readings; reads no clock. A value type, not
// thread-safe: one per worker and direction.
#pragma once

#include <cstdint>

#include "zonal/clock.h"
#include "zonal/rate_samples.h"

namespace zonal::stats {

// Mean and deviation of a stream of numbers (Welford 1962), with its extremes.
class RunningSummary {
 public:
  void Record(double value) noexcept;
  RateSamples Result() const noexcept;

 private:
  RateSamples so_far_;
  double squares_ = 0;  // sum of squared distances from the mean
};

class RateSampler {
 public:
  static constexpr nanoseconds kWindow{500'000'000};

  // Starts, or starts over (when a ramp period ends): what came before counts
  // for nothing.
  void Start(Instant now, std::uint64_t bytes, std::uint64_t ios) noexcept;

  // Totals since the worker began, at `now`; call as often as convenient.
  // Takes one sample if a window or more has passed since the last one, over
  // the time that really passed: a stall of two seconds is one low sample.
  void Update(Instant now, std::uint64_t bytes, std::uint64_t ios) noexcept {
    if (now - since_ >= kWindow) Sample(now, bytes, ios);
  }

  RateSamples bandwidth_kib() const noexcept { return bandwidth_.Result(); }
  RateSamples iops() const noexcept { return iops_.Result(); }

 private:
  void Sample(Instant now, std::uint64_t bytes, std::uint64_t ios) noexcept;

  Instant since_;
  std::uint64_t bytes_ = 0;
  std::uint64_t ios_ = 0;
  RunningSummary bandwidth_;
  RunningSummary iops_;
};

}  // namespace zonal::stats
