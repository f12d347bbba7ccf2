// SPDX-License-Identifier: MIT
#include "manager/slot_count.h"

#include "core/check.h"

namespace zonal::manager {

bool SlotCount::Take(Slots slots) noexcept {
  std::uint64_t bits = bits_.load(std::memory_order_relaxed);
  do {
    if (!Admits(bits, slots)) return false;
  } while (!bits_.compare_exchange_weak(bits, bits + Delta(slots)));
  return true;
}

void SlotCount::Force(Slots slots) noexcept { bits_.fetch_add(Delta(slots)); }

bool SlotCount::Give(Slots slots) noexcept {
  if (!slots.open && !slots.active) return false;
  std::uint64_t bits = bits_.load(std::memory_order_relaxed);
  do {
    ZONAL_CHECK(!slots.open || OpenIn(bits) > 0, "an open slot given back was taken");
    ZONAL_CHECK(!slots.active || ActiveIn(bits) > 0, "an active slot given back was taken");
  } while (!bits_.compare_exchange_weak(bits, (bits & ~kWaiter) - Delta(slots)));
  return (bits & kWaiter) != 0;
}

bool SlotCount::AskForWake(Slots slots) noexcept { return !Admits(bits_.fetch_or(kWaiter), slots); }

LimitUse SlotCount::Use() const noexcept {
  const std::uint64_t bits = bits_.load(std::memory_order_acquire);
  return {OpenIn(bits), ActiveIn(bits), max_open_, max_active_};
}

}  // namespace zonal::manager
