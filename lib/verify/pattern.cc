// SPDX-License-Identifier: MIT
#include "verify/pattern.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace zonal::verify {
namespace {

std::byte ByteOf(const BlockPattern& pattern, std::uint64_t offset, std::size_t at) noexcept {
  const std::size_t in_pattern = at % pattern.bytes.size();
  if (!pattern.offset_at || in_pattern < *pattern.offset_at ||
      in_pattern >= *pattern.offset_at + kOffsetInPatternBytes) {
    return pattern.bytes[in_pattern];
  }
  return static_cast<std::byte>(offset >> (8 * (in_pattern - *pattern.offset_at)));
}

// The first byte that differs; the block's length if none does.
std::size_t FirstDifference(std::span<const std::byte> block, const BlockPattern& pattern,
                            std::uint64_t offset) noexcept {
  // Compared with itself, one repetition on: at the speed of memcmp.
  const std::size_t head = std::min(block.size(), pattern.bytes.size());
  for (std::size_t at = 0; at < head; ++at) {
    if (block[at] != ByteOf(pattern, offset, at)) return at;
  }
  if (std::memcmp(block.data(), block.data() + head, block.size() - head) == 0) {
    return block.size();
  }
  std::size_t at = head;
  while (block[at] == block[at - head]) ++at;
  return at;
}

std::optional<std::uint64_t> OffsetIn(std::span<const std::byte> block,
                                      const BlockPattern& pattern) noexcept {
  if (!pattern.offset_at || block.size() < *pattern.offset_at + kOffsetInPatternBytes) {
    return std::nullopt;
  }
  std::uint64_t offset;
  std::memcpy(&offset, block.data() + *pattern.offset_at, sizeof offset);
  return offset;
}

}  // namespace

void FillPattern(std::span<std::byte> block, const BlockPattern& pattern,
                 std::uint64_t offset) noexcept {
  const std::size_t head = std::min(block.size(), pattern.bytes.size());
  std::memcpy(block.data(), pattern.bytes.data(), head);
  if (pattern.offset_at && *pattern.offset_at < head) {
    std::memcpy(block.data() + *pattern.offset_at, &offset,
                std::min(sizeof offset, head - *pattern.offset_at));
  }
  // Doubling: what is filled is copied behind itself.
  for (std::size_t done = head; done < block.size();) {
    const std::size_t more = std::min(done, block.size() - done);
    std::memcpy(block.data() + done, block.data(), more);
    done += more;
  }
}

Judgement JudgePattern(std::span<const std::byte> block, const BlockPattern& pattern,
                       const Expected& expected) {
  const std::size_t at = FirstDifference(block, pattern, expected.offset);
  if (at == block.size()) return {};
  const std::string where = "block of " + std::to_string(block.size()) + " bytes at offset " +
                            std::to_string(expected.offset) + " (zone " +
                            std::to_string(expected.zone) + "): ";
  const std::optional<std::uint64_t> other = OffsetIn(block, pattern);
  if (other && *other != expected.offset &&
      FirstDifference(block, pattern, *other) == block.size()) {
    return {Verdict::kMisplaced,
            where + "misplaced: it was written for offset " + std::to_string(*other)};
  }
  if (std::all_of(block.begin(), block.end(), [](std::byte b) { return b == std::byte{0}; })) {
    return {Verdict::kMissing, where + "missing: only zeros"};
  }
  const auto found = std::to_integer<unsigned>(block[at]);
  const auto wanted = std::to_integer<unsigned>(ByteOf(pattern, expected.offset, at));
  return {Verdict::kCorrupt, where + "corrupt: byte " + std::to_string(at) + " is " +
                                 std::to_string(found) + ", the pattern has " +
                                 std::to_string(wanted)};
}

}  // namespace zonal::verify
