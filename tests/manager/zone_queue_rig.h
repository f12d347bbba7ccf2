// SPDX-License-Identifier: MIT
// A small emulated drive with a manager on it, for tests of ZoneQueue.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "support/catch.h"
#include "support/simple_queue.h"
#include "zonal/emulated.h"
#include "zonal/fault.h"
#include "zonal/service.h"
#include "zonal/zone_queue.h"

namespace zonal::test {

inline constexpr std::uint64_t kBlock = 512;
inline constexpr std::uint64_t kCapacity = 12 * kBlock;

inline EmulatedOptions EightZones() {
  EmulatedOptions options;
  options.zones = 8;
  options.block = kBlock;
  options.zone_size = 16 * kBlock;
  options.zone_capacity = kCapacity;
  options.conventional = 1;
  options.max_open = Limit::Of(3);
  options.max_active = Limit::Of(3);
  options.max_append = 4 * kBlock;
  return options;
}

struct RigOptions {
  EmulatedOptions drive = EightZones();
  std::vector<FaultRule> faults;
  ManagerOptions manager;
  bool native = true;  // else as a kernel device: SimpleDevice
  bool with_service = false;
};

struct Rig {
  explicit Rig(const RigOptions& options = {}) {
    auto made = NewEmulatedDevice(options.drive, MonotonicClock());
    REQUIRE(made.ok());
    device = *std::move(made);
    if (!options.native) device = std::make_shared<SimpleDevice>(device, SimpleFeatures{});
    if (!options.faults.empty()) device = NewFaultDevice(device, options.faults);
    auto created = ZoneManager::Create(device, options.manager);
    REQUIRE(created.ok());
    manager = *std::move(created);
    if (options.with_service) service = Service::Create(*device);
  }
  std::unique_ptr<ZoneQueue> NewQueue(std::uint32_t depth = 8) {
    auto queue =
        ZoneQueue::Create(*manager, {{QueueKind::kDefault, depth, nullptr}, service.get()});
    REQUIRE(queue.ok());
    return *std::move(queue);
  }
  // One look without waiting, and one step of the service if there is one.
  std::vector<ZoneCompletion> Look(ZoneQueue& queue) {
    if (service != nullptr) service->Step();
    std::array<ZoneCompletion, 16> some;
    const std::size_t n = queue.Poll(some, 0, nanoseconds(0));
    return {some.begin(), some.begin() + static_cast<std::ptrdiff_t>(n)};
  }
  // Until nothing is in flight, in a bounded number of looks.
  std::vector<ZoneCompletion> Drain(ZoneQueue& queue) {
    std::vector<ZoneCompletion> all;
    for (int i = 0; queue.in_flight() != 0 && i < 1000; ++i) {
      const auto some = Look(queue);
      all.insert(all.end(), some.begin(), some.end());
    }
    REQUIRE(queue.in_flight() == 0);
    return all;
  }
  Admission Write(ZoneQueue& queue, std::uint32_t zone, const WriteOptions& options = {}) {
    return queue.Write(ZoneId(zone), buffer.data(), kBlock, 1, options);
  }
  void Fill(ZoneQueue& queue, std::uint32_t zone, int blocks) {
    for (int i = 0; i < blocks; ++i) {
      REQUIRE(Write(queue, zone).ok());
      for (const ZoneCompletion& c : Drain(queue)) REQUIRE(c.result.ok());
    }
  }
  Errc ManageNow(ZoneQueue& queue, std::uint32_t zone, ZoneOp op) {
    REQUIRE(queue.Manage(ZoneId(zone), op, 9).ok());
    const auto done = Drain(queue);
    REQUIRE(done.size() == 1);
    REQUIRE(done[0].op == IoOp::kManage);
    return done[0].result.errc;
  }
  std::uint64_t StartOf(std::uint32_t zone) const {
    return manager->geometry().StartOf(ZoneId(zone));
  }
  std::vector<ZoneEvent> Events() {
    std::vector<ZoneEvent> events(64);
    events.resize(manager->DrainEvents(events));
    return events;
  }
  std::uint64_t violations() { return device->Counters()->rule_violations; }

  std::shared_ptr<Device> device;
  std::unique_ptr<ZoneManager> manager;
  std::unique_ptr<Service> service;
  std::array<std::byte, 16 * kBlock> buffer{};
};

}  // namespace zonal::test
