// SPDX-License-Identifier: MIT
// Numbers as fio takes them: sizes, times, fractions. fio's rules, not ours:
// with kb_base=1024 `k` is 1024 and `Ki` is 1000, the reverse of the standards.
// Pure functions, thread-safe. InvalidArgument says what is accepted; the
// caller puts the option's name in front.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "zonal/clock.h"
#include "zonal/workload.h"

namespace zonal::fio {

struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
};

// What suffixes mean: k = 1024 and Ki = 1000 (1024), or as in the standards (1000).
enum class KbBase : std::uint16_t { k1024 = 1024, k1000 = 1000 };

// "4096", "4k", "4KB", "4Ki": a whole number with an optional suffix.
absl::StatusOr<std::uint64_t> ParseBytes(std::string_view text, Range range = {},
                                         KbBase base = KbBase::k1024);

// The same for counts: fio has suffixes there, too. "16", "0x10", "64k".
absl::StatusOr<std::uint64_t> ParseInteger(std::string_view text, Range range,
                                           KbBase base = KbBase::k1024);

// "-20".."19": a whole number with a sign, without a suffix.
absl::StatusOr<std::int64_t> ParseSigned(std::string_view text, std::int64_t low,
                                         std::int64_t high);

// True for the suffixes that people take for powers of two and fio with
// kb_base=1024 does not: "4KiB" is 4000 bytes. Also in a list or range of sizes.
bool HasDecimalIecSuffix(std::string_view text);

// Bytes, "20%", or "3z" (zones; lower case only).
struct Extent {
  std::uint64_t bytes = 0;
  std::optional<RelativeExtent> relative;
  friend bool operator==(const Extent&, const Extent&) = default;
};
absl::StatusOr<Extent> ParseExtent(std::string_view text, KbBase base = KbBase::k1024);

// A time with a unit, d h m s ms us (also sec, msec, usec); without one in
// `unit`.
absl::StatusOr<nanoseconds> ParseTime(std::string_view text,
                                      nanoseconds unit = std::chrono::seconds(1));

// A number of its range; InvalidArgument for a list.
struct FloatRange {
  double low = 0;
  double high = 1;
};
absl::StatusOr<double> ParseFloat(std::string_view text, FloatRange range);

// "99:99.9": numbers separated by colons, at most `most` of them.
absl::StatusOr<std::vector<double>> ParseFloatList(std::string_view text, FloatRange range,
                                                   std::size_t most);

// "1" or "0".
absl::StatusOr<bool> ParseBool(std::string_view text);

}  // namespace zonal::fio
