// SPDX-License-Identifier: MIT
// Sizes as people write them: "4096", "4k", "64MiB"; whole numbers only. Every
// multiple is of 1024, whichever way it is spelt. Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace zonal::core {

// Digits, then nothing or B, k KiB, m MiB, g GiB, t TiB, with or without the
// "iB" or "B", in any case. InvalidArgument names the text and what is wrong.
absl::StatusOr<std::uint64_t> ParseBytes(std::string_view text);

// Digits only.
absl::StatusOr<std::uint64_t> ParseCount(std::string_view text);

// The largest unit that divides it: "64MiB"; what is no whole KiB stays in
// bytes. ParseBytes reads it back.
std::string FormatBytes(std::uint64_t bytes);

}  // namespace zonal::core
