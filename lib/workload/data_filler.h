// SPDX-License-Identifier: MIT
// What is in the buffers of writes (zonal/workload.h, DataFill). Deterministic by
// seed; no allocation once constructed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "zonal/rng.h"
#include "zonal/workload.h"

namespace zonal::workload {

class DataFiller {
 public:
  // `fill` must outlive it. `buffers_are_read_into`: what a buffer held at the last
  // write may be gone at the next.
  DataFiller(const DataFill& fill, std::uint64_t seed, bool buffers_are_read_into);

  // Each buffer once, before the first I/O.
  void Prepare(std::span<std::byte> buffer) noexcept;
  // Before a write of `block` at `offset`. Nothing to do for most kinds.
  void NextBlock(std::span<std::byte> block, std::uint64_t offset) noexcept {
    if (each_block_) Renew(block, offset);
  }

 private:
  void Renew(std::span<std::byte> block, std::uint64_t offset) noexcept;
  void Compressible(std::span<std::byte> block, Rng& rng) const noexcept;
  void Repeat(std::span<std::byte> block) const noexcept;

  const DataFill& fill_;
  const bool fresh_;       // random bytes of their own for each block
  const bool each_block_;  // something is to be done before each write
  Rng rng_;
  std::uint64_t block_seed_;
  std::uint64_t written_ = 0;
};

}  // namespace zonal::workload
