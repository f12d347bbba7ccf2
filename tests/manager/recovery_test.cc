// SPDX-License-Identifier: MIT
// What others did to the zones, and what failed: adopted from the device.
#include "manager/zone_queue_rig.h"

namespace zonal::test {
namespace {

TEST_CASE("foreign zones take slots as the drive counts them", "[queue]") {
  auto made = NewEmulatedDevice(EightZones(), MonotonicClock());
  REQUIRE(made.ok());
  std::shared_ptr<Device> device = *std::move(made);
  std::array<std::byte, kBlock> block{};
  auto io = device->NewQueue({});
  REQUIRE(io.ok());
  IoRequest write;
  write.op = IoOp::kWrite;
  write.offset = device->info().geometry.StartOf(ZoneId(1));
  write.bytes = kBlock;
  write.buffer = block.data();
  REQUIRE((*io)->Submit({&write, 1}) == 1);
  Completion done;
  REQUIRE((*io)->Poll({&done, 1}, 1, std::chrono::seconds(5)) == 1);
  REQUIRE(device->Manage(ZoneOp::kOpen, {ZoneId(2), 1}, nanoseconds(0)).ok());
  auto manager = ZoneManager::Create(device, {});
  REQUIRE(manager.ok());
  CHECK((*manager)->Limits().open == 1);    // the explicitly open one
  CHECK((*manager)->Limits().active == 2);  // both
  CHECK((*manager)->ExplainForeignZones().find("zones 1, 2 ") != std::string::npos);
  CHECK((*manager)->ExplainForeignZones().find("zonal zone finish") != std::string::npos);
}

struct FaultRow {
  std::string name;
  FaultKind kind;
  std::uint64_t pointer_blocks;  // what the drive ends up with
  ZoneEvent::Kind failed_is;     // the failed extent's fate
};

TEST_CASE("after a failed write the zone is reported and its extents classified", "[queue]") {
  const FaultRow rows[] = {
      {"the drive never saw it", FaultKind::kBefore, 1, ZoneEvent::Kind::kLost},
      {"the drive did it all", FaultKind::kAfter, 4, ZoneEvent::Kind::kUnknown},
  };
  for (const FaultRow& row : rows) {
    CAPTURE(row.name);
    FaultRule rule;
    rule.op = IoOp::kWrite;
    rule.nth = 2;
    rule.kind = row.kind;
    RigOptions options;
    options.faults = {rule};
    Rig rig(options);
    auto queue = rig.NewQueue();
    for (std::uint64_t i = 0; i < 4; ++i) {
      REQUIRE(queue->Write(ZoneId(1), rig.buffer.data(), kBlock, i, {}).ok());
    }
    const auto done = rig.Drain(*queue);
    REQUIRE(done.size() == 4);
    ZoneCompletion none;
    for (int i = 0; i < 3; ++i) queue->Poll({&none, 1}, 0, nanoseconds(0));
    const auto events = rig.Events();
    REQUIRE_FALSE(events.empty());
    CHECK(events.back().kind == ZoneEvent::Kind::kResynced);
    bool saw_failed = false;
    for (const ZoneEvent& event : events) {
      if (event.kind == ZoneEvent::Kind::kResynced) continue;
      CHECK(event.zone == ZoneId(1));
      if (event.offset == rig.StartOf(1) + kBlock) {
        saw_failed = true;
        CHECK(event.kind == row.failed_is);
      }
    }
    CHECK(saw_failed);
    CHECK(rig.manager->CommittedOf(ZoneId(1)) == row.pointer_blocks * kBlock);
    // The zone takes writes again, at the pointer the drive has.
    rig.Fill(*queue, 1, 1);
    Zone zone;
    REQUIRE(rig.device->Report(ZoneId(1), {&zone, 1}).ok());
    CHECK(zone.write_pointer == rig.StartOf(1) + (row.pointer_blocks + 1) * kBlock);
  }
}

TEST_CASE("a lease of a zone that just failed goes before those who wait for it", "[queue]") {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.nth = 2;
  RigOptions options;
  options.faults = {rule};
  Rig rig(options);
  auto queue = rig.NewQueue();
  auto other = rig.NewQueue();
  rig.Fill(*queue, 1, 1);
  REQUIRE(rig.Write(*queue, 1).ok());
  REQUIRE(other->Park({WaitKey::Kind::kZone, ZoneId(1)}));
  REQUIRE(rig.Drain(*queue).size() == 1);
  const Admission first = queue->Acquire(ZoneId(1));
  CHECK(first.errc == Errc::kZoneSuspect);
  CHECK(first.wait.kind == WaitKey::Kind::kOwnIo);
  for (int i = 0; i < 3; ++i) rig.Look(*queue);  // asks the device
  CHECK(rig.Write(*other, 1).errc == Errc::kZoneBusy);
  const Admission lease = queue->Acquire(ZoneId(1));
  REQUIRE(lease.ok());
  CHECK(lease.offset == rig.StartOf(1) + kBlock);
  queue->Release(ZoneId(1));
  rig.Look(*other);
  CHECK(rig.Write(*other, 1).ok());
  rig.Drain(*other);
}

TEST_CASE("a partial write is split at the pointer into unknown and lost", "[queue]") {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.kind = FaultKind::kPartial;
  rule.partial_bytes = kBlock;
  RigOptions options;
  options.faults = {rule};
  Rig rig(options);
  auto queue = rig.NewQueue();
  REQUIRE(queue->Write(ZoneId(1), rig.buffer.data(), 3 * kBlock, 0, {}).ok());
  const auto done = rig.Drain(*queue);
  REQUIRE(done.size() == 1);
  CHECK_FALSE(done[0].result.ok());
  ZoneCompletion none;
  for (int i = 0; i < 3; ++i) queue->Poll({&none, 1}, 0, nanoseconds(0));
  const auto events = rig.Events();
  REQUIRE(events.size() == 3);
  CHECK(events[0].kind == ZoneEvent::Kind::kUnknown);
  CHECK(events[0].bytes == kBlock);
  CHECK(events[1].kind == ZoneEvent::Kind::kLost);
  CHECK(events[1].bytes == 2 * kBlock);
  CHECK(events[2].kind == ZoneEvent::Kind::kResynced);
}

TEST_CASE("refresh adopts what happened behind the manager's back", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  rig.Fill(*queue, 1, 3);
  REQUIRE(rig.device->Manage(ZoneOp::kReset, {ZoneId(1), 1}, nanoseconds(0)).ok());
  const std::uint32_t epoch = rig.manager->EpochOf(ZoneId(1));
  REQUIRE(rig.manager->Refresh({ZoneId(0), 8}).ok());
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
  CHECK(rig.manager->Limits().active == 0);
  CHECK(rig.manager->EpochOf(ZoneId(1)) == epoch + 2);
  rig.Fill(*queue, 1, 1);
}

}  // namespace
}  // namespace zonal::test
