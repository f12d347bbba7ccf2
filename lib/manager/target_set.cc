// SPDX-License-Identifier: MIT
#include "manager/target_set.h"

#include "core/check.h"

namespace zonal::manager {

bool TargetSet::Add(ZoneId zone) noexcept {
  // A place first, then an entry: with a place in hand a free entry exists, and
  // whoever else looks for one only makes us look further.
  std::uint32_t taken = taken_.load(std::memory_order_relaxed);
  do {
    if (taken >= places_) return false;
  } while (!taken_.compare_exchange_weak(taken, taken + 1));
  for (std::uint32_t i = 0;; i = i + 1 == places_ ? 0 : i + 1) {
    std::uint64_t free = 0;
    if (entries_[i].compare_exchange_strong(free, std::uint64_t{zone.value()} + 1)) return true;
  }
}

void TargetSet::Remove(ZoneId zone) noexcept {
  for (std::uint32_t i = 0; i < places_; ++i) {
    std::uint64_t entry = std::uint64_t{zone.value()} + 1;
    if (entries_[i].compare_exchange_strong(entry, 0)) {
      taken_.fetch_sub(1);
      return;
    }
  }
  ZONAL_CHECK(false, "a zone with the target flag is in the target set");
}

std::vector<ZoneId> TargetSet::Members() const {
  std::vector<ZoneId> members;
  ForEach([&](ZoneId zone) {
    members.push_back(zone);
    return false;
  });
  return members;
}

}  // namespace zonal::manager
