// SPDX-License-Identifier: MIT
// Which blocks of a range were written, of what length, by which write. Two bits per
// granule (the unit all offsets and lengths are multiples of), whatever the order
// and however long the blocks: "holds data" and "a block begins here". Where places
// may be written again, also the low half of the sequence of the last write, 4 bytes
// per granule a block begins in. Memory is taken only for pages that are touched: at
// 4 KiB granules 64 MiB, and 1 GiB with sequences of 4 KiB blocks, per TiB written.
// Nothing is allocated after Create. Not thread-safe. Tested by tests/verify.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "verify/lazy_memory.h"

namespace zonal::verify {

struct WrittenBlock {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t sequence = 0;  // 0 where none are kept
  friend bool operator==(const WrittenBlock&, const WrittenBlock&) = default;
};

class WrittenMap {
 public:
  struct Options {
    std::uint64_t begin = 0, end = 0;  // bytes
    std::uint64_t granule = 4096;
    bool keeps_sequences = false;
  };
  static absl::StatusOr<WrittenMap> Create(const Options& options);

  // Blocks it overlaps are no longer there: what is left of them is no block.
  // REQUIRES: inside the range, and multiples of the granule from its begin.
  void Add(std::uint64_t offset, std::uint64_t bytes, std::uint32_t sequence) noexcept;
  // Every block that overlaps is gone.
  void Remove(std::uint64_t offset, std::uint64_t bytes) noexcept;

  // The first block that begins at or behind `from` and before `end`.
  std::optional<WrittenBlock> Next(std::uint64_t from, std::uint64_t end) const noexcept;
  std::optional<WrittenBlock> Next(std::uint64_t from) const noexcept {
    return Next(from, options_.end);
  }
  // Whether any byte of it is in a block.
  bool Holds(std::uint64_t offset, std::uint64_t bytes) const noexcept;
  // How many there are.
  std::uint64_t blocks() const noexcept { return blocks_; }
  std::uint64_t granule() const noexcept { return options_.granule; }
  std::uint64_t begin() const noexcept { return options_.begin; }
  std::uint64_t end() const noexcept { return options_.end; }

 private:
  WrittenMap(const Options& options, LazyArray<std::uint64_t> written,
             LazyArray<std::uint64_t> starts, LazyArray<std::uint32_t> sequences);

  std::uint64_t GranuleOf(std::uint64_t offset) const noexcept {
    return (offset - options_.begin) / options_.granule;
  }
  // First granule from `from` on in which a block begins; `end` if there is none.
  std::uint64_t FindStart(std::uint64_t from, std::uint64_t end) const noexcept;
  // Granule behind the block that begins in `start`.
  std::uint64_t EndOfBlock(std::uint64_t start) const noexcept;
  // Granule in which the block begins that holds `granule`.
  std::uint64_t StartOfBlock(std::uint64_t granule) const noexcept;
  void Erase(std::uint64_t start) noexcept;

  Options options_;
  std::uint64_t granules_;
  LazyArray<std::uint64_t> written_, starts_;  // bits
  LazyArray<std::uint32_t> sequences_;
  // A bit per page of bits that was ever written: others are never looked at, for
  // looking takes page tables.
  std::vector<bool> touched_;
  std::uint64_t blocks_ = 0;
};

}  // namespace zonal::verify
