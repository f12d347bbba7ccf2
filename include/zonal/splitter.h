// SPDX-License-Identifier: MIT
// Cuts a byte range into pieces a device takes in one command: no piece crosses
// a zone's end or its capacity, exceeds the transfer limit, or breaks a write
// unit. Pure functions, thread-safe, without allocation; everything in bytes.
#pragma once

#include <cstdint>

#include "zonal/geometry.h"

namespace zonal {

struct SplitLimits {
  std::uint64_t max_bytes = 0;  // transfer limit; 0: none
  // Pieces start and end on multiples of it, but for the start and the end of the
  // range itself. A limit smaller than one unit gives pieces of the limit.
  std::uint32_t unit = 1;
};

struct Piece {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // 0: nothing of the range can be transferred at `offset`
  friend bool operator==(const Piece&, const Piece&) = default;
};

// The first piece of [offset, offset + bytes) in a zone whose transferable bytes
// end at `capacity_end` (absolute; for reads of a zone whose capacity does not
// matter, its end). A range that starts at or above it has an empty first piece.
// REQUIRES: unit > 0; offset + bytes does not overflow.
constexpr Piece FirstPiece(std::uint64_t offset, std::uint64_t bytes, std::uint64_t capacity_end,
                           SplitLimits limits) noexcept {
  if (offset >= capacity_end || bytes == 0) return {offset, 0};
  std::uint64_t end = offset + bytes < capacity_end ? offset + bytes : capacity_end;
  if (limits.max_bytes != 0 && end - offset > limits.max_bytes) {
    end = offset + limits.max_bytes;
    const std::uint64_t on_unit = end - end % limits.unit;
    if (on_unit > offset) end = on_unit;
  }
  return {offset, end - offset};
}

// Visits the pieces of [offset, offset + bytes) in ascending order, over as many
// zones as it spans. capacity_of(ZoneId) gives a zone's capacity. Bytes between a
// zone's capacity and its end are in no piece; the rest of the range is in
// exactly one. Returns the bytes that were in pieces.
// REQUIRES: the range lies inside the device; unit > 0.
template <typename CapacityOf, typename Visit>
constexpr std::uint64_t ForEachPiece(const Geometry& geometry, std::uint64_t offset,
                                     std::uint64_t bytes, SplitLimits limits,
                                     CapacityOf capacity_of, Visit visit) {
  const std::uint64_t end = offset + bytes;
  std::uint64_t in_pieces = 0;
  while (offset < end) {
    const ZoneId zone = geometry.ZoneOf(offset);
    const std::uint64_t capacity_end = geometry.StartOf(zone) + capacity_of(zone);
    const Piece piece = FirstPiece(offset, end - offset, capacity_end, limits);
    if (piece.bytes == 0) {  // above the capacity: the next zone goes on
      offset = geometry.EndOf(zone);
      continue;
    }
    visit(piece);
    in_pieces += piece.bytes;
    offset += piece.bytes;
  }
  return in_pieces;
}

}  // namespace zonal
