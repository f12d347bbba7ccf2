// SPDX-License-Identifier: MIT
// Open and active slots: who needs one, who makes room, what all-zones commands
// touch.
#include <cstddef>
#include <iterator>
#include <string>

#include "core/transition.h"
#include "core/transition_cases.h"
#include "support/catch.h"

namespace zonal::core {
namespace {

// Limits of 2 open and 3 active zones.
struct SlotRow {
  const char* name;
  Dialect dialect;
  bool auto_close;
  Kind kind;
  Condition condition;
  SlotUse slots;
  Errc errc;
  std::uint32_t raw;
  bool evict;
};

constexpr SlotUse kTwoImplicit{2, 0, 0}, kMixed{1, 1, 0}, kTwoExplicit{0, 2, 0}, kOneOpen{1, 0, 0},
    kActiveFull{1, 0, 2}, kBothFull{2, 0, 1}, kOpenAndClosed{0, 2, 1};
constexpr Dialect kZ = Dialect::kZns, kB = Dialect::kZbc;

const SlotRow kSlotRows[] = {
    {"room", kZ, true, Kind::kWrite, Condition::kEmpty, kOneOpen, Errc::kOk, 0, false},
    {"write evicts", kZ, true, Kind::kWrite, Condition::kEmpty, kTwoImplicit, Errc::kOk, 0, true},
    {"append evicts", kZ, true, Kind::kAppend, Condition::kEmpty, kMixed, Errc::kOk, 0, true},
    {"open evicts", kZ, true, Kind::kOpen, Condition::kEmpty, kMixed, Errc::kOk, 0, true},
    {"closed write evicts", kZ, true, Kind::kWrite, Condition::kClosed, kBothFull, Errc::kOk, 0,
     true},
    {"closed open evicts", kZ, true, Kind::kOpen, Condition::kClosed, kBothFull, Errc::kOk, 0,
     true},
    {"told not to evict", kZ, false, Kind::kWrite, Condition::kEmpty, kTwoImplicit,
     Errc::kTooManyOpen, 0x1BE, false},
    {"all explicit", kZ, true, Kind::kWrite, Condition::kEmpty, kTwoExplicit, Errc::kTooManyOpen,
     0x1BE, false},
    {"all explicit, closed zone", kZ, true, Kind::kOpen, Condition::kClosed, kOpenAndClosed,
     Errc::kTooManyOpen, 0x1BE, false},
    {"active limit", kZ, true, Kind::kWrite, Condition::kEmpty, kActiveFull, Errc::kTooManyActive,
     0x1BD, false},
    {"active before open", kZ, true, Kind::kOpen, Condition::kEmpty, kOpenAndClosed,
     Errc::kTooManyActive, 0x1BD, false},
    {"active limit is not relieved by eviction", kZ, true, Kind::kWrite, Condition::kEmpty,
     kBothFull, Errc::kTooManyActive, 0x1BD, false},
    {"a closed zone is active already", kZ, true, Kind::kWrite, Condition::kClosed, kActiveFull,
     Errc::kOk, 0, false},
    {"an open zone needs nothing", kZ, false, Kind::kWrite, Condition::kImplicitOpen, kBothFull,
     Errc::kOk, 0, false},
    {"implicit to explicit needs nothing", kZ, false, Kind::kOpen, Condition::kImplicitOpen,
     kBothFull, Errc::kOk, 0, false},
    {"finish needs nothing", kZ, false, Kind::kFinish, Condition::kEmpty, kBothFull, Errc::kOk, 0,
     false},
    {"zbc write evicts", kB, true, Kind::kWrite, Condition::kEmpty, kTwoImplicit, Errc::kOk, 0,
     true},
    {"zbc all explicit", kB, true, Kind::kWrite, Condition::kClosed, kTwoExplicit,
     Errc::kTooManyOpen, 0x07550E, false},
    {"zbc told not to evict", kB, false, Kind::kWrite, Condition::kEmpty, kTwoImplicit,
     Errc::kTooManyOpen, 0x07550E, false},
    {"zbc open, all explicit", kB, true, Kind::kOpen, Condition::kEmpty, kTwoExplicit,
     Errc::kTooManyOpen, 0x07550E, false},
    {"zbc has no active limit", kB, true, Kind::kWrite, Condition::kEmpty, kActiveFull, Errc::kOk,
     0, false},
    {"zbc finish of empty evicts", kB, true, Kind::kFinish, Condition::kEmpty, kTwoImplicit,
     Errc::kOk, 0, true},
    {"zbc finish of closed, all explicit", kB, true, Kind::kFinish, Condition::kClosed,
     kTwoExplicit, Errc::kTooManyOpen, 0x07550E, false},
    {"zbc finish of an open zone", kB, false, Kind::kFinish, Condition::kImplicitOpen, kTwoImplicit,
     Errc::kOk, 0, false},
    {"zbc finish of a full zone", kB, false, Kind::kFinish, Condition::kFull, kTwoExplicit,
     Errc::kOk, 0, false},
};

TEST_CASE("slots: what needs one, what makes room, what is refused", "[transition]") {
  for (const SlotRow& row : kSlotRows) {
    CAPTURE(row.name);
    Rules rules = row.dialect == kZ ? ZnsRules() : ZbcRules();
    rules.max_open = Limit::Of(2);
    rules.max_active = Limit::Of(3);
    rules.auto_close = row.auto_close;
    const std::uint64_t capacity = row.dialect == kZ ? kCapacity : kSize;
    const ZoneState state = StateIn(row.condition, capacity);
    const ZoneCommand command{row.kind, row.kind == Kind::kWrite ? state.pointer : 0,
                              IsData(row.kind) ? kBlock : 0};
    const Outcome outcome = Decide(rules, {kSwr, kSize, capacity}, state, command, row.slots);
    CHECK(outcome.errc == row.errc);
    CHECK(outcome.raw == row.raw);
    CHECK(outcome.evict == row.evict);
    if (!outcome.ok()) CHECK(outcome.next == state);
  }
}

TEST_CASE("filling an empty zone at once still needs both slots", "[transition]") {
  Rules rules = ZnsRules();
  rules.max_open = Limit::Of(1);
  rules.auto_close = false;
  const ZoneFacts facts{kSwr, kSize, kCapacity};
  const ZoneCommand whole{Kind::kWrite, 0, kCapacity};
  CHECK(Decide(rules, facts, {}, whole, kOneOpen).errc == Errc::kTooManyOpen);
  rules.max_active = Limit::Of(1);
  CHECK(Decide(rules, facts, {}, whole, kOneOpen).errc == Errc::kTooManyActive);
}

TEST_CASE("the all-zones form touches zones by condition", "[transition]") {
  struct Row {
    Kind kind;
    std::string touched;  // ShortName of each
  };
  const Row rows[] = {{Kind::kOpen, "cl "},
                      {Kind::kClose, "oi oe "},
                      {Kind::kFinish, "oi oe cl "},
                      {Kind::kReset, "oi oe cl fu "},
                      {Kind::kOffline, "ro "}};
  for (const Row& row : rows) {
    for (const Dialect dialect : {kZ, kB}) {
      std::string touched;
      for (const Condition condition : kConditions) {
        CHECK_FALSE(AllTouches(dialect, row.kind, kCnv, condition));
        if (AllTouches(dialect, row.kind, kSwr, condition)) {
          touched += std::string(ShortName(condition)) + " ";
        }
      }
      CAPTURE(static_cast<int>(row.kind), ToString(dialect));
      CHECK(touched == (dialect == kB && row.kind == Kind::kOffline ? "" : row.touched));
    }
  }
}

TEST_CASE("open-all is refused as a whole when the closed zones do not fit", "[transition]") {
  struct Row {
    bool auto_close;
    SlotUse slots;
    bool ok;
  };
  const Row rows[] = {{true, {0, 0, 0}, true},  {true, {0, 0, 4}, true},   {true, {0, 0, 5}, false},
                      {true, {4, 0, 4}, true},  {true, {2, 1, 4}, false},  {true, {1, 3, 1}, true},
                      {false, {0, 0, 4}, true}, {false, {1, 0, 4}, false}, {false, {1, 1, 2}, true},
                      {false, {4, 0, 0}, true}};
  for (const Row& row : rows) {
    for (const Dialect dialect : {kZ, kB}) {
      Rules rules = dialect == kZ ? ZnsRules() : ZbcRules();
      rules.max_open = Limit::Of(4);
      rules.auto_close = row.auto_close;
      CAPTURE(row.auto_close, row.slots.implicit_open, row.slots.explicit_open, row.slots.closed);
      const Outcome outcome = DecideOpenAll(rules, row.slots);
      CHECK(outcome.ok() == row.ok);
      if (!row.ok) {
        CHECK(outcome.errc == Errc::kTooManyOpen);
        CHECK(outcome.raw == (dialect == kZ ? 0x1BEu : 0x07550Eu));
      }
      rules.max_open = Limit::Unlimited();
      CHECK(DecideOpenAll(rules, row.slots).ok());
    }
  }
}

}  // namespace
}  // namespace zonal::core
