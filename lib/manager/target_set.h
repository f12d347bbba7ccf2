// SPDX-License-Identifier: MIT
// The zones this process writes at once (max_open_zones): one fixed array,
// shared by all queues. Membership is also a flag in the zone's word; who may
// write a member is the zone's owner. Entries change when a zone joins, fills up
// or is reset, never per I/O.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "zonal/zone.h"

namespace zonal::manager {

class TargetSet {
 public:
  explicit TargetSet(std::uint32_t places)
      : places_(places), entries_(std::make_unique<std::atomic<std::uint64_t>[]>(places)) {}

  bool enabled() const noexcept { return places_ != 0; }
  std::uint32_t places() const noexcept { return places_; }
  bool full() const noexcept { return taken_.load() >= places_; }

  // The caller owns `zone`, and it is no member. False if there is no place.
  bool Add(ZoneId zone) noexcept;
  // The caller owns `zone`, a member.
  void Remove(ZoneId zone) noexcept;

  // Calls visit(ZoneId) for each member until it returns true.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (std::uint32_t i = 0; i < places_; ++i) {
      const std::uint64_t entry = entries_[i].load();
      if (entry != 0 && visit(ZoneId(static_cast<std::uint32_t>(entry - 1)))) return;
    }
  }
  std::vector<ZoneId> Members() const;

  // Somebody waits for a place or for an unclaimed member. Who waits stores
  // `wanted` and then looks at places and owners; who gives back stores those and
  // then looks at `wanted`. Only if all four are sequentially consistent does one
  // of the two see the other. (The loads cost nothing on x86, and little on Arm.)
  void SetWanted() noexcept { wanted_.store(true); }
  bool wanted() const noexcept { return wanted_.load(); }
  void ClearWanted() noexcept { wanted_.store(false); }

 private:
  const std::uint32_t places_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> entries_;  // zone + 1; 0: free
  alignas(64) std::atomic<std::uint32_t> taken_{0};
  alignas(64) std::atomic<bool> wanted_{false};
};

}  // namespace zonal::manager
