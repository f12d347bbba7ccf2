// SPDX-License-Identifier: MIT
// Which fault a command meets: the rules of a fault device with the counts of
// their matches, shared by all its queues. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "zonal/fault.h"

namespace zonal {

// What a rule looks at.
struct FaultSubject {
  IoOp op = IoOp::kRead;
  ZoneOp zone_op = ZoneOp::kReset;
  std::optional<ZoneRange> zones;  // nullopt: no zone in particular
};

class FaultRules {
 public:
  explicit FaultRules(std::vector<FaultRule> rules)
      : rules_(std::move(rules)), matches_(rules_.size()) {}

  // Counts the match with every rule, then answers with the first that fires.
  const FaultRule* Meet(const FaultSubject& subject) noexcept {
    const FaultRule* fired = nullptr;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (!Matches(rules_[i], subject)) continue;
      const std::uint64_t count = matches_[i].fetch_add(1, std::memory_order_relaxed) + 1;
      if (fired == nullptr && Fires(rules_[i], count)) fired = &rules_[i];
    }
    return fired;
  }

 private:
  static bool Matches(const FaultRule& rule, const FaultSubject& subject) noexcept {
    if (rule.op && *rule.op != subject.op) return false;
    if (rule.zone_op && (subject.op != IoOp::kManage || *rule.zone_op != subject.zone_op)) {
      return false;
    }
    if (!rule.zone) return true;
    return subject.zones && rule.zone->value() >= subject.zones->first.value() &&
           rule.zone->value() - subject.zones->first.value() < subject.zones->count;
  }
  static bool Fires(const FaultRule& rule, std::uint64_t count) noexcept {
    if (count <= rule.nth || rule.every == 0) return count == rule.nth;
    return (count - rule.nth) % rule.every == 0;
  }

  const std::vector<FaultRule> rules_;
  std::vector<std::atomic<std::uint64_t>> matches_;
};

inline IoResult ResultOf(const FaultRule& rule, std::uint64_t offset) noexcept {
  IoResult result;
  result.offset = offset;
  result.errc = rule.errc;
  result.origin = rule.origin;
  result.raw = rule.raw;
  return result;
}

}  // namespace zonal
