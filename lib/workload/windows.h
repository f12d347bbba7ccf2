// SPDX-License-Identifier: MIT
// The windows of ZoneMode::kStrided: `quota` bytes are moved inside one window of
// `range` bytes, then it is the next one's turn, `skip` bytes behind its end; behind
// the last the first comes again. A last window that the range cuts short has no
// more quota than bytes. One window over the whole range, without quota, is the case
// of no windows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace zonal::workload {

class Windows {
 public:
  struct Options {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t quota = 0;  // 0: no windows
    std::uint64_t range = 0;  // 0: as `quota`
    std::uint64_t skip = 0;
  };
  explicit constexpr Windows(const Options& options) noexcept
      : first_(options.begin),
        last_end_(options.end),
        quota_(options.quota == 0 ? std::numeric_limits<std::uint64_t>::max() : options.quota),
        range_(options.quota == 0   ? options.end - options.begin
               : options.range == 0 ? options.quota
                                    : options.range),
        skip_(options.skip) {
    Enter(first_);
  }

  constexpr std::uint64_t begin() const noexcept { return begin_; }
  constexpr std::uint64_t end() const noexcept { return end_; }
  constexpr std::uint64_t longest() const noexcept { return std::min(range_, last_end_ - first_); }
  // Bytes that may still be moved in this window; never 0 after GoOn().
  constexpr std::uint64_t left() const noexcept { return left_; }
  constexpr void Moved(std::uint64_t bytes) noexcept { left_ -= std::min(left_, bytes); }
  // Goes to the next window if this one's quota is used up: true if it did.
  constexpr bool GoOn() noexcept {
    if (left_ != 0) return false;
    const std::uint64_t step = range_ + skip_;
    Enter(step < last_end_ - begin_ ? begin_ + step : first_);
    return true;
  }
  constexpr void Restart() noexcept { Enter(first_); }
  // Bytes moved when each window has had its turn once.
  constexpr std::uint64_t BytesOfAll() const noexcept {
    if (quota_ == std::numeric_limits<std::uint64_t>::max()) return last_end_ - first_;
    const std::uint64_t step = range_ + skip_;
    const std::uint64_t before_last = (last_end_ - first_ - 1) / step;
    Windows last = *this;
    last.Enter(first_ + before_last * step);
    return before_last * quota_ + last.left_;
  }

 private:
  constexpr void Enter(std::uint64_t at) noexcept {
    begin_ = at;
    end_ = std::min(last_end_ - at, range_) + at;
    left_ = end_ - begin_ < range_ ? std::min(quota_, end_ - begin_) : quota_;
  }

  std::uint64_t first_, last_end_, quota_, range_, skip_;
  std::uint64_t begin_ = 0, end_ = 0, left_ = 0;
};

}  // namespace zonal::workload
