// SPDX-License-Identifier: MIT
// Byte patterns: buffer_pattern, verify_pattern. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace zonal::fio {

using FileReader = std::function<absl::StatusOr<std::string>(const std::string& path)>;

struct BytePattern {
  std::vector<std::byte> bytes;
  // `%o` stands for the block's offset: eight bytes, zeros in `bytes`, from here on.
  std::optional<std::uint32_t> offset_at;
  friend bool operator==(const BytePattern&, const BytePattern&) = default;
};

// Any sequence of 0xHEX (as written, first digit first), "text" (with \" and
// \\), decimal numbers (32 bits, little-endian, without trailing zero bytes),
// 'file' and, once and if allowed, %o.
absl::StatusOr<BytePattern> ParsePattern(std::string_view text, bool may_have_offset,
                                         const FileReader& read_file);

}  // namespace zonal::fio
