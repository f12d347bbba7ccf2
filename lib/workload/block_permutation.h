// SPDX-License-Identifier: MIT
// Every number of [0, count) once, in an order that looks random, without
// memory per number: a counter goes through a keyed bijection of the next power
// of two ("cycle walking": results at or above `count` are skipped, fewer than
// one per number on average). The bijection is three rounds of xor-shift and
// multiplication by an odd number on `bits` bits, each of which can be undone.
// A bitmap would need memory and a search when nearly full; an LFSR needs no
// memory but hands out neighbours that are halves of each other.
// Each pass has its own key. Tested by tests/workload/block_permutation_test.cc.
#pragma once

#include <bit>
#include <cstdint>

#include "zonal/rng.h"

namespace zonal::workload {

class BlockPermutation {
 public:
  // REQUIRES: count > 0.
  constexpr BlockPermutation(std::uint64_t count, std::uint64_t seed) noexcept
      : count_(count),
        bits_(count > 2 ? 64 - std::countl_zero(count - 1) : 1),
        mask_(bits_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits_) - 1),
        shift_((bits_ + 1) / 2),
        seed_(seed) {
    StartPass();
  }

  // The next number; after `count` of them a new pass begins.
  constexpr std::uint64_t Next() noexcept {
    if (drawn_ == count_) StartPass();
    ++drawn_;
    for (;;) {
      const std::uint64_t value = Mix(counter_++ & mask_);
      if (value < count_) return value;
    }
  }
  // The number at a place of the order, places counted from 0 to count - 1; the
  // order is that of the present pass. Cycle walking from `place` itself.
  constexpr std::uint64_t At(std::uint64_t place) const noexcept {
    do {
      place = Mix(place);
    } while (place >= count_);
    return place;
  }
  // Numbers still to come in this pass.
  constexpr std::uint64_t left() const noexcept { return count_ - drawn_; }

 private:
  constexpr void StartPass() noexcept {
    counter_ = 0;
    drawn_ = 0;
    for (std::uint64_t& key : keys_) key = SplitMix64(seed_);
  }
  constexpr std::uint64_t Mix(std::uint64_t x) const noexcept {
    for (const std::uint64_t key : keys_) {
      x = (x ^ key) & mask_;
      x ^= x >> shift_;
      x = (x * (key | 1)) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

  std::uint64_t count_;
  int bits_;
  std::uint64_t mask_;
  int shift_;
  std::uint64_t seed_;
  std::uint64_t keys_[3] = {};
  std::uint64_t counter_ = 0;
  std::uint64_t drawn_ = 0;
};

}  // namespace zonal::workload
