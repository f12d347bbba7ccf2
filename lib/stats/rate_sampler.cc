// SPDX-License-Identifier: MIT
#include "stats/rate_sampler.h"

#include <algorithm>
#include <cmath>

namespace zonal::stats {

void RunningSummary::Record(double value) noexcept {
  so_far_.min = so_far_.count == 0 ? value : std::min(so_far_.min, value);
  so_far_.max = so_far_.count == 0 ? value : std::max(so_far_.max, value);
  ++so_far_.count;
  const double distance = value - so_far_.mean;
  so_far_.mean += distance / static_cast<double>(so_far_.count);
  squares_ += distance * (value - so_far_.mean);
}

RateSamples RunningSummary::Result() const noexcept {
  RateSamples result = so_far_;
  if (result.count > 1) result.stdev = std::sqrt(squares_ / static_cast<double>(result.count - 1));
  return result;
}

void RateSampler::Start(Instant now, std::uint64_t bytes, std::uint64_t ios) noexcept {
  *this = RateSampler();
  since_ = now;
  bytes_ = bytes;
  ios_ = ios;
}

void RateSampler::Sample(Instant now, std::uint64_t bytes, std::uint64_t ios) noexcept {
  const double seconds = static_cast<double>((now - since_).count()) / 1e9;
  bandwidth_.Record(static_cast<double>(bytes - bytes_) / 1024.0 / seconds);
  iops_.Record(static_cast<double>(ios - ios_) / seconds);
  since_ = now;
  bytes_ = bytes;
  ios_ = ios;
}

}  // namespace zonal::stats
