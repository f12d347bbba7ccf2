// SPDX-License-Identifier: MIT
#include "support/queue_conformance.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "support/aligned_buffer.h"
#include "support/catch.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr nanoseconds kLong = 10s;  // a wait that must end earlier
constexpr int kLongMilliseconds = 10'000;
constexpr nanoseconds kPrompt = 2s;  // what "at once" may take on a busy machine
constexpr std::size_t kBlocks = 64;  // written per check

std::unique_ptr<IoQueue> NewQueue(const ConformanceTarget& target, std::uint32_t depth) {
  QueueOptions options;
  options.kind = target.kind;
  options.depth = depth;
  auto queue = target.device.NewQueue(options);
  INFO(queue.status().ToString());
  REQUIRE(queue.ok());
  return *std::move(queue);
}

std::size_t UnitOf(const ConformanceTarget& target) {
  return std::max<std::size_t>(4096, target.device.info().geometry.write_granularity);
}

IoRequest Request(IoOp op, std::uint64_t offset, std::span<std::byte> data, std::uint64_t tag) {
  IoRequest request;
  request.op = op;
  request.offset = offset;
  request.bytes = data.size();
  request.buffer = data.data();
  request.user_data = tag;
  return request;
}

// A block that says where it belongs and in which round it was written.
void Stamp(std::span<std::byte> block, std::uint64_t offset, std::uint64_t round) {
  for (std::size_t at = 0; at + 16 <= block.size(); at += 16) {
    const std::uint64_t words[2] = {offset + at, round * 0x9E3779B97F4A7C15ull};
    std::memcpy(&block[at], words, sizeof words);
  }
}

// Submits everything, as the queue takes it, and returns the completions in the
// order of their tags.
std::vector<Completion> RunAll(IoQueue& queue, std::span<const IoRequest> requests) {
  std::vector<Completion> all;
  std::array<Completion, 16> some;
  const auto begin = Steady::now();
  std::size_t submitted = 0;
  while (all.size() < requests.size() && Steady::now() - begin < kLong) {
    submitted += queue.Submit(requests.subspan(submitted));
    const std::size_t count = queue.Poll(some, 1, kLong);
    all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  }
  std::sort(all.begin(), all.end(),
            [](const Completion& a, const Completion& b) { return a.user_data < b.user_data; });
  REQUIRE(all.size() == requests.size());
  REQUIRE(queue.in_flight() == 0);
  return all;
}

Completion RunOne(IoQueue& queue, const IoRequest& request) {
  return RunAll(queue, std::span(&request, 1)).front();
}

std::vector<IoRequest> BlockRequests(const ConformanceTarget& target, IoOp op,
                                     const AlignedBuffer& buffer) {
  const std::size_t unit = UnitOf(target);
  std::vector<IoRequest> requests;
  for (std::size_t i = 0; i < buffer.size() / unit; ++i) {
    requests.push_back(
        Request(op, target.offset + i * unit, buffer.span().subspan(i * unit, unit), i));
  }
  return requests;
}

// Whether the queue's descriptor becomes readable within `milliseconds`.
bool Readable(IoQueue& queue, int milliseconds) {
  pollfd event{queue.event_fd(), POLLIN, 0};
  return ::poll(&event, 1, milliseconds) == 1 && (event.revents & POLLIN) != 0;
}

// As an event loop does: takes what is there until Arm says that nothing is.
std::size_t TakeUntilArmed(IoQueue& queue) {
  std::array<Completion, 64> some;
  std::size_t taken = 0;
  std::size_t count = 0;
  const auto begin = Steady::now();
  do {
    count = queue.Poll(some, 0, nanoseconds(0));
    taken += count;
  } while ((count > 0 || !queue.Arm()) && Steady::now() - begin < kLong);
  return taken;
}

std::thread WakeAfter(IoQueue& queue, nanoseconds delay) {
  return std::thread([&queue, delay] {
    std::this_thread::sleep_for(delay);
    queue.Wake();
  });
}

}  // namespace

void CheckWriteReadVerify(const ConformanceTarget& target, std::uint32_t depth) {
  target.rewind();
  const std::size_t unit = UnitOf(target);
  auto queue = NewQueue(target, depth);
  AlignedBuffer written(kBlocks * unit);
  AlignedBuffer read(kBlocks * unit);
  for (std::size_t i = 0; i < kBlocks; ++i) {
    Stamp(written.span().subspan(i * unit, unit), target.offset + i * unit, depth);
  }
  std::vector<IoRequest> requests = BlockRequests(target, IoOp::kWrite, written);
  for (const Completion& done : RunAll(*queue, requests)) {
    CAPTURE(done.user_data, ToString(done.result.errc), done.result.raw);
    CHECK(done.result.ok());
    CHECK(done.result.bytes == unit);
    CHECK(done.result.offset == target.offset + done.user_data * unit);
  }
  IoRequest flush;
  flush.op = IoOp::kFlush;
  if (queue->features().flush) CHECK(RunOne(*queue, flush).result.ok());
  std::memset(read.data(), 0xA5, read.size());
  requests = BlockRequests(target, IoOp::kRead, read);
  for (const Completion& done : RunAll(*queue, requests)) CHECK(done.result.ok());
  CHECK(std::memcmp(written.data(), read.data(), read.size()) == 0);
  CHECK(queue->Close(nanoseconds::max()).ok());
}

void CheckFullQueueTakesNothing(const ConformanceTarget& target) {
  target.rewind();
  auto queue = NewQueue(target, 8);
  AlignedBuffer buffer(kBlocks * UnitOf(target));
  const std::vector<IoRequest> requests = BlockRequests(target, IoOp::kWrite, buffer);
  REQUIRE(queue->depth() >= 1);
  REQUIRE(queue->depth() <= 8);
  CHECK(queue->Submit(requests) == queue->depth());
  CHECK(queue->in_flight() == queue->depth());
  CHECK(queue->Submit(requests) == 0);
  std::array<Completion, kBlocks> done;
  // A completion not yet taken still holds its place.
  std::this_thread::sleep_for(20ms);
  CHECK(queue->Submit(requests) == 0);
  CHECK(queue->Poll(done, queue->depth(), kLong) == queue->depth());
  CHECK(queue->in_flight() == 0);
  CHECK(queue->Submit(std::span(requests).subspan(queue->depth(), 1)) == 1);
  CHECK(queue->Poll(done, 1, kLong) == 1);
}

void CheckWakeEndsPoll(const ConformanceTarget& target) {
  auto queue = NewQueue(target, 4);
  std::array<Completion, 8> done;
  AlignedBuffer buffer(UnitOf(target));
  const IoRequest read = Request(IoOp::kRead, target.offset, buffer.span(), 1);
  // Before the first Submit, after it, and while more is wanted than in flight.
  constexpr std::array kWaits = {kLong, nanoseconds(-1), nanoseconds::max()};
  for (std::size_t round = 0; round < 3 * kWaits.size(); ++round) {
    CAPTURE(round);
    const bool submits = round >= kWaits.size();
    if (submits) REQUIRE(queue->Submit(std::span(&read, 1)) == 1);
    const nanoseconds wait = kWaits[round % kWaits.size()];
    const auto begin = Steady::now();
    // With a read in flight: long enough for it to be done first on a busy machine.
    std::thread waker = WakeAfter(*queue, submits ? 300ms : 30ms);
    const std::size_t count = queue->Poll(done, 2, wait);
    const nanoseconds took = Steady::now() - begin;
    waker.join();
    CHECK(took >= 25ms);
    CHECK(took < kPrompt);
    CHECK(count == (submits ? 1u : 0u));
  }
  // A Wake between two Polls ends the next one, and only that.
  queue->Wake();
  queue->Wake();
  auto begin = Steady::now();
  CHECK(queue->Poll(done, 1, kLong) == 0);
  CHECK(Steady::now() - begin < kPrompt);
  begin = Steady::now();
  CHECK(queue->Poll(done, 1, 30ms) == 0);
  CHECK(Steady::now() - begin >= 29ms);
}

void CheckWaits(const ConformanceTarget& target) {
  auto queue = NewQueue(target, 4);
  std::array<Completion, 8> done;
  auto begin = Steady::now();
  for (int i = 0; i < 100; ++i) CHECK(queue->Poll(done, 1, 0ns) == 0);
  CHECK(Steady::now() - begin < 1s);
  begin = Steady::now();
  CHECK(queue->Poll(done, 1, 40ms) == 0);
  const nanoseconds took = Steady::now() - begin;
  CHECK(took >= 39ms);
  CHECK(took < kPrompt);
  // min = 0 returns what is ready, whatever the wait.
  begin = Steady::now();
  CHECK(queue->Poll(done, 0, kLong) == 0);
  CHECK(Steady::now() - begin < kPrompt);
}

void CheckPollCounts(const ConformanceTarget& target) {
  target.rewind();
  auto queue = NewQueue(target, 8);
  AlignedBuffer buffer(8 * UnitOf(target));
  const std::vector<IoRequest> requests = BlockRequests(target, IoOp::kWrite, buffer);
  const std::size_t submitted = queue->Submit(requests);
  REQUIRE(submitted == queue->depth());
  std::array<Completion, 8> done;
  std::size_t taken = 0;
  // `out` bounds the count; a `min` above it cannot be reached and must not hang.
  while (taken < submitted) {
    const std::size_t room = std::min<std::size_t>(3, submitted - taken);
    const std::size_t count = queue->Poll(std::span(done).first(room), 8, kLong);
    REQUIRE(count >= 1);
    REQUIRE(count <= 3);
    taken += count;
  }
  CHECK(taken == submitted);
  // More wanted than in flight: the wait's end returns what there is.
  const IoRequest read =
      Request(IoOp::kRead, target.offset, buffer.span().first(UnitOf(target)), 7);
  REQUIRE(queue->Submit(std::span(&read, 1)) == 1);
  const Instant before = MonotonicClock().Now();
  CHECK(queue->Poll(done, 2, 50ms) == 1);
  CHECK(done[0].user_data == 7);
  if (!target.device.info().is_emulated) {
    CHECK(done[0].completed_at >= before);
    CHECK(done[0].completed_at <= MonotonicClock().Now());
  }
}

void CheckBuffers(const ConformanceTarget& target) {
  target.rewind();
  const std::size_t unit = UnitOf(target);
  auto queue = NewQueue(target, 4);
  AlignedBuffer source(16 * unit);
  AlignedBuffer sink(16 * unit);
  Stamp(source.span(), target.offset, 77);
  std::memset(sink.data(), 0, sink.size());
  // Sixteen pieces, in an order of their own; the list may go when Submit returned.
  std::vector<iovec> pieces;
  for (std::size_t i = 0; i < 16; ++i) pieces.push_back({source.data() + (15 - i) * unit, unit});
  IoRequest write = Request(IoOp::kWrite, target.offset, source.span(), 1);
  write.iovecs = pieces.data();
  write.iovec_count = 16;
  write.fua = true;
  REQUIRE(queue->Submit(std::span(&write, 1)) == 1);
  std::fill(pieces.begin(), pieces.end(), iovec{nullptr, 0});
  std::array<Completion, 1> done;
  REQUIRE(queue->Poll(done, 1, kLong) == 1);
  CAPTURE(ToString(done[0].result.errc), done[0].result.raw);
  REQUIRE(done[0].result.ok());
  CHECK(done[0].result.bytes == 16 * unit);

  IoRequest read = Request(IoOp::kRead, target.offset, sink.span(), 2);
  const iovec memory{sink.data(), sink.size()};
  if (queue->features().registered_buffers) {
    REQUIRE(queue->RegisterBuffers(std::span(&memory, 1)).ok());
    CHECK_FALSE(queue->RegisterBuffers(std::span(&memory, 1)).ok());  // once per queue
    read.registered_buffer = 0;
  } else {
    CHECK(absl::IsUnimplemented(queue->RegisterBuffers(std::span(&memory, 1))));
  }
  REQUIRE(RunOne(*queue, read).result.ok());
  for (std::size_t i = 0; i < 16; ++i) {
    CAPTURE(i);
    CHECK(std::memcmp(sink.data() + i * unit, source.data() + (15 - i) * unit, unit) == 0);
  }
}

void CheckErrorsAreCompletions(const ConformanceTarget& target) {
  target.rewind();
  auto queue = NewQueue(target, 4);
  const Geometry& geometry = target.device.info().geometry;
  AlignedBuffer buffer(UnitOf(target));
  const IoRequest past = Request(IoOp::kRead, geometry.size_bytes, buffer.span(), 1);
  CHECK(RunOne(*queue, past).result.errc == Errc::kBadRange);

  if (target.device.info().direct_io) {
    const IoRequest crooked = Request(IoOp::kWrite, target.offset + 1, buffer.span(), 3);
    CHECK(RunOne(*queue, crooked).result.errc == Errc::kMisaligned);
  }
  const QueueFeatures& features = queue->features();
  const std::pair<IoOp, bool> operations[] = {{IoOp::kAppend, features.append},
                                              {IoOp::kManage, features.manage},
                                              {IoOp::kReport, features.report},
                                              {IoOp::kDiscard, features.discard}};
  for (const auto& [op, native] : operations) {
    if (native) continue;
    const IoRequest request = Request(op, target.offset, buffer.span(), 4);
    CHECK(RunOne(*queue, request).result.errc == Errc::kNotSupported);
  }
  // The queue lives on.
  CHECK(RunOne(*queue, Request(IoOp::kWrite, target.offset, buffer.span(), 5)).result.ok());
}

void CheckCloseDrains(const ConformanceTarget& target) {
  target.rewind();
  auto queue = NewQueue(target, 16);
  AlignedBuffer buffer(16 * UnitOf(target));
  const std::vector<IoRequest> requests = BlockRequests(target, IoOp::kWrite, buffer);
  REQUIRE(queue->Submit(requests) == queue->depth());
  CHECK(queue->Close(nanoseconds::max()).ok());
  CHECK(queue->in_flight() == 0);
  CHECK(queue->Submit(requests) == 0);
}

void CheckEvents(const ConformanceTarget& target) {
  target.rewind();
  auto queue = NewQueue(target, 16);
  const int fd = queue->event_fd();
  REQUIRE(fd >= 0);
  // Nothing in flight: only Wake makes it readable, and the next Arm takes that back.
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    REQUIRE(queue->Arm());
    CHECK_FALSE(Readable(*queue, 0));
    queue->Wake();
    CHECK(Readable(*queue, kLongMilliseconds));
    CHECK_FALSE(queue->Arm());  // Poll would return early
    std::array<Completion, 1> none;
    CHECK(queue->Poll(none, 1, kLong) == 0);
  }
  CHECK(TakeUntilArmed(*queue) == 0);
  CHECK_FALSE(Readable(*queue, 0));
  // Submitted while armed: told, and every completion is found by such a loop.
  AlignedBuffer buffer(16 * UnitOf(target));
  const std::vector<IoRequest> writes = BlockRequests(target, IoOp::kWrite, buffer);
  std::size_t taken = 0;
  for (std::size_t next = 0; next < writes.size();) {
    next += queue->Submit(std::span(writes).subspan(next));
    REQUIRE(Readable(*queue, kLongMilliseconds));
    taken += TakeUntilArmed(*queue);
  }
  IoRequest flush;
  flush.op = IoOp::kFlush;
  IoRequest refused = writes.front();
  refused.op = IoOp::kDiscard;
  for (const IoRequest& request : {flush, refused}) {
    while (queue->in_flight() == queue->depth()) {
      REQUIRE(Readable(*queue, kLongMilliseconds));
      taken += TakeUntilArmed(*queue);
    }
    REQUIRE(queue->Submit(std::span(&request, 1)) == 1);
  }
  while (queue->in_flight() > 0) {
    REQUIRE(Readable(*queue, kLongMilliseconds));
    taken += TakeUntilArmed(*queue);
  }
  CHECK(taken == writes.size() + 2);
  CHECK(queue->event_fd() == fd);
  CHECK_FALSE(Readable(*queue, 0));
}

// The queue's thread sleeps on the descriptor, with I/O of its own in flight or
// without; another wakes it, as fast as the two can, and each Wake is seen.
void CheckNoWakeIsLost(const ConformanceTarget& target) {
  auto queue = NewQueue(target, 4);
  AlignedBuffer buffer(UnitOf(target));
  const IoRequest read = Request(IoOp::kRead, target.offset, buffer.span(), 1);
  REQUIRE(queue->event_fd() >= 0);
  constexpr int kRounds = 500;
  std::atomic<int> wanted{0}, woken{0};
  std::thread waker([&] {
    for (int round = 1; round <= kRounds; ++round) {
      while (wanted.load() < round) std::this_thread::yield();
      woken.store(round);
      queue->Wake();
    }
  });
  int lost = 0;
  std::size_t submitted = 0, taken = 0;
  for (int round = 1; round <= kRounds; ++round) {
    if (round % 2 == 0) submitted += queue->Submit(std::span(&read, 1));
    wanted.store(round);
    while (woken.load() < round) {
      taken += TakeUntilArmed(*queue);
      if (woken.load() < round && !Readable(*queue, kLongMilliseconds)) ++lost;
    }
  }
  waker.join();
  std::array<Completion, 4> rest;
  while (taken < submitted) {
    const std::size_t count = queue->Poll(rest, 1, kLong);
    if (count == 0 && queue->in_flight() == 0) break;
    taken += count;
  }
  CHECK(lost == 0);
  CHECK(taken == submitted);
}

void CheckQueueConformance(const ConformanceTarget& target) {
  CheckWriteReadVerify(target, 1);
  CheckWriteReadVerify(target, 32);
  CheckFullQueueTakesNothing(target);
  CheckWakeEndsPoll(target);
  CheckWaits(target);
  CheckPollCounts(target);
  CheckBuffers(target);
  CheckErrorsAreCompletions(target);
  CheckCloseDrains(target);
  CheckEvents(target);
  CheckNoWakeIsLost(target);
}

}  // namespace zonal::test
