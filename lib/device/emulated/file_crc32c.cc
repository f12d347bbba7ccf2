// SPDX-License-Identifier: MIT
#include "device/emulated/file_crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

namespace zonal::emulated {

std::uint32_t Crc32c(std::span<const std::byte> bytes) noexcept {
  constexpr std::size_t kMaxPiece = std::size_t{1} << 30;  // isa-l takes an int
  std::uint32_t crc = 0xFFFFFFFF;
  while (!bytes.empty()) {
    const std::span<const std::byte> piece = bytes.first(std::min(bytes.size(), kMaxPiece));
    // isa-l's prototype lacks the const; it only reads.
    auto* data = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(piece.data()));
    crc = crc32_iscsi(data, static_cast<int>(piece.size()), crc);
    bytes = bytes.subspan(piece.size());
  }
  return ~crc;
}

}  // namespace zonal::emulated
