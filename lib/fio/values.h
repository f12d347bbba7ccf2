// SPDX-License-Identifier: MIT
// The values of fio options: sizes, times, fractions. fio's rules, not ours:
// `k` is 1024 and `Ki` is 1000 (kb_base=1024, the reverse of the standards).
// Pure functions, thread-safe. InvalidArgument says what is accepted; the
// caller puts the option's name in front.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "zonal/clock.h"
#include "zonal/workload.h"

namespace zonal::fio {

struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
};

// "16", "0x10". Decimal or hexadecimal, without a suffix.
absl::StatusOr<std::uint64_t> ParseInteger(std::string_view text, Range range);

// "4096", "4k", "4KB", "4Ki": a whole number with an optional suffix.
absl::StatusOr<std::uint64_t> ParseBytes(std::string_view text, Range range = {});

// True for the suffixes that people take for powers of two and fio does not:
// "4KiB" is 4000 bytes. Also in a list of sizes.
bool HasDecimalIecSuffix(std::string_view text);

// Bytes, "20%", or "3z" (zones; lower case only).
struct Extent {
  std::uint64_t bytes = 0;
  std::optional<RelativeExtent> relative;
  friend bool operator==(const Extent&, const Extent&) = default;
};
absl::StatusOr<Extent> ParseExtent(std::string_view text);

// "30" and "30s" are seconds; d h m s ms us.
absl::StatusOr<nanoseconds> ParseTime(std::string_view text);

// One number from 0 to 1; a list is refused.
absl::StatusOr<double> ParseFraction(std::string_view text);

// "1" or "0".
absl::StatusOr<bool> ParseBool(std::string_view text);

}  // namespace zonal::fio
