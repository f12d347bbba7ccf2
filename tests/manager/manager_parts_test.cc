// SPDX-License-Identifier: MIT
// The manager's parts, each alone: slots, target set, events, table.
#include <array>
#include <thread>
#include <vector>

#include "manager/event_log.h"
#include "manager/slot_count.h"
#include "manager/target_set.h"
#include "manager/wait_table.h"
#include "manager/zone_table.h"
#include "support/catch.h"

namespace zonal::manager {
namespace {

TEST_CASE("slots are taken all or nothing", "[manager]") {
  SlotCount slots(Limit::Of(2), Limit::Of(2));
  CHECK(slots.Take({true, true}));
  CHECK(slots.Take({false, true}));
  CHECK_FALSE(slots.Take({true, true}));  // open is free, active is not: neither is taken
  CHECK(slots.Use().open == 1);
  CHECK(slots.Use().active == 2);
  CHECK(slots.Take({true, false}));
  CHECK_FALSE(slots.Take({true, false}));
}

TEST_CASE("unknown and unlimited limits admit and still count", "[manager]") {
  SlotCount slots(Limit::Unknown(), Limit::Unlimited());
  for (int i = 0; i < 1000; ++i) CHECK(slots.Take({true, true}));
  CHECK(slots.Use().open == 1000);
  CHECK(slots.Use().active == 1000);
}

TEST_CASE("a slot given back reports a waiter exactly once", "[manager]") {
  SlotCount slots(Limit::Of(1), Limit::Unlimited());
  REQUIRE(slots.Take({true, true}));
  CHECK(slots.AskForWake({true, true}));
  CHECK(slots.Give({true, false}));
  CHECK_FALSE(slots.Give({false, true}));
  // With a slot free there is nothing to wait for.
  CHECK_FALSE(slots.AskForWake({true, true}));
}

TEST_CASE("a waiter for an open slot is not fooled by a full active limit", "[manager]") {
  SlotCount slots(Limit::Of(1), Limit::Of(1));
  REQUIRE(slots.Take({false, true}));
  CHECK_FALSE(slots.AskForWake({true, false}));
  CHECK(slots.AskForWake({true, true}));
}

TEST_CASE("the target set has as many places as it says, under contention too", "[manager]") {
  TargetSet targets(5);
  std::array<int, 4> added{};
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 20000; ++i) {
        const ZoneId zone(t);
        if (!targets.Add(zone)) continue;
        ++added[t];
        targets.Remove(zone);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : added) CHECK(count > 0);
  CHECK(targets.Members().empty());
  for (std::uint32_t z = 0; z < 5; ++z) CHECK(targets.Add(ZoneId(z + 10)));
  CHECK_FALSE(targets.Add(ZoneId(99)));
  CHECK(targets.full());
  targets.Remove(ZoneId(12));
  CHECK(targets.Add(ZoneId(99)));
}

TEST_CASE("events beyond the bound are dropped and counted", "[manager]") {
  EventLog log;
  for (std::size_t i = 0; i < EventLog::kBound + 3; ++i) {
    log.Add({ZoneEvent::Kind::kLost, ZoneId(static_cast<std::uint32_t>(i)), 0, 0, 0, {}});
  }
  CHECK(log.dropped() == 3);
  std::array<ZoneEvent, 2> out;
  CHECK(log.Drain(out) == 2);
  CHECK(out[0].zone == ZoneId(0));
  CHECK(out[1].zone == ZoneId(1));
}

TEST_CASE("an operation goes before writers, and writers in order of arrival", "[manager]") {
  WaitTable waits;
  const WaitKey key{WaitKey::Kind::kZone, ZoneId(7)};
  WaitTable::Bucket& bucket = waits.For(key);
  waits.Add(bucket, {key, 1, false, {}});
  waits.Add(bucket, {key, 2, false, {}});
  waits.Add(bucket, {key, 2, false, {}});  // the same wait once more counts once
  waits.Add(bucket, {key, 3, true, {}});
  CHECK(waits.anybody());
  CHECK(bucket.HasOperation(ZoneId(7)));
  CHECK(bucket.PopForZone(ZoneId(7))->queue == 3);
  CHECK(bucket.PopForZone(ZoneId(7))->queue == 1);
  CHECK(bucket.PopForZone(ZoneId(7))->queue == 2);
  CHECK_FALSE(bucket.PopForZone(ZoneId(7)).has_value());
}

TEST_CASE("a queue that waits as a writer and then as an operation is an operation", "[manager]") {
  WaitTable waits;
  const WaitKey key{WaitKey::Kind::kZone, ZoneId(7)};
  WaitTable::Bucket& bucket = waits.For(key);
  waits.Add(bucket, {key, 1, false, {}});
  waits.Add(bucket, {key, 2, false, {}});
  waits.Add(bucket, {key, 2, true, {}});
  CHECK(bucket.HasOperation(ZoneId(7)));
  CHECK(bucket.Shown(ZoneId(7)) == (kWanted | kDraining));
  waits.Remove(bucket, {key, 2, false, {}});  // the operation still waits
  CHECK(bucket.HasOperation(ZoneId(7)));
  waits.Remove(bucket, {key, 2, true, {}});
  CHECK(bucket.Shown(ZoneId(7)) == kWanted);
  CHECK(bucket.PopForZone(ZoneId(7))->queue == 1);
  waits.Note(-1);
  CHECK_FALSE(waits.anybody());
}

TEST_CASE("a fresh table is a table of empty sequential zones", "[manager]") {
  auto table = ZoneTable::Create(1'000'000);
  REQUIRE(table.ok());
  table->set_default_capacity(4096);
  const ZoneCell& cell = (*table)[ZoneId(999'999)];
  CHECK(cell.condition() == ZoneCondition::kEmpty);
  CHECK(cell.type() == ZoneType::kSequentialRequired);
  CHECK(table->CapacityOf(ZoneId(999'999)) == 4096);
  table->SetCapacity(ZoneId(3), 8192);  // above the default: differences wrap around
  table->SetCapacity(ZoneId(4), 512);
  CHECK(table->CapacityOf(ZoneId(3)) == 8192);
  CHECK(table->CapacityOf(ZoneId(4)) == 512);
}

}  // namespace
}  // namespace zonal::manager
