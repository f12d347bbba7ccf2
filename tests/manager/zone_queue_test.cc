// SPDX-License-Identifier: MIT
// ZoneQueue against an emulated drive: what is admitted, what is refused and why.
#include "zonal/zone_queue.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "manager/zone_queue_rig.h"
#include "zonal/rng.h"

namespace zonal::test {
namespace {

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
  rig.Fill(*queue, 1, 10);
  const Admission refused = queue->Write(ZoneId(1), rig.buffer.data(), 3 * kBlock, 0, {});
  CHECK(refused.errc == Errc::kZoneFull);
  CHECK(refused.wait.kind == WaitKey::Kind::kNone);
}

TEST_CASE("refusals name their reason", "[queue]") {
  RigOptions options;
  options.drive.read_only_zones = {6};
  options.drive.offline_zones = {7};
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
  for (std::uint32_t z = 1; z <= 3; ++z) rig.Fill(*queue, z, 1);
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
  rig.Fill(*queue, 1, 1);
  rig.Fill(*queue, 2, 1);
  rig.Fill(*queue, 3, 1);
}

std::uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST_CASE("a million zones cost what is touched of them", "[queue]") {
  EmulatedOptions drive;
  drive.zones = 1'000'000;
  drive.zone_size = 64 * 1024;
  drive.max_open = drive.max_active = Limit::Unlimited();
  drive.data = DataPolicy::kDiscard;
  const std::uint64_t before = ResidentBytes();
  RigOptions options;
  options.drive = drive;
  Rig rig(options);
  auto queue = rig.NewQueue();
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const ZoneId zone(static_cast<std::uint32_t>(rng.Below(drive.zones)));
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

}  // namespace
}  // namespace zonal::test
