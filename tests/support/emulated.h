// SPDX-License-Identifier: MIT
// Short ways to make emulated drives and run requests on them, for tests. Main
// thread only, where Catch2 assertions are used.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.h"
#include "zonal/device.h"
#include "zonal/emulated.h"

namespace zonal::test {

inline std::unique_ptr<Device> NewDevice(const std::string& spec) {
  const auto options = ParseEmulatedSpec(spec);
  INFO(spec << ": " << options.status().ToString());
  REQUIRE(options.ok());
  auto device = NewEmulatedDevice(*options, MonotonicClock());
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  return *std::move(device);
}

inline std::unique_ptr<IoQueue> NewQueueOf(Device& device, std::uint32_t depth) {
  QueueOptions options;
  options.depth = depth;
  auto queue = device.NewQueue(options);
  INFO(queue.status().ToString());
  REQUIRE(queue.ok());
  return *std::move(queue);
}
inline std::unique_ptr<IoQueue> NewQueueOf(const std::unique_ptr<Device>& device,
                                           std::uint32_t depth) {
  return NewQueueOf(*device, depth);
}

inline IoRequest Request(IoOp op, std::uint64_t offset, std::uint64_t bytes = 0,
                         void* buffer = nullptr) {
  IoRequest request;
  request.op = op;
  request.offset = offset;
  request.bytes = bytes;
  request.buffer = buffer;
  return request;
}

inline IoRequest Manage(ZoneOp op, std::uint64_t zone_start) {
  IoRequest request = Request(IoOp::kManage, zone_start);
  request.zone_op = op;
  return request;
}

// Everything in flight, in the order in which it completes.
inline std::vector<Completion> Drain(IoQueue& queue) {
  std::vector<Completion> all;
  std::array<Completion, 64> some;
  while (queue.in_flight() > 0) {
    const std::size_t count = queue.Poll(some, 1, std::chrono::seconds(10));
    REQUIRE(count > 0);
    all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return all;
}

inline Completion RunOne(IoQueue& queue, const IoRequest& request) {
  REQUIRE(queue.Submit({&request, 1}) == 1);
  const std::vector<Completion> done = Drain(queue);
  REQUIRE(done.size() == 1);
  return done.front();
}

inline Zone ZoneAt(Device& device, std::uint32_t zone) {
  Zone description;
  const auto count = device.Report(ZoneId(zone), {&description, 1});
  REQUIRE(count.ok());
  REQUIRE(*count == 1);
  return description;
}

}  // namespace zonal::test
