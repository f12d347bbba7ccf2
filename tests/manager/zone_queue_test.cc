// SPDX-License-Identifier: MIT
// ZoneQueue against an emulated drive: one behaviour per case.
#include "zonal/zone_queue.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.h"
#include "zonal/emulated.h"
#include "zonal/fault.h"
#include "zonal/rng.h"

namespace zonal {
namespace {

constexpr std::uint64_t kBlock = 512;

EmulatedOptions SmallDrive() {
  EmulatedOptions options;
  options.zones = 8;
  options.block = kBlock;
  options.zone_size = 16 * kBlock;
  options.zone_capacity = 12 * kBlock;
  options.conventional = 1;
  options.max_open = Limit::Of(3);
  options.max_active = Limit::Of(3);
  options.max_append = 4 * kBlock;
  return options;
}

struct Rig {
  explicit Rig(const EmulatedOptions& drive = SmallDrive(), std::vector<FaultRule> faults = {},
               ManagerOptions manager_options = {}) {
    auto made = NewEmulatedDevice(drive, MonotonicClock());
    REQUIRE(made.ok());
    device = *std::move(made);
    if (!faults.empty()) device = NewFaultDevice(device, std::move(faults));
    auto created = ZoneManager::Create(device, manager_options);
    REQUIRE(created.ok());
    manager = *std::move(created);
  }
  std::unique_ptr<ZoneQueue> NewQueue(std::uint32_t depth = 8) {
    auto queue = ZoneQueue::Create(*manager, {{QueueKind::kDefault, depth, nullptr}, nullptr});
    REQUIRE(queue.ok());
    return *std::move(queue);
  }
  std::vector<ZoneCompletion> Drain(ZoneQueue& queue) {
    std::vector<ZoneCompletion> all;
    std::array<ZoneCompletion, 16> some;
    while (queue.in_flight() != 0) {
      const std::size_t n = queue.Poll(some, 1, std::chrono::seconds(5));
      REQUIRE(n != 0);
      all.insert(all.end(), some.begin(), some.begin() + n);
    }
    return all;
  }
  void Fill(ZoneQueue& queue, ZoneId zone, std::uint64_t blocks) {
    for (std::uint64_t i = 0; i < blocks; ++i) {
      REQUIRE(queue.Write(zone, buffer.data(), kBlock, i, {}).ok());
      for (const ZoneCompletion& c : Drain(queue)) REQUIRE(c.result.ok());
    }
  }
  std::uint64_t StartOf(std::uint32_t zone) const {
    return manager->geometry().StartOf(ZoneId(zone));
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<ZoneManager> manager;
  std::array<std::byte, 16 * kBlock> buffer{};
};

std::vector<ZoneEvent> Events(ZoneManager& manager) {
  std::vector<ZoneEvent> events(64);
  events.resize(manager.DrainEvents(events));
  return events;
}

TEST_CASE("writes land at the pointer, in order, and are cut at the capacity", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  const Admission first = queue->Write(ZoneId(1), rig.buffer.data(), 8 * kBlock, 1, {});
  REQUIRE(first.ok());
  CHECK(first.offset == rig.StartOf(1));
  WriteOptions cut;
  cut.min_bytes = kBlock;
  const Admission second = queue->Write(ZoneId(1), rig.buffer.data(), 8 * kBlock, 2, cut);
  REQUIRE(second.ok());
  CHECK(second.offset == rig.StartOf(1) + 8 * kBlock);
  CHECK(second.bytes == 4 * kBlock);
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
  CHECK(rig.manager->ReservedOf(ZoneId(1)) == 12 * kBlock);
  CHECK(rig.Drain(*queue).size() == 2);
  CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kFull);
  CHECK(rig.manager->Limits().open == 0);
  CHECK(queue->Write(ZoneId(1), rig.buffer.data(), kBlock, 3, {}).errc == Errc::kZoneFull);
}

TEST_CASE("a zone queue's depth has bounds", "[queue]") {
  Rig rig;
  for (const std::uint32_t depth : {0u, kMaxZoneQueueDepth + 1}) {
    CHECK(absl::IsInvalidArgument(
        ZoneQueue::Create(*rig.manager, {{QueueKind::kDefault, depth, nullptr}, nullptr})
            .status()));
  }
  CHECK(rig.NewQueue(kMaxZoneQueueDepth)->depth() == kMaxZoneQueueDepth);
}

TEST_CASE("a write larger than what is left is refused unless it may be cut", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  rig.Fill(*queue, ZoneId(1), 10);
  const Admission refused = queue->Write(ZoneId(1), rig.buffer.data(), 3 * kBlock, 0, {});
  CHECK(refused.errc == Errc::kZoneFull);
  CHECK(refused.wait.kind == WaitKey::Kind::kNone);
}

TEST_CASE("refusals name their reason", "[queue]") {
  EmulatedOptions options = SmallDrive();
  options.read_only_zones = {6};
  options.offline_zones = {7};
  Rig rig(options);
  auto queue = rig.NewQueue();
  void* b = rig.buffer.data();
  CHECK(queue->Write(ZoneId(0), b, kBlock, 0, {}).errc == Errc::kBadZoneType);
  CHECK(queue->Write(ZoneId(6), b, kBlock, 0, {}).errc == Errc::kZoneReadOnly);
  CHECK(queue->Write(ZoneId(7), b, kBlock, 0, {}).errc == Errc::kZoneOffline);
  CHECK(queue->Write(ZoneId(8), b, kBlock, 0, {}).errc == Errc::kBadRange);
  CHECK(queue->WriteAt(rig.StartOf(1), b, kBlock, 0, {}).errc == Errc::kBadZoneType);
  CHECK(queue->Read(rig.StartOf(2) - kBlock, b, 2 * kBlock, 0).errc == Errc::kZoneBoundary);
  CHECK(queue->Append(ZoneId(1), b, 5 * kBlock, 0).errc == Errc::kTooLarge);
  CHECK(queue->Manage(ZoneId(0), ZoneOp::kReset, 0).errc == Errc::kBadZoneType);
  CHECK(queue->Manage(ZoneId(6), ZoneOp::kReset, 0).errc == Errc::kZoneReadOnly);
  CHECK(queue->in_flight() == 0);
}

TEST_CASE("conventional zones are written anywhere", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  REQUIRE(queue->WriteAt(5 * kBlock, rig.buffer.data(), kBlock, 1, {}).ok());
  const auto done = rig.Drain(*queue);
  REQUIRE(done.size() == 1);
  CHECK(done[0].result.ok());
  CHECK(done[0].result.offset == 5 * kBlock);
}

TEST_CASE("the limit on open zones is kept and says what to wait for", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  for (std::uint32_t z = 1; z <= 3; ++z) rig.Fill(*queue, ZoneId(z), 1);
  const Admission refused = queue->Write(ZoneId(4), rig.buffer.data(), kBlock, 0, {});
  CHECK(refused.errc == Errc::kNoSlot);
  REQUIRE(refused.wait.kind == WaitKey::Kind::kSlot);
  CHECK(queue->Park(refused.wait));
  REQUIRE(queue->Manage(ZoneId(2), ZoneOp::kReset, 0).ok());
  rig.Drain(*queue);
  CHECK_FALSE(queue->Park(refused.wait));  // it may be had now
  CHECK(queue->Write(ZoneId(4), rig.buffer.data(), kBlock, 0, {}).ok());
  rig.Drain(*queue);
  CHECK(rig.device->Counters()->rule_violations == 0);
}

TEST_CASE("a queue waiting for a zone is handed it and not overtaken", "[queue]") {
  Rig rig;
  auto holder = rig.NewQueue();
  auto waiter = rig.NewQueue();
  WriteOptions keep;
  keep.keep = true;
  REQUIRE(holder->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, keep).ok());
  rig.Drain(*holder);
  const Admission refused = waiter->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {});
  CHECK(refused.errc == Errc::kZoneBusy);
  REQUIRE(waiter->Park(refused.wait));
  // The holder polls twice without using the zone: it idles, and passes it on.
  ZoneCompletion none;
  holder->Poll({&none, 1}, 0, nanoseconds(0));
  holder->Poll({&none, 1}, 0, nanoseconds(0));
  CHECK(holder->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, keep).errc == Errc::kZoneBusy);
  waiter->Poll({&none, 1}, 1, std::chrono::seconds(5));
  CHECK(waiter->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {}).ok());
  rig.Drain(*waiter);
}

TEST_CASE("a lease is never yielded, and released at once", "[queue]") {
  Rig rig;
  auto holder = rig.NewQueue();
  auto other = rig.NewQueue();
  const Admission lease = holder->AcquireAny({ZoneId(0), 8}, 12 * kBlock);
  REQUIRE(lease.ok());
  CHECK(lease.offset == rig.StartOf(1));
  CHECK(rig.manager->Limits().open == 1);
  const Admission refused = other->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {});
  CHECK(refused.errc == Errc::kZoneBusy);
  REQUIRE(other->Park(refused.wait));
  ZoneCompletion none;
  for (int i = 0; i < 5; ++i) holder->Poll({&none, 1}, 0, nanoseconds(0));
  CHECK(holder->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {}).ok());
  rig.Drain(*holder);
  holder->Release(ZoneId(1));
  other->Poll({&none, 1}, 1, std::chrono::seconds(5));
  CHECK(other->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {}).ok());
  rig.Drain(*other);
}

TEST_CASE("acquiring says whether zones or slots are missing", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  CHECK(queue->AcquireAny({ZoneId(0), 8}, 13 * kBlock).errc == Errc::kNoFreeZone);
  for (int i = 0; i < 3; ++i) REQUIRE(queue->AcquireAny({ZoneId(0), 8}, kBlock).ok());
  const Admission none = queue->AcquireAny({ZoneId(0), 8}, kBlock);
  CHECK(none.errc == Errc::kNoSlot);
  CHECK(none.wait.kind == WaitKey::Kind::kSlot);
}

TEST_CASE("a reset waits for the writes of another queue and bars new ones", "[queue]") {
  Rig rig;
  auto writer = rig.NewQueue();
  auto resetter = rig.NewQueue();
  REQUIRE(writer->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {}).ok());
  writer->Submit();
  REQUIRE(resetter->Manage(ZoneId(1), ZoneOp::kReset, 7).ok());
  ZoneCompletion done;
  CHECK(resetter->Poll({&done, 1}, 0, nanoseconds(0)) == 0);
  const Admission barred = writer->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {});
  CHECK(barred.errc == Errc::kZoneBusy);
  CHECK(barred.wait.kind == WaitKey::Kind::kOwnIo);
  rig.Drain(*writer);
  REQUIRE(resetter->Poll({&done, 1}, 1, std::chrono::seconds(5)) == 1);
  CHECK(done.user_data == 7);
  CHECK(done.result.ok());
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
  CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kEmpty);
  CHECK(rig.manager->Limits().active == 0);
  CHECK(writer->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {}).ok());
  rig.Drain(*writer);
}

TEST_CASE("a read that a reset overtook is stale", "[queue]") {
  Rig rig;
  auto reader = rig.NewQueue();
  auto resetter = rig.NewQueue();
  rig.Fill(*reader, ZoneId(1), 2);
  REQUIRE(reader->Read(rig.StartOf(1), rig.buffer.data(), kBlock, 0).ok());
  reader->Submit();
  REQUIRE(resetter->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  resetter->Submit();
  // While the reset is under way, new reads wait.
  const Admission busy = reader->Read(rig.StartOf(1), rig.buffer.data(), kBlock, 0);
  CHECK(busy.errc == Errc::kZoneBusy);
  CHECK(busy.wait.kind == WaitKey::Kind::kReset);
  CHECK(reader->Park(busy.wait));
  rig.Drain(*resetter);
  const auto done = rig.Drain(*reader);
  REQUIRE(done.size() == 1);
  CHECK(done[0].result.errc == Errc::kStaleEpoch);
  CHECK_FALSE(reader->Park(busy.wait));
}

TEST_CASE("a finish keeps the data readable and frees both slots", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  rig.Fill(*queue, ZoneId(1), 2);
  REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kFinish, 0).ok());
  rig.Drain(*queue);
  CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kFull);
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 2 * kBlock);
  CHECK(rig.manager->Limits().active == 0);
}

TEST_CASE("closing frees an open slot and keeps the active one", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  rig.Fill(*queue, ZoneId(1), 2);
  REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kClose, 0).ok());
  rig.Drain(*queue);
  CHECK(rig.manager->Limits().open == 0);
  CHECK(rig.manager->Limits().active == 1);
  CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kClosed);
  rig.Fill(*queue, ZoneId(1), 1);
  CHECK(rig.manager->Limits().open == 1);
}

TEST_CASE("foreign zones take slots as the drive counts them", "[queue]") {
  auto made = NewEmulatedDevice(SmallDrive(), MonotonicClock());
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
    Rig rig(SmallDrive(), {rule});
    auto queue = rig.NewQueue();
    for (std::uint64_t i = 0; i < 4; ++i) {
      REQUIRE(queue->Write(ZoneId(1), rig.buffer.data(), kBlock, i, {}).ok());
    }
    const auto done = rig.Drain(*queue);
    REQUIRE(done.size() == 4);
    ZoneCompletion none;
    for (int i = 0; i < 3; ++i) queue->Poll({&none, 1}, 0, nanoseconds(0));
    const auto events = Events(*rig.manager);
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
    rig.Fill(*queue, ZoneId(1), 1);
    Zone zone;
    REQUIRE(rig.device->Report(ZoneId(1), {&zone, 1}).ok());
    CHECK(zone.write_pointer == rig.StartOf(1) + (row.pointer_blocks + 1) * kBlock);
  }
}

TEST_CASE("a partial write is split at the pointer into unknown and lost", "[queue]") {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.kind = FaultKind::kPartial;
  rule.partial_bytes = kBlock;
  Rig rig(SmallDrive(), {rule});
  auto queue = rig.NewQueue();
  REQUIRE(queue->Write(ZoneId(1), rig.buffer.data(), 3 * kBlock, 0, {}).ok());
  const auto done = rig.Drain(*queue);
  REQUIRE(done.size() == 1);
  CHECK_FALSE(done[0].result.ok());
  ZoneCompletion none;
  for (int i = 0; i < 3; ++i) queue->Poll({&none, 1}, 0, nanoseconds(0));
  const auto events = Events(*rig.manager);
  REQUIRE(events.size() == 3);
  CHECK(events[0].kind == ZoneEvent::Kind::kUnknown);
  CHECK(events[0].bytes == kBlock);
  CHECK(events[1].kind == ZoneEvent::Kind::kLost);
  CHECK(events[1].bytes == 2 * kBlock);
  CHECK(events[2].kind == ZoneEvent::Kind::kResynced);
}

TEST_CASE("appends say where they landed and fill the zone exactly", "[queue]") {
  Rig rig;
  auto first = rig.NewQueue();
  auto second = rig.NewQueue();
  for (std::uint64_t i = 0; i < 3; ++i) {
    REQUIRE(first->Append(ZoneId(1), rig.buffer.data(), 2 * kBlock, i).ok());
    REQUIRE(second->Append(ZoneId(1), rig.buffer.data(), 2 * kBlock, i).ok());
  }
  CHECK(first->Append(ZoneId(1), rig.buffer.data(), kBlock, 9).errc == Errc::kZoneFull);
  // A plain writer has to wait until nobody is inside.
  CHECK(second->Write(ZoneId(1), rig.buffer.data(), kBlock, 9, {}).errc != Errc::kOk);
  std::vector<std::uint64_t> offsets;
  for (ZoneQueue* queue : {first.get(), second.get()}) {
    for (const ZoneCompletion& c : rig.Drain(*queue)) {
      CHECK(c.result.ok());
      offsets.push_back(c.result.offset);
    }
  }
  std::sort(offsets.begin(), offsets.end());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    CHECK(offsets[i] == rig.StartOf(1) + i * 2 * kBlock);
  }
  CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kFull);
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 12 * kBlock);
  CHECK(rig.manager->Limits().open == 0);
}

TEST_CASE("a claim of the target set is shared fairly and freed by a reset", "[queue]") {
  ManagerOptions options;
  options.write_targets = 3;
  options.writers = 2;
  Rig rig(SmallDrive(), {}, options);
  auto first = rig.NewQueue();
  auto second = rig.NewQueue();
  CHECK(first->ClaimTarget(ZoneId(1)).ok());
  CHECK(first->ClaimTarget(ZoneId(1)).ok());  // again: it is one already
  CHECK(first->ClaimTarget(ZoneId(2)).ok());
  const Admission share = first->ClaimTarget(ZoneId(3));
  CHECK(share.errc == Errc::kNoSlot);  // ceil(3 / 2) are its share
  CHECK(share.wait.kind == WaitKey::Kind::kOwnIo);
  CHECK(second->ClaimTarget(ZoneId(1)).errc == Errc::kZoneBusy);
  CHECK(second->ClaimTarget(ZoneId(3)).ok());
  const Admission full = second->ClaimTarget(ZoneId(4));
  CHECK(full.errc == Errc::kNoSlot);
  CHECK(rig.manager->TargetZones().size() == 3);
  first->ReleaseTargets();
  CHECK(first->Targets().empty());
  CHECK(rig.manager->TargetZones().size() == 3);  // still being written, by nobody yet
  CHECK(second->ClaimUnclaimed({ZoneId(0), 8}).has_value());
  REQUIRE(first->Manage(ZoneId(2), ZoneOp::kReset, 0).ok());
  second->ReleaseTargets();
  rig.Drain(*first);
  CHECK(rig.manager->TargetZones().size() == 2);
}

TEST_CASE("seeding the target set refuses more open zones than places", "[queue]") {
  ManagerOptions options;
  options.write_targets = 1;
  auto made = NewEmulatedDevice(SmallDrive(), MonotonicClock());
  REQUIRE(made.ok());
  std::shared_ptr<Device> device = *std::move(made);
  REQUIRE(device->Manage(ZoneOp::kOpen, {ZoneId(2), 2}, nanoseconds(0)).ok());
  auto manager = ZoneManager::Create(device, options);
  REQUIRE(manager.ok());
  const absl::Status refused = (*manager)->SeedTargets({ZoneId(0), 8});
  CHECK(refused.code() == absl::StatusCode::kResourceExhausted);
  CHECK((*manager)->TargetZones().empty());
  CHECK((*manager)->SeedTargets({ZoneId(3), 5}).ok());
  CHECK((*manager)->TargetZones() == std::vector<ZoneId>{ZoneId(3)});
}

TEST_CASE("refresh adopts what happened behind the manager's back", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  rig.Fill(*queue, ZoneId(1), 3);
  REQUIRE(rig.device->Manage(ZoneOp::kReset, {ZoneId(1), 1}, nanoseconds(0)).ok());
  const std::uint32_t epoch = rig.manager->EpochOf(ZoneId(1));
  REQUIRE(rig.manager->Refresh({ZoneId(0), 8}).ok());
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
  CHECK(rig.manager->Limits().active == 0);
  CHECK(rig.manager->EpochOf(ZoneId(1)) == epoch + 2);
  rig.Fill(*queue, ZoneId(1), 1);
}

TEST_CASE("a queue destroyed with requests prepared leaves the zone as it was", "[queue]") {
  Rig rig;
  {
    auto queue = rig.NewQueue();
    REQUIRE(queue->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {}).ok());
    REQUIRE(queue->Write(ZoneId(1), rig.buffer.data(), kBlock, 1, {}).ok());
    REQUIRE(queue->Append(ZoneId(2), rig.buffer.data(), kBlock, 2).ok());
    REQUIRE(queue->Manage(ZoneId(3), ZoneOp::kReset, 3).ok());
  }
  CHECK(rig.manager->ReservedOf(ZoneId(1)) == 0);
  auto queue = rig.NewQueue();
  rig.Fill(*queue, ZoneId(1), 1);
  rig.Fill(*queue, ZoneId(2), 1);
  rig.Fill(*queue, ZoneId(3), 1);
}

std::uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST_CASE("a million zones cost what is touched of them", "[queue]") {
  EmulatedOptions options;
  options.zones = 1'000'000;
  options.zone_size = 64 * 1024;
  options.max_open = options.max_active = Limit::Unlimited();
  options.data = DataPolicy::kDiscard;
  const std::uint64_t before = ResidentBytes();
  Rig rig(options);
  auto queue = rig.NewQueue();
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const ZoneId zone(static_cast<std::uint32_t>(rng.Below(options.zones)));
    REQUIRE(queue->Write(zone, rig.buffer.data(), 4096, 0, {}).ok());
    rig.Drain(*queue);
  }
  CHECK(rig.manager->Limits().open == rig.device->Counters()->open_now);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // whose shadows count too
  // 64 bytes a zone is 64 MB, huge pages included; the drive's words a quarter of it.
  CHECK(ResidentBytes() - before < 100'000'000);
#else
  CHECK(before > 0);
#endif
}

TEST_CASE("an owner that stopped polling is named", "[queue]") {
  Rig rig;
  auto holder = rig.NewQueue();
  auto waiter = rig.NewQueue();
  REQUIRE(holder->Acquire(ZoneId(1)).ok());
  ZoneCompletion none;
  holder->Poll({&none, 1}, 0, nanoseconds(0));
  REQUIRE(waiter->Park(waiter->Write(ZoneId(1), rig.buffer.data(), kBlock, 0, {}).wait));
  CHECK(rig.manager->StalledOwners(std::chrono::hours(1)).empty());
  const auto stalled = rig.manager->StalledOwners(nanoseconds(0));
  REQUIRE(stalled.size() == 1);
  CHECK(stalled[0].zone == ZoneId(1));
  CHECK(stalled[0].queue_id == holder->id());
}

}  // namespace
}  // namespace zonal
