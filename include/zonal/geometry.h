// SPDX-License-Identifier: MIT
// The shape of a device: its length, its zones, its units of transfer.
// A value type; everything in bytes. Zone sizes need not be a power of two and
// may exceed 4 GiB; the last zone may be short; a zone's own capacity is in its
// report and may be below the size.
#pragma once

#include <bit>
#include <cstdint>

#include "zonal/zone.h"

namespace zonal {

struct Geometry {
  std::uint64_t size_bytes = 0;           // the whole device
  std::uint64_t zone_size = 0;            // address stride; 0: the device has no zones
  std::uint32_t zone_count = 0;           // 0: the device has no zones
  std::uint32_t block_size = 512;         // logical block: unit of addresses and reads
  std::uint32_t write_granularity = 512;  // unit of writes to sequential zones; >= block_size
  std::uint64_t max_transfer = 0;         // largest single read or write; 0: no limit
  std::uint64_t max_append = 0;           // largest append; 0: no append

  constexpr bool is_zoned() const noexcept { return zone_count != 0; }
  // The zone that holds byte `offset`. REQUIRES: offset < size_bytes.
  constexpr ZoneId ZoneOf(std::uint64_t offset) const noexcept {
    // Not std::has_single_bit: where the processor's popcount may not be assumed it is
    // a call, and this is asked for every request.
    const bool power_of_two = (zone_size & (zone_size - 1)) == 0;
    const std::uint64_t index =
        power_of_two ? offset >> std::countr_zero(zone_size) : offset / zone_size;
    return ZoneId(static_cast<std::uint32_t>(index));
  }
  constexpr std::uint64_t StartOf(ZoneId zone) const noexcept { return zone_size * zone.value(); }
  // Where the zone's addresses end: the next zone's start, or the device's end.
  constexpr std::uint64_t EndOf(ZoneId zone) const noexcept {
    const std::uint64_t end = StartOf(zone) + zone_size;
    return end < size_bytes ? end : size_bytes;
  }
  constexpr std::uint64_t SizeOf(ZoneId zone) const noexcept { return EndOf(zone) - StartOf(zone); }

  friend bool operator==(const Geometry&, const Geometry&) = default;
};

}  // namespace zonal
