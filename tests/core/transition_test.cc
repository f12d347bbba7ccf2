// SPDX-License-Identifier: MIT
// Every cell of the two tables in docs/zone-model.md, and what ends an open zone.
#include "core/transition.h"

#include <string>

#include "core/transition_cases.h"
#include "support/catch.h"

namespace zonal::core {
namespace {

// What one cell says: the condition afterwards, or the refusal.
struct Cell {
  Condition next = Condition::kEmpty;
  Errc errc = Errc::kOk;
  std::uint32_t raw = 0;
};
constexpr Cell To(Condition next) { return {next, Errc::kOk, 0}; }
constexpr Cell No(Errc errc, std::uint32_t raw) { return {Condition::kEmpty, errc, raw}; }

struct TableRow {
  const char* name;
  Kind kind;
  std::uint64_t bytes;  // data commands, at the pointer (reads: at 0)
  Cell cells[7];        // in the order of kConditions
};

constexpr Cell kEm = To(Condition::kEmpty), kIo = To(Condition::kImplicitOpen),
               kEo = To(Condition::kExplicitOpen), kCl = To(Condition::kClosed),
               kFu = To(Condition::kFull), kRo = To(Condition::kReadOnly),
               kOf = To(Condition::kOffline);
constexpr Cell kB9 = No(Errc::kZoneFull, 0x1B9), kBA = No(Errc::kZoneReadOnly, 0x1BA),
               kBB = No(Errc::kZoneOffline, 0x1BB), kBF = No(Errc::kInvalidTransition, 0x1BF),
               kB8 = No(Errc::kZoneBoundary, 0x1B8);

const TableRow kZnsTable[] = {
    {"write", Kind::kWrite, kBlock, {kIo, kIo, kEo, kIo, kB9, kBA, kBB}},
    {"write to capacity", Kind::kWrite, kCapacity - kMid, {kIo, kFu, kFu, kFu, kB9, kBA, kBB}},
    {"write past capacity", Kind::kWrite, kCapacity + kBlock, {kB8, kB8, kB8, kB8, kB9, kBA, kBB}},
    {"append", Kind::kAppend, kBlock, {kIo, kIo, kEo, kIo, kB9, kBA, kBB}},
    {"append to capacity", Kind::kAppend, kCapacity - kMid, {kIo, kFu, kFu, kFu, kB9, kBA, kBB}},
    {"read", Kind::kRead, kBlock, {kEm, kIo, kEo, kCl, kFu, kRo, kBB}},
    {"open", Kind::kOpen, 0, {kEo, kEo, kEo, kEo, kBF, kBF, kBF}},
    {"close", Kind::kClose, 0, {kBF, kCl, kCl, kCl, kBF, kBF, kBF}},
    {"finish", Kind::kFinish, 0, {kFu, kFu, kFu, kFu, kFu, kBF, kBF}},
    {"reset", Kind::kReset, 0, {kEm, kEm, kEm, kEm, kEm, kBF, kBF}},
    {"offline", Kind::kOffline, 0, {kBF, kBF, kBF, kBF, kBF, kOf, kOf}},
};

constexpr Cell kSro = No(Errc::kZoneReadOnly, 0x072708), kSof = No(Errc::kZoneOffline, 0x052C0E),
               kSfu = No(Errc::kZoneFull, 0x052104), kSop = No(Errc::kNotSupported, 0x052000),
               kSbo = No(Errc::kZoneBoundary, 0x052105),
               kSrd = No(Errc::kReadPastWritePointer, 0x052106);

const TableRow kZbcTable[] = {
    {"write", Kind::kWrite, kBlock, {kIo, kIo, kEo, kIo, kSfu, kSro, kSof}},
    {"write to the end", Kind::kWrite, kSize - kMid, {kIo, kFu, kFu, kFu, kSfu, kSro, kSof}},
    {"write past the end",
     Kind::kWrite,
     kSize + kBlock,
     {kSbo, kSbo, kSbo, kSbo, kSfu, kSro, kSof}},
    {"append", Kind::kAppend, kBlock, {kSop, kSop, kSop, kSop, kSop, kSop, kSop}},
    {"read", Kind::kRead, kBlock, {kSrd, kIo, kEo, kCl, kFu, kRo, kSof}},
    {"open", Kind::kOpen, 0, {kEo, kEo, kEo, kEo, kFu, kSro, kSof}},
    {"close", Kind::kClose, 0, {kEm, kCl, kCl, kCl, kFu, kSro, kSof}},
    {"finish", Kind::kFinish, 0, {kFu, kFu, kFu, kFu, kFu, kSro, kSof}},
    {"reset", Kind::kReset, 0, {kEm, kEm, kEm, kEm, kEm, kSro, kSof}},
    {"offline", Kind::kOffline, 0, {kSop, kSop, kSop, kSop, kSop, kSop, kSop}},
};

// What the pointer should be after a command that succeeded.
std::uint64_t PointerAfter(Kind kind, ZoneState before, std::uint64_t bytes) {
  if (kind == Kind::kWrite || kind == Kind::kAppend) return before.pointer + bytes;
  return kind == Kind::kReset ? 0 : before.pointer;
}

void CheckCell(const Rules& rules, const ZoneFacts& facts, const TableRow& row,
               std::size_t column) {
  const ZoneState before = StateIn(kConditions[column], facts.capacity);
  CAPTURE(row.name, ToString(before.condition), ToString(rules.dialect));
  const ZoneCommand command{row.kind, row.kind == Kind::kWrite ? before.pointer : 0, row.bytes};
  const Outcome outcome = Decide(rules, facts, before, command, {});
  const Cell& want = row.cells[column];
  CHECK(outcome.errc == want.errc);
  CHECK(outcome.raw == want.raw);
  CHECK_FALSE(outcome.evict);
  if (want.errc != Errc::kOk) {
    CHECK(outcome.origin == (rules.dialect == Dialect::kZns ? Origin::kNvme : Origin::kScsi));
    CHECK(outcome.next == before);
    return;
  }
  CHECK(outcome.origin == Origin::kNone);
  CHECK(outcome.next.condition == want.next);
  CHECK(outcome.next.pointer == PointerAfter(row.kind, before, row.bytes));
  if (IsData(row.kind)) CHECK(outcome.offset == (row.kind == Kind::kRead ? 0 : before.pointer));
}

TEST_CASE("ZNS: every command in every condition", "[transition]") {
  for (const TableRow& row : kZnsTable) {
    for (std::size_t column = 0; column < std::size(kConditions); ++column) {
      CheckCell(ZnsRules(), {ZoneType::kSequentialRequired, kSize, kCapacity}, row, column);
    }
  }
}

TEST_CASE("ZBC: every command in every condition", "[transition]") {
  for (const TableRow& row : kZbcTable) {
    for (std::size_t column = 0; column < std::size(kConditions); ++column) {
      CheckCell(ZbcRules(), {ZoneType::kSequentialRequired, kSize, kSize}, row, column);
    }
  }
}

TEST_CASE("an empty zone written to capacity at once becomes full", "[transition]") {
  const ZoneFacts facts{ZoneType::kSequentialRequired, kSize, kCapacity};
  const Outcome outcome = Decide(ZnsRules(), facts, {}, {Kind::kWrite, 0, kCapacity}, {});
  CHECK(outcome.ok());
  CHECK(outcome.next == ZoneState{Condition::kFull, kCapacity});
}

TEST_CASE("ZBC close of a zone with nothing written empties it, ZNS closes it", "[transition]") {
  for (const Condition open : {Condition::kImplicitOpen, Condition::kExplicitOpen}) {
    const ZoneState state{open, 0};
    CHECK(Decide(ZbcRules(), {kSwr, kSize, kSize}, state, {Kind::kClose, 0, 0}, {}).next ==
          ZoneState{Condition::kEmpty, 0});
    CHECK(Decide(ZnsRules(), {kSwr, kSize, kCapacity}, state, {Kind::kClose, 0, 0}, {}).next ==
          ZoneState{Condition::kClosed, 0});
  }
}

TEST_CASE("a power cycle closes open zones, or empties them", "[transition]") {
  CHECK(AfterPowerCycle({Condition::kImplicitOpen, kMid}) == ZoneState{Condition::kClosed, kMid});
  CHECK(AfterPowerCycle({Condition::kExplicitOpen, kMid}) == ZoneState{Condition::kClosed, kMid});
  CHECK(AfterPowerCycle({Condition::kExplicitOpen, 0}) == ZoneState{Condition::kEmpty, 0});
  for (const Condition condition : {Condition::kEmpty, Condition::kClosed, Condition::kFull,
                                    Condition::kReadOnly, Condition::kOffline}) {
    const ZoneState state = StateIn(condition, kCapacity);
    CHECK(AfterPowerCycle(state) == state);
  }
}

}  // namespace
}  // namespace zonal::core
