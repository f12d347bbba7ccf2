// SPDX-License-Identifier: MIT
// Cuts a byte range into pieces a device takes in one command: no piece crosses
// a zone's end or its capacity, exceeds the transfer limit, or breaks a write
// unit. A pure function, thread-safe, without allocation.
#pragma once

#include <cstdint>

#include "zonal/geometry.h"

namespace zonal {

struct SplitLimits {
  std::uint64_t max_bytes = 0;  // transfer limit; 0: none
  std::uint32_t unit = 1;       // pieces start and end on multiples of it, but for
                                // the input's own start and end
};

struct Piece {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // 0: nothing of the range can be transferred from `offset`
  friend bool operator==(const Piece&, const Piece&) = default;
};

// The first piece of [offset, offset + bytes) in a zone whose transferable bytes
// end at `capacity_end` (absolute; for reads of a zone whose capacity does not
// matter, pass its end). A piece that starts at or above it is empty. Calling it
// again on what is left gives pieces that concatenate to the input.
// REQUIRES: unit > 0; max_bytes is 0 or at least 2 * unit - 1 when the input does
// not start on a unit, unit when it does.
constexpr Piece FirstPiece(std::uint64_t offset, std::uint64_t bytes, std::uint64_t capacity_end,
                           SplitLimits limits) noexcept {
  if (offset >= capacity_end || bytes == 0) return {offset, 0};
  std::uint64_t end = offset + bytes < capacity_end ? offset + bytes : capacity_end;
  if (limits.max_bytes != 0 && end - offset > limits.max_bytes) {
    end = offset + limits.max_bytes;
    end -= end % limits.unit;  // rounds down, so that the next piece starts on a unit
    if (end <= offset) end = offset + limits.max_bytes;  // the unit exceeds what the limit leaves
  }
  return {offset, end - offset};
}

}  // namespace zonal
