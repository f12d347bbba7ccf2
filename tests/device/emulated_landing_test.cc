// SPDX-License-Identifier: MIT
// Landing over a store that answers when the test says so: order inside a zone,
// what waits for what, and what remains of writes that failed.
#include <poll.h>

#include <cerrno>
#include <chrono>
#include <vector>

#include "device/staged_store.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;

TEST_CASE("writes land in the order of their submission, whichever the store ends first",
          "[emulated][landing]") {
  StagedFixture f;
  const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=64KiB");
  const auto queue = NewQueueOf(device, 8);
  for (const std::uint64_t block : {0u, 1u, 2u}) Submit(*queue, f.Write(block), block);
  CHECK(ZoneAt(*device, 0).write_pointer == 0);
  f.stage.Finish(2 * kBlock);
  f.stage.Finish(1 * kBlock);
  CHECK(PollNow(*queue).empty());
  CHECK(ZoneAt(*device, 0).write_pointer == 0);
  CHECK(queue->in_flight() == 3);
  f.stage.Finish(0);
  const auto done = PollNow(*queue);
  REQUIRE(done.size() == 3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    CHECK(done[i].user_data == i);
    CHECK(done[i].result.ok());
  }
  CHECK(ZoneAt(*device, 0).write_pointer == 3 * kBlock);
}

TEST_CASE("a write waits for an earlier one of another queue", "[emulated][landing]") {
  StagedFixture f;
  const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=64KiB");
  const auto first = NewQueueOf(device, 8);
  const auto second = NewQueueOf(device, 8);
  Submit(*first, f.Write(0), 1);
  Submit(*second, f.Write(1), 2);
  f.stage.Finish(kBlock);
  CHECK(PollNow(*second).empty());
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Completion> out(4);
  CHECK(second->Poll(out, 1, 20ms) == 0);  // sleeps in slices and gives up in time
  CHECK(std::chrono::steady_clock::now() - begin >= 20ms);
  f.stage.Finish(0);
  REQUIRE(PollNow(*first).size() == 1);
  REQUIRE(PollNow(*second).size() == 1);
  CHECK(ZoneAt(*device, 0).write_pointer == 2 * kBlock);
}

TEST_CASE("reset and finish take their turn behind admitted writes", "[emulated][landing]") {
  for (const ZoneOp op : {ZoneOp::kReset, ZoneOp::kFinish}) {
    CAPTURE(ToString(op));
    StagedFixture f;
    const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=64KiB");
    const auto queue = NewQueueOf(device, 8);
    const auto other = NewQueueOf(device, 8);
    Submit(*queue, f.Write(0), 1);
    Submit(*other, Manage(op, 0), 2);
    CHECK(PollNow(*other).empty());
    const auto timed_out = device->Manage(op, {ZoneId(0)}, 1ms);
    CHECK(timed_out->first_error.errc == Errc::kTimeout);
    f.stage.Finish(0);
    CHECK(PollNow(*queue).front().result.ok());
    CHECK(PollNow(*other).front().result.ok());
    const Zone zone = ZoneAt(*device, 0);
    CHECK(zone.condition == (op == ZoneOp::kReset ? ZoneCondition::kEmpty : ZoneCondition::kFull));
  }
}

TEST_CASE("open and close do not wait, and do not disturb what lands", "[emulated][landing]") {
  StagedFixture f;
  const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=64KiB");
  const auto queue = NewQueueOf(device, 8);
  Submit(*queue, f.Write(0), 1);
  Submit(*queue, Manage(ZoneOp::kClose, 0), 2);
  const auto closed = PollNow(*queue);
  REQUIRE(closed.size() == 1);
  CHECK(closed[0].user_data == 2);
  CHECK(ZoneAt(*device, 0).condition == ZoneCondition::kClosed);
  f.stage.Finish(0);
  CHECK(PollNow(*queue).front().result.ok());
  CHECK(ZoneAt(*device, 0).condition == ZoneCondition::kClosed);
  CHECK(ZoneAt(*device, 0).write_pointer == kBlock);
}

TEST_CASE("a zone is full when the write that fills it has landed", "[emulated][landing]") {
  StagedFixture f;
  const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=8KiB");
  const auto queue = NewQueueOf(device, 8);
  Submit(*queue, f.Write(0), 1);
  Submit(*queue, f.Write(1), 2);
  f.stage.Finish(0);
  CHECK(PollNow(*queue).size() == 1);
  CHECK(ZoneAt(*device, 0).condition == ZoneCondition::kImplicitOpen);
  CHECK(device->Counters()->open_now == 0);  // its slot was free from admission on
  f.stage.Finish(kBlock);
  CHECK(PollNow(*queue).size() == 1);
  CHECK(ZoneAt(*device, 0).condition == ZoneCondition::kFull);
}

// A finish that found the zone filled by writes under way was done before they
// were: killed then, the drive forgot a finish it had acknowledged.
TEST_CASE("finishing a zone that is being filled waits for it to be full", "[emulated][landing]") {
  StagedFixture f;
  const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=8KiB");
  const auto queue = NewQueueOf(device, 8);
  const auto other = NewQueueOf(device, 8);
  Submit(*queue, f.Write(0), 1);
  Submit(*queue, f.Write(1), 2);
  Submit(*other, Manage(ZoneOp::kFinish, 0), 3);
  CHECK(PollNow(*other).empty());
  f.stage.Finish(0);
  f.stage.Finish(kBlock);
  CHECK(PollNow(*queue).size() == 2);
  const auto finished = PollNow(*other);
  REQUIRE(finished.size() == 1);
  CHECK(finished[0].result.ok());
  CHECK(ZoneAt(*device, 0).condition == ZoneCondition::kFull);
}

TEST_CASE("a failed write takes those behind it along, and none before it", "[emulated][landing]") {
  StagedFixture f;
  const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=64KiB");
  const auto queue = NewQueueOf(device, 8);
  for (const std::uint64_t block : {0u, 1u, 2u, 3u}) Submit(*queue, f.Write(block), block);
  f.stage.Finish(1 * kBlock, ENOSPC);
  f.stage.Finish(3 * kBlock);
  CHECK(PollNow(*queue).empty());
  f.stage.Finish(0);
  const auto first = PollNow(*queue);
  REQUIRE(first.size() == 2);
  CHECK(first[0].result.ok());
  CHECK(first[1].result == IoResult{kBlock, 0, 0x280, Errc::kMediaError, Origin::kNvme});
  CHECK(ZoneAt(*device, 0).write_pointer == kBlock);
  // Until the writes behind have come to their turns the zone takes nothing.
  Submit(*queue, f.Write(1), 9);
  Submit(*queue, Manage(ZoneOp::kReset, kBlock * 0), 10);
  const auto refused = PollNow(*queue);
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].user_data == 9);
  CHECK(refused[0].result.errc == Errc::kMediaError);
  f.stage.Finish(2 * kBlock);
  const auto rest = PollNow(*queue);
  REQUIRE(rest.size() == 3);
  CHECK(rest[0].result.errc == Errc::kMediaError);
  CHECK(rest[1].result.errc == Errc::kMediaError);
  CHECK(rest[2].user_data == 10);
  CHECK(rest[2].result.ok());
  CHECK(ZoneAt(*device, 0).condition == ZoneCondition::kEmpty);
}

TEST_CASE("after a failed write the zone is written on from where it stands",
          "[emulated][landing]") {
  for (const char* dialect : {"zns", "zbc"}) {
    StagedFixture f;
    f.stage.synchronous = true;
    const auto device =
        NewStaged(f.stage, "emu,zones=2,zone_size=64KiB,dialect=" + std::string(dialect));
    const auto queue = NewQueueOf(device, 8);
    CHECK(RunOne(*queue, f.Write(0)).result.ok());
    f.stage.error = ENOSPC;
    const IoResult failed = RunOne(*queue, f.Write(1)).result;
    CHECK(failed.errc == Errc::kMediaError);
    CHECK(failed.raw == (dialect == std::string("zns") ? 0x280u : 0x030C00u));
    const IoResult unread = RunOne(*queue, Request(IoOp::kRead, 0, kBlock, f.buffer.data())).result;
    CHECK(unread.errc == Errc::kMediaError);
    CHECK(unread.raw == (dialect == std::string("zns") ? 0x281u : 0x031100u));
    CHECK(RunOne(*queue, Request(IoOp::kFlush, 0)).result.errc == Errc::kMediaError);
    CHECK(ZoneAt(*device, 0).write_pointer == kBlock);
    f.stage.error = 0;
    CHECK(RunOne(*queue, f.Write(1)).result.ok());
    CHECK(ZoneAt(*device, 0).write_pointer == 2 * kBlock);
  }
}

TEST_CASE("a failed write that would have filled the zone leaves it full where it stands",
          "[emulated][landing]") {
  StagedFixture f;
  const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=8KiB,max_open=1,max_active=1");
  const auto queue = NewQueueOf(device, 8);
  Submit(*queue, f.Write(0), 1);
  Submit(*queue, f.Write(1), 2);
  f.stage.Finish(0);
  f.stage.Finish(kBlock, EIO);
  REQUIRE(PollNow(*queue).size() == 2);
  CHECK(ZoneAt(*device, 0).condition == ZoneCondition::kFull);
  CHECK(device->Counters()->active_now == 0);
  Submit(*queue, Manage(ZoneOp::kReset, 0), 3);
  CHECK(PollNow(*queue).front().result.ok());
}

TEST_CASE("a queue that waits for another's write is told when that has landed",
          "[emulated][landing]") {
  StagedFixture f;
  const auto device = NewStaged(f.stage, "emu,zones=2,zone_size=64KiB");
  const auto first = NewQueueOf(device, 8);
  const auto second = NewQueueOf(device, 8);
  const auto readable = [&] {
    pollfd event{second->event_fd(), POLLIN, 0};
    return ::poll(&event, 1, 0) == 1;
  };
  for (const int error : {0, EIO}) {
    CAPTURE(error);
    const std::uint64_t block = error == 0 ? 0 : 2;
    Submit(*first, f.Write(block), 1);
    Submit(*second, f.Write(block + 1), 2);
    CHECK(second->Arm());  // with the store
    f.stage.Finish((block + 1) * kBlock);
    CHECK(PollNow(*second).empty());  // not its turn
    REQUIRE(second->Arm());
    CHECK_FALSE(readable());
    CHECK(first->Arm());
    f.stage.Finish(block * kBlock, error);
    CHECK_FALSE(readable());
    REQUIRE(PollNow(*first).size() == 1);
    CHECK(readable());
    const std::vector<Completion> done = PollNow(*second);
    REQUIRE(done.size() == 1);
    CHECK(done[0].result.errc == (error == 0 ? Errc::kOk : Errc::kMediaError));
    CHECK(second->Arm());
    CHECK_FALSE(readable());
  }
}

}  // namespace
}  // namespace zonal::test
