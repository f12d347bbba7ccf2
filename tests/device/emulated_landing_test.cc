// SPDX-License-Identifier: MIT
// Landing over a store that answers when the test says so: order inside a zone,
// what waits for what, and what remains of writes that failed.
#include <poll.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "device/emulated/drive_memory.h"
#include "device/emulated/ready_event.h"
#include "device/emulated/zone_word.h"
#include "support/aligned_buffer.h"
#include "support/catch.h"
#include "support/emulated.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;
using emulated::StoreAnswer;
using emulated::StoreCompletion;

struct Pending {
  std::uint64_t offset = 0;
  std::uint64_t cookie = 0;
  int queue = 0;
};

// What the test sees and steers; outlives the drive.
struct Stage {
  bool synchronous = false;  // answers at once, with `error`
  int error = 0;
  std::vector<Pending> pending;
  std::vector<std::vector<StoreCompletion>> done;  // by queue

  // The write at `offset` has reached the store, or failed to.
  void Finish(std::uint64_t offset, int result = 0) {
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if (pending[i].offset != offset) continue;
      done[static_cast<std::size_t>(pending[i].queue)].push_back({pending[i].cookie, result});
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    FAIL("nothing pending at " << offset);
  }
};

class StagedQueue final : public emulated::StoreQueue {
 public:
  StagedQueue(Stage& stage, int index) : stage_(stage), index_(index) {}
  StoreAnswer Write(std::uint64_t offset, std::span<const iovec>, bool,
                    std::uint64_t cookie) noexcept override {
    return Answer(offset, cookie);
  }
  StoreAnswer Read(std::uint64_t offset, std::span<const iovec>,
                   std::uint64_t cookie) noexcept override {
    return Answer(offset, cookie);
  }
  StoreAnswer Flush(std::uint64_t cookie) noexcept override { return Answer(~0ull, cookie); }
  std::size_t Poll(std::span<StoreCompletion> out, std::size_t, nanoseconds) noexcept override {
    auto& done = stage_.done[static_cast<std::size_t>(index_)];
    const std::size_t count = std::min(out.size(), done.size());
    std::copy_n(done.begin(), count, out.begin());
    done.erase(done.begin(), done.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void Wake() noexcept override {}
  // Completions are made by the test, in the queue's own thread: never readable.
  int event_fd() noexcept override { return event_.fd(); }
  bool Arm() noexcept override { return stage_.done[static_cast<std::size_t>(index_)].empty(); }

 private:
  StoreAnswer Answer(std::uint64_t offset, std::uint64_t cookie) {
    if (stage_.synchronous) return {false, stage_.error};
    stage_.pending.push_back({offset, cookie, index_});
    return {true, 0};
  }
  Stage& stage_;
  int index_;
  emulated::ReadyEvent event_;
};

class StagedStore final : public emulated::Store {
 public:
  explicit StagedStore(Stage& stage) : stage_(stage) {}
  absl::StatusOr<std::unique_ptr<emulated::StoreQueue>> NewQueue(std::uint32_t) override {
    stage_.done.emplace_back();
    return std::make_unique<StagedQueue>(stage_, static_cast<int>(stage_.done.size()) - 1);
  }
  bool is_synchronous() const noexcept override { return stage_.synchronous; }
  void Forget(std::uint64_t, std::uint64_t) noexcept override {}
  absl::Status Sync() override {
    return stage_.error == 0 ? absl::OkStatus() : absl::InternalError("staged");
  }

 private:
  Stage& stage_;
};

std::unique_ptr<Device> NewStaged(Stage& stage, const std::string& spec,
                                  std::unique_ptr<emulated::DriveHooks> hooks = nullptr) {
  EmulatedOptions options = *ParseEmulatedSpec(spec);
  auto memory = emulated::NewAnonymousMemory(emulated::WithDefaults(options),
                                             std::make_unique<StagedStore>(stage));
  REQUIRE(memory.ok());
  memory->hooks = std::move(hooks);
  auto device = emulated::NewDrive(options, {}, *std::move(memory), MonotonicClock());
  REQUIRE(device.ok());
  return *std::move(device);
}

constexpr std::uint64_t kBlock = 4096;

void Submit(IoQueue& queue, const IoRequest& request, std::uint64_t tag) {
  IoRequest tagged = request;
  tagged.user_data = tag;
  REQUIRE(queue.Submit({&tagged, 1}) == 1);
}

std::vector<Completion> PollNow(IoQueue& queue) {
  std::vector<Completion> done(16);
  done.resize(queue.Poll(done, 1, 0ns));
  return done;
}

struct Fixture {
  Stage stage;
  AlignedBuffer buffer{1 << 16};
  IoRequest Write(std::uint64_t block) {
    return Request(IoOp::kWrite, block * kBlock, kBlock, buffer.data());
  }
};

TEST_CASE("writes land in the order of their submission, whichever the store ends first",
          "[emulated][landing]") {
  Fixture f;
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
  Fixture f;
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
    Fixture f;
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
  Fixture f;
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
  Fixture f;
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
  Fixture f;
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
  Fixture f;
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
    Fixture f;
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
  Fixture f;
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
  Fixture f;
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

class CountingHooks final : public emulated::DriveHooks {
 public:
  struct Counts {
    bool prepares = true;
    std::vector<std::uint32_t> left;      // left Empty
    std::vector<std::uint32_t> prepared;  // before their first write
    int flushes = 0;
    int error = 0;
  };
  explicit CountingHooks(Counts& counts) : counts_(counts) {}
  void ZoneLeavesEmpty(ZoneId zone) noexcept override { counts_.left.push_back(zone.value()); }
  bool prepares_zones() const noexcept override { return counts_.prepares; }
  int PrepareZone(ZoneId zone) noexcept override {
    counts_.prepared.push_back(zone.value());
    return counts_.error;
  }
  absl::Status Flush() override {
    ++counts_.flushes;
    return absl::OkStatus();
  }

 private:
  Counts& counts_;
};

TEST_CASE("the hooks see each first write after a reset, flushes and fua", "[emulated][landing]") {
  Fixture f;
  f.stage.synchronous = true;
  CountingHooks::Counts counts;
  const auto device =
      NewStaged(f.stage, "emu,zones=4,zone_size=64KiB", std::make_unique<CountingHooks>(counts));
  const auto queue = NewQueueOf(device, 8);
  REQUIRE(RunOne(*queue, f.Write(0)).result.ok());
  REQUIRE(RunOne(*queue, f.Write(1)).result.ok());
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kOpen, 65536)).result.ok());
  REQUIRE(RunOne(*queue, f.Write(16)).result.ok());
  REQUIRE(RunOne(*queue, Manage(ZoneOp::kReset, 0)).result.ok());
  REQUIRE(RunOne(*queue, Request(IoOp::kAppend, 0, kBlock, f.buffer.data())).result.ok());
  CHECK(counts.left == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(counts.prepared == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(counts.flushes == 0);
  IoRequest fua = f.Write(1);
  fua.fua = true;
  REQUIRE(RunOne(*queue, fua).result.ok());
  REQUIRE(RunOne(*queue, Request(IoOp::kFlush, 0)).result.ok());
  REQUIRE(device->Flush().ok());
  CHECK(counts.flushes == 3);
  counts.error = EIO;
  CHECK(RunOne(*queue, f.Write(32)).result.errc == Errc::kMediaError);
  CHECK(ZoneAt(*device, 2).write_pointer == 2 * 65536);  // nothing of it counts
  counts.error = 0;
  CHECK(RunOne(*queue, f.Write(32)).result.ok());
  CHECK(counts.prepared == std::vector<std::uint32_t>{0, 1, 0, 2, 2});
}

TEST_CASE("a drive that prepares no zone stores a first write inside Submit",
          "[emulated][landing]") {
  Fixture f;
  f.stage.synchronous = true;
  CountingHooks::Counts counts;
  counts.prepares = false;
  const auto device =
      NewStaged(f.stage, "emu,zones=4,zone_size=64KiB", std::make_unique<CountingHooks>(counts));
  const auto queue = NewQueueOf(device, 8);
  Submit(*queue, f.Write(0), 1);
  CHECK(ZoneAt(*device, 0).write_pointer == kBlock);
  CHECK(counts.left == std::vector<std::uint32_t>{0});
  CHECK(counts.prepared.empty());
  REQUIRE(PollNow(*queue).size() == 1);
}

// Preparing a zone, that is syncing a disk, takes as long as the test says.
class SlowHooks final : public emulated::DriveHooks {
 public:
  struct Gate {
    std::atomic<int> inside{0};
    std::atomic<bool> open{false};
  };
  explicit SlowHooks(Gate& gate) : gate_(gate) {}
  void ZoneLeavesEmpty(ZoneId) noexcept override {}
  bool prepares_zones() const noexcept override { return true; }
  int PrepareZone(ZoneId zone) noexcept override {
    if (zone.value() != 0) return 0;
    ++gate_.inside;
    gate_.open.wait(false);
    return 0;
  }
  absl::Status Flush() override { return absl::OkStatus(); }

 private:
  Gate& gate_;
};

TEST_CASE("a zone whose record is being synced holds up neither Submit nor other zones",
          "[emulated][landing][threads]") {
  SlowHooks::Gate gate;
  EmulatedOptions options = *ParseEmulatedSpec("emu,zones=4,zone_size=64KiB,max_open=2");
  auto memory = emulated::NewAnonymousMemory(emulated::WithDefaults(options));
  REQUIRE(memory.ok());
  memory->hooks = std::make_unique<SlowHooks>(gate);
  const auto made = emulated::NewDrive(options, {}, *std::move(memory), MonotonicClock());
  REQUIRE(made.ok());
  Device& device = **made;
  AlignedBuffer buffer(65536);
  std::memset(buffer.data(), 'x', buffer.size());
  const auto write = [&](std::uint64_t offset) {
    return Request(IoOp::kWrite, offset, kBlock, buffer.data());
  };
  const auto slow = NewQueueOf(device, 8);
  const auto other = NewQueueOf(device, 8);
  Submit(*slow, write(0), 1);  // would hang here if Submit prepared
  Submit(*slow, write(kBlock), 2);
  CHECK(gate.inside == 0);
  std::vector<Completion> done(8);
  std::thread sleeper([&] {
    std::size_t count = 0;
    while (count < 2) count += slow->Poll(std::span(done).subspan(count), 1, 10s);
    done.resize(count);
  });
  while (gate.inside == 0) std::this_thread::yield();
  // The sync runs. Slots taken, a zone evicted, managed, reported, read: all of it
  // goes through the drive's mutex or past it.
  CHECK(RunOne(*other, write(65536)).result.ok());
  CHECK(RunOne(*other, write(65536 + kBlock)).result.ok());
  CHECK(RunOne(*other, write(2 * 65536)).result.ok());
  CHECK(RunOne(*other, Manage(ZoneOp::kReset, 65536)).result.ok());
  CHECK(device.Manage(ZoneOp::kOpen, {ZoneId(3)}, 1ms)->first_error.ok());
  CHECK(ZoneAt(device, 0).write_pointer == 0);  // nothing has landed
  // Another queue's write to the slow zone is admitted, too, and waits.
  Submit(*other, write(2 * kBlock), 3);
  CHECK(device.Manage(ZoneOp::kReset, {ZoneId(0)}, 1ms)->first_error.errc == Errc::kTimeout);
  gate.open = true;
  gate.open.notify_all();
  sleeper.join();
  REQUIRE(done.size() == 2);
  CHECK(done[0].user_data == 1);
  CHECK(done[1].user_data == 2);
  for (const Completion& completion : done) CHECK(completion.result.ok());
  const std::vector<Completion> last = Drain(*other);
  REQUIRE(last.size() == 1);
  CHECK(last[0].result.ok());
  CHECK(ZoneAt(device, 0).write_pointer == 3 * kBlock);
  CHECK(gate.inside == 1);
}

TEST_CASE("power-on closes open zones, empties unwritten ones and counts the active",
          "[emulated][landing]") {
  const EmulatedOptions options =
      emulated::WithDefaults(*ParseEmulatedSpec("emu,zones=6,zone_size=64KiB"));
  auto memory = emulated::NewAnonymousMemory(options);
  REQUIRE(memory.ok());
  using emulated::ZoneWord;
  const ZoneWord words[] = {
      {ZoneCondition::kImplicitOpen, 3, 2}, {ZoneCondition::kExplicitOpen, 4, 0},
      {ZoneCondition::kClosed, 5, 1},       {ZoneCondition::kFull, 6, 16},
      {ZoneCondition::kReadOnly, 0, 2},     {ZoneCondition::kEmpty, 7, 0}};
  for (std::size_t i = 0; i < 6; ++i) memory->landed[i].store(words[i].bits());
  const auto device = emulated::NewDrive(options, {}, *std::move(memory), MonotonicClock());
  REQUIRE(device.ok());
  const ZoneCondition want[] = {ZoneCondition::kClosed,   ZoneCondition::kEmpty,
                                ZoneCondition::kClosed,   ZoneCondition::kFull,
                                ZoneCondition::kReadOnly, ZoneCondition::kEmpty};
  for (std::uint32_t zone = 0; zone < 6; ++zone) {
    CAPTURE(zone);
    CHECK(ZoneAt(**device, zone).condition == want[zone]);
  }
  CHECK((*device)->Counters()->active_now == 2);
  CHECK((*device)->Counters()->active_high_water == 2);
  CHECK((*device)->Counters()->open_high_water == 0);
  const auto queue = NewQueueOf(**device, 2);
  AlignedBuffer buffer(4096);
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 8192, 4096, buffer.data())).result.ok());
}

TEST_CASE("a read-only drive reports and reads, and changes nothing", "[emulated][landing]") {
  const EmulatedOptions options =
      emulated::WithDefaults(*ParseEmulatedSpec("emu,zones=2,zone_size=64KiB"));
  auto memory = emulated::NewAnonymousMemory(options);
  REQUIRE(memory.ok());
  memory->landed[0].store(emulated::ZoneWord(ZoneCondition::kExplicitOpen, 0, 2).bits());
  emulated::DriveIdentity identity;
  identity.read_only = true;
  const auto device = emulated::NewDrive(options, identity, *std::move(memory), MonotonicClock());
  REQUIRE(device.ok());
  CHECK((*device)->info().read_only);
  CHECK(ZoneAt(**device, 0).condition == ZoneCondition::kExplicitOpen);
  CHECK(absl::IsFailedPrecondition((*device)->Manage(ZoneOp::kReset, {ZoneId(0)}, 0ns).status()));
  CHECK(absl::IsFailedPrecondition((*device)->ManageAll(ZoneOp::kReset, 0ns).status()));
  const auto queue = NewQueueOf(**device, 2);
  AlignedBuffer buffer(4096);
  for (const IoOp op : {IoOp::kWrite, IoOp::kAppend, IoOp::kManage}) {
    CHECK(RunOne(*queue, Request(op, 0, 4096, buffer.data())).result.errc == Errc::kPermission);
  }
  CHECK(RunOne(*queue, Request(IoOp::kRead, 0, 4096, buffer.data())).result.ok());
  CHECK(RunOne(*queue, Request(IoOp::kFlush, 0)).result.ok());
  CHECK((*device)->Counters()->reads == 0);
}

}  // namespace
}  // namespace zonal::test
