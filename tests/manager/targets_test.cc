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

// A closed zone holds an active slot where those are limited, and no other zone could be
// written in its place (suite 66). Elsewhere it takes no place of the set (suite 71).
TEST_CASE("closed zones are targets of drives with an active limit", "[queue][suite]") {
  for (const bool limited : {true, false}) {
    CAPTURE(limited);
    RigOptions rig_options;
    if (!limited) rig_options.drive.max_open = rig_options.drive.max_active = Limit::Unlimited();
    Rig rig(rig_options);
    auto queue = rig.NewQueue();
    for (const std::uint32_t zone : {2u, 3u}) {
      rig.Fill(*queue, zone, 1);
      REQUIRE(rig.ManageNow(*queue, zone, ZoneOp::kClose) == Errc::kOk);
    }
    ManagerOptions options;
    options.write_targets = 1;
    auto manager = ZoneManager::Create(rig.device, options);
    REQUIRE(manager.ok());
    CHECK((*manager)->SeedTargets({ZoneId(0), 8}).ok() == !limited);
    CHECK((*manager)->TargetZones().empty());
    options.write_targets = 2;
    manager = ZoneManager::Create(rig.device, options);
    REQUIRE(manager.ok());
    CHECK((*manager)->SeedTargets({ZoneId(0), 8}).ok());
    CHECK((*manager)->TargetZones().size() == (limited ? 2u : 0u));
  }
}

}  // namespace
}  // namespace zonal::test
