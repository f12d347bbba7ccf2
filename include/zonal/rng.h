// SPDX-License-Identifier: MIT
// Seeded random numbers: xoshiro256** (Blackman and Vigna, "Scrambled linear
// pseudorandom number generators", 2018), seeded through splitmix64. Same seed,
// same numbers, on every machine; no floating point. Not for cryptography.
// Not thread-safe: each worker owns one.
#pragma once

#include <array>
#include <cstdint>

namespace zonal {

// One step of splitmix64: spreads `state` into a seed; also a cheap hash.
constexpr std::uint64_t SplitMix64(std::uint64_t& state) noexcept {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

class Rng {
 public:
  constexpr explicit Rng(std::uint64_t seed) noexcept {
    for (std::uint64_t& word : state_) word = SplitMix64(seed);
  }

  constexpr std::uint64_t Next() noexcept {
    const std::uint64_t result = RotateLeft(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = RotateLeft(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound). REQUIRES: bound > 0. Multiply-shift without the
  // rejection step (Lemire 2019): the bias is below bound / 2^64.
  constexpr std::uint64_t Below(std::uint64_t bound) noexcept {
    return static_cast<std::uint64_t>((static_cast<Wide>(Next()) * bound) >> 64);
  }
  // True with probability numerator / denominator.
  constexpr bool Chance(std::uint64_t numerator, std::uint64_t denominator) noexcept {
    return Below(denominator) < numerator;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t RotateLeft(std::uint64_t x, int k) noexcept {
    return (x << k) | (x >> (64 - k));
  }
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace zonal
