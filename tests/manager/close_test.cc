// SPDX-License-Identifier: MIT
// Opening and closing zones explicitly: what the manager believes afterwards is
// what the drive says, in both dialects.
#include "manager/zone_queue_rig.h"

namespace zonal::test {
namespace {

RigOptions Dialected(Dialect dialect, bool native) {
  RigOptions options;
  options.drive.dialect = dialect;
  if (dialect == Dialect::kZbc) {
    options.drive.zone_capacity = options.drive.zone_size;
    options.drive.max_active = Limit::Unlimited();
    options.drive.max_append = 0;
  }
  options.native = native;
  return options;
}

void CheckAgrees(Rig& rig, std::uint32_t zone) {
  Zone there;
  REQUIRE(rig.device->Report(ZoneId(zone), {&there, 1}).ok());
  CAPTURE(ToString(there.condition));
  CHECK(rig.manager->ConditionOf(ZoneId(zone)) == there.condition);
  CHECK(rig.manager->Limits().open == rig.device->Counters()->open_now);
  CHECK(rig.manager->Limits().active == (IsActive(there.condition) ? 1u : 0u));
}

TEST_CASE("a closed zone without data is what the drive makes of it", "[queue][close]") {
  for (const Dialect dialect : {Dialect::kZns, Dialect::kZbc}) {
    for (const bool native : {true, false}) {
      for (const int blocks : {0, 2}) {
        CAPTURE(static_cast<int>(dialect), native, blocks);
        Rig rig(Dialected(dialect, native));
        auto queue = rig.NewQueue();
        REQUIRE(rig.ManageNow(*queue, 1, ZoneOp::kOpen) == Errc::kOk);
        CheckAgrees(rig, 1);
        rig.Fill(*queue, 1, blocks);
        REQUIRE(rig.ManageNow(*queue, 1, ZoneOp::kClose) == Errc::kOk);
        for (int i = 0; i < 3; ++i) rig.Look(*queue);
        CheckAgrees(rig, 1);
        const bool stays = blocks != 0 || dialect == Dialect::kZns;
        CHECK((rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kClosed) == stays);
        std::array<ZoneEvent, 4> events;
        CHECK(rig.manager->DrainEvents(events) == 0);  // nothing went wrong
        rig.Fill(*queue, 1, 1);
        CHECK(rig.violations() == 0);
      }
    }
  }
}

TEST_CASE("a zone closed without data keeps no place among the targets if it is empty",
          "[queue][close][target]") {
  RigOptions options = Dialected(Dialect::kZbc, true);
  options.manager.write_targets = 1;
  Rig rig(options);
  auto queue = rig.NewQueue();
  REQUIRE(queue->ClaimTarget(ZoneId(1)).ok());
  REQUIRE(rig.ManageNow(*queue, 1, ZoneOp::kOpen) == Errc::kOk);
  REQUIRE(rig.ManageNow(*queue, 1, ZoneOp::kClose) == Errc::kOk);
  for (int i = 0; i < 3; ++i) rig.Look(*queue);
  CHECK(rig.manager->TargetZones().empty());
  CHECK(queue->Targets().empty());
  CHECK(queue->ClaimTarget(ZoneId(2)).ok());
}

TEST_CASE("a full zone that ZBC opens with success stays full", "[queue][close]") {
  Rig rig(Dialected(Dialect::kZbc, true));
  auto queue = rig.NewQueue();
  REQUIRE(rig.ManageNow(*queue, 1, ZoneOp::kFinish) == Errc::kOk);
  REQUIRE(rig.ManageNow(*queue, 1, ZoneOp::kOpen) == Errc::kOk);
  CheckAgrees(rig, 1);
  CHECK(rig.Write(*queue, 1).errc == Errc::kZoneFull);
}

}  // namespace
}  // namespace zonal::test
