// SPDX-License-Identifier: MIT
// Slow zone work on a device whose queues have no native form of it, as kernel
// devices have not: through a Service, or blocking in Submit.
#include <thread>

#include "manager/zone_queue_rig.h"

namespace zonal::test {
namespace {

RigOptions Kernel(bool with_service) {
  RigOptions options;
  options.native = false;
  options.with_service = with_service;
  return options;
}

FaultRule FailWrite(std::uint64_t nth, FaultKind kind) {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.nth = nth;
  rule.kind = kind;
  return rule;
}

// Every report from the `nth` on.
FaultRule FailReports(std::uint64_t nth) {
  FaultRule rule;
  rule.op = IoOp::kReport;
  rule.nth = nth;
  rule.every = 1;
  return rule;
}

TEST_CASE("operations run through the service or block in Submit", "[queue][service]") {
  for (const bool with_service : {true, false}) {
    CAPTURE(with_service);
    Rig rig(Kernel(with_service));
    auto queue = rig.NewQueue();
    rig.Fill(*queue, 1, 2);
    CHECK(rig.ManageNow(*queue, 1, ZoneOp::kClose) == Errc::kOk);
    CHECK(rig.manager->Limits().open == 0);
    CHECK(rig.manager->Limits().active == 1);
    CHECK(rig.ManageNow(*queue, 1, ZoneOp::kOpen) == Errc::kOk);
    CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kExplicitOpen);
    CHECK(rig.ManageNow(*queue, 1, ZoneOp::kFinish) == Errc::kOk);
    CHECK(rig.manager->ConditionOf(ZoneId(1)) == ZoneCondition::kFull);
    CHECK(rig.ManageNow(*queue, 1, ZoneOp::kReset) == Errc::kOk);
    CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
    CHECK(rig.manager->Limits().active == 0);
    CHECK(rig.device->Counters()->resets == 1);
    CHECK(rig.violations() == 0);
  }
}

TEST_CASE("a reset in the service bars writers and turns readers away", "[queue][service]") {
  Rig rig(Kernel(true));
  auto queue = rig.NewQueue();
  auto other = rig.NewQueue();
  rig.Fill(*queue, 1, 2);
  REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
  CHECK(rig.service->pending() == 1);
  CHECK(rig.Write(*other, 1).errc == Errc::kZoneBusy);
  CHECK(rig.Write(*queue, 1).errc == Errc::kZoneBusy);
  const Admission read = other->Read(rig.StartOf(1), rig.buffer.data(), kBlock, 0);
  CHECK(read.errc == Errc::kZoneBusy);
  REQUIRE(other->Park(read.wait));
  rig.Drain(*queue);
  CHECK_FALSE(other->Park(read.wait));
  rig.Fill(*other, 1, 1);
}

TEST_CASE("a zone that failed a write recovers without native reports", "[queue][service]") {
  for (const bool with_service : {true, false}) {
    for (const FaultKind kind : {FaultKind::kBefore, FaultKind::kAfter}) {
      CAPTURE(with_service, static_cast<int>(kind));
      RigOptions options = Kernel(with_service);
      options.faults = {FailWrite(2, kind)};
      Rig rig(options);
      auto queue = rig.NewQueue();
      rig.Fill(*queue, 1, 1);
      REQUIRE(rig.Write(*queue, 1).ok());
      REQUIRE(rig.Drain(*queue).size() == 1);
      for (int i = 0; i < 4; ++i) rig.Look(*queue);
      const std::uint64_t there = kind == FaultKind::kBefore ? 1 : 2;
      CHECK(rig.manager->CommittedOf(ZoneId(1)) == there * kBlock);
      rig.Fill(*queue, 1, 1);
      CHECK(rig.violations() == 0);
    }
  }
}

// Nothing is in flight in the device then: only the queue itself can go on.
TEST_CASE("a queue that works on the spot does not sleep before the rest is done",
          "[queue][service]") {
  constexpr nanoseconds kForEver = std::chrono::seconds(20);
  const Instant begin = MonotonicClock().Now();
  std::array<ZoneCompletion, 4> done;
  SECTION("two operations on one zone") {
    Rig rig(Kernel(false));
    auto queue = rig.NewQueue();
    rig.Fill(*queue, 1, 2);
    REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kFinish, 1).ok());
    REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kReset, 2).ok());
    std::size_t count = 0;
    for (int i = 0; i < 2 && count < 2; ++i) count += queue->Poll(done, 2 - count, kForEver);
    CHECK(count == 2);
    CHECK(rig.device->Counters()->resets == 1);
  }
  SECTION("two suspect zones") {
    RigOptions options = Kernel(false);
    options.faults = {FailWrite(1, FaultKind::kBefore), FailWrite(2, FaultKind::kBefore)};
    Rig rig(options);
    auto queue = rig.NewQueue();
    REQUIRE(rig.Write(*queue, 1).ok());
    REQUIRE(rig.Write(*queue, 2).ok());
    CHECK(queue->Poll(done, 2, kForEver) == 2);
    for (const std::uint32_t zone : {1u, 2u}) {
      while (!rig.Write(*queue, zone).ok()) {
        REQUIRE(MonotonicClock().Now() - begin < kForEver);
        queue->Poll(done, 1, kForEver);
      }
    }
    CHECK(rig.Drain(*queue).size() == 2);
  }
  CHECK(MonotonicClock().Now() - begin < kForEver / 2);
}

TEST_CASE("a queue ends with its work in a service nobody runs", "[queue][service]") {
  RigOptions options = Kernel(true);
  options.faults = {FailWrite(1, FaultKind::kBefore)};
  Rig rig(options);
  {
    auto queue = rig.NewQueue();
    REQUIRE(rig.Write(*queue, 1).ok());
    REQUIRE(queue->Manage(ZoneId(2), ZoneOp::kReset, 0).ok());
    queue->Submit();
  }
  CHECK(rig.service->pending() == 0);
  auto next = rig.NewQueue();
  rig.Fill(*next, 1, 1);
  rig.Fill(*next, 2, 1);
}

TEST_CASE("a queue sleeps in Poll until the service's thread is done", "[queue][service]") {
  Rig rig(Kernel(true));
  auto queue = rig.NewQueue();
  const ServiceThread thread(*rig.service);
  for (int i = 0; i < 200; ++i) {
    REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
    std::array<ZoneCompletion, 4> done;
    std::size_t n = 0;
    while (n == 0) n = queue->Poll(done, 1, std::chrono::seconds(10));
    REQUIRE(n == 1);
    REQUIRE(done[0].result.ok());
    REQUIRE(done[0].completed_at >= done[0].submitted_at);
  }
  CHECK(rig.device->Counters()->resets == 200);
}

TEST_CASE("a service serves one thread after the other", "[queue][service]") {
  Rig rig(Kernel(true));
  auto queue = rig.NewQueue();
  for (std::uint64_t round = 1; round <= 3; ++round) {
    const ServiceThread thread(*rig.service);
    REQUIRE(queue->Manage(ZoneId(1), ZoneOp::kReset, 0).ok());
    ZoneCompletion done;
    std::size_t n = 0;
    for (int i = 0; n == 0 && i < 10; ++i) n = queue->Poll({&done, 1}, 1, std::chrono::seconds(1));
    REQUIRE(n == 1);
    CHECK(rig.device->Counters()->resets == round);
  }
  // Nobody asked this thread to stop: it waits, and does not turn without work.
  const auto before = std::chrono::steady_clock::now();
  rig.service->WaitForWork(std::chrono::milliseconds(50));
  CHECK(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(50));
}

TEST_CASE("a service's thread ends at once though it sleeps", "[queue][service]") {
  Rig rig(Kernel(true));
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    const ServiceThread thread(*rig.service);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(5));
}

TEST_CASE("operations on a zone whose pointer cannot be read come to an end", "[queue][service]") {
  for (const bool native : {true, false}) {
    for (const ZoneOp op : {ZoneOp::kReset, ZoneOp::kFinish}) {
      CAPTURE(native, ToString(op));
      RigOptions options;
      options.native = native;
      options.faults = {FailWrite(2, FaultKind::kBefore), FailReports(2)};
      Rig rig(options);
      auto queue = rig.NewQueue();
      rig.Fill(*queue, 1, 1);
      REQUIRE(rig.Write(*queue, 1).ok());
      rig.Drain(*queue);
      for (int i = 0; i < 4; ++i) rig.Look(*queue);
      const Admission refused = rig.Write(*queue, 1);
      CHECK(refused.errc == Errc::kZoneSuspect);
      CHECK(refused.wait.kind == WaitKey::Kind::kNone);
      // A reset makes the pointer known; anything else would build on the unknown.
      const Errc done = rig.ManageNow(*queue, 1, op);
      if (op == ZoneOp::kReset) {
        CHECK(done == Errc::kOk);
        rig.Fill(*queue, 1, 1);
      } else {
        CHECK(done == Errc::kZoneSuspect);
        CHECK(rig.Write(*queue, 1).errc == Errc::kZoneSuspect);
        CHECK(rig.ManageNow(*queue, 1, ZoneOp::kReset) == Errc::kOk);
      }
      CHECK(rig.violations() == 0);
    }
  }
}

TEST_CASE("a zone whose pointer cannot be read keeps no place in the target set",
          "[queue][service]") {
  RigOptions options;
  options.manager.write_targets = 1;
  options.faults = {FailWrite(2, FaultKind::kBefore), FailReports(2)};
  Rig rig(options);
  auto queue = rig.NewQueue();
  REQUIRE(queue->ClaimTarget(ZoneId(1)).ok());
  rig.Fill(*queue, 1, 1);
  REQUIRE(rig.Write(*queue, 1).ok());
  rig.Drain(*queue);
  for (int i = 0; i < 4; ++i) rig.Look(*queue);
  CHECK(queue->Targets().empty());
  CHECK(rig.manager->TargetZones().empty());
  CHECK(queue->ClaimTarget(ZoneId(2)).ok());
}

TEST_CASE("a failed reset that was done is no misbehaviour of the drive", "[queue][service]") {
  FaultRule rule;
  rule.op = IoOp::kManage;
  rule.kind = FaultKind::kAfter;
  RigOptions options;
  options.faults = {rule};
  Rig rig(options);
  auto queue = rig.NewQueue();
  rig.Fill(*queue, 1, 2);
  CHECK(rig.ManageNow(*queue, 1, ZoneOp::kReset) == Errc::kMediaError);
  for (int i = 0; i < 4; ++i) rig.Look(*queue);
  std::array<ZoneEvent, 16> events;
  const std::size_t n = rig.manager->DrainEvents(events);
  REQUIRE(n >= 1);
  for (std::size_t i = 0; i < n; ++i) CHECK(events[i].kind != ZoneEvent::Kind::kMisbehaved);
  CHECK(rig.manager->CommittedOf(ZoneId(1)) == 0);
  rig.Fill(*queue, 1, 1);
}

}  // namespace
}  // namespace zonal::test
