// SPDX-License-Identifier: MIT
// One thread sleeps until another wakes it or time is up; a wake-up that comes
// first is kept. Costs one load unless somebody sleeps. A futex, because the
// waiting functions of the standard library take no time limit.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace zonal::emulated {

class WakeFlag {
 public:
  void Wake() noexcept {
    if (state_.exchange(kWoken) == kSleeping) Futex(FUTEX_WAKE_PRIVATE, 1, nullptr);
  }

  // Whether Consume would answer true.
  bool woken() const noexcept { return state_.load() == kWoken; }

  // True once per Wake, or per several before it was asked.
  bool Consume() noexcept {
    return state_.load(std::memory_order_relaxed) == kWoken && state_.exchange(kIdle) == kWoken;
  }

  // Sleeps until Wake, or for `time`; without end if it is negative. May return
  // early. Consume tells whether there was a Wake.
  void Sleep(std::chrono::nanoseconds time) noexcept {
    std::uint32_t expected = kIdle;
    if (!state_.compare_exchange_strong(expected, kSleeping)) return;
    const std::timespec limit = {static_cast<std::time_t>(time.count() / 1'000'000'000),
                                 static_cast<long>(time.count() % 1'000'000'000)};
    Futex(FUTEX_WAIT_PRIVATE, kSleeping, time.count() < 0 ? nullptr : &limit);
    expected = kSleeping;
    state_.compare_exchange_strong(expected, kIdle);
  }

 private:
  enum : std::uint32_t { kIdle, kSleeping, kWoken };

  void Futex(int operation, std::uint32_t value, const std::timespec* limit) noexcept {
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&state_), operation, value, limit,
              nullptr, 0);
  }

  std::atomic<std::uint32_t> state_{kIdle};
  static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));
};

}  // namespace zonal::emulated
