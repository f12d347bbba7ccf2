// SPDX-License-Identifier: MIT
// The device's open and active limits: both counts and a "somebody waits" bit
// in one atomic, so that no thread ever sees one without the other.
#pragma once

#include <atomic>
#include <cstdint>

#include "zonal/limit.h"
#include "zonal/zone_manager.h"

namespace zonal::manager {

// Which slots an operation needs or gives back.
struct Slots {
  bool open = false;
  bool active = false;
};

class SlotCount {
 public:
  SlotCount(Limit max_open, Limit max_active) noexcept
      : max_open_(max_open), max_active_(max_active) {}

  // Takes what is asked, all or nothing. Unknown and unlimited always admit.
  bool Take(Slots slots) noexcept;
  // Takes without asking: what the device reports is a fact.
  void Force(Slots slots) noexcept;
  // Returns true if somebody waits for a slot; the waiter bit is then cleared and
  // the caller wakes them.
  bool Give(Slots slots) noexcept;
  // Sets the waiter bit; false if the slots could be had right now.
  bool AskForWake(Slots slots) noexcept;
  LimitUse Use() const noexcept;

 private:
  //   bits 63..32 active, 31 waiter, 30..0 open
  static constexpr std::uint64_t kOpenOne = 1;
  static constexpr std::uint64_t kWaiter = 1ull << 31;
  static constexpr std::uint64_t kActiveOne = 1ull << 32;
  static std::uint32_t OpenIn(std::uint64_t bits) noexcept {
    return static_cast<std::uint32_t>(bits & 0x7FFFFFFF);
  }
  static std::uint32_t ActiveIn(std::uint64_t bits) noexcept {
    return static_cast<std::uint32_t>(bits >> 32);
  }
  static std::uint64_t Delta(Slots slots) noexcept {
    return (slots.open ? kOpenOne : 0) + (slots.active ? kActiveOne : 0);
  }
  bool Admits(std::uint64_t bits, Slots slots) const noexcept {
    return (!slots.open || max_open_.Admits(OpenIn(bits))) &&
           (!slots.active || max_active_.Admits(ActiveIn(bits)));
  }

  std::atomic<std::uint64_t> bits_{0};
  const Limit max_open_;
  const Limit max_active_;
};

}  // namespace zonal::manager
