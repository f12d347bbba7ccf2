// SPDX-License-Identifier: MIT
// Failed writes that are to be written again in their places (recover_write_errors).
// Their slots keep the data until then. Belongs to its worker.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/path.h"

namespace zonal::engine {

class ZoneRecovery {
 public:
  struct Held {
    std::uint32_t id = 0;  // of the slot
    ZoneId zone;
    std::uint64_t offset = 0, bytes = 0;
  };
  explicit ZoneRecovery(std::uint32_t depth) { held_.reserve(depth); }

  bool active() const noexcept { return !held_.empty(); }
  bool Holds(std::uint32_t id) const noexcept {
    return std::any_of(held_.begin(), held_.end(), [id](const Held& h) { return h.id == id; });
  }
  // Kept in the order of offsets, last first: what is behind must be written later.
  void Hold(const Slot& slot, std::uint32_t id) noexcept {
    const Held held{id, slot.zone, slot.offset, slot.bytes};
    const auto at = std::find_if(held_.begin(), held_.end(),
                                 [&](const Held& h) { return h.offset < held.offset; });
    held_.insert(at, held);
  }
  const Held& next() const noexcept { return held_.back(); }
  void PopNext() noexcept { held_.pop_back(); }

 private:
  std::vector<Held> held_;
};

}  // namespace zonal::engine
