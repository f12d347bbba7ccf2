// SPDX-License-Identifier: MIT
// ZONAL_CHECK(condition, "what must hold"): for bugs of our own, on in release
// builds. What a device or a user does wrong is an error, never a check.
#pragma once

#include <string_view>

namespace zonal::core {

// Writes one line to standard error and aborts: the process is no longer to be
// trusted with a drive.
[[noreturn]] void CheckFailed(std::string_view condition, std::string_view what,
                              std::string_view file, int line) noexcept;

}  // namespace zonal::core

#define ZONAL_CHECK(condition, what)  \
  (__builtin_expect(!!(condition), 1) \
       ? static_cast<void>(0)         \
       : ::zonal::core::CheckFailed(#condition, what, __FILE__, __LINE__))
