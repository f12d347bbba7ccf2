// SPDX-License-Identifier: MIT
// Periodic resets (zone_reset_threshold, zone_reset_frequency): once that fraction
// of the common range holds data, every (1 / frequency)-th write first resets the
// zone it goes to. Does nothing, and touches nothing shared, when not asked for.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/setup.h"

namespace zonal::engine {

class ResetSchedule {
 public:
  explicit ResetSchedule(const WorkerSetup& setup) noexcept
      : held_(setup.target->coordination.bytes_held) {
    const Workload& workload = setup.workload;
    const double frequency = workload.zone_reset_frequency.value_or(0.0);
    if (!workload.zone_reset_threshold || frequency <= 0.0) return;
    every_ = static_cast<std::uint64_t>(std::llround(1.0 / frequency));
    threshold_ = static_cast<std::int64_t>(*workload.zone_reset_threshold *
                                           static_cast<double>(setup.range.size()));
  }

  bool on() const noexcept { return every_ != 0; }
  // Does the next write first reset its zone? May be asked any number of times:
  // what counts is what is told to ResetStarted and WritePrepared.
  bool Due() const noexcept { return Counts() && !reset_done_ && writes_ + 1 >= every_; }
  // The same of a write to a zone that holds data: again if that is the very zone
  // we reset for it, and another worker wrote there before we came to it.
  bool DueIn(ZoneId zone) const noexcept {
    return Due() || (Counts() && reset_done_ && zone == reset_zone_);
  }
  void ResetStarted(ZoneId zone) noexcept {
    reset_done_ = true;
    reset_zone_ = zone;
  }
  // Counts the bytes now and not when they are written: the next write, whoever's
  // it is, may be prepared before this one completed.
  void WritePrepared(std::uint64_t bytes) noexcept {
    if (!on()) return;
    // The reset itself may have brought the data below the threshold.
    if (reset_done_ || Counts()) writes_ = writes_ + 1 >= every_ ? 0 : writes_ + 1;
    reset_done_ = false;
    Written(bytes);
  }
  // A failed write, written again.
  void Written(std::uint64_t bytes) noexcept {
    if (on()) held_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }
  // A write failed. Of the zone we reset, all that was in flight has been taken off.
  void Lost(ZoneId zone, std::uint64_t bytes) noexcept {
    if (reset_done_ && zone == reset_zone_) return;
    Reset(bytes);
  }
  void Reset(std::uint64_t bytes) noexcept {
    if (on()) held_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }

 private:
  bool Counts() const noexcept {
    return on() && held_.load(std::memory_order_relaxed) >= threshold_;
  }

  std::atomic<std::int64_t>& held_;
  std::uint64_t every_ = 0;
  std::int64_t threshold_ = 0;
  std::uint64_t writes_ = 0;  // since the last that was due
  bool reset_done_ = false;   // for the write that is due
  ZoneId reset_zone_;
};

}  // namespace zonal::engine
