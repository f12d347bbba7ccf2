// SPDX-License-Identifier: MIT
// The model against the ZBC table, cell by cell, by hand.
#include "model/model_cases.h"
#include "support/catch.h"

namespace zonal::model {
namespace {

using enum ZoneCondition;

constexpr std::uint32_t kReadOnlySense = 0x72708;
constexpr std::uint32_t kOfflineSense = 0x52C0E;
constexpr std::uint32_t kUnaligned = 0x52104;
constexpr std::uint32_t kNoResources = 0x7550E;

// Three zones of three blocks.
NaiveOptions Zbc() {
  NaiveOptions options;
  options.dialect = Dialect::kZbc;
  options.zones = 3;
  options.zone_size = 3 * kBlock;
  options.read_past_write_pointer_fails = true;
  return options;
}

struct Cell {
  const char* name;
  ZoneCondition before;
  Command command;
  Errc errc;
  std::uint32_t raw;
  ZoneCondition after;
};

void CheckCells(const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) {
    CAPTURE(cell.name);
    NaiveDrive drive = InCondition(Zbc(), cell.before);
    REQUIRE(drive.zones()[0].condition == cell.before);
    const NaiveDrive untouched = drive;
    const Outcome outcome = drive.Apply(cell.command);
    CHECK(outcome.errc == cell.errc);
    CHECK(outcome.raw == cell.raw);
    CHECK(outcome.origin == (cell.errc == Errc::kOk ? Origin::kNone : Origin::kScsi));
    CHECK(drive.zones()[0].condition == cell.after);
    if (cell.errc != Errc::kOk) CHECK(drive == untouched);
  }
}

TEST_CASE("zbc model: open, close, finish, reset and offline in every condition", "[model]") {
  const Command open = ManageAt(ZoneOp::kOpen, 0);
  const Command close = ManageAt(ZoneOp::kClose, 0);
  const Command finish = ManageAt(ZoneOp::kFinish, 0);
  const Command reset = ManageAt(ZoneOp::kReset, 0);
  const Command offline = ManageAt(ZoneOp::kOffline, 0);
  const Errc read_only = Errc::kZoneReadOnly;
  const Errc off = Errc::kZoneOffline;
  CheckCells({
      {"open empty", kEmpty, open, Errc::kOk, 0, kExplicitOpen},
      {"open implicit", kImplicitOpen, open, Errc::kOk, 0, kExplicitOpen},
      {"open explicit", kExplicitOpen, open, Errc::kOk, 0, kExplicitOpen},
      {"open closed", kClosed, open, Errc::kOk, 0, kExplicitOpen},
      {"open full", kFull, open, Errc::kOk, 0, kFull},
      {"open read-only", kReadOnly, open, read_only, kReadOnlySense, kReadOnly},
      {"open offline", kOffline, open, off, kOfflineSense, kOffline},

      {"close empty", kEmpty, close, Errc::kOk, 0, kEmpty},
      {"close implicit", kImplicitOpen, close, Errc::kOk, 0, kClosed},
      {"close explicit", kExplicitOpen, close, Errc::kOk, 0, kClosed},
      {"close closed", kClosed, close, Errc::kOk, 0, kClosed},
      {"close full", kFull, close, Errc::kOk, 0, kFull},
      {"close read-only", kReadOnly, close, read_only, kReadOnlySense, kReadOnly},
      {"close offline", kOffline, close, off, kOfflineSense, kOffline},

      {"finish empty", kEmpty, finish, Errc::kOk, 0, kFull},
      {"finish implicit", kImplicitOpen, finish, Errc::kOk, 0, kFull},
      {"finish explicit", kExplicitOpen, finish, Errc::kOk, 0, kFull},
      {"finish closed", kClosed, finish, Errc::kOk, 0, kFull},
      {"finish full", kFull, finish, Errc::kOk, 0, kFull},
      {"finish read-only", kReadOnly, finish, read_only, kReadOnlySense, kReadOnly},
      {"finish offline", kOffline, finish, off, kOfflineSense, kOffline},

      {"reset empty", kEmpty, reset, Errc::kOk, 0, kEmpty},
      {"reset implicit", kImplicitOpen, reset, Errc::kOk, 0, kEmpty},
      {"reset explicit", kExplicitOpen, reset, Errc::kOk, 0, kEmpty},
      {"reset closed", kClosed, reset, Errc::kOk, 0, kEmpty},
      {"reset full", kFull, reset, Errc::kOk, 0, kEmpty},
      {"reset read-only", kReadOnly, reset, read_only, kReadOnlySense, kReadOnly},
      {"reset offline", kOffline, reset, off, kOfflineSense, kOffline},

      {"offline empty", kEmpty, offline, Errc::kNotSupported, 0x52000, kEmpty},
      {"offline read-only", kReadOnly, offline, Errc::kNotSupported, 0x52000, kReadOnly},
      {"offline offline", kOffline, offline, Errc::kNotSupported, 0x52000, kOffline},
  });
}

TEST_CASE("zbc model: writes in every condition, and refused ones", "[model]") {
  Command odd_size = WriteBlocks(0, 1);
  odd_size.bytes = 100;
  Command odd_place = WriteBlocks(0, 1);
  odd_place.offset = 7;
  CheckCells({
      {"empty", kEmpty, WriteBlocks(0, 1), Errc::kOk, 0, kImplicitOpen},
      {"empty, filled", kEmpty, WriteBlocks(0, 3), Errc::kOk, 0, kFull},
      {"implicit", kImplicitOpen, WriteBlocks(1, 1), Errc::kOk, 0, kImplicitOpen},
      {"explicit", kExplicitOpen, WriteBlocks(1, 1), Errc::kOk, 0, kExplicitOpen},
      {"explicit, filled", kExplicitOpen, WriteBlocks(1, 2), Errc::kOk, 0, kFull},
      {"closed", kClosed, WriteBlocks(1, 1), Errc::kOk, 0, kImplicitOpen},
      {"full", kFull, WriteBlocks(1, 1), Errc::kZoneFull, kUnaligned, kFull},
      {"read-only", kReadOnly, WriteBlocks(0, 1), Errc::kZoneReadOnly, kReadOnlySense, kReadOnly},
      {"offline", kOffline, WriteBlocks(0, 1), Errc::kZoneOffline, kOfflineSense, kOffline},
      {"odd size", kEmpty, odd_size, Errc::kMisaligned, 0x52400, kEmpty},
      {"odd size, full", kFull, odd_size, Errc::kMisaligned, 0x52400, kFull},
      {"odd size, read-only", kReadOnly, odd_size, Errc::kZoneReadOnly, kReadOnlySense, kReadOnly},
      {"odd place", kEmpty, odd_place, Errc::kMisaligned, 0x52400, kEmpty},
      {"no bytes", kEmpty, WriteBlocks(0, 0), Errc::kMisaligned, 0x52400, kEmpty},
      {"behind", kImplicitOpen, WriteBlocks(0, 1), Errc::kNotAtWritePointer, kUnaligned,
       kImplicitOpen},
      {"ahead, too long", kEmpty, WriteBlocks(1, 3), Errc::kNotAtWritePointer, kUnaligned, kEmpty},
      {"past the zone", kEmpty, WriteBlocks(0, 4), Errc::kZoneBoundary, 0x52105, kEmpty},
      {"past the device", kFull, WriteBlocks(8, 2), Errc::kBadRange, 0x52100, kFull},
      {"append", kEmpty, AppendBlocks(0, 1), Errc::kNotSupported, 0x52000, kEmpty},
      {"append anywhere", kEmpty, AppendBlocks(99, 1), Errc::kNotSupported, 0x52000, kEmpty},
  });
}

TEST_CASE("zbc model: reads stop at the pointer and at the zone's end", "[model]") {
  CheckCells({
      {"below the pointer", kImplicitOpen, ReadBlocks(0, 1), Errc::kOk, 0, kImplicitOpen},
      {"over it", kImplicitOpen, ReadBlocks(0, 2), Errc::kReadPastWritePointer, 0x52106,
       kImplicitOpen},
      {"explicit, past it", kExplicitOpen, ReadBlocks(1, 1), Errc::kReadPastWritePointer, 0x52106,
       kExplicitOpen},
      {"closed", kClosed, ReadBlocks(0, 1), Errc::kOk, 0, kClosed},
      {"empty", kEmpty, ReadBlocks(0, 1), Errc::kReadPastWritePointer, 0x52106, kEmpty},
      {"full by finish", kFull, ReadBlocks(0, 3), Errc::kOk, 0, kFull},
      {"read-only, nothing in it", kReadOnly, ReadBlocks(0, 1), Errc::kReadPastWritePointer,
       0x52106, kReadOnly},
      {"offline", kOffline, ReadBlocks(0, 1), Errc::kZoneOffline, kOfflineSense, kOffline},
      {"crossing", kFull, ReadBlocks(2, 2), Errc::kZoneBoundary, 0x52107, kFull},
      {"crossing and past", kEmpty, ReadBlocks(2, 2), Errc::kZoneBoundary, 0x52107, kEmpty},
      {"no bytes", kFull, ReadBlocks(0, 0), Errc::kMisaligned, 0x52400, kFull},
      {"past the device", kFull, ReadBlocks(9, 1), Errc::kBadRange, 0x52100, kFull},
  });
}

TEST_CASE("zbc model: unrestricted reads give zeros past the pointer", "[model]") {
  NaiveOptions options = Zbc();
  options.read_past_write_pointer_fails = false;
  NaiveDrive drive = WithData(NaiveDrive(options), WriteBlocks(0, 1), 0xAB);
  std::vector<std::byte> bytes = Blocks(2, 0xFF);
  Command read = ReadBlocks(0, 2);
  read.target = bytes;
  CHECK(drive.Apply(read).ok());
  CHECK(bytes[0] == std::byte{0xAB});
  CHECK(bytes[kBlock] == std::byte{0});
  CHECK(drive.Apply(ReadBlocks(2, 2)).raw == 0x52107);
}

TEST_CASE("zbc model: a write ends on a physical block", "[model]") {
  NaiveOptions options = Zbc();
  options.zone_size = 4 * kBlock;
  options.write_granularity = 2 * kBlock;
  NaiveDrive drive(options);
  const Outcome outcome = drive.Apply(WriteBlocks(0, 1));
  CHECK(outcome.errc == Errc::kMisaligned);
  CHECK(outcome.raw == kUnaligned);
  CHECK(drive.Apply(WriteBlocks(0, 5)).raw == 0x52105);  // the zone's end comes first
  CHECK(drive.Apply(WriteBlocks(0, 2)).ok());
}

TEST_CASE("zbc model: a zone closed with nothing written is empty again", "[model]") {
  NaiveDrive drive(Zbc());
  drive.Apply(ManageAt(ZoneOp::kOpen, 0));
  CHECK(drive.Apply(ManageAt(ZoneOp::kClose, 0)).ok());
  CHECK(drive.zones()[0].condition == kEmpty);
  drive.Apply(ManageAt(ZoneOp::kOpen, 0));
  CHECK(drive.Apply(ManageEvery(ZoneOp::kClose)).ok());
  CHECK(drive.zones()[0].condition == kEmpty);
}

TEST_CASE("zbc model: open slots go round among implicit zones only", "[model]") {
  NaiveOptions options = Zbc();
  options.max_open = 1;
  NaiveDrive drive(options);
  drive.Apply(WriteBlocks(0, 1));
  CHECK(drive.Apply(WriteBlocks(3, 1)).ok());
  CHECK(drive.zones()[0].condition == kClosed);
  CHECK(drive.Apply(ManageAt(ZoneOp::kOpen, 0)).ok());
  CHECK(drive.zones()[1].condition == kClosed);
  const NaiveDrive before = drive;  // the one slot is explicit now
  CHECK(drive.Apply(WriteBlocks(4, 1)).raw == kNoResources);
  CHECK(drive.Apply(WriteBlocks(6, 3)).raw == kNoResources);
  CHECK(drive.Apply(ManageAt(ZoneOp::kOpen, 3)).raw == kNoResources);
  CHECK(drive.Apply(ManageAt(ZoneOp::kFinish, 3)).raw == kNoResources);
  CHECK(drive.Apply(ManageAt(ZoneOp::kFinish, 6)).raw == kNoResources);
  CHECK(drive.Apply(ManageEvery(ZoneOp::kOpen)).raw == kNoResources);
  CHECK(drive == before);
  CHECK(drive.Apply(ManageAt(ZoneOp::kFinish, 0)).ok());
}

TEST_CASE("zbc model: finish closes an implicit zone to make room, and it stays closed",
          "[model]") {
  NaiveOptions options = Zbc();
  options.max_open = 1;
  NaiveDrive drive(options);
  drive.Apply(WriteBlocks(0, 1));
  CHECK(drive.Apply(ManageAt(ZoneOp::kFinish, 3)).ok());
  CHECK(drive.zones()[0].condition == kClosed);
  CHECK(drive.zones()[1].condition == kFull);
  CHECK(drive.open_count() == 0);
}

TEST_CASE("zbc model: the ALL forms touch the listed conditions only", "[model]") {
  NaiveOptions options = Zbc();
  options.zones = 7;
  options.read_only_zones = {5};
  options.offline_zones = {6};
  NaiveDrive start(options);
  start.Apply(WriteBlocks(3, 1));  // 1: implicitly open
  start.Apply(WriteBlocks(6, 1));  // 2: explicitly open
  start.Apply(ManageAt(ZoneOp::kOpen, 6));
  start.Apply(WriteBlocks(9, 1));  // 3: closed
  start.Apply(ManageAt(ZoneOp::kClose, 9));
  start.Apply(WriteBlocks(12, 3));  // 4: full

  struct Row {
    ZoneOp op;
    std::vector<ZoneCondition> after;
  };
  const Row rows[] = {
      {ZoneOp::kOpen,
       {kEmpty, kImplicitOpen, kExplicitOpen, kExplicitOpen, kFull, kReadOnly, kOffline}},
      {ZoneOp::kClose, {kEmpty, kClosed, kClosed, kClosed, kFull, kReadOnly, kOffline}},
      {ZoneOp::kFinish, {kEmpty, kFull, kFull, kFull, kFull, kReadOnly, kOffline}},
      {ZoneOp::kReset, {kEmpty, kEmpty, kEmpty, kEmpty, kEmpty, kReadOnly, kOffline}},
  };
  for (const Row& row : rows) {
    CAPTURE(static_cast<int>(row.op));
    NaiveDrive drive = start;
    CHECK(drive.Apply(ManageEvery(row.op)).ok());
    for (std::size_t i = 0; i < row.after.size(); ++i) {
      CAPTURE(i);
      CHECK(drive.zones()[i].condition == row.after[i]);
    }
  }
  CHECK(start.Apply(ManageEvery(ZoneOp::kOffline)).raw == 0x52000);
}

}  // namespace
}  // namespace zonal::model
