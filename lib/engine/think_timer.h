// SPDX-License-Identifier: MIT
// Stalls between operations (Pace::think_*): after so many operations, or so much
// time, nothing is sent until what is in flight has come back and the stall is over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "zonal/clock.h"
#include "zonal/workload.h"

namespace zonal::engine {

class ThinkTimer {
 public:
  explicit ThinkTimer(const Pace& pace) noexcept
      : time_(pace.think_time),
        spin_(std::min(pace.think_spin, pace.think_time)),
        io_time_(pace.think_io_time),
        // One operation, the default, would leave nothing for a time to do.
        blocks_(io_time_.count() != 0 && pace.think_blocks <= 1 ? 0 : pace.think_blocks),
        after_issue_(pace.think_after_issue) {}

  bool on() const noexcept { return time_.count() != 0; }
  void Start(Instant now) noexcept { worked_since_ = now; }
  void Issued() noexcept { operations_ += after_issue_ ? 1 : 0; }
  void Completed() noexcept { operations_ += after_issue_ ? 0 : 1; }

  // A stall is due or under way; call it before each operation.
  bool Stalls(Instant now, std::uint32_t in_flight) noexcept {
    if (thinking_) {
      if (now < until_) return true;
      thinking_ = false;
      operations_ = 0;
      worked_since_ = now;
      return false;
    }
    const bool by_blocks = blocks_ != 0 && operations_ >= blocks_;
    if (!by_blocks && (io_time_.count() == 0 || now - worked_since_ < io_time_)) return false;
    if (in_flight != 0) return true;
    thinking_ = true;
    spin_until_ = now + spin_;
    until_ = now + time_;
    begins_ = true;
    return true;
  }
  // Of the stall under way; nothing while it waits for what is in flight.
  bool thinking() const noexcept { return thinking_; }
  Instant until() const noexcept { return until_; }
  Instant spin_until() const noexcept { return spin_until_; }
  nanoseconds length() const noexcept { return time_; }
  // True once for each stall.
  bool StallBegins() noexcept { return std::exchange(begins_, false); }

 private:
  const nanoseconds time_, spin_, io_time_;
  const std::uint32_t blocks_;
  const bool after_issue_;
  bool thinking_ = false, begins_ = false;
  std::uint64_t operations_ = 0;  // since the last stall
  Instant worked_since_, until_, spin_until_;
};

}  // namespace zonal::engine
