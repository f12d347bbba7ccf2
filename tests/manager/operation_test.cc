// SPDX-License-Identifier: MIT
// Operations on zones: they wait for writes, bar them, and turn readers away.
#include "manager/zone_queue_rig.h"

namespace zonal::test {
namespace {

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
  rig.Fill(*reader, 1, 2);
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
  rig.Fill(*queue, 1, 2);
  REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kFinish, 0).ok());
  rig.Drain(*queue);
  CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kFull);
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 2 * kBlock);
  CHECK(rig.manager->Limits().active == 0);
}

TEST_CASE("closing frees an open slot and keeps the active one", "[queue]") {
  Rig rig;
  auto queue = rig.NewQueue();
  rig.Fill(*queue, 1, 2);
  REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kClose, 0).ok());
  rig.Drain(*queue);
  CHECK(rig.manager->Limits().open == 0);
  CHECK(rig.manager->Limits().active == 1);
  CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kClosed);
  rig.Fill(*queue, 1, 1);
  CHECK(rig.manager->Limits().open == 1);
}

}  // namespace
}  // namespace zonal::test
