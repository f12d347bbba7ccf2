// SPDX-License-Identifier: MIT
#include "zonal/clock.h"

#include <ctime>

namespace zonal {
namespace {

class Monotonic final : public Clock {
 public:
  constexpr Monotonic() noexcept = default;
  Instant Now() const noexcept override {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return Instant{now.tv_sec * 1'000'000'000 + now.tv_nsec};
  }
};

constinit const Monotonic kMonotonic;

}  // namespace

const Clock& MonotonicClock() noexcept { return kMonotonic; }

void VirtualClock::AdvanceTo(Instant to) noexcept {
  std::int64_t now = now_.load(std::memory_order_relaxed);
  while (now < to.ns && !now_.compare_exchange_weak(now, to.ns, std::memory_order_acq_rel)) {
  }
}

}  // namespace zonal
