// SPDX-License-Identifier: MIT
// The model against the NVMe ZNS table, cell by cell, by hand.
#include "model/model_cases.h"
#include "support/catch.h"

namespace zonal::model {
namespace {

using enum ZoneCondition;

// Three zones of three blocks, two of them writable.
NaiveOptions Zns() {
  NaiveOptions options;
  options.zones = 3;
  options.zone_size = 3 * kBlock;
  options.zone_capacity = 2 * kBlock;
  options.max_append = 2 * kBlock;
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
    NaiveDrive drive = InCondition(Zns(), cell.before);
    REQUIRE(drive.zones()[0].condition == cell.before);
    const NaiveDrive untouched = drive;
    const Outcome outcome = drive.Apply(cell.command);
    CHECK(outcome.errc == cell.errc);
    CHECK(outcome.raw == cell.raw);
    CHECK(outcome.origin == (cell.errc == Errc::kOk ? Origin::kNone : Origin::kNvme));
    CHECK(drive.zones()[0].condition == cell.after);
    if (cell.errc != Errc::kOk) CHECK(drive == untouched);
  }
}

TEST_CASE("zns model: open, close, finish, reset and offline in every condition", "[model]") {
  const Command open = ManageAt(ZoneOp::kOpen, 0);
  const Command close = ManageAt(ZoneOp::kClose, 0);
  const Command finish = ManageAt(ZoneOp::kFinish, 0);
  const Command reset = ManageAt(ZoneOp::kReset, 0);
  const Command offline = ManageAt(ZoneOp::kOffline, 0);
  const Errc bad = Errc::kInvalidTransition;
  CheckCells({
      {"open empty", kEmpty, open, Errc::kOk, 0, kExplicitOpen},
      {"open implicit", kImplicitOpen, open, Errc::kOk, 0, kExplicitOpen},
      {"open explicit", kExplicitOpen, open, Errc::kOk, 0, kExplicitOpen},
      {"open closed", kClosed, open, Errc::kOk, 0, kExplicitOpen},
      {"open full", kFull, open, bad, 0x1BF, kFull},
      {"open read-only", kReadOnly, open, bad, 0x1BF, kReadOnly},
      {"open offline", kOffline, open, bad, 0x1BF, kOffline},

      {"close empty", kEmpty, close, bad, 0x1BF, kEmpty},
      {"close implicit", kImplicitOpen, close, Errc::kOk, 0, kClosed},
      {"close explicit", kExplicitOpen, close, Errc::kOk, 0, kClosed},
      {"close closed", kClosed, close, Errc::kOk, 0, kClosed},
      {"close full", kFull, close, bad, 0x1BF, kFull},
      {"close read-only", kReadOnly, close, bad, 0x1BF, kReadOnly},
      {"close offline", kOffline, close, bad, 0x1BF, kOffline},

      {"finish empty", kEmpty, finish, Errc::kOk, 0, kFull},
      {"finish implicit", kImplicitOpen, finish, Errc::kOk, 0, kFull},
      {"finish explicit", kExplicitOpen, finish, Errc::kOk, 0, kFull},
      {"finish closed", kClosed, finish, Errc::kOk, 0, kFull},
      {"finish full", kFull, finish, Errc::kOk, 0, kFull},
      {"finish read-only", kReadOnly, finish, bad, 0x1BF, kReadOnly},
      {"finish offline", kOffline, finish, bad, 0x1BF, kOffline},

      {"reset empty", kEmpty, reset, Errc::kOk, 0, kEmpty},
      {"reset implicit", kImplicitOpen, reset, Errc::kOk, 0, kEmpty},
      {"reset explicit", kExplicitOpen, reset, Errc::kOk, 0, kEmpty},
      {"reset closed", kClosed, reset, Errc::kOk, 0, kEmpty},
      {"reset full", kFull, reset, Errc::kOk, 0, kEmpty},
      {"reset read-only", kReadOnly, reset, bad, 0x1BF, kReadOnly},
      {"reset offline", kOffline, reset, bad, 0x1BF, kOffline},

      {"offline empty", kEmpty, offline, bad, 0x1BF, kEmpty},
      {"offline implicit", kImplicitOpen, offline, bad, 0x1BF, kImplicitOpen},
      {"offline explicit", kExplicitOpen, offline, bad, 0x1BF, kExplicitOpen},
      {"offline closed", kClosed, offline, bad, 0x1BF, kClosed},
      {"offline full", kFull, offline, bad, 0x1BF, kFull},
      {"offline read-only", kReadOnly, offline, Errc::kOk, 0, kOffline},
      {"offline offline", kOffline, offline, Errc::kOk, 0, kOffline},
  });
}

TEST_CASE("zns model: write and append in every condition", "[model]") {
  CheckCells({
      {"write empty", kEmpty, WriteBlocks(0, 1), Errc::kOk, 0, kImplicitOpen},
      {"fill empty", kEmpty, WriteBlocks(0, 2), Errc::kOk, 0, kFull},
      {"fill implicit", kImplicitOpen, WriteBlocks(1, 1), Errc::kOk, 0, kFull},
      {"fill explicit", kExplicitOpen, WriteBlocks(1, 1), Errc::kOk, 0, kFull},
      {"fill closed", kClosed, WriteBlocks(1, 1), Errc::kOk, 0, kFull},
      {"write full", kFull, WriteBlocks(1, 1), Errc::kZoneFull, 0x1B9, kFull},
      {"write read-only", kReadOnly, WriteBlocks(0, 1), Errc::kZoneReadOnly, 0x1BA, kReadOnly},
      {"write offline", kOffline, WriteBlocks(0, 1), Errc::kZoneOffline, 0x1BB, kOffline},
      {"append empty", kEmpty, AppendBlocks(0, 1), Errc::kOk, 0, kImplicitOpen},
      {"append fills", kEmpty, AppendBlocks(0, 2), Errc::kOk, 0, kFull},
      {"append implicit", kImplicitOpen, AppendBlocks(0, 1), Errc::kOk, 0, kFull},
      {"append explicit", kExplicitOpen, AppendBlocks(0, 1), Errc::kOk, 0, kFull},
      {"append closed", kClosed, AppendBlocks(0, 1), Errc::kOk, 0, kFull},
      {"append full", kFull, AppendBlocks(0, 1), Errc::kZoneFull, 0x1B9, kFull},
      {"append read-only", kReadOnly, AppendBlocks(0, 1), Errc::kZoneReadOnly, 0x1BA, kReadOnly},
      {"append offline", kOffline, AppendBlocks(0, 1), Errc::kZoneOffline, 0x1BB, kOffline},
  });
}

TEST_CASE("zns model: read in every condition", "[model]") {
  const Command read = ReadBlocks(0, 3);  // past the pointer, past the capacity
  CheckCells({
      {"empty", kEmpty, read, Errc::kOk, 0, kEmpty},
      {"implicit", kImplicitOpen, read, Errc::kOk, 0, kImplicitOpen},
      {"explicit", kExplicitOpen, read, Errc::kOk, 0, kExplicitOpen},
      {"closed", kClosed, read, Errc::kOk, 0, kClosed},
      {"full", kFull, read, Errc::kOk, 0, kFull},
      {"read-only", kReadOnly, read, Errc::kOk, 0, kReadOnly},
      {"offline", kOffline, read, Errc::kZoneOffline, 0x1BB, kOffline},
      {"crossing", kFull, ReadBlocks(2, 2), Errc::kZoneBoundary, 0x1B8, kFull},
      {"no bytes", kFull, ReadBlocks(0, 0), Errc::kMisaligned, 0x002, kFull},
      {"past the device", kFull, ReadBlocks(8, 2), Errc::kBadRange, 0x080, kFull},
      {"at the device's end", kFull, ReadBlocks(9, 1), Errc::kBadRange, 0x080, kFull},
  });
}

TEST_CASE("zns model: refused writes and appends, each check before the next", "[model]") {
  Command odd_size = WriteBlocks(1, 1);
  odd_size.bytes = 100;
  Command odd_place = WriteBlocks(1, 1);
  odd_place.offset += 7;
  Command odd_append = AppendBlocks(0, 1);
  odd_append.offset = 7;
  CheckCells({
      {"odd size", kImplicitOpen, odd_size, Errc::kMisaligned, 0x002, kImplicitOpen},
      {"odd size, full", kFull, odd_size, Errc::kZoneFull, 0x1B9, kFull},
      {"odd place", kImplicitOpen, odd_place, Errc::kMisaligned, 0x002, kImplicitOpen},
      {"no bytes", kEmpty, WriteBlocks(0, 0), Errc::kMisaligned, 0x002, kEmpty},
      {"behind the pointer", kImplicitOpen, WriteBlocks(0, 1), Errc::kNotAtWritePointer, 0x1BC,
       kImplicitOpen},
      {"ahead of it", kEmpty, WriteBlocks(1, 1), Errc::kNotAtWritePointer, 0x1BC, kEmpty},
      {"ahead and too long", kEmpty, WriteBlocks(1, 2), Errc::kNotAtWritePointer, 0x1BC, kEmpty},
      {"past the capacity", kEmpty, WriteBlocks(0, 3), Errc::kZoneBoundary, 0x1B8, kEmpty},
      {"past the zone", kImplicitOpen, WriteBlocks(1, 3), Errc::kZoneBoundary, 0x1B8,
       kImplicitOpen},
      {"past the device", kFull, WriteBlocks(0, 10), Errc::kBadRange, 0x080, kFull},
      {"append off the start", kEmpty, AppendBlocks(1, 1), Errc::kBadRange, 0x002, kEmpty},
      {"append misaligned", kEmpty, odd_append, Errc::kMisaligned, 0x002, kEmpty},
      {"append too large", kEmpty, AppendBlocks(0, 3), Errc::kTooLarge, 0x002, kEmpty},
      {"append past the capacity", kImplicitOpen, AppendBlocks(0, 2), Errc::kZoneBoundary, 0x1B8,
       kImplicitOpen},
      {"append past the device", kEmpty, AppendBlocks(9, 1), Errc::kBadRange, 0x080, kEmpty},
  });
}

TEST_CASE("zns model: an append says where it landed", "[model]") {
  NaiveDrive drive(Zns());
  CHECK(drive.Apply(AppendBlocks(3, 1)).offset == 3 * kBlock);
  CHECK(drive.Apply(AppendBlocks(3, 1)).offset == 4 * kBlock);
}

TEST_CASE("zns model: a drive without append does not know the command", "[model]") {
  NaiveOptions options = Zns();
  options.max_append = 0;
  NaiveDrive drive(options);
  const Outcome outcome = drive.Apply(AppendBlocks(0, 1));
  CHECK(outcome.errc == Errc::kNotSupported);
  CHECK(outcome.raw == 0x001);
}

TEST_CASE("zns model: writes to sequential zones keep to the write granularity", "[model]") {
  NaiveOptions options = Zns();
  options.zone_size = options.zone_capacity = 4 * kBlock;
  options.write_granularity = 2 * kBlock;
  NaiveDrive drive(options);
  CHECK(drive.Apply(WriteBlocks(0, 1)).errc == Errc::kMisaligned);
  CHECK(drive.Apply(AppendBlocks(0, 1)).errc == Errc::kMisaligned);
  CHECK(drive.Apply(WriteBlocks(0, 2)).ok());
  CHECK(drive.Apply(WriteBlocks(3, 2)).errc == Errc::kMisaligned);
  CHECK(drive.Apply(ReadBlocks(1, 1)).ok());
}

TEST_CASE("zns model: the active limit is never relieved by the drive", "[model]") {
  NaiveOptions options = Zns();
  options.max_open = 1;
  options.max_active = 1;
  NaiveDrive drive(options);
  REQUIRE(drive.Apply(WriteBlocks(0, 1)).ok());
  const NaiveDrive before = drive;
  CHECK(drive.Apply(WriteBlocks(3, 1)).raw == 0x1BD);
  CHECK(drive.Apply(AppendBlocks(3, 1)).raw == 0x1BD);
  CHECK(drive.Apply(WriteBlocks(3, 2)).raw == 0x1BD);  // even if it fills the zone at once
  CHECK(drive.Apply(ManageAt(ZoneOp::kOpen, 3)).raw == 0x1BD);
  CHECK(drive == before);
  CHECK(drive.Apply(ManageAt(ZoneOp::kFinish, 3)).ok());  // takes no slot
  CHECK(drive.Apply(WriteBlocks(1, 1)).ok());             // zone 0 full: its slots are back
  CHECK(drive.Apply(WriteBlocks(6, 1)).ok());
}

TEST_CASE("zns model: the oldest implicitly open zone makes room", "[model]") {
  NaiveOptions options = Zns();
  options.zone_size = options.zone_capacity = 3 * kBlock;
  options.max_open = 2;
  NaiveDrive drive(options);
  drive.Apply(WriteBlocks(3, 1));
  drive.Apply(WriteBlocks(0, 1));
  drive.Apply(WriteBlocks(4, 1));  // does not make zone 1 younger
  REQUIRE(drive.implicit_order() == std::vector<std::size_t>{1, 0});
  CHECK(drive.Apply(WriteBlocks(6, 1)).ok());
  CHECK(drive.zones()[1].condition == kClosed);
  CHECK(drive.implicit_order() == std::vector<std::size_t>{0, 2});
  CHECK(drive.Apply(ManageAt(ZoneOp::kOpen, 3)).ok());
  CHECK(drive.zones()[0].condition == kClosed);
  CHECK(drive.Apply(ManageAt(ZoneOp::kOpen, 6)).ok());
  const NaiveDrive before = drive;  // explicitly open zones do not make room
  CHECK(drive.Apply(WriteBlocks(1, 1)).raw == 0x1BE);
  CHECK(drive.Apply(ManageAt(ZoneOp::kOpen, 0)).raw == 0x1BE);
  CHECK(drive == before);
}

TEST_CASE("zns model: without auto_close the open limit is an error", "[model]") {
  NaiveOptions options = Zns();
  options.max_open = 1;
  options.auto_close = false;
  NaiveDrive drive(options);
  drive.Apply(WriteBlocks(0, 1));
  CHECK(drive.Apply(WriteBlocks(3, 1)).raw == 0x1BE);
  CHECK(drive.Apply(ManageAt(ZoneOp::kClose, 0)).ok());
  CHECK(drive.Apply(WriteBlocks(3, 1)).ok());
  CHECK(drive.Apply(WriteBlocks(1, 1)).raw == 0x1BE);  // closed needs an open slot too
}

TEST_CASE("zns model: active is checked before open", "[model]") {
  NaiveOptions options = Zns();
  options.max_open = 1;
  options.max_active = 1;
  options.auto_close = false;
  NaiveDrive drive(options);
  drive.Apply(WriteBlocks(0, 1));
  CHECK(drive.Apply(WriteBlocks(3, 1)).raw == 0x1BD);
}

TEST_CASE("zns model: select-all touches the listed conditions only", "[model]") {
  NaiveOptions options = Zns();
  options.zones = 7;
  options.read_only_zones = {5};
  options.offline_zones = {6};
  NaiveDrive start(options);
  start.Apply(WriteBlocks(3, 1));           // 1: implicitly open
  start.Apply(ManageAt(ZoneOp::kOpen, 6));  // 2: explicitly open, nothing written
  start.Apply(WriteBlocks(9, 1));           // 3: closed
  start.Apply(ManageAt(ZoneOp::kClose, 9));
  start.Apply(WriteBlocks(12, 2));  // 4: full

  struct Row {
    ZoneOp op;
    std::uint32_t zones;
    std::vector<ZoneCondition> after;
  };
  const Row rows[] = {
      {ZoneOp::kOpen,
       1,
       {kEmpty, kImplicitOpen, kExplicitOpen, kExplicitOpen, kFull, kReadOnly, kOffline}},
      {ZoneOp::kClose, 2, {kEmpty, kClosed, kClosed, kClosed, kFull, kReadOnly, kOffline}},
      {ZoneOp::kFinish, 3, {kEmpty, kFull, kFull, kFull, kFull, kReadOnly, kOffline}},
      {ZoneOp::kReset, 4, {kEmpty, kEmpty, kEmpty, kEmpty, kEmpty, kReadOnly, kOffline}},
      {ZoneOp::kOffline,
       1,
       {kEmpty, kImplicitOpen, kExplicitOpen, kClosed, kFull, kOffline, kOffline}},
  };
  for (const Row& row : rows) {
    CAPTURE(static_cast<int>(row.op));
    NaiveDrive drive = start;
    const Outcome outcome = drive.Apply(ManageEvery(row.op));
    CHECK(outcome.ok());
    CHECK(outcome.zones == row.zones);
    for (std::size_t i = 0; i < row.after.size(); ++i) {
      CAPTURE(i);
      CHECK(drive.zones()[i].condition == row.after[i]);
    }
  }
}

TEST_CASE("zns model: open-all does everything or nothing", "[model]") {
  NaiveOptions options = Zns();
  options.max_open = 2;
  NaiveDrive drive(options);
  drive.Apply(WriteBlocks(0, 1));
  drive.Apply(ManageAt(ZoneOp::kClose, 0));
  drive.Apply(WriteBlocks(3, 1));
  drive.Apply(ManageAt(ZoneOp::kClose, 3));
  drive.Apply(WriteBlocks(6, 1));  // implicitly open: will be closed to make room
  CHECK(drive.Apply(ManageEvery(ZoneOp::kOpen)).ok());
  CHECK(drive.zones()[0].condition == kExplicitOpen);
  CHECK(drive.zones()[1].condition == kExplicitOpen);
  CHECK(drive.zones()[2].condition == kClosed);
  const NaiveDrive before = drive;  // now 2 explicit + 1 closed > 2
  CHECK(drive.Apply(ManageEvery(ZoneOp::kOpen)).raw == 0x1BE);
  CHECK(drive == before);

  NaiveOptions no_auto_close = options;
  no_auto_close.auto_close = false;
  NaiveDrive strict(no_auto_close);
  strict.Apply(WriteBlocks(0, 1));
  strict.Apply(ManageAt(ZoneOp::kClose, 0));
  strict.Apply(WriteBlocks(3, 1));
  CHECK(strict.Apply(ManageEvery(ZoneOp::kOpen)).ok());  // 1 open + 1 closed
  strict.Apply(ManageAt(ZoneOp::kClose, 0));
  strict.Apply(WriteBlocks(6, 1));
  CHECK(strict.Apply(ManageEvery(ZoneOp::kOpen)).raw == 0x1BE);  // 2 open + 1 closed
}

}  // namespace
}  // namespace zonal::model
