// SPDX-License-Identifier: MIT
// How many bytes the next operation of one direction has (zonal/workload.h,
// BlockSize). Drawing allocates nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "zonal/rng.h"
#include "zonal/workload.h"

namespace zonal::workload {

class BlockSizes {
 public:
  struct Options {
    // Sizes above it are cut to it; 0: none is.
    std::uint64_t at_most = 0;
    // Sizes between the least and the largest are multiples of it; 0: of the least.
    std::uint64_t step = 0;
    std::uint64_t seed = 1;
  };
  BlockSizes(const BlockSize& asked, const Options& options)
      : least_(Cut(asked.min, options.at_most)),
        step_(options.step == 0 ? asked.min : options.step),
        steps_(step_ == 0 ? 1 : (asked.max - asked.min) / step_ + 1),
        at_most_(options.at_most),
        shares_(asked.shares),
        rng_(options.seed) {}

  std::uint64_t least() const noexcept { return least_; }
  std::uint64_t Next() noexcept {
    if (steps_ == 1 && shares_.empty()) return least_;
    if (!shares_.empty()) return Cut(NextShare(), at_most_);
    // Counted from the least, which keeps multiples of it multiples of it.
    return Cut(least_ + rng_.Below(steps_) * step_, at_most_);
  }

 private:
  static std::uint64_t Cut(std::uint64_t bytes, std::uint64_t at_most) noexcept {
    return at_most == 0 ? bytes : std::min(bytes, at_most);
  }
  std::uint64_t NextShare() noexcept {
    std::uint64_t at = rng_.Below(100);
    for (const BlockSize::Share& share : shares_) {
      if (at < share.percent) return share.bytes;
      at -= share.percent;
    }
    return shares_.back().bytes;
  }

  const std::uint64_t least_;
  const std::uint64_t step_;
  const std::uint64_t steps_;  // how many sizes there are
  const std::uint64_t at_most_;
  const std::vector<BlockSize::Share> shares_;
  Rng rng_;
};

}  // namespace zonal::workload
