// SPDX-License-Identifier: MIT
// What the drive does beyond the transition tables: data, reports, slots and
// eviction, counters, ranges over several zones, all-zones commands.
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "support/aligned_buffer.h"
#include "support/catch.h"
#include "support/emulated.h"

namespace zonal::test {
namespace {

using Condition = ZoneCondition;
constexpr std::uint64_t kMiB = 1 << 20;
constexpr nanoseconds kOwnTimeout{0};

void Fill(AlignedBuffer& buffer, int value) { std::memset(buffer.data(), value, buffer.size()); }

bool AllAre(const AlignedBuffer& buffer, std::size_t begin, std::size_t end, int value) {
  for (std::size_t i = begin; i < end; ++i) {
    if (buffer.data()[i] != static_cast<std::byte>(value)) return false;
  }
  return true;
}

IoResult Write(IoQueue& queue, std::uint64_t offset, AlignedBuffer& buffer, std::uint64_t bytes) {
  return RunOne(queue, Request(IoOp::kWrite, offset, bytes, buffer.data())).result;
}

std::string Conditions(Device& device) {
  std::string all;
  for (std::uint32_t zone = 0; zone < device.info().geometry.zone_count; ++zone) {
    all += std::string(ShortName(ZoneAt(device, zone).condition)) + " ";
  }
  return all;
}

TEST_CASE("written bytes read back, and zeros past the pointer", "[emulated]") {
  const auto device = NewDevice("emu,zones=3,zone_size=1MiB,zone_capacity=768KiB");
  const auto queue = NewQueueOf(device, 8);
  AlignedBuffer buffer(16384);
  Fill(buffer, 0x5A);
  REQUIRE(Write(*queue, kMiB, buffer, 8192).ok());
  Fill(buffer, 0xEE);
  const IoResult read = RunOne(*queue, Request(IoOp::kRead, kMiB, 16384, buffer.data())).result;
  CHECK(read == IoResult{kMiB, 16384, 0, Errc::kOk, Origin::kNone});
  CHECK(AllAre(buffer, 0, 8192, 0x5A));
  CHECK(AllAre(buffer, 8192, 16384, 0));
  // The same through a list of pieces of which the pointer cuts one.
  Fill(buffer, 0xEE);
  iovec parts[] = {{buffer.data() + 8192, 4096}, {buffer.data(), 8192}};
  IoRequest request = Request(IoOp::kRead, kMiB, 12288);
  request.iovecs = parts;
  request.iovec_count = 2;
  REQUIRE(RunOne(*queue, request).result.ok());
  CHECK(AllAre(buffer, 8192, 12288, 0x5A));
  CHECK(AllAre(buffer, 0, 4096, 0x5A));
  CHECK(AllAre(buffer, 4096, 8192, 0));
}

TEST_CASE("what was written before a reset reads as zeros after it", "[emulated]") {
  const auto device = NewDevice("emu,zones=2,zone_size=1MiB");
  const auto queue = NewQueueOf(device, 8);
  AlignedBuffer buffer(8192);
  Fill(buffer, 0x5A);
  REQUIRE(Write(*queue, 0, buffer, 8192).ok());
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kReset, 0)).result.ok());
  Fill(buffer, 0x77);
  REQUIRE(Write(*queue, 0, buffer, 4096).ok());
  REQUIRE(RunOne(*queue, Request(IoOp::kRead, 0, 8192, buffer.data())).result.ok());
  CHECK(AllAre(buffer, 0, 4096, 0x77));
  CHECK(AllAre(buffer, 4096, 8192, 0));
}

TEST_CASE("flush frees the bytes of empty zones and of no others", "[emulated]") {
  const auto device = NewDevice("emu,zones=3,zone_size=1MiB");
  const auto queue = NewQueueOf(device, 8);
  AlignedBuffer buffer(8192);
  Fill(buffer, 0x5A);
  for (const std::uint64_t zone : {0u, 1u, 2u})
    REQUIRE(Write(*queue, zone * kMiB, buffer, 8192).ok());
  REQUIRE(device->Manage(ZoneOp::kReset, {ZoneId(0), 2}, kOwnTimeout)->completed == 2);
  Fill(buffer, 0x77);
  REQUIRE(Write(*queue, kMiB, buffer, 8192).ok());
  REQUIRE(device->Flush().ok());
  REQUIRE(RunOne(*queue, Request(IoOp::kRead, kMiB, 8192, buffer.data())).result.ok());
  CHECK(AllAre(buffer, 0, 8192, 0x77));
  REQUIRE(RunOne(*queue, Request(IoOp::kRead, 2 * kMiB, 8192, buffer.data())).result.ok());
  CHECK(AllAre(buffer, 0, 8192, 0x5A));
}

TEST_CASE("a discarding drive keeps the rules and no data", "[emulated]") {
  const auto device = NewDevice("emu,zones=2,zone_size=1MiB,data=discard");
  const auto queue = NewQueueOf(device, 8);
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 0, 8192)).result.ok());
  AlignedBuffer buffer(8192);
  Fill(buffer, 0xEE);
  CHECK(RunOne(*queue, Request(IoOp::kRead, 0, 8192, buffer.data())).result.ok());
  CHECK(AllAre(buffer, 0, 8192, 0));
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 0, 8192)).result.errc == Errc::kNotAtWritePointer);
}

TEST_CASE("a report shows every kind of zone", "[emulated]") {
  const auto device = NewDevice(
      "emu,zones=8,zone_size=1MiB,zone_capacity=768KiB,conventional=2,last_zone_size=512KiB,"
      "read_only=2,offline=3");
  const auto queue = NewQueueOf(device, 8);
  AlignedBuffer buffer(kMiB);
  REQUIRE(Write(*queue, 4 * kMiB, buffer, 4096).ok());
  REQUIRE(Write(*queue, 5 * kMiB, buffer, 768 << 10).ok());
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kOpen, 6 * kMiB)).result.ok());
  constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  const ZoneType swr = ZoneType::kSequentialRequired, cnv = ZoneType::kConventional;
  const std::uint64_t cap = 768 << 10;
  const Zone want[] = {
      {0, kMiB, kMiB, kNone, cnv, Condition::kNotWritePointer, {}},
      {kMiB, kMiB, kMiB, kNone, cnv, Condition::kNotWritePointer, {}},
      {2 * kMiB, kMiB, cap, kNone, swr, Condition::kReadOnly, {}},
      {3 * kMiB, kMiB, cap, kNone, swr, Condition::kOffline, {}},
      {4 * kMiB, kMiB, cap, 4 * kMiB + 4096, swr, Condition::kImplicitOpen, {}},
      {5 * kMiB, kMiB, cap, 5 * kMiB + cap, swr, Condition::kFull, {}},
      {6 * kMiB, kMiB, cap, 6 * kMiB, swr, Condition::kExplicitOpen, {}},
      {7 * kMiB, kMiB / 2, kMiB / 2, 7 * kMiB, swr, Condition::kEmpty, {}},
  };
  std::vector<Zone> zones(16);
  REQUIRE(*device->Report(ZoneId(0), zones) == 8);
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(zones[i] == want[i]);
  }
  REQUIRE(*device->Report(ZoneId(5), std::span(zones).first(2)) == 2);
  CHECK(zones[0] == want[5]);
  CHECK(absl::IsOutOfRange(device->Report(ZoneId(8), zones).status()));
  // One zone through the queue.
  Zone one;
  IoRequest report = Request(IoOp::kReport, 4 * kMiB);
  report.zone = &one;
  REQUIRE(RunOne(*queue, report).result.ok());
  CHECK(one == want[4]);
  CHECK(device->info().geometry.size_bytes == 7 * kMiB + kMiB / 2);
}

TEST_CASE("appends say where they landed", "[emulated]") {
  const auto device = NewDevice("emu,zones=2,zone_size=1MiB");
  const auto queue = NewQueueOf(device, 8);
  AlignedBuffer buffer(8192);
  for (const std::uint64_t at : {0u, 8192u, 16384u}) {
    const IoResult result =
        RunOne(*queue, Request(IoOp::kAppend, kMiB, 8192, buffer.data())).result;
    CHECK(result == IoResult{kMiB + at, 8192, 0, Errc::kOk, Origin::kNone});
  }
  CHECK(device->Counters()->appends == 3);
}

struct RangeRow {
  const char* name;
  const char* dialect;
  IoOp op;
  std::uint64_t offset, bytes;
  Errc errc;
  std::uint32_t raw;
};

TEST_CASE("ranges over several zones and past the end", "[emulated]") {
  // Zones 0 and 1 conventional, 2 and 3 sequential, of 64 KiB each.
  constexpr std::uint64_t kZone = 64 << 10;
  const RangeRow rows[] = {
      {"from one conventional zone into the next", "zns", IoOp::kWrite, kZone - 4096, 8192,
       Errc::kOk, 0},
      {"the same in zbc", "zbc", IoOp::kWrite, kZone - 4096, 8192, Errc::kOk, 0},
      {"read over both conventional zones", "zns", IoOp::kRead, 0, 2 * kZone, Errc::kOk, 0},
      {"read from conventional into sequential", "zns", IoOp::kRead, 2 * kZone - 4096, 8192,
       Errc::kZoneBoundary, 0x1B8},
      {"write from conventional into sequential", "zns", IoOp::kWrite, 2 * kZone - 4096, 8192,
       Errc::kZoneBoundary, 0x1B8},
      {"zbc read from conventional into sequential", "zbc", IoOp::kRead, 2 * kZone - 4096, 8192,
       Errc::kZoneBoundary, 0x052107},
      {"zbc write from conventional into sequential", "zbc", IoOp::kWrite, 2 * kZone - 4096, 8192,
       Errc::kZoneBoundary, 0x052105},
      {"all three kinds of zone", "zns", IoOp::kRead, 0, 3 * kZone, Errc::kZoneBoundary, 0x1B8},
      {"read over sequential zones", "zns", IoOp::kRead, 3 * kZone - 4096, 8192,
       Errc::kZoneBoundary, 0x1B8},
      {"read past the device", "zns", IoOp::kRead, 4 * kZone - 4096, 8192, Errc::kBadRange, 0x080},
      {"read beyond the device", "zns", IoOp::kRead, 4 * kZone, 4096, Errc::kBadRange, 0x080},
      {"zbc read past the device", "zbc", IoOp::kRead, 4 * kZone - 4096, 8192, Errc::kBadRange,
       0x052100},
      {"write past the device", "zns", IoOp::kWrite, 4 * kZone - 4096, 8192, Errc::kBadRange,
       0x080},
      {"a length that wraps", "zns", IoOp::kRead, 4096, ~std::uint64_t{0} - 4095, Errc::kBadRange,
       0x080},
      {"append beyond the device", "zns", IoOp::kAppend, 4 * kZone, 4096, Errc::kBadRange, 0x080},
      {"append off a zone's start", "zns", IoOp::kAppend, 2 * kZone + 4096, 4096, Errc::kBadRange,
       0x002},
      {"append to a conventional zone", "zns", IoOp::kAppend, 0, 4096, Errc::kBadZoneType, 0x002},
      {"manage off a zone's start", "zns", IoOp::kManage, 2 * kZone + 4096, 0, Errc::kBadRange,
       0x002},
      {"zbc manage off a zone's start", "zbc", IoOp::kManage, 2 * kZone + 512, 0, Errc::kBadRange,
       0x052400},
      {"manage beyond the device", "zns", IoOp::kManage, 4 * kZone, 0, Errc::kBadRange, 0x080},
      {"manage a conventional zone", "zns", IoOp::kManage, 0, 0, Errc::kBadZoneType, 0x002},
  };
  for (const RangeRow& row : rows) {
    CAPTURE(row.name);
    const auto device =
        NewDevice("emu,zones=4,zone_size=64KiB,conventional=2,data=discard,dialect=" +
                  std::string(row.dialect));
    const auto queue = NewQueueOf(device, 2);
    const IoResult result = RunOne(*queue, Request(row.op, row.offset, row.bytes)).result;
    CHECK(result.errc == row.errc);
    CHECK(result.raw == row.raw);
    CHECK(result.offset == row.offset);
    CHECK(result.bytes == (row.errc == Errc::kOk ? row.bytes : 0));
    CHECK(device->Counters()->rule_violations == (row.errc == Errc::kOk ? 0 : 1));
  }
}

TEST_CASE("bytes over two conventional zones read back", "[emulated]") {
  const auto device = NewDevice("emu,zones=3,zone_size=64KiB,conventional=2");
  const auto queue = NewQueueOf(device, 2);
  AlignedBuffer buffer(8192);
  Fill(buffer, 0x33);
  REQUIRE(Write(*queue, 61440, buffer, 8192).ok());
  Fill(buffer, 0);
  REQUIRE(RunOne(*queue, Request(IoOp::kRead, 61440, 8192, buffer.data())).result.ok());
  CHECK(AllAre(buffer, 0, 8192, 0x33));
  CHECK(Conditions(*device) == "nw nw em ");
}

TEST_CASE("the open limit closes the zone that was opened first", "[emulated]") {
  const auto device = NewDevice("emu,zones=6,zone_size=1MiB,max_open=2,max_active=5");
  const auto queue = NewQueueOf(device, 8);
  AlignedBuffer buffer(4096);
  REQUIRE(Write(*queue, 0, buffer, 4096).ok());
  REQUIRE(Write(*queue, kMiB, buffer, 4096).ok());
  REQUIRE(Write(*queue, 4096, buffer, 4096).ok());  // writing does not make a zone younger
  REQUIRE(Write(*queue, 2 * kMiB, buffer, 4096).ok());
  CHECK(Conditions(*device) == "cl oi oi em em em ");
  // Explicitly open zones never give way.
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kOpen, 2 * kMiB)).result.ok());
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kOpen, 3 * kMiB)).result.ok());
  CHECK(Conditions(*device) == "cl cl oe oe em em ");
  const IoResult refused = Write(*queue, 4 * kMiB, buffer, 4096);
  CHECK(refused.errc == Errc::kTooManyOpen);
  CHECK(refused.raw == 0x1BE);
  const DriveCounters counters = *device->Counters();
  CHECK(counters.implicit_closes == 2);
  CHECK(counters.rule_violations == 1);
  CHECK(counters.open_now == 2);
  CHECK(counters.active_now == 4);
  CHECK(counters.open_high_water == 2);
  CHECK(counters.active_high_water == 4);
}

TEST_CASE("a closed zone written again is the youngest", "[emulated]") {
  const auto device = NewDevice("emu,zones=4,zone_size=1MiB,max_open=2,max_active=4");
  const auto queue = NewQueueOf(device, 8);
  AlignedBuffer buffer(4096);
  REQUIRE(Write(*queue, 0, buffer, 4096).ok());
  REQUIRE(Write(*queue, kMiB, buffer, 4096).ok());
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kClose, 0)).result.ok());
  REQUIRE(Write(*queue, 4096, buffer, 4096).ok());
  REQUIRE(Write(*queue, 2 * kMiB, buffer, 4096).ok());
  CHECK(Conditions(*device) == "oi cl oi em ");
}

TEST_CASE("high-water marks count the slots a zone holds in passing", "[emulated]") {
  struct Row {
    const char* dialect;
    IoOp op;
    std::uint32_t mark;
  };
  // ZNS finishes an empty zone without a slot, ZBC needs one.
  const Row rows[] = {{"zns", IoOp::kWrite, 1},
                      {"zbc", IoOp::kWrite, 1},
                      {"zns", IoOp::kManage, 0},
                      {"zbc", IoOp::kManage, 1}};
  for (const Row& row : rows) {
    CAPTURE(row.dialect, ToString(row.op));
    const auto device =
        NewDevice("emu,zones=3,zone_size=64KiB,data=discard,dialect=" + std::string(row.dialect));
    const auto queue = NewQueueOf(device, 8);
    IoRequest request = Request(row.op, 0, 65536);
    request.zone_op = ZoneOp::kFinish;
    REQUIRE(RunOne(*queue, request).result.ok());
    const DriveCounters counters = *device->Counters();
    CHECK(counters.open_now == 0);
    CHECK(counters.open_high_water == row.mark);
    CHECK(counters.active_high_water == row.mark);
  }
}

TEST_CASE("a range is managed in ascending order up to the first error", "[emulated]") {
  const auto device = NewDevice("emu,zones=6,zone_size=1MiB,offline=3");
  const auto result = device->Manage(ZoneOp::kFinish, {ZoneId(1), 4}, kOwnTimeout);
  REQUIRE(result.ok());
  CHECK(result->completed == 2);
  CHECK(result->first_error ==
        IoResult{3 * kMiB, 0, 0x1BF, Errc::kInvalidTransition, Origin::kNvme});
  CHECK(Conditions(*device) == "em fu fu ol em em ");
  CHECK(device->Counters()->finishes == 2);
  for (const ZoneRange range : {ZoneRange{ZoneId(6), 1}, ZoneRange{ZoneId(5), 2}}) {
    CHECK(absl::IsOutOfRange(device->Manage(ZoneOp::kReset, range, kOwnTimeout).status()));
  }
  CHECK(device->Manage(ZoneOp::kReset, {ZoneId(0), 0}, kOwnTimeout)->completed == 0);
}

// cl oi oe fu em, then a read-only zone.
std::unique_ptr<Device> NewMixedDevice(const std::string& more) {
  auto device = NewDevice("emu,zones=6,zone_size=1MiB,data=discard,read_only=5," + more);
  const auto queue = NewQueueOf(device, 8);
  for (const std::uint64_t zone : {0u, 1u, 2u, 3u}) {
    REQUIRE(RunOne(*queue, Request(IoOp::kWrite, zone * kMiB, 4096)).result.ok());
  }
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kClose, 0)).result.ok());
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kOpen, 2 * kMiB)).result.ok());
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kFinish, 3 * kMiB)).result.ok());
  REQUIRE(Conditions(*device) == "cl oi oe fu em ro ");
  return device;
}

TEST_CASE("all-zones commands touch the zones they are meant for", "[emulated]") {
  struct Row {
    ZoneOp op;
    const char* zns;
    std::uint32_t completed;
  };
  const Row rows[] = {{ZoneOp::kOpen, "oe oi oe fu em ro ", 1},
                      {ZoneOp::kClose, "cl cl cl fu em ro ", 2},
                      {ZoneOp::kFinish, "fu fu fu fu em ro ", 3},
                      {ZoneOp::kReset, "em em em em em ro ", 4},
                      {ZoneOp::kOffline, "cl oi oe fu em ol ", 1}};
  for (const Row& row : rows) {
    for (const char* dialect : {"dialect=zns", "dialect=zbc"}) {
      CAPTURE(ToString(row.op), dialect);
      const auto device = NewMixedDevice(dialect);
      const auto result = device->ManageAll(row.op, kOwnTimeout);
      REQUIRE(result.ok());
      if (row.op == ZoneOp::kOffline && dialect == std::string("dialect=zbc")) {
        CHECK(result->first_error.errc == Errc::kNotSupported);
        CHECK(result->first_error.raw == 0x052000);
        continue;
      }
      CHECK(result->first_error.ok());
      CHECK(result->completed == row.completed);
      CHECK(Conditions(*device) == row.zns);
    }
  }
}

TEST_CASE("open-all closes implicit zones to make room, and does not open those", "[emulated]") {
  // Zone 0 closed, 1 implicitly open, 2 explicitly open: two slots are enough.
  const auto device = NewMixedDevice("max_open=3");
  const auto queue = NewQueueOf(device, 8);
  REQUIRE(RunOne(*queue, Request(IoOp::kWrite, 4 * kMiB, 4096)).result.ok());
  REQUIRE(Conditions(*device) == "cl oi oe fu oi ro ");
  const auto result = device->ManageAll(ZoneOp::kOpen, kOwnTimeout);
  CHECK(result->completed == 1);
  CHECK(Conditions(*device) == "oe cl oe fu oi ro ");
}

TEST_CASE("open-all does nothing when the closed zones do not fit", "[emulated]") {
  const auto device = NewDevice("emu,zones=4,zone_size=1MiB,data=discard,max_open=1,max_active=4");
  const auto queue = NewQueueOf(device, 8);
  for (const std::uint64_t zone : {0u, 1u}) {
    REQUIRE(RunOne(*queue, Request(IoOp::kWrite, zone * kMiB, 4096)).result.ok());
    REQUIRE(RunOne(*queue, Manage(ZoneOp::kClose, zone * kMiB)).result.ok());
  }
  const auto result = device->ManageAll(ZoneOp::kOpen, kOwnTimeout);
  CHECK(result->completed == 0);
  CHECK(result->first_error.errc == Errc::kTooManyOpen);
  CHECK(Conditions(*device) == "cl cl em em ");
}

TEST_CASE("zones need be neither powers of two nor below 4 GiB", "[emulated]") {
  for (const char* spec : {"emu,zones=5,zone_size=1100KiB,zone_capacity=1052KiB,data=discard",
                           "emu,zones=5,zone_size=6GiB,zone_capacity=5GiB,data=discard"}) {
    CAPTURE(spec);
    const auto device = NewDevice(spec);
    const auto queue = NewQueueOf(device, 2);
    const Zone before = ZoneAt(*device, 3);
    CHECK(before.start == 3 * before.size);
    REQUIRE(
        RunOne(*queue, Request(IoOp::kWrite, before.start, before.capacity - 4096)).result.ok());
    CHECK(ZoneAt(*device, 3).write_pointer == before.start + before.capacity - 4096);
    CHECK(RunOne(*queue, Request(IoOp::kWrite, before.start + before.capacity - 4096, 8192))
              .result.errc == Errc::kZoneBoundary);
    REQUIRE(RunOne(*queue, Request(IoOp::kWrite, before.start + before.capacity - 4096, 4096))
                .result.ok());
    CHECK(ZoneAt(*device, 3).condition == Condition::kFull);
    CHECK(ZoneAt(*device, 2).condition == Condition::kEmpty);
    CHECK(ZoneAt(*device, 4).condition == Condition::kEmpty);
  }
}

TEST_CASE("counters add up over queues, living and gone", "[emulated]") {
  const auto device = NewDevice("emu,zones=4,zone_size=1MiB,data=discard");
  for (int round = 0; round < 2; ++round) {
    const auto first = NewQueueOf(device, 2);
    const auto second = NewQueueOf(device, 2);
    const std::uint64_t at = static_cast<std::uint64_t>(round) * 4096;
    REQUIRE(RunOne(*first, Request(IoOp::kWrite, at, 4096)).result.ok());
    REQUIRE(RunOne(*second, Request(IoOp::kAppend, kMiB, 8192)).result.ok());
    REQUIRE(RunOne(*second, Request(IoOp::kRead, 0, 4096)).result.ok());
    REQUIRE(RunOne(*second, Request(IoOp::kFlush, 0)).result.ok());
  }
  REQUIRE(device->Flush().ok());
  const DriveCounters counters = *device->Counters();
  CHECK(counters.writes == 4);
  CHECK(counters.bytes_written == 2 * (4096 + 8192));
  CHECK(counters.appends == 2);
  CHECK(counters.reads == 2);
  CHECK(counters.bytes_read == 8192);
  CHECK(counters.flushes == 3);
}

TEST_CASE("a million zones cost nothing until touched", "[emulated]") {
  const auto device = NewDevice(
      "emu,zones=1000000,zone_size=256MiB,max_open=unlimited,"
      "max_active=unlimited,data=discard");
  const auto queue = NewQueueOf(device, 2);
  const std::uint64_t last = 999999 * (256 * kMiB);
  REQUIRE(RunOne(*queue, Request(IoOp::kWrite, last, 4096)).result.ok());
  CHECK(ZoneAt(*device, 999999).write_pointer == last + 4096);
  CHECK(device->ManageAll(ZoneOp::kReset, kOwnTimeout)->completed == 1);
}

// Pages of this process in memory, in bytes.
std::uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

TEST_CASE("a drive of many zones opens at once and takes memory for those in use", "[emulated]") {
  struct Row {
    const char* zones;
    std::uint32_t count;
    std::chrono::seconds limit;
  };
  // The limits are for a busy machine with sanitizers.
  for (const Row& row : {Row{"1000000", 1'000'000, std::chrono::seconds(2)},
                         Row{"16777216", kMaxEmulatedZones, std::chrono::seconds(20)}}) {
    CAPTURE(row.zones);
    const std::uint64_t before = ResidentBytes();
    const auto begin = std::chrono::steady_clock::now();
    const auto device =
        NewDevice(std::string("emu,data=discard,zone_size=64MiB,zones=") + row.zones);
    CHECK(std::chrono::steady_clock::now() - begin < row.limit);
    const auto queue = NewQueueOf(device, 1);
    std::vector<std::byte> data(4096);
    const std::uint64_t last = std::uint64_t{row.count - 1} * (64 << 20);
    for (const std::uint64_t offset : {std::uint64_t{0}, last}) {
      CHECK(RunOne(*queue, Request(IoOp::kWrite, offset, 4096, data.data())).result.ok());
    }
    CHECK(ZoneAt(*device, row.count - 1).write_pointer == last + 4096);
    CHECK(ResidentBytes() < before + (64 << 20));
  }
}

}  // namespace
}  // namespace zonal::test
