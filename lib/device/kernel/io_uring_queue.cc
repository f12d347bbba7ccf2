// SPDX-License-Identifier: MIT
// io_uring with a registered file and, on request, registered buffers. One ring
// per queue. The ring starts disabled and is enabled by the thread of the first
// Submit, which the kernel then takes for its only user (SINGLE_ISSUER).
#include <liburing.h>
#include <poll.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "absl/strings/str_cat.h"
#include "device/kernel/kernel_queue.h"

namespace zonal::kernel {
namespace {

// Not ~0: with that one liburing marks its own timeouts, on kernels before 5.11.
constexpr std::uint64_t kWakeTag = ~std::uint64_t{1};
constexpr std::uint32_t kMaxSubmissionEntries = 1024;  // more is submitted in several calls
constexpr std::uint32_t kMaxCompletionEntries = 65536;
// One request's length is 32 bits wide; the rest follows as for a short transfer.
constexpr std::size_t kMaxIssueBytes = std::size_t{1} << 30;
constexpr nanoseconds kDrainOnDestruction = std::chrono::seconds(10);
// In the ring's table of registered files.
constexpr int kDataFile = 0;
constexpr int kWakeFile = 1;

class IoUringQueue final : public KernelQueue {
 public:
  explicit IoUringQueue(const QueueConfig& config) : KernelQueue(config) {
    features_.registered_buffers = true;
  }
  ~IoUringQueue() override {
    // The kernel does not wait for a closed ring's requests: their buffers would
    // be written after their owner has them back.
    if (has_ring_) static_cast<void>(Close(kDrainOnDestruction));
    if (has_ring_) io_uring_queue_exit(&ring_);
  }

  absl::Status Init();
  std::string_view name() const noexcept override { return "io_uring"; }
  absl::Status RegisterBuffers(std::span<const iovec> buffers) override;

 private:
  void Issue(std::span<const std::uint32_t> slots) noexcept override;
  void Reap() noexcept override;
  void Sleep(const Deadline& deadline) noexcept override;
  bool WatchKernel() noexcept override;
  bool all_issued() const noexcept override { return dead_ != 0 || io_uring_sq_ready(&ring_) == 0; }
  void UnwatchKernel() noexcept override {
    static_cast<void>(io_uring_cq_eventfd_toggle(&ring_, false));
  }

  int SetUpRing();
  // Makes the calling thread the ring's owner, once.
  void Enable() noexcept;
  io_uring_sqe* NextEntry() noexcept;
  void PrepareTransfer(const Slot& slot, io_uring_sqe* entry) noexcept;
  void IssueOne(std::uint32_t index) noexcept;
  void ArmWake() noexcept;
  void Push() noexcept;
  void Die(int error) noexcept;

  io_uring ring_{};
  bool has_ring_ = false;
  bool enabled_ = false;
  bool wake_armed_ = false;
  bool signals_ = false;  // completions may signal wake_'s descriptor too
  int registered_buffers_ = 0;
  int dead_ = 0;  // the errno that ended the ring
};

// From what suits one thread that sleeps in Poll down to what every kernel with
// disabled rings takes (5.10).
int IoUringQueue::SetUpRing() {
  constexpr unsigned kBase = IORING_SETUP_CQSIZE | IORING_SETUP_R_DISABLED;
  constexpr std::array<unsigned, 3> kFlags = {
      kBase | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
          IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
      kBase | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
      kBase};
  int error = -EINVAL;
  for (const unsigned flags : kFlags) {
    io_uring_params params{};
    params.flags = flags;
    params.cq_entries = std::min(depth() + 2, kMaxCompletionEntries);
    error =
        io_uring_queue_init_params(std::min(depth() + 1, kMaxSubmissionEntries), &ring_, &params);
    if (error != -EINVAL) break;
  }
  has_ring_ = error == 0;
  return error;
}

absl::Status IoUringQueue::Init() {
  if (!wake_.valid()) return absl::ResourceExhaustedError("io_uring queue: no eventfd to be had");
  const int error = SetUpRing();
  if (error == -ENOSYS || error == -EPERM) {
    return absl::UnavailableError(
        "io_uring is switched off here (sysctl kernel.io_uring_disabled, a seccomp filter or an "
        "old kernel); use libaio or psync");
  }
  if (error == -ENOMEM) {
    return absl::ResourceExhaustedError(
        absl::StrCat("io_uring queue of depth ", depth(),
                     ": no memory for the ring; raise the locked-memory limit (ulimit -l)"));
  }
  if (error != 0) {
    return absl::UnavailableError(
        absl::StrCat("io_uring queue: io_uring_setup fails with errno ", -error));
  }
  const std::array<int, 2> files = {fd(), wake_.fd()};
  if (const int failed = io_uring_register_files(&ring_, files.data(), files.size()); failed != 0) {
    return absl::UnavailableError(
        absl::StrCat("io_uring queue: registering the file fails with errno ", -failed));
  }
  return absl::OkStatus();
}

absl::Status IoUringQueue::RegisterBuffers(std::span<const iovec> buffers) {
  if (registered_buffers_ > 0) {
    return absl::FailedPreconditionError("io_uring queue: buffers are registered already");
  }
  const int error =
      io_uring_register_buffers(&ring_, buffers.data(), static_cast<unsigned>(buffers.size()));
  if (error == -ENOMEM) {
    return absl::ResourceExhaustedError(
        "io_uring queue: the locked-memory limit does not allow these buffers (ulimit -l)");
  }
  if (error != 0) {
    return absl::InvalidArgumentError(absl::StrCat("io_uring queue: registering ", buffers.size(),
                                                   " buffers fails with errno ", -error));
  }
  registered_buffers_ = static_cast<int>(buffers.size());
  return absl::OkStatus();
}

void IoUringQueue::Enable() noexcept {
  if (enabled_) return;
  enabled_ = true;
  // Debian 12's liburing declares io_uring_enable_rings() but does not export it.
  const int error = io_uring_register(static_cast<unsigned>(ring_.ring_fd),
                                      IORING_REGISTER_ENABLE_RINGS, nullptr, 0);
  if (error != 0) Die(-error);
}

io_uring_sqe* IoUringQueue::NextEntry() noexcept {
  io_uring_sqe* entry = io_uring_get_sqe(&ring_);
  if (entry != nullptr || dead_ != 0) return entry;
  Push();
  return io_uring_get_sqe(&ring_);
}

void IoUringQueue::PrepareTransfer(const Slot& slot, io_uring_sqe* entry) noexcept {
  const std::span<const iovec> pieces = slot.remaining();
  const bool read = slot.op == IoOp::kRead;
  if (pieces.size() > 1) {
    const auto count = static_cast<unsigned>(pieces.size());
    io_uring_prep_rw(read ? IORING_OP_READV : IORING_OP_WRITEV, entry, kDataFile, pieces.data(),
                     count, slot.position());
  } else {
    const iovec whole = pieces.empty() ? iovec{nullptr, 0} : pieces.front();
    const auto length = static_cast<unsigned>(std::min(whole.iov_len, kMaxIssueBytes));
    const bool fixed = slot.registered_buffer >= 0;
    const int op = read ? (fixed ? IORING_OP_READ_FIXED : IORING_OP_READ)
                        : (fixed ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE);
    io_uring_prep_rw(op, entry, kDataFile, whole.iov_base, length, slot.position());
    if (fixed) entry->buf_index = static_cast<std::uint16_t>(slot.registered_buffer);
  }
  if (slot.fua) entry->rw_flags = RWF_DSYNC;
}

void IoUringQueue::IssueOne(std::uint32_t index) noexcept {
  io_uring_sqe* entry = NextEntry();
  if (entry == nullptr || dead_ != 0) {
    if (slots_[index].in_kernel) slots_.FinishLost(index, dead_ != 0 ? dead_ : EAGAIN);
    return;
  }
  if (slots_[index].op == IoOp::kFlush) {
    io_uring_prep_fsync(entry, kDataFile, IORING_FSYNC_DATASYNC);
  } else {
    PrepareTransfer(slots_[index], entry);
  }
  entry->flags |= IOSQE_FIXED_FILE;
  entry->user_data = index;
}

void IoUringQueue::Issue(std::span<const std::uint32_t> slots) noexcept {
  Enable();
  for (const std::uint32_t index : slots) IssueOne(index);
  Push();
}

void IoUringQueue::Push() noexcept {
  while (dead_ == 0 && io_uring_sq_ready(&ring_) > 0) {
    const int taken = io_uring_submit(&ring_);
    // Out of memory, or completions must be taken first: the entries stay in the
    // ring and the next Submit or Poll tries again.
    if (taken == 0 || taken == -EAGAIN || taken == -EBUSY) return;
    if (taken < 0 && taken != -EINTR) Die(-taken);
  }
}

// The kernel takes no more requests and gives no more answers.
void IoUringQueue::Die(int error) noexcept {
  dead_ = error;
  slots_.FinishAllLost(error);
}

void IoUringQueue::Reap() noexcept {
  if (!enabled_ || dead_ != 0) return;
  std::array<io_uring_cqe*, 64> batch;
  unsigned count = 0;
  bool drained = false;
  do {
    drained = false;
    count = io_uring_peek_batch_cqe(&ring_, batch.data(), batch.size());
    for (const io_uring_cqe* entry : std::span(batch).first(count)) {
      if (entry->user_data == kWakeTag) {
        wake_armed_ = false;
        wake_.Drain();
        drained = true;
      } else {
        const auto index = static_cast<std::uint32_t>(entry->user_data);
        // Not in the kernel: the ring died while this batch was taken in.
        if (slots_[index].in_kernel && !slots_.Absorb(index, entry->res)) IssueOne(index);
      }
    }
    io_uring_cq_advance(&ring_, count);
    // Emptying the eventfd may have taken a completion's signal: look again.
  } while (count == batch.size() || drained);
  Push();
}

void IoUringQueue::ArmWake() noexcept {
  if (wake_armed_) return;
  io_uring_sqe* entry = NextEntry();
  if (entry == nullptr) return;
  io_uring_prep_poll_add(entry, kWakeFile, POLLIN);
  entry->flags |= IOSQE_FIXED_FILE;
  entry->user_data = kWakeTag;
  wake_armed_ = true;
}

// Completions signal wake_'s descriptor, but only while armed. (Polling the ring's
// own descriptor is not enough: with DEFER_TASKRUN nobody wakes its poller.)
bool IoUringQueue::WatchKernel() noexcept {
  if (!signals_) {
    if (io_uring_register_eventfd(&ring_, wake_.fd()) != 0) return false;
    signals_ = true;
  }
  if (io_uring_cq_eventfd_toggle(&ring_, true) != 0) return false;
  if (!enabled_ || dead_ != 0) return true;
  // Into the kernel even if nothing seems to be there: what it has is taken in
  // now, and what comes later finds the signal switched on.
  static_cast<void>(io_uring_get_events(&ring_));
  return io_uring_sq_ready(&ring_) == 0;
}

void IoUringQueue::Sleep(const Deadline& deadline) noexcept {
  if (dead_ != 0 || in_flight() == slots_.ready_count()) {
    wake_.Sleep(deadline);
    return;
  }
  ArmWake();
  const std::optional<nanoseconds> left = deadline.Left();
  __kernel_timespec timeout{};
  if (left) timeout = {left->count() / 1'000'000'000, left->count() % 1'000'000'000};
  io_uring_cqe* first = nullptr;
  // One at a time: the wake poll counts as one completion, and must be enough.
  const int answer =
      io_uring_submit_and_wait_timeout(&ring_, &first, 1, left ? &timeout : nullptr, nullptr);
  if (answer == -EAGAIN || answer == -EBUSY) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  } else if (answer < 0 && answer != -ETIME && answer != -EINTR) {
    Die(-answer);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<IoQueue>> NewIoUringQueue(const QueueConfig& config) {
  auto queue = std::make_unique<IoUringQueue>(config);
  if (absl::Status status = queue->Init(); !status.ok()) return status;
  return queue;
}

}  // namespace zonal::kernel
