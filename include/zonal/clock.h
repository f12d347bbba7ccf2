// SPDX-License-Identifier: MIT
// Time as a parameter: the monotonic clock of the machine, or a virtual clock
// that moves only when told, for simulations that rerun to the byte.
// Now() is thread-safe on both.
#pragma once

#include <atomic>
#include <chrono>
#include <compare>
#include <cstdint>

namespace zonal {

using std::chrono::nanoseconds;

// A reading of a Clock. Readings of different clocks do not compare.
struct Instant {
  std::int64_t ns = 0;  // since the clock's own origin
  friend constexpr auto operator<=>(Instant, Instant) noexcept = default;
  friend constexpr nanoseconds operator-(Instant a, Instant b) noexcept {
    return nanoseconds(a.ns - b.ns);
  }
  friend constexpr Instant operator+(Instant a, nanoseconds d) noexcept {
    return Instant{a.ns + d.count()};
  }
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant Now() const noexcept = 0;
  // True for a clock that stands still until it is moved.
  virtual bool is_virtual() const noexcept { return false; }
};

// CLOCK_MONOTONIC; one instance serves the process and holds no state.
const Clock& MonotonicClock() noexcept;

class VirtualClock final : public Clock {
 public:
  Instant Now() const noexcept override { return Instant{now_.load(std::memory_order_acquire)}; }
  bool is_virtual() const noexcept override { return true; }
  // Moves forward to `to`; a time in the past is ignored.
  void AdvanceTo(Instant to) noexcept;
  void Advance(nanoseconds by) noexcept { AdvanceTo(Now() + by); }

 private:
  std::atomic<std::int64_t> now_{0};
};

}  // namespace zonal
