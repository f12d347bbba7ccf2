// SPDX-License-Identifier: MIT
// What a queue leaves behind when it ends, in every state it may end in, and
// what others may do with zones it had to do with: a zone nobody can write any
// more is the worst a manager can do.
#include "manager/zone_queue_rig.h"

namespace zonal::test {
namespace {

// Zone 1 takes a write, and so do two others: no slot has been lost.
void CheckUsable(Rig& rig) {
  auto queue = rig.NewQueue();
  for (std::uint32_t zone = 1; zone <= 3; ++zone) rig.Fill(*queue, zone, 1);
  CHECK(rig.violations() == 0);
}

TEST_CASE("a queue that ends before it took an operation's zone bars nobody", "[queue][end]") {
  Rig rig;
  auto writer = rig.NewQueue();
  REQUIRE(rig.Write(*writer, 1).ok());
  writer->Submit();
  auto resetter = rig.NewQueue();
  REQUIRE(resetter->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());  // waits for the writer
  rig.Drain(*writer);  // hands the zone to the resetter, who never looks
  resetter.reset();
  CheckUsable(rig);
}

TEST_CASE("a queue that ends bars no writer from another queue's operation", "[queue][end]") {
  Rig rig;
  auto first = rig.NewQueue();
  rig.Fill(*first, 1, 2);
  REQUIRE(first->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  first->Submit();
  auto second = rig.NewQueue();
  REQUIRE(second->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  second.reset();
  // The first reset is still under way: a write now would land anywhere.
  const Admission during = rig.Write(*first, 1);
  CHECK(during.errc == Errc::kZoneBusy);
  rig.Drain(*first);
  CheckUsable(rig);
}

TEST_CASE("operations that were never sent are undone", "[queue][end]") {
  for (const bool native : {true, false}) {
    for (const ZoneOp op : {ZoneOp::kReset, ZoneOp::kFinish, ZoneOp::kOpen, ZoneOp::kClose}) {
      for (const int blocks : {0, 2}) {
        CAPTURE(native, ToString(op), blocks);
        RigOptions options;
        options.native = native;
        Rig rig(options);
        auto other = rig.NewQueue();
        rig.Fill(*other, 1, blocks);
        const std::uint32_t epoch = rig.manager->EpochOf(ZoneId(1));
        const LimitUse before = rig.manager->Limits();
        {
          auto queue = rig.NewQueue();
          REQUIRE(queue->Manage(ZoneId(1), op, 0).ok());
        }
        CHECK(rig.manager->EpochOf(ZoneId(1)) == epoch);
        CHECK(rig.manager->Limits().open == before.open);
        CHECK(rig.manager->Limits().active == before.active);
        CHECK(rig.manager->CommittedOf(ZoneId(1)) == static_cast<std::uint64_t>(blocks) * kBlock);
        other.reset();
        CheckUsable(rig);
      }
    }
  }
}

TEST_CASE("writes that were never sent leave condition and slots as they were", "[queue][end]") {
  Rig rig;
  auto queue = rig.NewQueue();
  REQUIRE(rig.ManageNow(*queue, 1, ZoneOp::kOpen) == Errc::kOk);  // explicitly, nothing written
  rig.Fill(*queue, 2, 2);
  REQUIRE(rig.ManageNow(*queue, 2, ZoneOp::kClose) == Errc::kOk);
  const LimitUse before = rig.manager->Limits();
  REQUIRE(before.open == 1);
  REQUIRE(before.active == 2);
  REQUIRE(rig.Write(*queue, 1).ok());
  REQUIRE(rig.Write(*queue, 1).ok());
  REQUIRE(rig.Write(*queue, 2).ok());
  queue.reset();
  CHECK(rig.manager->Limits().open == before.open);
  CHECK(rig.manager->Limits().active == before.active);
  CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kExplicitOpen);
  CHECK(rig.manager->ConditionOf(ZoneId(2)) == ZoneCondition::kClosed);
}

// IoQueue::Close drops completions: the queue must not wait for them.
TEST_CASE("a queue whose I/O was closed ends and says what became of its writes", "[queue][end]") {
  for (const bool native : {true, false}) {
    CAPTURE(native);
    RigOptions options;
    options.native = native;
    Rig rig(options);
    auto queue = rig.NewQueue();
    REQUIRE(rig.Write(*queue, 1).ok());
    REQUIRE(rig.Write(*queue, 2).ok());
    REQUIRE(queue->Read(rig.StartOf(3), rig.buffer.data(), kBlock, 0).ok());
    queue->Submit();
    REQUIRE(rig.Write(*queue, 3).ok());  // never sent
    REQUIRE(queue->io_queue().Close(std::chrono::seconds(5)).ok());
    queue.reset();
    std::size_t unknown = 0;
    for (const ZoneEvent& event : rig.Events()) {
      CHECK(event.kind != ZoneEvent::Kind::kLost);
      CHECK(event.zone != ZoneId(3));
      if (event.kind != ZoneEvent::Kind::kUnknown) continue;
      ++unknown;
      CHECK(event.bytes == kBlock);
      CHECK(event.result.errc == Errc::kCancelled);
    }
    CHECK(unknown == 2);
    CHECK(rig.manager->CommittedOf(ZoneId(1)) == kBlock);
    CheckUsable(rig);
  }
}

TEST_CASE("a queue with suspect zones ends after its I/O was closed", "[queue][end]") {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.every = 1;
  rule.kind = FaultKind::kBefore;
  for (const bool readable : {true, false}) {
    CAPTURE(readable);
    RigOptions options;
    options.faults = {rule};
    if (!readable) {
      FaultRule report;
      report.op = IoOp::kReport;
      report.nth = 2;  // the first one is the manager's at start
      report.every = 1;
      options.faults.push_back(report);
    }
    Rig rig(options);
    auto queue = rig.NewQueue();
    REQUIRE(rig.Write(*queue, 1).ok());
    REQUIRE(rig.Write(*queue, 2).ok());
    queue->Submit();
    REQUIRE(rig.Drain(*queue).size() == 2);  // sends the report of one of the two
    REQUIRE(queue->io_queue().Close(std::chrono::seconds(5)).ok());
    queue.reset();
    std::size_t lost = 0;
    for (const ZoneEvent& event : rig.Events()) {
      if (event.kind == ZoneEvent::Kind::kLost) ++lost;
    }
    CHECK(lost == 2);
    auto next = rig.NewQueue();
    CHECK(rig.ManageNow(*next, 2, ZoneOp::kReset) == Errc::kOk);
    CHECK(rig.Write(*next, 1).errc == (readable ? Errc::kOk : Errc::kZoneSuspect));
  }
}

TEST_CASE("an operation whose completion was dropped bars nobody", "[queue][end]") {
  Rig rig;
  auto reader = rig.NewQueue();
  rig.Fill(*reader, 1, 2);
  auto queue = rig.NewQueue();
  REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  REQUIRE(queue->Append(ZoneId(2), rig.buffer.data(), kBlock, 0).ok());
  queue->Submit();
  const Admission busy = reader->Read(rig.StartOf(1), rig.buffer.data(), kBlock, 0);
  REQUIRE(reader->Park(busy.wait));
  REQUIRE(queue->io_queue().Close(std::chrono::seconds(5)).ok());
  queue.reset();
  CHECK_FALSE(reader->Park(busy.wait));
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
  CHECK(rig.manager->CommittedOf(ZoneId(2)) == kBlock);
  CheckUsable(rig);
}

TEST_CASE("a lease stays whole when somebody wants to reset its zone", "[queue]") {
  Rig rig;
  auto holder = rig.NewQueue();
  auto other = rig.NewQueue();
  REQUIRE(holder->Acquire(ZoneId(1)).ok());
  REQUIRE(other->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  for (int i = 0; i < 3; ++i) {
    CHECK(rig.Write(*holder, 1).ok());
    rig.Drain(*holder);
  }
  holder->Release(ZoneId(1));
  CHECK(rig.Drain(*other).size() == 1);
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
}

TEST_CASE("a lease holder may reset its own zone", "[queue]") {
  Rig rig;
  auto holder = rig.NewQueue();
  REQUIRE(holder->Acquire(ZoneId(1)).ok());
  rig.Fill(*holder, 1, 2);
  REQUIRE(holder->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  CHECK(rig.Write(*holder, 1).errc == Errc::kZoneBusy);
  rig.Drain(*holder);
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
  rig.Fill(*holder, 1, 1);
}

TEST_CASE("ranges beyond the device are refused", "[queue]") {
  ManagerOptions manager;
  manager.write_targets = 2;
  RigOptions options;
  options.manager = manager;
  Rig rig(options);
  CHECK(rig.manager->Refresh({ZoneId(7), 2}).status().code() == absl::StatusCode::kOutOfRange);
  CHECK(rig.manager->SeedTargets({ZoneId(8), 1}).code() == absl::StatusCode::kOutOfRange);
  CHECK(rig.manager->Refresh({ZoneId(0), 8}).ok());
}

}  // namespace
}  // namespace zonal::test
