// SPDX-License-Identifier: MIT
#include "zonal/service.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace zonal {
namespace {

class ServiceImpl final : public Service {
 public:
  explicit ServiceImpl(Device& device) : device_(device) {}

  void Add(Request request) override {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
    work_.notify_one();
  }

  bool Step() override {
    Request request;
    {
      const std::lock_guard lock(mutex_);
      if (requests_.empty()) return false;
      request = std::move(requests_.front());
      requests_.pop_front();
    }
    std::array<Zone, 1> zone;
    const IoResult result = request.report ? Report(request.zone, zone) : Manage(request);
    request.done(result, zone[0]);
    return true;
  }

  std::size_t pending() const noexcept override {
    const std::lock_guard lock(mutex_);
    return requests_.size();
  }

  void WaitForWork(nanoseconds wait, std::stop_token stop) override {
    std::unique_lock lock(mutex_);
    work_.wait_for(lock, std::move(stop), wait, [&] { return !requests_.empty(); });
  }

 private:
  IoResult Failed(ZoneId zone, const absl::Status& status) const {
    IoResult result;
    result.offset = device_.info().geometry.StartOf(zone);
    result.errc = ErrcOf(status).value_or(Errc::kIo);
    return result;
  }

  IoResult Report(ZoneId zone, std::span<Zone> out) {
    const auto count = device_.Report(zone, out);
    if (!count.ok()) return Failed(zone, count.status());
    IoResult result;
    result.offset = out[0].start;
    if (*count != 1) result.errc = Errc::kDeviceMisbehaved;
    return result;
  }

  IoResult Manage(const Request& request) {
    const auto done = device_.Manage(request.op, {request.zone, 1}, nanoseconds(0));
    if (!done.ok()) return Failed(request.zone, done.status());
    IoResult result = done->first_error;
    result.offset = device_.info().geometry.StartOf(request.zone);
    return result;
  }

  Device& device_;
  mutable std::mutex mutex_;
  std::condition_variable_any work_;
  std::deque<Request> requests_;
};

}  // namespace

std::unique_ptr<Service> Service::Create(Device& device) {
  return std::make_unique<ServiceImpl>(device);
}

struct ServiceThread::Impl {
  std::jthread thread;  // its end requests the stop and joins
};

ServiceThread::ServiceThread(Service& service) : impl_(new Impl{}) {
  impl_->thread = std::jthread([&service](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      while (service.Step()) {
      }
      service.WaitForWork(std::chrono::seconds(1), stop);
    }
  });
}

ServiceThread::~ServiceThread() = default;

}  // namespace zonal
