// SPDX-License-Identifier: MIT
// Where the next block goes: positions inside [begin, end), counted in whole
// blocks from `begin`. What is left behind the last whole block is never drawn.
// Plain structs, no allocation; one per worker and direction.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "workload/block_permutation.h"
#include "zonal/rng.h"

namespace zonal::workload {

// One block after the other; the last one of a pass may be cut at `end`.
class SequentialOffsets {
 public:
  constexpr SequentialOffsets(std::uint64_t begin, std::uint64_t end) noexcept
      : begin_(begin), end_(end), next_(begin) {}

  constexpr bool pass_over() const noexcept { return next_ >= end_; }
  constexpr void StartPass() noexcept { next_ = begin_; }
  constexpr std::uint64_t position() const noexcept { return next_; }
  // Bytes of up to `bytes` at position() that are inside the range.
  constexpr std::uint64_t Fit(std::uint64_t bytes) const noexcept {
    return std::min(bytes, end_ - next_);
  }
  constexpr void Advance(std::uint64_t bytes) noexcept { next_ += bytes; }

 private:
  std::uint64_t begin_, end_, next_;
};

// Random blocks: each once per pass, or (`may_repeat`) independently uniform.
class RandomOffsets {
 public:
  // REQUIRES: end - begin >= block > 0.
  constexpr RandomOffsets(std::uint64_t begin, std::uint64_t end, std::uint64_t block,
                          bool may_repeat, std::uint64_t seed) noexcept
      : begin_(begin),
        block_(block),
        blocks_((end - begin) / block),
        may_repeat_(may_repeat),
        shift_(std::has_single_bit(block) ? std::countr_zero(block) : -1),
        rng_(seed),
        each_once_(blocks_, seed) {}

  constexpr std::uint64_t Next() noexcept {
    const std::uint64_t index = may_repeat_ ? rng_.Below(blocks_) : each_once_.Next();
    return begin_ + (shift_ >= 0 ? index << shift_ : index * block_);
  }
  constexpr std::uint64_t blocks() const noexcept { return blocks_; }

 private:
  std::uint64_t begin_;
  std::uint64_t block_;
  std::uint64_t blocks_;
  bool may_repeat_;
  int shift_;
  Rng rng_;
  BlockPermutation each_once_;
};

}  // namespace zonal::workload
