// SPDX-License-Identifier: MIT
// psync: one positioned system call per request, inside Submit.
#include <sys/uio.h>

#include <cerrno>

#include "device/kernel/kernel_queue.h"

namespace zonal::kernel {
namespace {

class SyncQueue final : public KernelQueue {
 public:
  explicit SyncQueue(const QueueConfig& config) : KernelQueue(config) {}

  std::string_view name() const noexcept override { return "psync"; }
  bool valid() const noexcept { return wake_.valid(); }

 private:
  void Issue(std::span<const std::uint32_t> slots) noexcept override {
    for (const std::uint32_t index : slots) {
      while (!slots_.Absorb(index, Execute(slots_[index]))) {
      }
    }
  }
  void Reap() noexcept override {}
  void Sleep(const Deadline& deadline) noexcept override { wake_.Sleep(deadline); }
  // Requests are done when Submit returns: there is Wake to watch for, no more.
  bool WatchKernel() noexcept override { return true; }

  // Bytes, or -errno.
  std::int64_t Execute(const Slot& slot) noexcept {
    std::int64_t answer = 0;
    do {
      answer = Call(slot);
    } while (answer < 0 && errno == EINTR);
    return answer < 0 ? -errno : answer;
  }

  std::int64_t Call(const Slot& slot) noexcept {
    if (slot.op == IoOp::kFlush) return ::fdatasync(fd());
    const std::span<const iovec> pieces = slot.remaining();
    const auto count = static_cast<int>(pieces.size());
    const auto position = static_cast<off_t>(slot.position());
    if (slot.op == IoOp::kRead) return ::preadv2(fd(), pieces.data(), count, position, 0);
    return ::pwritev2(fd(), pieces.data(), count, position, slot.fua ? RWF_DSYNC : 0);
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<IoQueue>> NewSyncQueue(const QueueConfig& config) {
  QueueConfig one = config;
  one.depth = 1;
  auto queue = std::make_unique<SyncQueue>(one);
  if (!queue->valid()) return absl::ResourceExhaustedError("psync queue: no eventfd to be had");
  return queue;
}

}  // namespace zonal::kernel
