// SPDX-License-Identifier: MIT
// Bases for decorators of devices and queues: every call goes to what is below,
// unless the decorator overrides it. Threads and errors are those of the device
// below.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "zonal/device.h"
#include "zonal/io_queue.h"

namespace zonal {

class ForwardingQueue : public IoQueue {
 public:
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
  void Wake() noexcept override { under_->Wake(); }
  int event_fd() noexcept override { return under_->event_fd(); }
  bool Arm() noexcept override { return under_->Arm(); }
  absl::Status RegisterBuffers(std::span<const iovec> buffers) override {
    return under_->RegisterBuffers(buffers);
  }
  absl::Status Close(nanoseconds deadline) override { return under_->Close(deadline); }

 protected:
  explicit ForwardingQueue(std::unique_ptr<IoQueue> under) : under_(std::move(under)) {}
  IoQueue& under() const noexcept { return *under_; }

 private:
  const std::unique_ptr<IoQueue> under_;
};

class ForwardingDevice : public Device {
 public:
  const DeviceInfo& info() const noexcept override { return under_->info(); }
  absl::StatusOr<std::size_t> Report(ZoneId first, std::span<Zone> out) override {
    return under_->Report(first, out);
  }
  absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) override {
    return under_->Manage(op, range, timeout);
  }
  absl::StatusOr<ManageResult> ManageAll(ZoneOp op, nanoseconds timeout) override {
    return under_->ManageAll(op, timeout);
  }
  absl::Status Flush() override { return under_->Flush(); }
  absl::StatusOr<std::unique_ptr<IoQueue>> NewQueue(const QueueOptions& options) override {
    absl::StatusOr<std::unique_ptr<IoQueue>> queue = under_->NewQueue(options);
    if (!queue.ok()) return queue.status();
    return Decorate(*std::move(queue));
  }
  RawPort* raw() noexcept override { return under_->raw(); }
  absl::StatusOr<DriveCounters> Counters() override { return under_->Counters(); }

 protected:
  explicit ForwardingDevice(std::shared_ptr<Device> under) : under_(std::move(under)) {}
  Device& under() const noexcept { return *under_; }
  // What NewQueue hands out for a queue of the device below.
  virtual std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) { return queue; }

 private:
  const std::shared_ptr<Device> under_;
};

}  // namespace zonal
