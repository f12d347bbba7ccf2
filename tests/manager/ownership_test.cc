// SPDX-License-Identifier: MIT
// Who may write a zone: leases, turns, and owners that stall.
#include "manager/zone_queue_rig.h"

namespace zonal::test {
namespace {

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
}  // namespace zonal::test
