// SPDX-License-Identifier: MIT
// What a drive makes of the zones it finds in its memory.
#include <chrono>
#include <memory>
#include <utility>

#include "device/emulated/drive_memory.h"
#include "device/emulated/zone_word.h"
#include "support/aligned_buffer.h"
#include "support/catch.h"
#include "support/emulated.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;

TEST_CASE("power-on closes open zones, empties unwritten ones and counts the active",
          "[emulated][power]") {
  const EmulatedOptions options =
      emulated::WithDefaults(*ParseEmulatedSpec("emu,zones=6,zone_size=64KiB"));
  auto memory = emulated::NewAnonymousMemory(options);
  REQUIRE(memory.ok());
  using emulated::ZoneWord;
  const ZoneWord words[] = {
      {ZoneCondition::kImplicitOpen, 3, 2}, {ZoneCondition::kExplicitOpen, 4, 0},
      {ZoneCondition::kClosed, 5, 1},       {ZoneCondition::kFull, 6, 16},
      {ZoneCondition::kReadOnly, 0, 2},     {ZoneCondition::kEmpty, 7, 0}};
  for (std::size_t i = 0; i < 6; ++i) memory->landed[i].store(words[i].bits());
  const auto device = emulated::NewDrive(options, {}, *std::move(memory), MonotonicClock());
  REQUIRE(device.ok());
  const ZoneCondition want[] = {ZoneCondition::kClosed,   ZoneCondition::kEmpty,
                                ZoneCondition::kClosed,   ZoneCondition::kFull,
                                ZoneCondition::kReadOnly, ZoneCondition::kEmpty};
  for (std::uint32_t zone = 0; zone < 6; ++zone) {
    CAPTURE(zone);
    CHECK(ZoneAt(**device, zone).condition == want[zone]);
  }
  CHECK((*device)->Counters()->active_now == 2);
  CHECK((*device)->Counters()->active_high_water == 2);
  CHECK((*device)->Counters()->open_high_water == 0);
  const auto queue = NewQueueOf(**device, 2);
  AlignedBuffer buffer(4096);
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 8192, 4096, buffer.data())).result.ok());
}

TEST_CASE("a read-only drive reports and reads, and changes nothing", "[emulated][power]") {
  const EmulatedOptions options =
      emulated::WithDefaults(*ParseEmulatedSpec("emu,zones=2,zone_size=64KiB"));
  auto memory = emulated::NewAnonymousMemory(options);
  REQUIRE(memory.ok());
  memory->landed[0].store(emulated::ZoneWord(ZoneCondition::kExplicitOpen, 0, 2).bits());
  emulated::DriveIdentity identity;
  identity.read_only = true;
  const auto device = emulated::NewDrive(options, identity, *std::move(memory), MonotonicClock());
  REQUIRE(device.ok());
  CHECK((*device)->info().read_only);
  CHECK(ZoneAt(**device, 0).condition == ZoneCondition::kExplicitOpen);
  CHECK(absl::IsFailedPrecondition((*device)->Manage(ZoneOp::kReset, {ZoneId(0)}, 0ns).status()));
  CHECK(absl::IsFailedPrecondition((*device)->ManageAll(ZoneOp::kReset, 0ns).status()));
  const auto queue = NewQueueOf(**device, 2);
  AlignedBuffer buffer(4096);
  for (const IoOp op : {IoOp::kWrite, IoOp::kAppend, IoOp::kManage}) {
    CHECK(RunOne(*queue, Request(op, 0, 4096, buffer.data())).result.errc == Errc::kPermission);
  }
  CHECK(RunOne(*queue, Request(IoOp::kRead, 0, 4096, buffer.data())).result.ok());
  CHECK(RunOne(*queue, Request(IoOp::kFlush, 0)).result.ok());
  CHECK((*device)->Counters()->reads == 0);
}

}  // namespace
}  // namespace zonal::test
