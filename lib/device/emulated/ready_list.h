// SPDX-License-Identifier: MIT
// The completions that are ready, and the order in which they leave: that of
// their becoming ready, its reverse, or one drawn from a seed. Fixed size; not
// thread-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zonal/emulated.h"
#include "zonal/io_queue.h"
#include "zonal/rng.h"

namespace zonal::emulated {

class ReadyList {
 public:
  ReadyList(std::uint32_t depth, CompletionOrder order, std::uint64_t seed)
      : ring_(std::bit_ceil(depth)), mask_(ring_.size() - 1), order_(order), rng_(seed) {}

  std::size_t size() const noexcept { return tail_ - head_; }

  // REQUIRES: fewer than `depth` are in it.
  void Push(std::uint64_t user_data, const IoResult& result) noexcept {
    Completion& completion = ring_[tail_++ & mask_];
    completion.user_data = user_data;
    completion.result = result;
  }

  std::size_t Pop(std::span<Completion> out) noexcept {
    const std::size_t count = std::min(out.size(), size());
    for (std::size_t i = 0; i < count; ++i) out[i] = PopOne();
    return count;
  }

 private:
  Completion PopOne() noexcept {
    switch (order_) {
      case CompletionOrder::kSubmission:
        break;
      case CompletionOrder::kReverse:
        return ring_[--tail_ & mask_];
      case CompletionOrder::kSeeded:
        std::swap(ring_[head_ & mask_], ring_[(head_ + rng_.Below(size())) & mask_]);
        break;
    }
    return ring_[head_++ & mask_];
  }

  std::vector<Completion> ring_;
  std::size_t mask_;
  std::size_t head_ = 0, tail_ = 0;  // count up; masked on use
  CompletionOrder order_;
  Rng rng_;
};

}  // namespace zonal::emulated
