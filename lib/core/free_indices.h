// SPDX-License-Identifier: MIT
// Which of the indices 0..size-1 are free: the last one given back is the first
// taken, and is the likeliest to be in the cache. Fixed size; not thread-safe.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace zonal::core {

class FreeIndices {
 public:
  // All are free; 0 is taken first.
  explicit FreeIndices(std::uint32_t size) : stack_(size), count_(size) {
    std::iota(stack_.rbegin(), stack_.rend(), 0u);
  }

  bool empty() const noexcept { return count_ == 0; }
  std::uint32_t count() const noexcept { return count_; }
  std::span<const std::uint32_t> indices() const noexcept { return {stack_.data(), count_}; }

  // REQUIRES: !empty().
  std::uint32_t Take() noexcept { return stack_[--count_]; }
  // REQUIRES: `index` was taken, and not given back since.
  void Give(std::uint32_t index) noexcept { stack_[count_++] = index; }

 private:
  std::vector<std::uint32_t> stack_;
  std::uint32_t count_;
};

}  // namespace zonal::core
