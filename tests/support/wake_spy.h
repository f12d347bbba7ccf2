// SPDX-License-Identifier: MIT
// A device decorator for tests that remembers, per queue, whether Wake() was
// called: it tells a sleeper that was woken from one that was forgotten.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "zonal/forwarding.h"

namespace zonal::test {

class WakeSpyQueue final : public ForwardingQueue {
 public:
  explicit WakeSpyQueue(std::unique_ptr<IoQueue> queue) : ForwardingQueue(std::move(queue)) {}
  void Wake() noexcept override {
    woken_.store(true);
    under().Wake();
  }
  bool TakeWoken() noexcept { return woken_.exchange(false); }

 private:
  std::atomic<bool> woken_{false};
};

class WakeSpyDevice final : public ForwardingDevice {
 public:
  explicit WakeSpyDevice(std::shared_ptr<Device> device) : ForwardingDevice(std::move(device)) {}

 private:
  std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) override {
    return std::make_unique<WakeSpyQueue>(std::move(queue));
  }
};

}  // namespace zonal::test
