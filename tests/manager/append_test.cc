// SPDX-License-Identifier: MIT
// Devices that lie about where an append landed.
#include <limits>

#include "manager/zone_queue_rig.h"
#include "zonal/forwarding.h"

namespace zonal::test {
namespace {

// Says that every append landed at `offset`.
class LyingQueue final : public ForwardingQueue {
 public:
  LyingQueue(std::unique_ptr<IoQueue> under, std::uint64_t offset)
      : ForwardingQueue(std::move(under)), offset_(offset) {}
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override {
    const std::size_t count = under().Poll(out, min, wait);
    for (Completion& completion : out.first(count)) {
      if (completion.user_data == 0) completion.result.offset = offset_;
    }
    return count;
  }

 private:
  const std::uint64_t offset_;
};

class LyingDevice final : public ForwardingDevice {
 public:
  LyingDevice(std::shared_ptr<Device> under, std::uint64_t offset)
      : ForwardingDevice(std::move(under)), offset_(offset) {}

 protected:
  std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) override {
    return std::make_unique<LyingQueue>(std::move(queue), offset_);
  }

 private:
  const std::uint64_t offset_;
};

TEST_CASE("an append told to have landed outside its zone is a device that misbehaves", "[queue]") {
  auto made = NewEmulatedDevice(EightZones(), MonotonicClock());
  REQUIRE(made.ok());
  const std::shared_ptr<Device> drive = *std::move(made);
  const std::uint64_t start = drive->info().geometry.StartOf(ZoneId(2));
  const std::uint64_t told[] = {
      0,
      start - kBlock,
      start + kCapacity,
      start + kCapacity - kBlock,  // the last: half inside
      std::numeric_limits<std::uint64_t>::max(),
      std::numeric_limits<std::uint64_t>::max() - 2 * kBlock + 1};  // its end wraps to 0
  for (const std::uint64_t offset : told) {
    CAPTURE(offset);
    auto manager = ZoneManager::Create(std::make_shared<LyingDevice>(drive, offset), {});
    REQUIRE(manager.ok());
    auto queue = ZoneQueue::Create(**manager, {{QueueKind::kDefault, 4, nullptr}, nullptr});
    REQUIRE(queue.ok());
    std::array<std::byte, 2 * kBlock> data{};
    REQUIRE((*queue)->Append(ZoneId(2), data.data(), data.size(), 7).ok());
    ZoneCompletion done;
    for (int i = 0; i < 10; ++i) (*queue)->Poll({&done, 1}, 0, nanoseconds(0));
    std::array<ZoneEvent, 8> events;
    const std::size_t count = (*manager)->DrainEvents(events);
    bool misbehaved = false;
    for (std::size_t i = 0; i < count; ++i) {
      misbehaved = misbehaved || events[i].kind == ZoneEvent::Kind::kMisbehaved;
    }
    CHECK(misbehaved);
    REQUIRE(drive->Manage(ZoneOp::kReset, {ZoneId(2), 1}, nanoseconds(0)).ok());
  }
}

}  // namespace
}  // namespace zonal::test
