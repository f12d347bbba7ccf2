// SPDX-License-Identifier: MIT
// The zones that the appending workers of a device append to now: at most as many as
// may be written at once. All of them append to all of these zones; none is anybody's
// own. Thread-safe; read per append, written when a zone comes or goes.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "zonal/zone.h"

namespace zonal::engine {

class AppendZones {
 public:
  // Before any worker runs. Without it there is no limit, and nothing to ask.
  void Create(std::uint32_t most) { places_ = std::vector<std::atomic<std::uint32_t>>(most); }
  std::uint32_t most() const noexcept { return static_cast<std::uint32_t>(places_.size()); }

  std::optional<ZoneId> At(std::uint32_t place) const noexcept {
    const std::uint32_t held = places_[place].load(std::memory_order_relaxed);
    if (held == kFree) return std::nullopt;
    return ZoneId(held - 1);
  }
  // False: it is none of them, and no place is free. `place` is where it is, and
  // where it is looked for first.
  bool Join(ZoneId zone, std::uint32_t& place) noexcept {
    const std::uint32_t wanted = zone.value() + 1;
    if (places_[place].load(std::memory_order_relaxed) == wanted) return true;
    for (place = 0; place < most(); ++place) {
      if (places_[place].load(std::memory_order_relaxed) == wanted) return true;
    }
    // Two workers may give one zone two places: it leaves both.
    for (place = 0; place < most(); ++place) {
      std::uint32_t held = kFree;
      if (places_[place].compare_exchange_strong(held, wanted)) {
        taken_.fetch_add(1, std::memory_order_relaxed);
        return true;
      }
      if (held == wanted) return true;
    }
    place = 0;
    return false;
  }
  void Leave(ZoneId zone) noexcept {
    for (std::atomic<std::uint32_t>& place : places_) {
      std::uint32_t held = zone.value() + 1;
      if (!place.compare_exchange_strong(held, kFree)) continue;
      taken_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  bool HasFreePlace() const noexcept { return taken_.load(std::memory_order_relaxed) < most(); }

 private:
  static constexpr std::uint32_t kFree = 0;  // else the zone's id + 1
  std::vector<std::atomic<std::uint32_t>> places_;
  std::atomic<std::uint32_t> taken_{0};
};

}  // namespace zonal::engine
