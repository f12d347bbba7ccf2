// SPDX-License-Identifier: MIT
// What the three kernel queues share: admission, the wait of Poll, Wake, Close.
// A backend issues slots to the kernel, takes its answers in, and sleeps.
//
// A queue with something in flight must be closed and destroyed by the thread
// that used it: the kernel delivers io_uring completions to that thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "core/file_descriptor.h"
#include "device/kernel/slot_table.h"
#include "device/kernel/wake_event.h"
#include "zonal/clock.h"
#include "zonal/io_queue.h"

namespace zonal::kernel {

struct QueueConfig {
  std::shared_ptr<const core::FileDescriptor> file;
  std::uint32_t depth = 32;
  const Clock* clock = nullptr;
  std::uint32_t write_depth_per_zone = 1;
  std::string_view write_depth_reason;  // outlives the queue
};

class KernelQueue : public IoQueue {
 public:
  const QueueFeatures& features() const noexcept final { return features_; }
  std::uint32_t depth() const noexcept final { return slots_.depth(); }
  std::uint32_t in_flight() const noexcept final { return slots_.in_flight(); }
  std::size_t Submit(std::span<const IoRequest> requests) noexcept final;
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept final;
  void Wake() noexcept final { wake_.Signal(); }
  int event_fd() noexcept override { return wake_.fd(); }
  bool Arm() noexcept final;
  absl::Status Close(nanoseconds deadline) final;

 protected:
  explicit KernelQueue(const QueueConfig& config);

  // Hands the slots to the kernel, in order; failures finish their slots.
  virtual void Issue(std::span<const std::uint32_t> slots) noexcept = 0;
  // Takes in the answers that are there; never sleeps.
  virtual void Reap() noexcept = 0;
  // Sleeps until an answer may be there, a signal of wake_ or `deadline`; may
  // return early. What is in flight is in the kernel's hands.
  virtual void Sleep(const Deadline& deadline) noexcept = 0;

  // Sees to it that an answer, or a signal of wake_, makes event_fd() readable.
  // False if that cannot be had now.
  virtual bool WatchKernel() noexcept = 0;
  // The kernel has all there is; else the next Poll or Submit tries again.
  virtual bool all_issued() const noexcept { return true; }
  virtual void UnwatchKernel() noexcept {}  // that is not needed any more

  int fd() const noexcept { return file_->get(); }

  SlotTable slots_;
  WakeEvent wake_;
  QueueFeatures features_;

 private:
  std::shared_ptr<const core::FileDescriptor> file_;
  const Clock& clock_;
  std::vector<std::uint32_t> admitted_;  // scratch of Submit
  bool closing_ = false;
  bool armed_ = false;  // not polled since Arm
};

// Unavailable, PermissionDenied or ResourceExhausted say what the system lacks.
absl::StatusOr<std::unique_ptr<IoQueue>> NewIoUringQueue(const QueueConfig& config);
absl::StatusOr<std::unique_ptr<IoQueue>> NewLibaioQueue(const QueueConfig& config);
// One request at a time, executed inside Submit: its depth is 1 whatever was
// asked for, and Poll never waits for the device.
absl::StatusOr<std::unique_ptr<IoQueue>> NewSyncQueue(const QueueConfig& config);

}  // namespace zonal::kernel
