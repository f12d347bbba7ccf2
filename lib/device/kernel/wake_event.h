// SPDX-License-Identifier: MIT
// Ends another thread's sleep: an eventfd, and a flag in front of it so that
// signals between two looks cost one system call.
// Signal() is for any thread, everything else for the sleeper.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "core/deadline.h"
#include "core/file_descriptor.h"

namespace zonal::kernel {

using std::chrono::nanoseconds;

using core::Deadline;

class WakeEvent {
 public:
  WakeEvent() noexcept;

  // False if the system gave us no eventfd.
  bool valid() const noexcept { return file_.valid(); }
  int fd() const noexcept { return file_.get(); }

  void Signal() noexcept;
  // Makes fd() readable without a signal. For the sleeper itself.
  void Raise() noexcept;
  bool signalled() const noexcept { return signalled_.load(std::memory_order_acquire); }
  // Forgets the signal, if there was one.
  void Consume() noexcept;
  // Empties the eventfd. A sleeper that saw it readable does this *before* it
  // looks at signalled(): a signal that comes later makes it readable again.
  void Drain() noexcept;
  // Sleeps until signalled or `deadline`; may return early.
  void Sleep(const Deadline& deadline) noexcept;

 private:
  core::FileDescriptor file_;
  std::atomic<bool> signalled_{false};
};

}  // namespace zonal::kernel
