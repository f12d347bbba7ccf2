// SPDX-License-Identifier: MIT
// Zones that hold blocks some worker has yet to verify: no verifying worker resets
// them. A word per zone: how many workers are in it, or a bar while it is reset.
// Thread-safe; touched once per worker and life of a zone, never per I/O.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zonal/zone.h"

namespace zonal::engine {

class UnverifiedZones {
 public:
  // Before any worker runs.
  void Create(std::size_t zones) { users_ = std::vector<std::atomic<std::uint32_t>>(zones); }
  bool created() const noexcept { return !users_.empty(); }

  // False while the zone is being reset.
  bool Enter(ZoneId zone) noexcept {
    std::atomic<std::uint32_t>& users = users_[zone.value()];
    std::uint32_t seen = users.load();
    do {
      if (seen == kBarred) return false;
    } while (!users.compare_exchange_weak(seen, seen + 1));
    return true;
  }
  void Leave(ZoneId zone) noexcept { users_[zone.value()].fetch_sub(1); }

  // False if somebody is in the zone, or resets it.
  bool Bar(ZoneId zone) noexcept {
    std::uint32_t nobody = 0;
    return users_[zone.value()].compare_exchange_strong(nobody, kBarred);
  }
  void Unbar(ZoneId zone) noexcept { users_[zone.value()].store(0); }

  // Workers in it; kBarred while it is reset.
  std::uint32_t users(ZoneId zone) const noexcept { return users_[zone.value()].load(); }

 private:
  static constexpr std::uint32_t kBarred = ~0u;
  std::vector<std::atomic<std::uint32_t>> users_;
};

}  // namespace zonal::engine
