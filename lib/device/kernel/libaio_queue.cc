// SPDX-License-Identifier: MIT
// libaio: io_submit hands requests to the block layer in order and blocks where
// it must, so it keeps the order io_uring gives away. Really asynchronous only
// with O_DIRECT; a buffered request is done when io_submit returns.
#include <libaio.h>
#include <poll.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "device/kernel/kernel_queue.h"

namespace zonal::kernel {
namespace {

class LibaioQueue final : public KernelQueue {
 public:
  explicit LibaioQueue(const QueueConfig& config)
      : KernelQueue(config), blocks_(config.depth), pointers_(config.depth) {}
  ~LibaioQueue() override {
    if (context_ != nullptr) io_destroy(context_);  // waits for what is in flight
  }

  absl::Status Init();
  std::string_view name() const noexcept override { return "libaio"; }
  int event_fd() noexcept override {
    if (!signals_) uncovered_ = in_flight() > 0;
    signals_ = true;
    return wake_.fd();
  }

 private:
  void Issue(std::span<const std::uint32_t> slots) noexcept override;
  void Reap() noexcept override;
  void Sleep(const Deadline& deadline) noexcept override;
  bool WatchKernel() noexcept override;

  void Prepare(std::uint32_t index) noexcept;
  void ArmWake() noexcept;
  // One io_getevents; false if it brought nothing.
  bool Take(long min, timespec* timeout) noexcept;
  void TakeOne(const io_event& event) noexcept;

  io_context_t context_ = nullptr;
  std::vector<iocb> blocks_;     // one per slot
  std::vector<iocb*> pointers_;  // scratch of Issue
  iocb wake_block_{};
  bool wake_armed_ = false;
  bool signals_ = false;    // completions signal wake_'s descriptor too: IOCB_FLAG_RESFD
  bool uncovered_ = false;  // some in flight may have been submitted before that
};

absl::Status LibaioQueue::Init() {
  if (!wake_.valid()) return absl::ResourceExhaustedError("libaio queue: no eventfd to be had");
  const int error = io_setup(static_cast<int>(depth()) + 1, &context_);  // + the wake poll
  if (error == 0) return absl::OkStatus();
  context_ = nullptr;
  if (error == -EAGAIN) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "libaio queue of depth ", depth(), ": the system's limit is reached; raise fs.aio-max-nr"));
  }
  return absl::UnavailableError(absl::StrCat("libaio queue: io_setup fails with errno ", -error));
}

void LibaioQueue::Prepare(std::uint32_t index) noexcept {
  Slot& slot = slots_[index];
  iocb& block = blocks_[index];
  const std::span<const iovec> pieces = slot.remaining();
  const auto count = static_cast<int>(pieces.size());
  const auto position = static_cast<long long>(slot.position());
  if (slot.op == IoOp::kFlush) {
    io_prep_fdsync(&block, fd());
  } else if (slot.op == IoOp::kRead) {
    io_prep_preadv(&block, fd(), pieces.data(), count, position);
  } else {
    io_prep_pwritev2(&block, fd(), pieces.data(), count, position, slot.fua ? RWF_DSYNC : 0);
  }
  if (signals_) io_set_eventfd(&block, wake_.fd());
  block.data = reinterpret_cast<void*>(std::uintptr_t{index});
}

void LibaioQueue::Issue(std::span<const std::uint32_t> slots) noexcept {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Prepare(slots[i]);
    pointers_[i] = &blocks_[slots[i]];
  }
  // io_submit stops at the first request it cannot start, and says why only when
  // that one is the first.
  for (std::size_t next = 0; next < slots.size();) {
    const int taken = io_submit(context_, static_cast<long>(slots.size() - next), &pointers_[next]);
    if (taken > 0) {
      next += static_cast<std::size_t>(taken);
    } else if (taken != -EINTR) {
      slots_.FinishErrno(slots[next++], taken == 0 ? EAGAIN : -taken);
    }
  }
}

void LibaioQueue::TakeOne(const io_event& event) noexcept {
  if (event.obj == &wake_block_) {
    wake_armed_ = false;
    wake_.Drain();
    return;
  }
  const auto index = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(event.data));
  // Not in the kernel: given up as lost with the others.
  if (!slots_[index].in_kernel) return;
  if (!slots_.Absorb(index, static_cast<long>(event.res))) Issue(std::array{index});
}

bool LibaioQueue::Take(long min, timespec* timeout) noexcept {
  std::array<io_event, 64> events;
  const int count = io_getevents(context_, min, events.size(), events.data(), timeout);
  // A context that is gone answers nothing ever again; EINTR is no answer.
  if (count < 0 && count != -EINTR) slots_.FinishAllLost(-count);
  for (int i = 0; i < count; ++i) TakeOne(events[static_cast<std::size_t>(i)]);
  return count > 0;
}

void LibaioQueue::Reap() noexcept {
  timespec now{};
  while (in_flight() > slots_.ready_count() && Take(0, &now)) {
  }
}

bool LibaioQueue::WatchKernel() noexcept {
  static_cast<void>(event_fd());
  if (in_flight() == slots_.ready_count()) uncovered_ = false;
  return !uncovered_;
}

void LibaioQueue::ArmWake() noexcept {
  if (wake_armed_) return;
  io_prep_poll(&wake_block_, wake_.fd(), POLLIN);
  iocb* block = &wake_block_;
  wake_armed_ = io_submit(context_, 1, &block) == 1;
}

void LibaioQueue::Sleep(const Deadline& deadline) noexcept {
  if (in_flight() == slots_.ready_count()) {
    wake_.Sleep(deadline);
    return;
  }
  ArmWake();
  std::optional<nanoseconds> left = deadline.Left();
  // Without the wake poll (kernels before 4.18) a signal is looked for this often.
  constexpr nanoseconds kLook = std::chrono::milliseconds(1);
  if (!wake_armed_ && (!left || *left > kLook)) left = kLook;
  timespec timeout{};
  if (left) timeout = {left->count() / 1'000'000'000, left->count() % 1'000'000'000};
  // One at a time: the wake poll counts as one event, and must be enough.
  Take(1, left ? &timeout : nullptr);
}

}  // namespace

absl::StatusOr<std::unique_ptr<IoQueue>> NewLibaioQueue(const QueueConfig& config) {
  auto queue = std::make_unique<LibaioQueue>(config);
  if (absl::Status status = queue->Init(); !status.ok()) return status;
  return queue;
}

}  // namespace zonal::kernel
