// SPDX-License-Identifier: MIT
// Verifying jobs, and a device whose reads are not what was written.
#pragma once

#include <functional>
#include <map>

#include "engine/drive_fixture.h"
#include "zonal/forwarding.h"

namespace zonal::testing {

inline Workload Verified(const std::string& rw, std::uint32_t first_zone, std::uint32_t zones,
                         Checksum checksum = Checksum::kCrc32c) {
  Workload job = Job(rw, first_zone, zones);
  job.verify.checksum = checksum;
  return job;
}

// A run that must be right, with as many bytes read back as written.
inline void MustVerify(const RunPlan& plan, const std::shared_ptr<Device>& drive) {
  const RunResult run = MustRun(plan, drive);
  for (const WorkerResult& worker : run.workers) {
    CAPTURE(worker.name, worker.detail, ToString(worker.reason));
    CHECK(worker.reason == EndReason::kDone);
    CHECK(worker.verify.mismatches == 0);
    CHECK(worker.verify.dropped == 0);
    CHECK(Reads(worker).bytes == Writes(worker).bytes);
    CHECK(Writes(worker).bytes != 0);
  }
}

using Change = std::function<void(std::span<std::byte>)>;

// Changes what reads of one place return.
class LyingQueue : public ForwardingQueue {
 public:
  LyingQueue(std::unique_ptr<IoQueue> under, std::uint64_t offset, Change change)
      : ForwardingQueue(std::move(under)), offset_(offset), change_(std::move(change)) {}

  std::size_t Submit(std::span<const IoRequest> requests) noexcept override {
    const std::size_t taken = ForwardingQueue::Submit(requests);
    for (const IoRequest& request : requests.first(taken)) sent_[request.user_data] = request;
    return taken;
  }
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override {
    const std::size_t count = ForwardingQueue::Poll(out, min, wait);
    for (const Completion& completion : out.first(count)) {
      const IoRequest& request = sent_[completion.user_data];
      if (request.op != IoOp::kRead || request.offset != offset_) continue;
      change_({static_cast<std::byte*>(request.buffer), request.bytes});
    }
    return count;
  }

 private:
  const std::uint64_t offset_;
  const Change change_;
  std::map<std::uint64_t, IoRequest> sent_;
};

class LyingDevice : public ForwardingDevice {
 public:
  LyingDevice(std::shared_ptr<Device> under, std::uint64_t offset, Change change)
      : ForwardingDevice(std::move(under)), offset_(offset), change_(std::move(change)) {}

 protected:
  std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) override {
    return std::make_unique<LyingQueue>(std::move(queue), offset_, change_);
  }

 private:
  const std::uint64_t offset_;
  const Change change_;
};

}  // namespace zonal::testing
