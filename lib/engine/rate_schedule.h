// SPDX-License-Identifier: MIT
// When operations of one direction are due, for a rate in bytes, in operations, or
// both (the slower one holds). The times are counted from the schedule and not from
// when operations were sent, so that what sleeping too long loses is caught up, up to
// a second of it: a device that stood still longer is not flooded afterwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "zonal/clock.h"
#include "zonal/rng.h"

namespace zonal::engine {

class RateSchedule {
 public:
  RateSchedule() = default;
  // Per second; 0: no limit.
  RateSchedule(std::uint64_t bytes, std::uint64_t operations) noexcept
      : ns_per_byte_(Gap(bytes)), ns_per_operation_(Gap(operations)) {}

  bool limits() const noexcept { return ns_per_byte_ > 0 || ns_per_operation_ > 0; }
  void Start(Instant now) noexcept { start_ = now; }
  Instant due() const noexcept {
    return start_ + nanoseconds(static_cast<std::int64_t>(std::max(bytes_due_, operations_due_)));
  }
  // Returns when it was due. `stretch`: of the gap to the next one; 1 where gaps are
  // equal.
  Instant Issued(std::uint64_t bytes, Instant now, double stretch) noexcept {
    const double oldest = static_cast<double>((now - start_).count()) - kMostBehind;
    bytes_due_ = std::max(bytes_due_, oldest);
    operations_due_ = std::max(operations_due_, oldest);
    const Instant was_due = due();
    bytes_due_ += ns_per_byte_ * static_cast<double>(bytes) * stretch;
    operations_due_ += ns_per_operation_ * stretch;
    return was_due;
  }
  void Postpone(nanoseconds by) noexcept {
    bytes_due_ += static_cast<double>(by.count());
    operations_due_ += static_cast<double>(by.count());
  }

 private:
  static constexpr double kMostBehind = 1e9;
  static double Gap(std::uint64_t per_second) noexcept {
    return per_second == 0 ? 0.0 : 1e9 / static_cast<double>(per_second);
  }

  double ns_per_byte_ = 0, ns_per_operation_ = 0;
  Instant start_;
  double bytes_due_ = 0, operations_due_ = 0;  // ns after the start
};

// Of a Poisson process: exponential, with mean 1.
inline double ExponentialStretch(Rng& rng) noexcept {
  const double uniform = static_cast<double>(rng.Next() >> 11) * 0x1p-53;  // [0, 1)
  return -std::log1p(-uniform);
}

}  // namespace zonal::engine
