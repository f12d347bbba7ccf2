// SPDX-License-Identifier: MIT
#include "engine/depth_search.h"

#include <algorithm>

namespace zonal::engine {

DepthSearch::News DepthSearch::Look(Instant now) noexcept {
  if (now - window_began_ < window_ || operations_ == 0) return News::kNone;
  const bool met = Met();
  BeginWindow(now);
  if (found_ && !goes_on_) return News::kOver;
  if (found_) {
    SearchAgain(met);
    return News::kNone;
  }
  if (met)
    Deeper();
  else
    Shallower();
  return found_ && !goes_on_ ? News::kFound : News::kNone;
}

void DepthSearch::Deeper() noexcept {
  missed_ = false;
  met_at_ = depth_;
  if (failed_at_ > deepest_) {
    depth_ = std::min(2 * depth_, deepest_);
  } else {
    depth_ = (met_at_ + failed_at_) / 2;
  }
  found_ = depth_ == met_at_;
}

// At depth 1 there is nothing left to give up: it stays there, and may yet meet it.
void DepthSearch::Shallower() noexcept {
  missed_ = depth_ == 1;
  if (missed_) {
    met_at_ = 0;
    return;
  }
  failed_at_ = depth_;
  depth_ = std::max<std::uint32_t>(1, (met_at_ + failed_at_) / 2);
  found_ = depth_ == met_at_;
}

void DepthSearch::SearchAgain(bool met) noexcept {
  stable_windows_ = met ? stable_windows_ + 1 : 0;
  if (met && (stable_windows_ < kStable || depth_ == deepest_)) return;
  found_ = false;
  stable_windows_ = 0;
  if (met) {
    failed_at_ = deepest_ + 1;
    Deeper();
  } else {
    met_at_ = 0;
    Shallower();
  }
}

}  // namespace zonal::engine
