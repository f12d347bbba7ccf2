// SPDX-License-Identifier: MIT
// The target set: shares, claims, and what it starts with.
#include "manager/zone_queue_rig.h"

namespace zonal::test {
namespace {

TEST_CASE("a claim of the target set is shared fairly and freed by a reset", "[queue]") {
  RigOptions options;
  options.manager.write_targets = 3;
  options.manager.writers = 2;
  Rig rig(options);
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
  auto made = NewEmulatedDevice(EightZones(), MonotonicClock());
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

}  // namespace
}  // namespace zonal::test
