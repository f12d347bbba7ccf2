// SPDX-License-Identifier: MIT
// A device decorator for tests that remembers, per queue, whether Wake() was
// called: it tells a sleeper that was woken from one that was forgotten.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "zonal/device.h"

namespace zonal::test {

class WakeSpyQueue final : public IoQueue {
 public:
  explicit WakeSpyQueue(std::unique_ptr<IoQueue> under) : under_(std::move(under)) {}
  std::string_view name() const noexcept override { return under_->name(); }
  const QueueFeatures& features() const noexcept override { return under_->features(); }
  std::uint32_t depth() const noexcept override { return under_->depth(); }
  std::uint32_t in_flight() const noexcept override { return under_->in_flight(); }
  std::size_t Submit(std::span<const IoRequest> requests) noexcept override {
    return under_->Submit(requests);
  }
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override {
    return under_->Poll(out, min, wait);
  }
  void Wake() noexcept override {
    woken_.store(true);
    under_->Wake();
  }
  absl::Status Close(nanoseconds deadline) override { return under_->Close(deadline); }

  bool TakeWoken() noexcept { return woken_.exchange(false); }

 private:
  std::unique_ptr<IoQueue> under_;
  std::atomic<bool> woken_{false};
};

class WakeSpyDevice final : public Device {
 public:
  explicit WakeSpyDevice(std::shared_ptr<Device> under) : under_(std::move(under)) {}
  const DeviceInfo& info() const noexcept override { return under_->info(); }
  absl::StatusOr<std::size_t> Report(ZoneId first, std::span<Zone> out) override {
    return under_->Report(first, out);
  }
  absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) override {
    return under_->Manage(op, range, timeout);
  }
  absl::Status Flush() override { return under_->Flush(); }
  absl::StatusOr<std::unique_ptr<IoQueue>> NewQueue(const QueueOptions& options) override {
    auto queue = under_->NewQueue(options);
    if (!queue.ok()) return queue.status();
    return std::unique_ptr<IoQueue>(std::make_unique<WakeSpyQueue>(*std::move(queue)));
  }
  absl::StatusOr<DriveCounters> Counters() override { return under_->Counters(); }

 private:
  std::shared_ptr<Device> under_;
};

}  // namespace zonal::test
