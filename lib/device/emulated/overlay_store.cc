// SPDX-License-Identifier: MIT
#include "device/emulated/overlay_store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/status_macros.h"

namespace zonal::emulated {
namespace {

// The errno a drive understands; other origins' codes are none.
int ErrorOf(const IoResult& result) noexcept {
  if (result.ok()) return 0;
  return result.origin == Origin::kErrno && result.raw != 0 ? static_cast<int>(result.raw) : EIO;
}

class DeviceStoreQueue final : public StoreQueue {
 public:
  DeviceStoreQueue(std::shared_ptr<Device> under, std::unique_ptr<IoQueue> queue)
      : under_(std::move(under)), queue_(std::move(queue)) {}

  StoreAnswer Write(std::uint64_t offset, std::span<const iovec> data, bool fua,
                    std::uint64_t cookie) noexcept override {
    IoRequest request = Transfer(IoOp::kWrite, offset, data, cookie);
    request.fua = fua;
    return Submit(request);
  }
  StoreAnswer Read(std::uint64_t offset, std::span<const iovec> data,
                   std::uint64_t cookie) noexcept override {
    return Submit(Transfer(IoOp::kRead, offset, data, cookie));
  }
  StoreAnswer Flush(std::uint64_t cookie) noexcept override {
    IoRequest request;
    request.op = IoOp::kFlush;
    request.user_data = cookie;
    return Submit(request);
  }
  std::size_t Poll(std::span<StoreCompletion> out, std::size_t min,
                   nanoseconds wait) noexcept override {
    std::array<Completion, 64> done;
    const std::size_t room = std::min(out.size(), done.size());
    const std::size_t count = queue_->Poll(std::span(done).first(room), std::min(min, room), wait);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = {done[i].user_data, ErrorOf(done[i].result)};
    }
    return count;
  }
  void Wake() noexcept override { queue_->Wake(); }
  int event_fd() noexcept override { return queue_->event_fd(); }
  bool Arm() noexcept override { return queue_->Arm(); }
  std::string_view name() const noexcept override { return queue_->name(); }
  std::uint32_t depth() const noexcept override { return queue_->depth(); }

 private:
  static IoRequest Transfer(IoOp op, std::uint64_t offset, std::span<const iovec> data,
                            std::uint64_t cookie) noexcept {
    IoRequest request;
    request.op = op;
    request.offset = offset;
    for (const iovec& piece : data) request.bytes += piece.iov_len;
    if (data.size() == 1) {
      request.buffer = data.front().iov_base;
    } else {
      request.iovecs = data.data();
      request.iovec_count = static_cast<std::uint16_t>(data.size());
    }
    request.user_data = cookie;
    return request;
  }

  // Never full: the drive's queue is no deeper than this one.
  StoreAnswer Submit(const IoRequest& request) noexcept {
    if (queue_->Submit(std::span(&request, 1)) == 1) return {true, 0};
    return {false, EBUSY};
  }

  const std::shared_ptr<Device> under_;  // outlives its queue
  const std::unique_ptr<IoQueue> queue_;
};

class DeviceStore final : public Store {
 public:
  explicit DeviceStore(std::shared_ptr<Device> under) : under_(std::move(under)) {}

  absl::StatusOr<std::unique_ptr<StoreQueue>> NewQueue(std::uint32_t depth) override {
    QueueOptions options;
    options.depth = depth;
    return NewQueueOfKind(options);
  }
  absl::StatusOr<std::unique_ptr<StoreQueue>> NewQueueOfKind(const QueueOptions& options) override {
    ZONAL_ASSIGN_OR_RETURN(std::unique_ptr<IoQueue> queue, under_->NewQueue(options));
    return std::make_unique<DeviceStoreQueue>(under_, std::move(queue));
  }
  bool is_synchronous() const noexcept override { return false; }
  bool has_bytes_above_pointers() const noexcept override { return true; }
  void Forget(std::uint64_t, std::uint64_t) noexcept override {}
  absl::Status Sync() override { return under_->Flush(); }

 private:
  const std::shared_ptr<Device> under_;
};

}  // namespace

std::unique_ptr<Store> NewQueueStore(std::shared_ptr<Device> under) {
  return std::make_unique<DeviceStore>(std::move(under));
}

}  // namespace zonal::emulated
