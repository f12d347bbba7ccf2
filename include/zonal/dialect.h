// SPDX-License-Identifier: MIT
// The two rule sets a zoned drive may follow.
#pragma once

#include <cstdint>
#include <string_view>

namespace zonal {

enum class Dialect : std::uint8_t {
  kZns,  // NVMe Zoned Namespace Command Set 1.1: NVMe status codes
  kZbc,  // ZBC-2 / ZAC-2: SCSI sense
};
std::string_view ToString(Dialect dialect) noexcept;  // "zns", "zbc"

}  // namespace zonal
