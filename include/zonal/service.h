// SPDX-License-Identifier: MIT
// Slow zone work (reset, finish, open, close, report) for devices whose queues
// have no native form of it. Requests wait in a list; Step() runs one, blocking
// in the device. The application chooses who calls Step(): a thread it owns, a
// ServiceThread, or a simulator; it may change its choice. Thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>

#include "zonal/device.h"

namespace zonal {

class Service {
 public:
  virtual ~Service() = default;
  static std::unique_ptr<Service> Create(Device& device);

  struct Request {
    bool report = false;  // else `op`
    ZoneOp op = ZoneOp::kReset;
    ZoneId zone;
    // Called by the thread that runs Step, with the outcome; must not block.
    std::function<void(const IoResult&, const Zone&)> done;
  };
  virtual void Add(Request request) = 0;
  // Runs one request; false if there was none.
  virtual bool Step() = 0;
  virtual std::size_t pending() const noexcept = 0;
  // Blocks until there is a request, or `wait` is over, or `stop` is requested.
  // The stop belongs to the caller: whoever runs the service next is not stopped.
  virtual void WaitForWork(nanoseconds wait, std::stop_token stop = {}) = 0;
};

// Runs a service on a thread of its own until destroyed. One after the other, or
// several at once: requests then run side by side.
class ServiceThread {
 public:
  explicit ServiceThread(Service& service);
  ~ServiceThread();
  ServiceThread(const ServiceThread&) = delete;
  ServiceThread& operator=(const ServiceThread&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace zonal
