// SPDX-License-Identifier: MIT
// verify=pattern: blocks hold a pattern, repeated from each block's first byte, and
// no header. With `offset_at`, the 8 bytes there of each repetition hold the block's
// byte offset on the device, little endian. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "verify/judge.h"

namespace zonal::verify {

inline constexpr std::size_t kOffsetInPatternBytes = 8;

struct BlockPattern {
  std::span<const std::byte> bytes;  // not empty
  // bytes.size() >= *offset_at + kOffsetInPatternBytes.
  std::optional<std::size_t> offset_at;
};

void FillPattern(std::span<std::byte> block, const BlockPattern& pattern,
                 std::uint64_t offset) noexcept;

// Of `expected`, offset and zone count.
Judgement JudgePattern(std::span<const std::byte> block, const BlockPattern& pattern,
                       const Expected& expected);

}  // namespace zonal::verify
