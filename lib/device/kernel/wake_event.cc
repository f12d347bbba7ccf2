// SPDX-License-Identifier: MIT
#include "device/kernel/wake_event.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <cstdint>

namespace zonal::kernel {

WakeEvent::WakeEvent() noexcept : file_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

void WakeEvent::Signal() noexcept {
  if (!signalled_.exchange(true, std::memory_order_acq_rel)) Raise();
}

void WakeEvent::Raise() noexcept {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then it is readable as well.
  [[maybe_unused]] const ssize_t written = ::write(fd(), &one, sizeof one);
}

void WakeEvent::Consume() noexcept {
  if (signalled_.exchange(false, std::memory_order_acq_rel)) Drain();
}

void WakeEvent::Drain() noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t read = ::read(fd(), &count, sizeof count);
}

void WakeEvent::Sleep(const Deadline& deadline) noexcept {
  const std::optional<nanoseconds> left = deadline.Left();
  timespec timeout{};
  if (left) timeout = {left->count() / 1'000'000'000, left->count() % 1'000'000'000};
  pollfd event{fd(), POLLIN, 0};
  if (::ppoll(&event, 1, left ? &timeout : nullptr, nullptr) > 0) Drain();
}

}  // namespace zonal::kernel
