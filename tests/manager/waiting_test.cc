// SPDX-License-Identifier: MIT
// Who waits for a zone, in what order they are served, and that nothing is left
// of a wish that was fulfilled: a bar nobody asks for any more stops everybody.
#include "manager/manager_core.h"
#include "manager/zone_queue_rig.h"

namespace zonal::test {
namespace {

manager::ManagerCore& CoreOf(Rig& rig) { return static_cast<manager::ManagerCore&>(*rig.manager); }

TEST_CASE("an operation of a queue that waits as a writer goes before writers", "[queue][wait]") {
  Rig rig;
  auto holder = rig.NewQueue();
  auto first = rig.NewQueue();
  auto second = rig.NewQueue();
  REQUIRE(rig.Write(*holder, 1).ok());
  holder->Submit();
  REQUIRE(first->Park(rig.Write(*first, 1).wait));
  REQUIRE(second->Park(rig.Write(*second, 1).wait));
  REQUIRE(second->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  CHECK(CoreOf(rig).WaitersAreShown(ZoneId(1)));
  rig.Drain(*holder);
  CHECK(rig.Write(*first, 1).errc == Errc::kZoneBusy);
  CHECK(rig.Drain(*second).size() == 1);
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
  rig.Look(*first);
  rig.Fill(*first, 1, 1);
  CHECK(CoreOf(rig).WaitersAreShown(ZoneId(1)));
}

// Two threads can meet so: the last appender has left and not settled the zone
// yet, and the operation that waits for it takes it first. Its wish stayed in the
// table, was granted when it gave the zone back, and barred the zone for ever.
TEST_CASE("an operation that took a shared zone under its own wish asks no more", "[queue][wait]") {
  Rig rig;
  auto appender = rig.NewQueue();
  auto resetter = rig.NewQueue();
  auto writer = rig.NewQueue();
  manager::ZoneCell& cell = CoreOf(rig).table()[ZoneId(1)];
  REQUIRE(appender->Append(ZoneId(1), rig.buffer.data(), kBlock, 0).ok());
  appender->Submit();
  REQUIRE(resetter->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  REQUIRE((cell.word.load() & manager::kDraining) != 0);
  cell.sharers.store(0);  // gone, and about to look at the zone
  CHECK(rig.Drain(*resetter).size() == 1);
  cell.sharers.store(1);
  rig.Drain(*appender);
  CHECK(CoreOf(rig).WaitersAreShown(ZoneId(1)));
  CHECK(manager::OwnerOf(cell.word.load()) == manager::kNobody);
  CHECK((cell.word.load() & manager::kDraining) == 0);
  CHECK(rig.Write(*writer, 1).ok());
  rig.Drain(*writer);
}

TEST_CASE("a queue that ends takes its wishes along", "[queue][wait][end]") {
  Rig rig;
  auto holder = rig.NewQueue();
  REQUIRE(rig.Write(*holder, 1).ok());
  holder->Submit();
  {
    auto writer = rig.NewQueue();
    auto resetter = rig.NewQueue();
    REQUIRE(writer->Park(rig.Write(*writer, 1).wait));
    REQUIRE(resetter->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  }
  CHECK(CoreOf(rig).WaitersAreShown(ZoneId(1)));
  CHECK(rig.Write(*holder, 1).ok());  // nobody bars it
  rig.Drain(*holder);
}

RigOptions Targets(std::uint32_t places, std::uint32_t writers) {
  RigOptions options;
  options.manager.write_targets = places;
  options.manager.writers = writers;
  return options;
}

// The loop an application writes; true if it came to wait instead of turning.
bool ComesToWait(ZoneQueue& queue, std::uint32_t zone) {
  for (int turn = 0; turn < 100; ++turn) {
    const Admission claimed = queue.ClaimTarget(ZoneId(zone));
    if (claimed.ok() || queue.Park(claimed.wait)) return true;
  }
  return false;
}

TEST_CASE("a queue with its share of targets waits for its own I/O", "[queue][wait][target]") {
  Rig rig(Targets(4, 2));
  auto queue = rig.NewQueue();
  REQUIRE(queue->ClaimTarget(ZoneId(1)).ok());
  REQUIRE(queue->ClaimTarget(ZoneId(2)).ok());
  const Admission refused = queue->ClaimTarget(ZoneId(3));
  CHECK(refused.errc == Errc::kNoSlot);
  CHECK(refused.wait.kind == WaitKey::Kind::kOwnIo);
  CHECK(ComesToWait(*queue, 3));
  rig.Fill(*queue, 1, 12);  // the last completion ends a claim
  CHECK(queue->ClaimTarget(ZoneId(3)).ok());
  CHECK(queue->ClaimTarget(ZoneId(4)).errc == Errc::kNoSlot);
  queue->Release(ZoneId(2));
  CHECK(queue->ClaimTarget(ZoneId(4)).ok());
}

}  // namespace
}  // namespace zonal::test
