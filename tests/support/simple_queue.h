// SPDX-License-Identifier: MIT
// A device decorator that takes features away, so that an emulated drive looks
// like a kernel device: no native zone management, one write per zone in flight.
// Operations through Device::Manage and Report are unchanged.
#pragma once

#include <memory>
#include <utility>

#include "zonal/forwarding.h"

namespace zonal::test {

struct SimpleFeatures {
  bool manage = false;
  bool report = false;
  std::uint32_t write_depth_per_zone = 1;
};

class SimpleQueue final : public ForwardingQueue {
 public:
  SimpleQueue(std::unique_ptr<IoQueue> queue, const SimpleFeatures& has)
      : ForwardingQueue(std::move(queue)), features_(under().features()) {
    features_.manage = has.manage;
    features_.report = has.report;
    features_.write_depth_per_zone = has.write_depth_per_zone;
    features_.write_depth_reason = "the test says so";
  }
  const QueueFeatures& features() const noexcept override { return features_; }

 private:
  QueueFeatures features_;
};

class SimpleDevice final : public ForwardingDevice {
 public:
  SimpleDevice(std::shared_ptr<Device> device, const SimpleFeatures& has)
      : ForwardingDevice(std::move(device)), has_(has) {}

 private:
  std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) override {
    return std::make_unique<SimpleQueue>(std::move(queue), has_);
  }
  const SimpleFeatures has_;
};

}  // namespace zonal::test
