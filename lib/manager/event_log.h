// SPDX-License-Identifier: MIT
// Events for the application, bounded: what it does not drain is dropped and
// counted. Thread-safe; touched only when something went wrong.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <span>

#include "zonal/zone_manager.h"

namespace zonal::manager {

class EventLog {
 public:
  static constexpr std::size_t kBound = 4096;

  void Add(const ZoneEvent& event);
  std::size_t Drain(std::span<ZoneEvent> out);
  std::uint64_t dropped() const;

 private:
  mutable std::mutex mutex_;
  std::deque<ZoneEvent> events_;
  std::uint64_t dropped_ = 0;
};

}  // namespace zonal::manager
