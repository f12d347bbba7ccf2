// SPDX-License-Identifier: MIT
// Which counter slots are taken by a living queue. Thread-safe; cold.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace zonal::emulated {

class CounterPool {
 public:
  // Slot 0 is the device's and never given out.
  explicit CounterPool(std::size_t slots) : taken_(slots, false) {
    if (!taken_.empty()) taken_[0] = true;
  }

  std::optional<std::size_t> Take() {
    const std::lock_guard lock(mutex_);
    for (std::size_t slot = 0; slot < taken_.size(); ++slot) {
      if (taken_[slot]) continue;
      taken_[slot] = true;
      return slot;
    }
    return std::nullopt;
  }
  void GiveBack(std::size_t slot) {
    const std::lock_guard lock(mutex_);
    taken_[slot] = false;
  }

 private:
  std::mutex mutex_;
  std::vector<bool> taken_;
};

}  // namespace zonal::emulated
