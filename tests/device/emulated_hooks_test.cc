// SPDX-License-Identifier: MIT
// What a drive tells its hooks, and when: zones that leave Empty, zones to prepare
// before their first write, flushes; and that a slow hook holds up nobody else.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "device/staged_store.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;

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

TEST_CASE("the hooks see each first write after a reset, flushes and fua", "[emulated][hooks]") {
  StagedFixture f;
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

TEST_CASE("a drive that prepares no zone stores a first write inside Submit", "[emulated][hooks]") {
  StagedFixture f;
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
          "[emulated][hooks][threads]") {
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

}  // namespace
}  // namespace zonal::test
