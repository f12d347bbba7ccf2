// SPDX-License-Identifier: MIT
// Zones that a worker is about to reset. Two workers may find the same zone full;
// without this the second would reset it again, over what was written since.
// Thread-safe; used once per reset, never per I/O.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "zonal/zone.h"

namespace zonal::engine {

class ResetClaims {
 public:
  // False if somebody else has it. The caller looks at the zone again after a
  // success, since the other's reset may have ended just before.
  bool Take(ZoneId zone) {
    const std::lock_guard lock(mutex_);
    if (std::find(zones_.begin(), zones_.end(), zone) != zones_.end()) return false;
    zones_.push_back(zone);
    return true;
  }
  void GiveBack(ZoneId zone) {
    const std::lock_guard lock(mutex_);
    zones_.erase(std::find(zones_.begin(), zones_.end(), zone));
  }

 private:
  std::mutex mutex_;
  std::vector<ZoneId> zones_;  // one per writer at most, and the trims under way
};

}  // namespace zonal::engine
