// SPDX-License-Identifier: MIT
#include "manager/event_log.h"

namespace zonal::manager {

void EventLog::Add(const ZoneEvent& event) {
  const std::lock_guard lock(mutex_);
  if (events_.size() == kBound) {
    ++dropped_;
    return;
  }
  events_.push_back(event);
}

std::size_t EventLog::Drain(std::span<ZoneEvent> out) {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  while (count < out.size() && !events_.empty()) {
    out[count++] = events_.front();
    events_.pop_front();
  }
  return count;
}

std::uint64_t EventLog::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace zonal::manager
