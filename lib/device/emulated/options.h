// SPDX-License-Identifier: MIT
// What a drive's options mean: defaults filled in, the rules and the facts of
// its zones. Pure functions.
#pragma once

#include <cstdint>

#include "core/transition.h"
#include "zonal/emulated.h"
#include "zonal/geometry.h"

namespace zonal::emulated {

// The options with every "0: as ..." replaced by what it stands for; zbc has no
// active limit.
EmulatedOptions WithDefaults(EmulatedOptions options);

core::Rules RulesOf(const EmulatedOptions& options) noexcept;
Geometry GeometryOf(const EmulatedOptions& options) noexcept;
// Length of the drive in bytes, the short last zone included.
std::uint64_t DriveBytes(const EmulatedOptions& options) noexcept;

}  // namespace zonal::emulated
