// SPDX-License-Identifier: MIT
// When a wait is over, by the clock that the kernel sleeps by. A value type.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace zonal::core {

class Deadline {
 public:
  using nanoseconds = std::chrono::nanoseconds;

  // Never for a negative wait, nor for one longer than the clock counts: the
  // sum would wrap around and be over at once.
  explicit Deadline(nanoseconds wait) noexcept {
    const auto now = std::chrono::steady_clock::now();
    if (wait.count() >= 0 && wait <= std::chrono::steady_clock::time_point::max() - now) {
      at_ = now + wait;
    }
  }
  // What is left, not below zero; nullopt if there is no end.
  std::optional<nanoseconds> Left() const noexcept {
    if (!at_) return std::nullopt;
    return std::max<nanoseconds>(*at_ - std::chrono::steady_clock::now(), nanoseconds(0));
  }
  bool Passed() const noexcept { return at_ && std::chrono::steady_clock::now() >= *at_; }

 private:
  std::optional<std::chrono::steady_clock::time_point> at_;
};

}  // namespace zonal::core
