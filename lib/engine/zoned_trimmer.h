// SPDX-License-Identifier: MIT
// Trims in zone mode: the reset of one write-pointer zone is one I/O. A stream
// goes from zone to zone, empty ones included; random trims go to zones that hold
// data. Zones that cannot be reset are passed by.
#pragma once

#include <vector>

#include "engine/path.h"
#include "engine/setup.h"
#include "zonal/rng.h"

namespace zonal::engine {

class ZonedTrimmer {
 public:
  ZonedTrimmer(const WorkerSetup& setup, ZoneQueue& queue);
  ~ZonedTrimmer();  // trims still under way give their zones back
  ZonedTrimmer(const ZonedTrimmer&) = delete;
  ZonedTrimmer& operator=(const ZonedTrimmer&) = delete;

  // slot.bytes: the zone's length.
  Draw Prepare(Slot& slot, std::uint32_t id) noexcept;
  void StartPass() noexcept { position_ = range_.begin; }
  void Completed(const Slot& slot) noexcept;

 private:
  // Nothing: the zone is not to be trimmed, or another's at the moment.
  std::optional<Draw> Trim(ZoneId zone, Slot& slot, std::uint32_t id) noexcept;
  Draw Sequential(Slot& slot, std::uint32_t id) noexcept;
  Draw Random(Slot& slot, std::uint32_t id) noexcept;
  bool HoldsData(ZoneId zone) const noexcept;

  const ZoneManager& manager_;
  ZoneQueue& queue_;
  Coordination& shared_;
  const Geometry& geometry_;
  const WorkRange range_;
  const ZoneId first_;
  const std::uint32_t zones_;
  const bool is_random_;
  const bool only_with_data_;
  std::uint64_t position_;
  Rng rng_;
  std::vector<ZoneId> under_way_;  // at most the queue's depth
};

}  // namespace zonal::engine
