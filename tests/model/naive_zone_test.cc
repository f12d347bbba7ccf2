// SPDX-License-Identifier: MIT
// What both dialects of the model share: conventional zones, ranges, data,
// reports, power cycles.
#include <limits>

#include "model/model_cases.h"
#include "support/catch.h"

namespace zonal::model {
namespace {

using enum ZoneCondition;

// Zones 0 and 1 conventional, 2 and 3 sequential, of three blocks each.
NaiveOptions Mixed(Dialect dialect) {
  NaiveOptions options;
  options.dialect = dialect;
  options.zones = 4;
  options.zone_size = 3 * kBlock;
  options.conventional = 2;
  options.max_append = dialect == Dialect::kZns ? kBlock : 0;
  return options;
}

std::vector<std::byte> ReadBack(NaiveDrive& drive, std::uint64_t first, std::uint64_t count) {
  std::vector<std::byte> bytes = Blocks(count, 0xFF);
  Command read = ReadBlocks(first, count);
  read.target = bytes;
  REQUIRE(drive.Apply(read).ok());
  return bytes;
}

TEST_CASE("model: conventional zones are written anywhere and across each other", "[model]") {
  for (const Dialect dialect : {Dialect::kZns, Dialect::kZbc}) {
    CAPTURE(static_cast<int>(dialect));
    const bool zns = dialect == Dialect::kZns;
    NaiveDrive drive(Mixed(dialect));
    drive = WithData(drive, WriteBlocks(2, 2), 0x11);
    CHECK(ReadBack(drive, 2, 2) == Blocks(2, 0x11));
    drive = WithData(drive, WriteBlocks(2, 1), 0x22);
    CHECK(ReadBack(drive, 2, 1) == Blocks(1, 0x22));
    CHECK(drive.zones()[0].condition == kNotWritePointer);

    CHECK(drive.Apply(WriteBlocks(5, 2)).raw == (zns ? 0x1B8u : 0x52105u));
    CHECK(drive.Apply(ReadBlocks(5, 2)).raw == (zns ? 0x1B8u : 0x52107u));
    Command odd = WriteBlocks(5, 1);
    odd.bytes = kBlock + 1;  // misaligned comes before the crossing
    CHECK(drive.Apply(odd).raw == (zns ? 0x002u : 0x52400u));
    CHECK(drive.Apply(odd).errc == Errc::kMisaligned);
  }
}

TEST_CASE("model: conventional zones know no append and no management", "[model]") {
  for (const Dialect dialect : {Dialect::kZns, Dialect::kZbc}) {
    CAPTURE(static_cast<int>(dialect));
    const bool zns = dialect == Dialect::kZns;
    NaiveDrive drive(Mixed(dialect));
    for (const ZoneOp op : {ZoneOp::kOpen, ZoneOp::kClose, ZoneOp::kFinish, ZoneOp::kReset}) {
      CHECK(drive.Apply(ManageAt(op, 3)).errc == Errc::kBadZoneType);
      CHECK(drive.Apply(ManageAt(op, 3)).raw == (zns ? 0x002u : 0x52400u));
    }
    CHECK(drive.Apply(AppendBlocks(0, 1)).errc == (zns ? Errc::kBadZoneType : Errc::kNotSupported));
    drive = WithData(drive, WriteBlocks(0, 1), 0x33);
    CHECK(drive.Apply(ManageEvery(ZoneOp::kReset)).ok());
    CHECK(ReadBack(drive, 0, 1) == Blocks(1, 0x33));
  }
}

TEST_CASE("model: management names a zone by its start", "[model]") {
  NaiveDrive drive(Mixed(Dialect::kZns));
  CHECK(drive.Apply(ManageAt(ZoneOp::kReset, 7)).errc == Errc::kBadRange);
  CHECK(drive.Apply(ManageAt(ZoneOp::kReset, 7)).raw == 0x002);
  CHECK(drive.Apply(ManageAt(ZoneOp::kReset, 12)).raw == 0x080);
}

TEST_CASE("model: a range of zones stops at the first error", "[model]") {
  NaiveDrive drive(Mixed(Dialect::kZns));
  CHECK(drive.ManageRange(ZoneOp::kOpen, 2, 2).zones == 2);
  const Outcome bad = drive.ManageRange(ZoneOp::kReset, 1, 3);
  CHECK(bad.zones == 0);
  CHECK(bad.errc == Errc::kBadZoneType);
  CHECK(bad.offset == 3 * kBlock);
  drive.Apply(ManageAt(ZoneOp::kFinish, 9));
  const Outcome half = drive.ManageRange(ZoneOp::kClose, 2, 2);
  CHECK(half.zones == 1);
  CHECK(half.raw == 0x1BF);
  CHECK(half.offset == 9 * kBlock);
  CHECK(drive.zones()[2].condition == kClosed);
}

TEST_CASE("model: nothing of a zone's data outlives a reset", "[model]") {
  for (const Dialect dialect : {Dialect::kZns, Dialect::kZbc}) {
    NaiveDrive drive(Mixed(dialect));
    drive = WithData(drive, WriteBlocks(6, 2), 0x44);
    drive.Apply(ManageAt(ZoneOp::kReset, 6));
    drive = WithData(drive, WriteBlocks(6, 1), 0x55);
    drive.Apply(ManageAt(ZoneOp::kFinish, 6));
    CHECK(ReadBack(drive, 6, 1) == Blocks(1, 0x55));
    CHECK(ReadBack(drive, 7, 2) == Blocks(2, 0x00));
  }
}

TEST_CASE("model: a report hides pointers that mean nothing", "[model]") {
  constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  NaiveOptions options = Mixed(Dialect::kZns);
  options.zones = 7;
  options.zone_capacity = 2 * kBlock;
  options.last_zone_size = kBlock;
  options.read_only_zones = {4};
  options.offline_zones = {5};
  NaiveDrive drive(options);
  drive.Apply(WriteBlocks(6, 1));
  drive.Apply(ManageAt(ZoneOp::kFinish, 9));
  const std::vector<Zone> report = drive.Report();
  REQUIRE(report.size() == 7);
  CHECK(report[0].write_pointer == kNone);
  CHECK(report[0].capacity == 3 * kBlock);
  CHECK(report[0].type == ZoneType::kConventional);
  CHECK(report[2].write_pointer == 7 * kBlock);
  CHECK(report[2].condition == kImplicitOpen);
  CHECK(report[2].capacity == 2 * kBlock);
  CHECK(report[3].write_pointer == 11 * kBlock);
  CHECK(report[3].condition == kFull);
  CHECK(report[4].write_pointer == kNone);
  CHECK(report[5].write_pointer == kNone);
  CHECK(report[6].size == kBlock);
  CHECK(report[6].capacity == kBlock);
  CHECK(report[6].write_pointer == 18 * kBlock);
}

TEST_CASE("model: a power cycle closes what is open", "[model]") {
  NaiveOptions options = Mixed(Dialect::kZns);
  options.zones = 7;
  options.conventional = 0;
  NaiveDrive drive(options);
  drive.Apply(WriteBlocks(0, 1));  // implicitly open
  drive.Apply(WriteBlocks(3, 1));  // explicitly open
  drive.Apply(ManageAt(ZoneOp::kOpen, 3));
  drive.Apply(ManageAt(ZoneOp::kOpen, 6));  // explicitly open, nothing written
  drive.Apply(ManageAt(ZoneOp::kOpen, 9));  // closed, nothing written
  drive.Apply(ManageAt(ZoneOp::kClose, 9));
  drive.Apply(WriteBlocks(12, 3));  // full
  drive.PowerCycle();
  const ZoneCondition expected[] = {kClosed, kClosed, kEmpty, kClosed, kFull, kEmpty, kEmpty};
  for (std::size_t i = 0; i < 7; ++i) {
    CAPTURE(i);
    CHECK(drive.zones()[i].condition == expected[i]);
  }
  CHECK(drive.active_count() == 3);
  CHECK(drive.implicit_order().empty());
  CHECK(drive.zones()[0].pointer == kBlock);
}

TEST_CASE("model: copies are independent and compare", "[model]") {
  const NaiveDrive first(Mixed(Dialect::kZns));
  NaiveDrive second = first;
  CHECK(first == second);
  second = WithData(second, WriteBlocks(0, 1), 1);
  CHECK_FALSE(first == second);
}

}  // namespace
}  // namespace zonal::model
