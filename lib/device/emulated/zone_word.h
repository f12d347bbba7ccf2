// SPDX-License-Identifier: MIT
// A zone's changing state in one 64-bit word, so that one compare-exchange
// changes it and one store persists it: condition, flags, epoch and the pointer
// in blocks. All zeros is an empty zone at its start, so a fresh table is a
// fresh drive. The format is that of the live table in a drive's file
// (docs/emulated-drive-file.md).
//
//   bits 63..24  pointer, blocks from the zone's start (40 bits)
//   bits 23..8   epoch: resets modulo 65536
//   bits  7..4   flags, zero
//   bits  3..0   condition XOR 1 (Empty is 1 in the standards)
#pragma once

#include <cstdint>

#include "core/transition.h"
#include "zonal/zone.h"

namespace zonal::emulated {

class ZoneWord {
 public:
  static constexpr std::uint64_t kMaxBlocks = (1ull << 40) - 1;

  constexpr ZoneWord() noexcept = default;
  constexpr explicit ZoneWord(std::uint64_t bits) noexcept : bits_(bits) {}
  constexpr ZoneWord(ZoneCondition condition, std::uint16_t epoch, std::uint64_t blocks) noexcept
      : bits_(blocks << 24 | std::uint64_t{epoch} << 8 |
              (static_cast<std::uint64_t>(condition) ^ 1)) {}

  constexpr std::uint64_t bits() const noexcept { return bits_; }
  constexpr ZoneCondition condition() const noexcept {
    return static_cast<ZoneCondition>((bits_ & 0xF) ^ 1);
  }
  constexpr std::uint16_t epoch() const noexcept { return static_cast<std::uint16_t>(bits_ >> 8); }
  constexpr std::uint64_t blocks() const noexcept { return bits_ >> 24; }
  friend constexpr bool operator==(ZoneWord, ZoneWord) noexcept = default;

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace zonal::emulated
