// SPDX-License-Identifier: MIT
// What turns a queue's event_fd() readable (zonal/io_queue.h): an eventfd that is
// written once after each Arm, and costs a load while it is not armed. And the
// bell that queues hang such events on while they wait for each other's landings.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace zonal::emulated {

// Signal() is for any thread, everything else for the queue's.
class ReadyEvent {
 public:
  ReadyEvent() noexcept = default;
  ReadyEvent(const ReadyEvent&) = delete;
  ReadyEvent& operator=(const ReadyEvent&) = delete;
  ~ReadyEvent() {
    if (fd_ >= 0) ::close(fd_);
  }

  // Made when first asked for; -1 if the system has none.
  int fd() noexcept {
    if (fd_ < 0) fd_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return fd_;
  }

  // REQUIRES: fd() gave a descriptor. What happened before is to be looked at
  // after this: it may have come too early to signal.
  void Arm() noexcept {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t read = ::read(fd_, &count, sizeof count);
    armed_.exchange(true);
  }
  void Disarm() noexcept { armed_.exchange(false); }

  void Signal() noexcept {
    if (!armed_.load() || !armed_.exchange(false)) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(fd_, &one, sizeof one);
  }

 private:
  int fd_ = -1;
  std::atomic<bool> armed_{false};
};

// Thread-safe. The order that keeps a landing from being missed: a waiter hangs
// its event up and then looks once more; who lands does so and then rings. All
// of it is sequentially consistent. Its lines are its own: every landing looks at
// it, and neighbours would be written.
class alignas(64) LandingBell {
 public:
  void HangUp(ReadyEvent& event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(&event);
    hanging_.fetch_add(1);
  }
  void TakeDown(ReadyEvent& event) noexcept {
    const std::lock_guard lock(mutex_);
    hanging_.fetch_sub(static_cast<std::uint32_t>(std::erase(events_, &event)));
  }
  void Ring() noexcept {
    if (hanging_.load() == 0) return;
    const std::lock_guard lock(mutex_);
    for (ReadyEvent* const event : events_) event->Signal();
  }

 private:
  std::atomic<std::uint32_t> hanging_{0};
  std::mutex mutex_;
  std::vector<ReadyEvent*> events_;
};

}  // namespace zonal::emulated
