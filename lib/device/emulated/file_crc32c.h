// SPDX-License-Identifier: MIT
// CRC32C (Castagnoli, as in iSCSI and ext4) of a byte range. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace zonal::emulated {

// "123456789" gives 0xE3069283.
std::uint32_t Crc32c(std::span<const std::byte> bytes) noexcept;

}  // namespace zonal::emulated
