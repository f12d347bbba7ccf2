// SPDX-License-Identifier: MIT
// Data commands: the order of their checks, what rules can be told, and the inlined
// common case.
#include <string>

#include "core/transition.h"
#include "core/transition_cases.h"
#include "support/catch.h"

namespace zonal::core {
namespace {

struct DataRow {
  const char* name;
  Dialect dialect;
  ZoneType type;
  ZoneState state;
  ZoneCommand command;
  Errc errc;
  std::uint32_t raw;
  std::uint64_t data_bytes = 0;  // of reads
};

constexpr ZoneState kOpenMid{Condition::kImplicitOpen, kMid};
constexpr ZoneState kFullEnd{Condition::kFull, kCapacity};
constexpr ZoneState kFinished{Condition::kFull, kMid};
constexpr ZoneState kReadOnlyMid{Condition::kReadOnly, kMid};
constexpr ZoneState kOff{Condition::kOffline, 0};
constexpr ZoneState kPlain{Condition::kNotWritePointer, 0};

const DataRow kZnsData[] = {
    {"condition before alignment",
     Dialect::kZns,
     kSwr,
     kFullEnd,
     {Kind::kWrite, 1, 1},
     Errc::kZoneFull,
     0x1B9},
    {"no bytes", Dialect::kZns, kSwr, kOpenMid, {Kind::kWrite, kMid, 0}, Errc::kMisaligned, 0x002},
    {"part of a block",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kWrite, kMid, 512},
     Errc::kMisaligned,
     0x002},
    {"offset inside a block",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kWrite, kMid + 512, kBlock},
     Errc::kMisaligned,
     0x002},
    {"below the pointer",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kWrite, 0, kBlock},
     Errc::kNotAtWritePointer,
     0x1BC},
    {"above the pointer",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kWrite, kMid + kBlock, kBlock},
     Errc::kNotAtWritePointer,
     0x1BC},
    {"pointer before boundary",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kWrite, 0, 2 * kSize},
     Errc::kNotAtWritePointer,
     0x1BC},
    {"past capacity, inside the zone",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kWrite, kMid, kSize - kMid},
     Errc::kZoneBoundary,
     0x1B8},
    {"append off the zone's start",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kAppend, kMid, kBlock},
     Errc::kBadRange,
     0x002},
    {"append too large",
     Dialect::kZns,
     kSwr,
     {},
     {Kind::kAppend, 0, 5 * kBlock},
     Errc::kTooLarge,
     0x002},
    {"append of part of a block",
     Dialect::kZns,
     kSwr,
     {},
     {Kind::kAppend, 0, 512},
     Errc::kMisaligned,
     0x002},
    {"append past capacity",
     Dialect::kZns,
     kSwr,
     {Condition::kClosed, 4 * kBlock},
     {Kind::kAppend, 0, 3 * kBlock},
     Errc::kZoneBoundary,
     0x1B8},
    {"read of part of a block",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kRead, 0, 512},
     Errc::kMisaligned,
     0x002},
    {"read across the zone's end",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kRead, kSize - kBlock, 2 * kBlock},
     Errc::kZoneBoundary,
     0x1B8},
    {"read over the pointer",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kRead, kBlock, 2 * kBlock},
     Errc::kOk,
     0,
     kBlock},
    {"read past the pointer",
     Dialect::kZns,
     kSwr,
     kOpenMid,
     {Kind::kRead, kMid, kBlock},
     Errc::kOk,
     0,
     0},
    {"read past capacity",
     Dialect::kZns,
     kSwr,
     kFullEnd,
     {Kind::kRead, kCapacity - kBlock, 3 * kBlock},
     Errc::kOk,
     0,
     kBlock},
    {"read of a finished zone",
     Dialect::kZns,
     kSwr,
     kFinished,
     {Kind::kRead, 0, kCapacity},
     Errc::kOk,
     0,
     kMid},
    {"read of a read-only zone",
     Dialect::kZns,
     kSwr,
     kReadOnlyMid,
     {Kind::kRead, 0, 4 * kBlock},
     Errc::kOk,
     0,
     kMid},
    {"offline before alignment",
     Dialect::kZns,
     kSwr,
     kOff,
     {Kind::kRead, 1, 1},
     Errc::kZoneOffline,
     0x1BB},
    {"conventional write anywhere",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kWrite, 3 * kBlock, 5 * kBlock},
     Errc::kOk,
     0},
    {"conventional read anywhere",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kRead, 3 * kBlock, 5 * kBlock},
     Errc::kOk,
     0,
     5 * kBlock},
    {"conventional write misaligned",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kWrite, 512, kBlock},
     Errc::kMisaligned,
     0x002},
    {"conventional write across the end",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kWrite, 0, kSize + kBlock},
     Errc::kZoneBoundary,
     0x1B8},
    {"conventional read across the end",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kRead, 0, kSize + kBlock},
     Errc::kZoneBoundary,
     0x1B8},
    {"conventional append",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kAppend, 0, kBlock},
     Errc::kBadZoneType,
     0x002},
    {"conventional read-only zone written",
     Dialect::kZns,
     kCnv,
     {Condition::kReadOnly, 0},
     {Kind::kWrite, 0, kBlock},
     Errc::kZoneReadOnly,
     0x1BA},
    {"conventional read-only zone read",
     Dialect::kZns,
     kCnv,
     {Condition::kReadOnly, 0},
     {Kind::kRead, 0, kBlock},
     Errc::kOk,
     0,
     kBlock},
    {"conventional offline zone read",
     Dialect::kZns,
     kCnv,
     kOff,
     {Kind::kRead, 0, kBlock},
     Errc::kZoneOffline,
     0x1BB},
    {"conventional open",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kOpen, 0, 0},
     Errc::kBadZoneType,
     0x002},
    {"conventional reset",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kReset, 0, 0},
     Errc::kBadZoneType,
     0x002},
    {"conventional offline",
     Dialect::kZns,
     kCnv,
     kPlain,
     {Kind::kOffline, 0, 0},
     Errc::kBadZoneType,
     0x002},
};

const DataRow kZbcData[] = {
    {"read-only before alignment",
     Dialect::kZbc,
     kSwr,
     kReadOnlyMid,
     {Kind::kWrite, 1, 1},
     Errc::kZoneReadOnly,
     0x072708},
    {"no bytes",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kWrite, kMid, 0},
     Errc::kMisaligned,
     0x052400},
    {"alignment before full",
     Dialect::kZbc,
     kSwr,
     {Condition::kFull, kSize},
     {Kind::kWrite, 1, 512},
     Errc::kMisaligned,
     0x052400},
    {"off the pointer",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kWrite, 0, 4096},
     Errc::kNotAtWritePointer,
     0x052104},
    {"pointer before boundary",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kWrite, 0, 2 * kSize},
     Errc::kNotAtWritePointer,
     0x052104},
    {"boundary before granularity",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kWrite, kMid, kSize + 512},
     Errc::kZoneBoundary,
     0x052105},
    {"not ending on a physical block",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kWrite, kMid, 4096 + 512},
     Errc::kMisaligned,
     0x052104},
    {"read past the pointer",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kRead, kMid - 512, 1024},
     Errc::kReadPastWritePointer,
     0x052106},
    {"read up to the pointer",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kRead, kMid - 512, 512},
     Errc::kOk,
     0,
     512},
    {"boundary before pointer",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kRead, kSize - 512, 1024},
     Errc::kZoneBoundary,
     0x052107},
    {"read of a finished zone",
     Dialect::kZbc,
     kSwr,
     kFinished,
     {Kind::kRead, 0, kSize},
     Errc::kOk,
     0,
     kMid},
    {"read past the pointer of a read-only zone",
     Dialect::kZbc,
     kSwr,
     kReadOnlyMid,
     {Kind::kRead, 0, kSize},
     Errc::kReadPastWritePointer,
     0x052106},
    {"read misaligned",
     Dialect::kZbc,
     kSwr,
     kOpenMid,
     {Kind::kRead, 0, 100},
     Errc::kMisaligned,
     0x052400},
    {"conventional write of one logical block",
     Dialect::kZbc,
     kCnv,
     kPlain,
     {Kind::kWrite, 512, 512},
     Errc::kOk,
     0},
    {"conventional write across the end",
     Dialect::kZbc,
     kCnv,
     kPlain,
     {Kind::kWrite, 512, kSize},
     Errc::kZoneBoundary,
     0x052105},
    {"conventional read across the end",
     Dialect::kZbc,
     kCnv,
     kPlain,
     {Kind::kRead, 512, kSize},
     Errc::kZoneBoundary,
     0x052107},
    {"conventional append",
     Dialect::kZbc,
     kCnv,
     kPlain,
     {Kind::kAppend, 0, 512},
     Errc::kNotSupported,
     0x052000},
    {"conventional close",
     Dialect::kZbc,
     kCnv,
     kPlain,
     {Kind::kClose, 0, 0},
     Errc::kBadZoneType,
     0x052400},
    {"conventional finish",
     Dialect::kZbc,
     kCnv,
     kPlain,
     {Kind::kFinish, 0, 0},
     Errc::kBadZoneType,
     0x052400},
    {"conventional offline",
     Dialect::kZbc,
     kCnv,
     kPlain,
     {Kind::kOffline, 0, 0},
     Errc::kNotSupported,
     0x052000},
};

void CheckData(const DataRow& row) {
  CAPTURE(row.name);
  const bool zns = row.dialect == Dialect::kZns;
  const ZoneFacts facts{row.type, kSize, zns && row.type == kSwr ? kCapacity : kSize};
  const Outcome outcome = Decide(zns ? ZnsRules() : ZbcRules(), facts, row.state, row.command, {});
  CHECK(outcome.errc == row.errc);
  CHECK(outcome.raw == row.raw);
  CHECK(outcome.data_bytes == row.data_bytes);
  if (!outcome.ok()) CHECK(outcome.next == row.state);
}

TEST_CASE("ZNS: data commands and the order of their checks", "[transition]") {
  for (const DataRow& row : kZnsData) CheckData(row);
}

TEST_CASE("ZBC: data commands and the order of their checks", "[transition]") {
  for (const DataRow& row : kZbcData) CheckData(row);
}

TEST_CASE("without append support the opcode is unknown", "[transition]") {
  Rules rules = ZnsRules();
  rules.max_append = 0;
  const ZoneFacts facts{kSwr, kSize, kCapacity};
  for (const Condition condition : kConditions) {
    const Outcome outcome =
        Decide(rules, facts, StateIn(condition, kCapacity), {Kind::kAppend, 0, kBlock}, {});
    CHECK(outcome.errc == Errc::kNotSupported);
    CHECK(outcome.raw == 0x001);
  }
}

TEST_CASE("ZNS can be told to fail reads past the pointer", "[transition]") {
  Rules rules = ZnsRules();
  rules.read_past_write_pointer_fails = true;
  const ZoneFacts facts{kSwr, kSize, kCapacity};
  const Outcome past = Decide(rules, facts, kOpenMid, {Kind::kRead, kBlock, 2 * kBlock}, {});
  CHECK(past.errc == Errc::kReadPastWritePointer);
  CHECK(past.raw == 0x281);
  CHECK(Decide(rules, facts, kOpenMid, {Kind::kRead, 0, kMid}, {}).ok());
  CHECK(Decide(rules, facts, kFinished, {Kind::kRead, 0, kCapacity}, {}).ok());
}

TEST_CASE("ZBC can be told to read zeros past the pointer", "[transition]") {
  Rules rules = ZbcRules();
  rules.read_past_write_pointer_fails = false;
  const Outcome past =
      Decide(rules, {kSwr, kSize, kSize}, kOpenMid, {Kind::kRead, kBlock, 2 * kBlock}, {});
  CHECK(past.ok());
  CHECK(past.data_bytes == kBlock);
}

TEST_CASE("the inlined common case says what the whole function says", "[transition]") {
  int extended = 0;
  for (const Rules& rules : {ZnsRules(), ZbcRules()}) {
    const bool zns = rules.dialect == Dialect::kZns;
    const ZoneFacts sequential{kSwr, kSize, zns ? kCapacity : kSize};
    for (const ZoneFacts& facts : {sequential, ZoneFacts{kCnv, kSize, kSize}}) {
      for (const Condition condition : kConditions) {
        const ZoneState state = StateIn(condition, facts.capacity);
        for (const Kind kind : {Kind::kRead, Kind::kWrite, Kind::kAppend, Kind::kReset}) {
          for (std::uint64_t offset = 0; offset <= kSize; offset += 512) {
            for (std::uint64_t bytes = 0; bytes <= kSize; bytes += 512) {
              const ZoneCommand command{kind, offset, bytes};
              if (!ExtendsOpenZone(rules, facts, state, command)) continue;
              ++extended;
              const Outcome outcome = Decide(rules, facts, state, command, {});
              REQUIRE(outcome.ok());
              REQUIRE(outcome.offset == state.pointer);
              REQUIRE(outcome.next == ZoneState{condition, state.pointer + bytes});
            }
          }
        }
      }
    }
  }
  // ZNS: three lengths to write and three to append, ZBC: five to write; each in
  // two open conditions.
  CHECK(extended == 2 * (3 + 3) + 2 * 5);
}

}  // namespace
}  // namespace zonal::core
