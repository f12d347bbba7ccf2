// SPDX-License-Identifier: MIT
// A device that does not tell its limits on open and active zones, so that the
// zone manager above it keeps none (ignore_device_limits). The device itself
// still has them: it closes zones on demand, or fails writes.
#pragma once

#include <memory>
#include <utility>

#include "zonal/forwarding.h"

namespace zonal::engine {

class LimitlessDevice final : public ForwardingDevice {
 public:
  explicit LimitlessDevice(std::shared_ptr<Device> under)
      : ForwardingDevice(std::move(under)), info_(ForwardingDevice::info()) {
    info_.max_open = info_.max_active = Limit::Unlimited();
  }
  const DeviceInfo& info() const noexcept override { return info_; }

 private:
  DeviceInfo info_;
};

}  // namespace zonal::engine
