// SPDX-License-Identifier: MIT
// Rules, zones and states the tests of the transition function share.
#pragma once

#include <cstdint>

#include "core/transition.h"

namespace zonal::core {

using Kind = CommandKind;
using Condition = ZoneCondition;

inline constexpr std::uint64_t kBlock = 4096;
inline constexpr std::uint64_t kSize = 8 * kBlock;
inline constexpr std::uint64_t kCapacity = 6 * kBlock;
// The pointer in conditions that have written data.
inline constexpr std::uint64_t kMid = 2 * kBlock;

inline Rules ZnsRules() {
  Rules rules;
  rules.max_append = 4 * kBlock;
  return rules;
}

inline Rules ZbcRules() {
  Rules rules;
  rules.dialect = Dialect::kZbc;
  rules.block = 512;
  rules.write_granularity = 4096;
  rules.read_past_write_pointer_fails = true;
  return rules;
}

inline ZoneState StateIn(Condition condition, std::uint64_t capacity) {
  switch (condition) {
    case Condition::kEmpty:
      return {condition, 0};
    case Condition::kFull:
      return {condition, capacity};
    default:
      return {condition, kMid};
  }
}

inline constexpr Condition kConditions[] = {
    Condition::kEmpty, Condition::kImplicitOpen, Condition::kExplicitOpen, Condition::kClosed,
    Condition::kFull,  Condition::kReadOnly,     Condition::kOffline};

inline bool IsData(Kind kind) {
  return kind == Kind::kRead || kind == Kind::kWrite || kind == Kind::kAppend;
}

inline constexpr ZoneType kSwr = ZoneType::kSequentialRequired, kCnv = ZoneType::kConventional;

}  // namespace zonal::core
