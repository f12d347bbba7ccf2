// SPDX-License-Identifier: MIT
// Many threads on one drive, each with a queue of its own. Threads return what
// they saw; the main thread asserts.
#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "support/catch.h"
#include "support/emulated.h"
#include "zonal/rng.h"

namespace zonal::test {
namespace {

constexpr std::uint64_t kBlock = 4096;

// What a thread saw: the results of its requests, in the order of completion.
using Log = std::vector<IoResult>;

std::uint64_t Seed() {
  const char* text = std::getenv("ZONAL_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

std::unique_ptr<IoQueue> QueueOf(Device& device, std::uint32_t depth) {
  QueueOptions options;
  options.depth = depth;
  auto queue = device.NewQueue(options);
  return queue.ok() ? *std::move(queue) : nullptr;
}

template <typename Body>
std::vector<Log> OnThreads(std::size_t count, Body body) {
  std::vector<Log> logs(count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] { logs[i] = body(i); });
  }
  for (std::thread& thread : threads) thread.join();
  return logs;
}

void PollInto(Log& log, IoQueue& queue, std::size_t min) {
  std::array<Completion, 32> done;
  const std::size_t count = queue.Poll(done, min, std::chrono::seconds(10));
  for (std::size_t i = 0; i < count; ++i) log.push_back(done[i].result);
}

TEST_CASE("threads write zones of their own", "[emulated][threads]") {
  constexpr std::size_t kThreads = 4;
  const auto device = NewDevice("emu,zones=8,zone_size=4MiB,max_open=8,max_active=8");
  const std::uint64_t zone_size = 4 << 20;
  const auto logs = OnThreads(kThreads, [&](std::size_t id) {
    Log log;
    const auto queue = QueueOf(*device, 16);
    std::vector<std::byte> data(kBlock, static_cast<std::byte>(id + 1));
    for (const std::size_t zone : {id, id + kThreads}) {
      for (std::uint64_t at = 0; at < zone_size; at += kBlock) {
        IoRequest request;
        request.op = IoOp::kWrite;
        request.offset = zone * zone_size + at;
        request.bytes = kBlock;
        request.buffer = data.data();
        while (queue->Submit({&request, 1}) == 0) PollInto(log, *queue, 1);
      }
    }
    while (queue->in_flight() > 0) PollInto(log, *queue, 1);
    return log;
  });
  for (const Log& log : logs) {
    CHECK(log.size() == 2 * zone_size / kBlock);
    CHECK(std::all_of(log.begin(), log.end(), [](const IoResult& r) { return r.ok(); }));
  }
  for (std::uint32_t zone = 0; zone < 8; ++zone) {
    CHECK(ZoneAt(*device, zone).condition == ZoneCondition::kFull);
  }
  const DriveCounters counters = *device->Counters();
  CHECK(counters.writes == 8 * zone_size / kBlock);
  CHECK(counters.open_now == 0);
  CHECK(counters.open_high_water <= kThreads);
  const auto queue = NewQueueOf(device, 1);
  std::vector<std::byte> data(zone_size);
  for (std::uint32_t zone = 0; zone < 8; ++zone) {
    REQUIRE(
        RunOne(*queue, Request(IoOp::kRead, zone * zone_size, zone_size, data.data())).result.ok());
    const std::byte want = static_cast<std::byte>(zone % kThreads + 1);
    CHECK(std::all_of(data.begin(), data.end(), [&](std::byte b) { return b == want; }));
  }
}

TEST_CASE("threads append to one zone: every place once, every byte there", "[emulated][threads]") {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kEach = 1000;
  const auto device = NewDevice("emu,zones=2,zone_size=64MiB");
  const auto logs = OnThreads(kThreads, [&](std::size_t id) {
    Log log;
    const auto queue = QueueOf(*device, 8);
    std::vector<std::byte> data(2 * kBlock, static_cast<std::byte>(id + 1));
    for (std::size_t i = 0; i < kEach; ++i) {
      IoRequest request;
      request.op = IoOp::kAppend;
      request.bytes = kBlock * (1 + i % 2);
      request.buffer = data.data();
      while (queue->Submit({&request, 1}) == 0) PollInto(log, *queue, 1);
    }
    while (queue->in_flight() > 0) PollInto(log, *queue, 1);
    return log;
  });
  std::vector<std::pair<IoResult, std::size_t>> all;
  for (std::size_t id = 0; id < kThreads; ++id) {
    REQUIRE(logs[id].size() == kEach);
    for (const IoResult& result : logs[id]) all.push_back({result, id});
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.first.offset < b.first.offset; });
  const auto queue = NewQueueOf(device, 1);
  std::vector<std::byte> data(2 * kBlock);
  std::uint64_t next = 0;
  for (const auto& [result, id] : all) {
    REQUIRE(result.ok());
    REQUIRE(result.offset == next);
    REQUIRE(RunOne(*queue, Request(IoOp::kRead, next, result.bytes, data.data())).result.ok());
    const std::byte want = static_cast<std::byte>(id + 1);
    REQUIRE(std::all_of(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(result.bytes),
                        [&](std::byte b) { return b == want; }));
    next += result.bytes;
  }
  CHECK(ZoneAt(*device, 0).write_pointer == next);
  CHECK(next == kThreads * kEach * kBlock * 3 / 2);
}

// Appends, reads, opens, closes, finishes and resets, all over few zones and
// fewer slots. What must hold at the end: the report agrees with the counters,
// nothing is stuck, the limits were never passed.
TEST_CASE("threads doing everything to the same zones", "[emulated][threads]") {
  constexpr std::size_t kThreads = 4;
  constexpr int kSteps = 3000;
  constexpr std::uint32_t kZones = 6;
  const std::uint64_t seed = Seed();
  CAPTURE(seed);
  const auto device = NewDevice("emu,zones=6,zone_size=64KiB,max_open=3,max_active=4,order=seeded");
  const auto logs = OnThreads(kThreads, [&](std::size_t id) {
    Log log;
    Rng rng(seed * 1000 + id);
    const auto queue = QueueOf(*device, 8);
    std::vector<std::byte> data(8 * kBlock, static_cast<std::byte>(id));
    for (int step = 0; step < kSteps; ++step) {
      IoRequest request;
      request.offset = rng.Below(kZones) * 65536;
      request.buffer = data.data();
      request.bytes = kBlock * (1 + rng.Below(4));
      const std::uint64_t dice = rng.Below(16);
      if (dice < 8) {
        request.op = IoOp::kAppend;
      } else if (dice < 10) {
        request.op = IoOp::kRead;
      } else {
        request.op = IoOp::kManage;
        constexpr ZoneOp kOps[] = {ZoneOp::kOpen,  ZoneOp::kClose, ZoneOp::kFinish,
                                   ZoneOp::kReset, ZoneOp::kReset, ZoneOp::kClose};
        request.zone_op = kOps[dice - 10];
      }
      while (queue->Submit({&request, 1}) == 0) PollInto(log, *queue, 1);
    }
    while (queue->in_flight() > 0) PollInto(log, *queue, 1);
    return log;
  });
  for (const Log& log : logs) {
    CHECK(log.size() == kSteps);
    for (const IoResult& result : log) {
      const bool legal = result.ok() || result.errc == Errc::kZoneFull ||
                         result.errc == Errc::kZoneBoundary || result.errc == Errc::kTooManyOpen ||
                         result.errc == Errc::kTooManyActive ||
                         result.errc == Errc::kInvalidTransition;
      if (!legal) FAIL("unexpected " << ToString(result.errc));
    }
  }
  const DriveCounters counters = *device->Counters();
  std::uint32_t open = 0, active = 0;
  for (std::uint32_t zone = 0; zone < kZones; ++zone) {
    open += IsOpen(ZoneAt(*device, zone).condition) ? 1 : 0;
    active += IsActive(ZoneAt(*device, zone).condition) ? 1 : 0;
  }
  CHECK(counters.open_now == open);
  CHECK(counters.active_now == active);
  CHECK(counters.open_high_water <= 3);
  CHECK(counters.active_high_water <= 4);
  const auto reset = device->Manage(ZoneOp::kReset, {ZoneId(0), kZones}, nanoseconds(0));
  CHECK(reset->completed == kZones);
  CHECK(device->Counters()->active_now == 0);
}

// Each waits for the others' landings now and then, asleep on its descriptor.
TEST_CASE("threads that sleep on their descriptors miss no landing", "[emulated][threads]") {
  constexpr std::size_t kEach = 3000;
  const auto device = NewDevice("emu,zones=1,zone_size=64MiB");
  const auto logs = OnThreads(3, [&](std::size_t) {
    Log log;
    const auto queue = QueueOf(*device, 4);
    std::vector<std::byte> data(kBlock);
    IoRequest append = Request(IoOp::kAppend, 0, kBlock, data.data());
    std::array<Completion, 8> done;
    for (std::size_t submitted = 0; log.size() < kEach;) {
      if (submitted < kEach) submitted += queue->Submit({&append, 1});
      if (submitted < kEach && queue->in_flight() < queue->depth()) continue;
      std::size_t count = 0;
      do {
        count = queue->Poll(done, 0, nanoseconds(0));
        for (std::size_t i = 0; i < count; ++i) log.push_back(done[i].result);
      } while (count > 0 || (queue->in_flight() > 0 && !queue->Arm()));
      if (queue->in_flight() == 0) continue;
      pollfd event{queue->event_fd(), POLLIN, 0};
      if (::poll(&event, 1, 10'000) != 1) return log;  // lost
    }
    return log;
  });
  for (const Log& log : logs) CHECK(log.size() == kEach);
  CHECK(ZoneAt(*device, 0).write_pointer == 3 * kEach * kBlock);
}

TEST_CASE("any thread may wake a queue", "[emulated][threads]") {
  const auto device = NewDevice("emu,zones=2");
  const auto queue = NewQueueOf(device, 4);
  std::atomic<bool> stop{false};
  std::thread waker([&] {
    while (!stop.load()) queue->Wake();
  });
  std::array<Completion, 4> out;
  std::size_t returned = 0;
  for (int i = 0; i < 200; ++i) returned += queue->Poll(out, 1, nanoseconds(-1));
  stop.store(true);
  waker.join();
  CHECK(returned == 0);
}

}  // namespace
}  // namespace zonal::test
