// SPDX-License-Identifier: MIT
// Seeks the greatest queue depth at which enough of the operations of a window stay
// below a latency (Pace::latency_*): doubles while that holds, then halves the gap
// between the deepest that met it and the least that did not. Pure.
#pragma once

#include <cstdint>

#include "zonal/clock.h"
#include "zonal/workload.h"

namespace zonal::engine {

class DepthSearch {
 public:
  DepthSearch(const Pace& pace, std::uint32_t deepest) noexcept
      : target_(pace.latency_target),
        window_(pace.latency_window),
        percentile_(pace.latency_percentile),
        goes_on_(pace.latency_run),
        deepest_(deepest),
        failed_at_(deepest + 1) {}

  bool on() const noexcept { return target_.count() != 0; }
  std::uint32_t depth() const noexcept { return depth_; }
  // Not even depth 1 meets the target.
  bool missed() const noexcept { return missed_; }

  void Start(Instant now) noexcept { BeginWindow(now); }
  void Completed(nanoseconds latency) noexcept {
    ++operations_;
    slow_ += latency > target_ ? 1 : 0;
  }

  enum class News : std::uint8_t {
    kNone,
    kFound,  // the depth is final: what was counted so far was the search
    kOver,   // and it has been measured for a window
  };
  // Once a step.
  News Look(Instant now) noexcept;

 private:
  void BeginWindow(Instant now) noexcept {
    window_began_ = now;
    operations_ = slow_ = 0;
  }
  bool Met() const noexcept {
    return static_cast<double>(operations_ - slow_) * 100.0 >=
           percentile_ * static_cast<double>(operations_);
  }
  void Deeper() noexcept;
  void Shallower() noexcept;
  void SearchAgain(bool met) noexcept;

  // Windows in a row that met the target before a greater depth is tried once more.
  static constexpr std::uint32_t kStable = 10;

  const nanoseconds target_, window_;
  const double percentile_;
  const bool goes_on_;
  const std::uint32_t deepest_;
  std::uint32_t depth_ = 1;
  std::uint32_t met_at_ = 0;  // 0: at none
  std::uint32_t failed_at_;   // deepest + 1: at none
  std::uint32_t stable_windows_ = 0;
  bool found_ = false, missed_ = false;
  Instant window_began_;
  std::uint64_t operations_ = 0, slow_ = 0;
};

}  // namespace zonal::engine
