// SPDX-License-Identifier: MIT
// The two stores that need no file: anonymous memory, and none at all.
#include <sys/mman.h>

#include <cstring>
#include <utility>

#include "device/emulated/lazy_mapping.h"
#include "device/emulated/shared_copy.h"
#include "device/emulated/store.h"

namespace zonal::emulated {
namespace {

// Everything is answered at once: nothing to poll, nobody to wake.
class SynchronousQueue : public StoreQueue {
 public:
  StoreAnswer Flush(std::uint64_t) noexcept override { return {}; }
  std::size_t Poll(std::span<StoreCompletion>, std::size_t, nanoseconds) noexcept override {
    return 0;
  }
  void Wake() noexcept override {}
};

class MemoryQueue final : public SynchronousQueue {
 public:
  explicit MemoryQueue(std::byte* base) noexcept : base_(base) {}

  StoreAnswer Write(std::uint64_t offset, std::span<const iovec> data, bool,
                    std::uint64_t) noexcept override {
    for (const iovec& part : data) {
      CopyIn(base_ + offset, part.iov_base, part.iov_len);
      offset += part.iov_len;
    }
    return {};
  }

  StoreAnswer Read(std::uint64_t offset, std::span<const iovec> data,
                   std::uint64_t) noexcept override {
    for (const iovec& part : data) {
      CopyOut(part.iov_base, base_ + offset, part.iov_len);
      offset += part.iov_len;
    }
    return {};
  }

 private:
  std::byte* base_;
};

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(LazyMapping memory) noexcept : memory_(std::move(memory)) {}

  absl::StatusOr<std::unique_ptr<StoreQueue>> NewQueue(std::uint32_t) override {
    return std::make_unique<MemoryQueue>(memory_.data());
  }
  bool is_synchronous() const noexcept override { return true; }
  void Forget(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    // Whole pages inside the range; what is left at its ends stays allocated.
    const std::uint64_t begin = (offset + kPage - 1) / kPage * kPage;
    const std::uint64_t end = (offset + bytes) / kPage * kPage;
    if (begin < end) ::madvise(memory_.data() + begin, end - begin, MADV_DONTNEED);
  }
  absl::Status Sync() override { return absl::OkStatus(); }

 private:
  static constexpr std::uint64_t kPage = 4096;
  LazyMapping memory_;
};

class DiscardQueue final : public SynchronousQueue {
 public:
  StoreAnswer Write(std::uint64_t, std::span<const iovec>, bool, std::uint64_t) noexcept override {
    return {};
  }
  StoreAnswer Read(std::uint64_t, std::span<const iovec> data, std::uint64_t) noexcept override {
    for (const iovec& part : data) {
      if (part.iov_base != nullptr) std::memset(part.iov_base, 0, part.iov_len);
    }
    return {};
  }
};

class DiscardStore final : public Store {
 public:
  absl::StatusOr<std::unique_ptr<StoreQueue>> NewQueue(std::uint32_t) override {
    return std::make_unique<DiscardQueue>();
  }
  bool is_synchronous() const noexcept override { return true; }
  void Forget(std::uint64_t, std::uint64_t) noexcept override {}
  absl::Status Sync() override { return absl::OkStatus(); }
};

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> NewMemoryStore(std::uint64_t bytes) {
  absl::StatusOr<LazyMapping> memory = LazyMapping::New(bytes, PageSize::kSmall);
  if (!memory.ok()) return memory.status();
  return std::make_unique<MemoryStore>(*std::move(memory));
}

std::unique_ptr<Store> NewDiscardStore() { return std::make_unique<DiscardStore>(); }

}  // namespace zonal::emulated
