// SPDX-License-Identifier: MIT
// A device decorator that takes features away, so that an emulated drive looks
// like a kernel device: no native zone management, one write per zone in flight.
// Operations through Device::Manage and Report are unchanged.
#pragma once

#include <memory>
#include <utility>

#include "zonal/device.h"

namespace zonal::test {

struct SimpleFeatures {
  bool manage = false;
  bool report = false;
  std::uint32_t write_depth_per_zone = 1;
};

class SimpleQueue final : public IoQueue {
 public:
  SimpleQueue(std::unique_ptr<IoQueue> under, const SimpleFeatures& has)
      : under_(std::move(under)), features_(under_->features()) {
    features_.manage = has.manage;
    features_.report = has.report;
    features_.write_depth_per_zone = has.write_depth_per_zone;
    features_.write_depth_reason = "the test says so";
  }
  std::string_view name() const noexcept override { return under_->name(); }
  const QueueFeatures& features() const noexcept override { return features_; }
  std::uint32_t depth() const noexcept override { return under_->depth(); }
  std::uint32_t in_flight() const noexcept override { return under_->in_flight(); }
  std::size_t Submit(std::span<const IoRequest> requests) noexcept override {
    return under_->Submit(requests);
  }
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override {
    return under_->Poll(out, min, wait);
  }
  void Wake() noexcept override { under_->Wake(); }
  absl::Status Close(nanoseconds deadline) override { return under_->Close(deadline); }

 private:
  std::unique_ptr<IoQueue> under_;
  QueueFeatures features_;
};

class SimpleDevice final : public Device {
 public:
  SimpleDevice(std::shared_ptr<Device> under, const SimpleFeatures& has)
      : under_(std::move(under)), has_(has) {}
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
    return std::unique_ptr<IoQueue>(std::make_unique<SimpleQueue>(*std::move(queue), has_));
  }
  absl::StatusOr<DriveCounters> Counters() override { return under_->Counters(); }

 private:
  std::shared_ptr<Device> under_;
  const SimpleFeatures has_;
};

}  // namespace zonal::test
