// SPDX-License-Identifier: MIT
// Workers of one flow send operations in proportion to their weights (Pace::flow): who
// is ahead of its share of all that the present members sent gives way. Somebody is
// always not ahead. Who can do nothing is absent, or all would wait for it; when it is
// back it counts as having done its share. The counters are shared and written per
// operation, by who asked for that.
#pragma once

#include <atomic>
#include <cstdint>

namespace zonal::engine {

struct alignas(64) FlowGroup {
  std::atomic<std::int64_t> operations{0};  // of the present members
  std::atomic<std::int64_t> weight{0};
};

// One worker's part. Belongs to its thread.
class FlowMember {
 public:
  FlowMember(FlowGroup* group, std::uint32_t weight) noexcept : group_(group), weight_(weight) {}

  bool on() const noexcept { return group_ != nullptr; }
  void Join() noexcept {
    if (present_) return;
    present_ = true;
    const std::int64_t weights = group_->weight.fetch_add(weight_);
    operations_ = weights <= 0 ? 0 : group_->operations.load() * weight_ / weights;
    group_->operations.fetch_add(operations_);
  }
  void Leave() noexcept {
    if (!present_) return;
    present_ = false;
    group_->operations.fetch_sub(operations_);
    group_->weight.fetch_sub(weight_);
  }
  void Issued() noexcept {
    Join();
    ++operations_;
    group_->operations.fetch_add(1, std::memory_order_relaxed);
  }
  bool ahead() const noexcept {
    return present_ && operations_ * group_->weight.load(std::memory_order_relaxed) >
                           group_->operations.load(std::memory_order_relaxed) * weight_;
  }

 private:
  FlowGroup* const group_;
  const std::int64_t weight_;
  bool present_ = false;
  std::int64_t operations_ = 0;
};

}  // namespace zonal::engine
