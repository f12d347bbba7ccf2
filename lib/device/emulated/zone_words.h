// SPDX-License-Identifier: MIT
// One 64-bit word for each zone, over memory that somebody else owns. Packed,
// eight zones share a cache line: threads that write neighbouring zones then
// take the line from each other with every command, and two of them get little
// more done than one. So tables of few zones give each zone a line of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace zonal::emulated {

using AtomicWord = std::atomic<std::uint64_t>;

class ZoneWords {
 public:
  ZoneWords() noexcept = default;
  // Packed, one for each element: the layout of a drive's file.
  // NOLINTNEXTLINE(google-explicit-constructor): a span of words is a table of words
  ZoneWords(std::span<AtomicWord> words) noexcept : words_(words) {}

  // For tables in memory: the bytes that `zones` words take, and the table over
  // that many bytes (or more).
  static std::uint64_t BytesFor(std::uint64_t zones) noexcept {
    return (zones << ShiftFor(zones)) * sizeof(AtomicWord);
  }
  static ZoneWords Over(std::span<AtomicWord> words, std::uint64_t zones) noexcept {
    ZoneWords table(words.first(zones << ShiftFor(zones)));
    table.shift_ = ShiftFor(zones);
    return table;
  }

  AtomicWord& operator[](std::size_t zone) const noexcept { return words_[zone << shift_]; }
  std::size_t size() const noexcept { return words_.size() >> shift_; }

 private:
  // Up to here a line for each zone costs at most 4 MiB.
  static constexpr std::uint64_t kMostSpread = 65'536;
  static unsigned ShiftFor(std::uint64_t zones) noexcept { return zones <= kMostSpread ? 3 : 0; }

  std::span<AtomicWord> words_;
  unsigned shift_ = 0;
};

}  // namespace zonal::emulated
