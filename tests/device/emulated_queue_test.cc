// SPDX-License-Identifier: MIT
// The queue contract on the emulated drive, in every completion order.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/aligned_buffer.h"
#include "support/catch.h"
#include "support/emulated.h"
#include "support/queue_conformance.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;

TEST_CASE("the emulated drive's queues keep the queue contract", "[emulated]") {
  for (const char* spec :
       {"emu,zones=4,zone_size=1MiB", "emu,zones=4,zone_size=1MiB,order=seeded",
        "emu,zones=4,zone_size=1MiB,order=reverse", "emu,dialect=zbc,zones=4,zone_size=1MiB",
        "emu,zones=4,zone_size=1MiB,conventional=2"}) {
    CAPTURE(spec);
    const std::unique_ptr<Device> device = NewDevice(spec);
    const bool conventional = std::string(spec).find("conventional") != std::string::npos;
    ConformanceTarget target{*device};
    target.rewind = [&] {
      if (!conventional)
        REQUIRE(device->Manage(ZoneOp::kReset, {ZoneId(0)}, 0ns)->first_error.ok());
    };
    CheckQueueConformance(target);
  }
}

bool HasAppend(const char* spec) {
  const auto device = NewDevice(spec);
  return NewQueueOf(device, 1)->features().append;
}

TEST_CASE("the features say what is native", "[emulated]") {
  const auto zns = NewDevice("emu,zones=2");
  const auto queue = NewQueueOf(*zns, 8);
  CHECK(queue->name() == "emulated");
  CHECK(queue->features().append);
  CHECK(queue->features().manage);
  CHECK(queue->features().report);
  CHECK(queue->features().flush);
  CHECK_FALSE(queue->features().discard);
  CHECK(queue->features().write_depth_per_zone == 0);
  CHECK_FALSE(HasAppend("emu,zones=2,max_append=0"));
  CHECK_FALSE(HasAppend("emu,dialect=zbc,zones=2"));
}

TEST_CASE("a queue's depth has bounds", "[emulated]") {
  const auto device = NewDevice("emu,zones=2");
  for (const std::uint32_t depth : {0u, kMaxQueueDepth + 1}) {
    QueueOptions options;
    options.depth = depth;
    CHECK(absl::IsInvalidArgument(device->NewQueue(options).status()));
  }
  CHECK(NewQueueOf(*device, kMaxQueueDepth)->depth() == kMaxQueueDepth);
}

// The order in which `count` writes of one batch complete.
std::vector<std::uint64_t> OrderOf(const std::string& order, int count) {
  const auto device = NewDevice("emu,zones=1,zone_size=1MiB,data=discard," + order);
  const auto queue = NewQueueOf(*device, static_cast<std::uint32_t>(count));
  std::vector<IoRequest> requests;
  for (int i = 0; i < count; ++i) {
    requests.push_back(Request(IoOp::kWrite, 4096u * static_cast<unsigned>(i), 4096));
    requests.back().user_data = static_cast<std::uint64_t>(i);
  }
  REQUIRE(queue->Submit(requests) == requests.size());
  std::vector<std::uint64_t> tags;
  for (const Completion& completion : Drain(*queue)) {
    CHECK(completion.result.ok());  // landed in order, whatever the completions do
    tags.push_back(completion.user_data);
  }
  return tags;
}

TEST_CASE("completions leave in the order asked for", "[emulated]") {
  const std::vector<std::uint64_t> ascending = {0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<std::uint64_t> descending(ascending.rbegin(), ascending.rend());
  CHECK(OrderOf("order=submission", 8) == ascending);
  CHECK(OrderOf("order=reverse", 8) == descending);
  const std::vector<std::uint64_t> seeded = OrderOf("order=seeded,seed=7", 8);
  CHECK(seeded == OrderOf("order=seeded,seed=7", 8));
  CHECK(seeded != ascending);
  CHECK(seeded != OrderOf("order=seeded,seed=8", 8));
  std::vector<std::uint64_t> sorted = seeded;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == ascending);
}

TEST_CASE("completions carry the reading of the queue's clock", "[emulated]") {
  VirtualClock clock;
  const auto device = NewEmulatedDevice(*ParseEmulatedSpec("emu,zones=2"), clock);
  REQUIRE(device.ok());
  const auto queue = NewQueueOf(**device, 4);
  AlignedBuffer buffer(4096);
  clock.Advance(1234ns);
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 0, 4096, buffer.data())).completed_at ==
        Instant{1234});
}

TEST_CASE("a bad buffer is the caller's error and no rule violation", "[emulated]") {
  const auto device = NewDevice("emu,zones=2");
  const auto queue = NewQueueOf(*device, 4);
  AlignedBuffer buffer(8192);
  IoRequest request = Request(IoOp::kWrite, 0, 8192, nullptr);
  CHECK(RunOne(*queue, request).result.errc == Errc::kBadRange);
  iovec parts[17];
  for (iovec& part : parts) part = {buffer.data(), 4096};
  request.iovecs = parts;
  for (const int count : {1, 3, 17}) {  // too short, too long, too many
    request.iovec_count = static_cast<std::uint16_t>(count);
    const IoResult result = RunOne(*queue, request).result;
    CHECK(result.errc == Errc::kBadRange);
    CHECK(result.origin == Origin::kErrno);
  }
  CHECK(device->Counters()->rule_violations == 0);
  request.iovec_count = 2;
  CHECK(RunOne(*queue, request).result.ok());
}

TEST_CASE("as many queues as there are counter slots, and a slot comes back", "[emulated]") {
  const auto device = NewDevice("emu,zones=2");
  std::vector<std::unique_ptr<IoQueue>> queues;
  QueueOptions options;
  options.depth = 1;
  for (int i = 0; i < 255; ++i) {
    auto queue = device->NewQueue(options);
    REQUIRE(queue.ok());
    queues.push_back(*std::move(queue));
  }
  CHECK(absl::IsResourceExhausted(device->NewQueue(options).status()));
  queues.pop_back();
  CHECK(device->NewQueue(options).ok());
}

}  // namespace
}  // namespace zonal::test
