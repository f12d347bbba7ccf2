// SPDX-License-Identifier: MIT
// How many requests are sent and taken at once (Batching), with the zeros resolved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "zonal/workload.h"

namespace zonal::engine {

inline absl::Status CheckBatching(const Workload& workload) {
  const Batching& batching = workload.batching;
  if (batching.complete_max == 0 || batching.complete_max >= batching.complete_min) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      workload.name + ": iodepth_batch_complete_max=" + std::to_string(batching.complete_max) +
      " is below iodepth_batch_complete_min=" + std::to_string(batching.complete_min));
}

class BatchRule {
 public:
  BatchRule(const Batching& batching, std::uint32_t depth) noexcept
      : most_sent_(batching.submit == 0 ? std::numeric_limits<std::uint32_t>::max()
                                        : batching.submit),
        least_taken_(std::clamp<std::uint32_t>(batching.complete_min, 1, depth)),
        most_taken_(batching.complete_max == 0 ? depth : std::min(batching.complete_max, depth)),
        low_depth_(batching.low_depth) {}

  std::uint32_t most_sent() const noexcept { return most_sent_; }
  // Completions are held back until so many are there, or no more can come.
  std::uint32_t least_taken() const noexcept { return least_taken_; }
  std::uint32_t most_taken() const noexcept { return most_taken_; }

  // A queue that was full is refilled when it is down to the low depth.
  bool MayFill(std::uint32_t in_use) noexcept {
    if (draining_ && in_use > low_depth_) return false;
    draining_ = false;
    return true;
  }
  void Full() noexcept { draining_ = low_depth_ != 0; }

 private:
  const std::uint32_t most_sent_, least_taken_, most_taken_, low_depth_;
  bool draining_ = false;
};

}  // namespace zonal::engine
