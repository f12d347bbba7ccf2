// SPDX-License-Identifier: MIT
// Ranges of a drive's file whose bytes nobody needs, until holes are punched for
// them. Thread-safe. A range that is to be written again is taken off first
// (Keep), and while a hole is being punched Keep waits: so no hole is ever
// punched under bytes written after their range was forgotten.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <vector>

namespace zonal::emulated {

struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t end() const noexcept { return offset + bytes; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

class ForgottenRanges {
 public:
  void Add(ByteRange range) {
    if (range.bytes == 0) return;
    const std::lock_guard lock(mutex_);
    // Zones are mostly reset in order: neighbours become one hole.
    if (!ranges_.empty() && ranges_.back().end() == range.offset) {
      ranges_.back().bytes += range.bytes;
    } else {
      ranges_.push_back(range);
    }
  }

  // Nothing of `kept` will be punched after this returned.
  void Keep(ByteRange kept) {
    const std::lock_guard lock(mutex_);
    std::vector<ByteRange> left;
    for (const ByteRange& range : ranges_) {
      if (range.end() <= kept.offset || kept.end() <= range.offset) {
        left.push_back(range);
        continue;
      }
      if (range.offset < kept.offset) left.push_back({range.offset, kept.offset - range.offset});
      if (kept.end() < range.end()) left.push_back({kept.end(), range.end() - kept.end()});
    }
    ranges_.swap(left);
  }

  // Calls punch(range) for every range that may(range) allows, and forgets it.
  template <typename May, typename Punch>
  void PunchEach(May may, Punch punch) {
    while (true) {
      // One range at a time, so that Keep waits for one hole at most.
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(ranges_.rbegin(), ranges_.rend(), may);
      if (found == ranges_.rend()) return;
      const ByteRange range = *found;
      ranges_.erase(std::next(found).base());
      punch(range);
    }
  }

 private:
  std::mutex mutex_;
  std::vector<ByteRange> ranges_;
};

}  // namespace zonal::emulated
