// SPDX-License-Identifier: MIT
#include "zonal/buffer_pool.h"

#include <sys/mman.h>

#include <cerrno>
#include <limits>
#include <string>
#include <system_error>

namespace zonal {
namespace {

// Direct I/O asks for buffers aligned to the device's blocks; 4096 serves every
// device known, and pages are that large.
constexpr std::uint64_t kAlignment = 4096;
constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

}  // namespace

absl::StatusOr<std::unique_ptr<BufferPool>> BufferPool::Create(std::uint32_t count,
                                                               std::uint64_t buffer_bytes) {
  if (count == 0 || buffer_bytes == 0) {
    return absl::InvalidArgumentError("a buffer pool needs at least one buffer of one byte");
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (buffer_bytes > kMost - kAlignment ||
      (buffer_bytes + kAlignment - 1) / kAlignment * kAlignment > kMost / count) {
    return absl::ResourceExhaustedError(std::to_string(count) + " buffers of " +
                                        std::to_string(buffer_bytes) +
                                        " bytes exceed the address space");
  }
  const std::uint64_t rounded = (buffer_bytes + kAlignment - 1) / kAlignment * kAlignment;
  const std::uint64_t total = rounded * count;
  void* memory = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError(
        "no memory for " + std::to_string(count) + " buffers of " + std::to_string(rounded) +
        " bytes: " + std::generic_category().message(errno) + "; lower the depth or block size");
  }
  // A hint: without huge pages everything works, with more TLB misses.
  if (total >= kHugePage) madvise(memory, total, MADV_HUGEPAGE);
  return std::unique_ptr<BufferPool>(
      new BufferPool(static_cast<std::byte*>(memory), count, rounded));
}

BufferPool::~BufferPool() { munmap(memory_, std::uint64_t{count_} * buffer_bytes_); }

absl::Status BufferPool::RegisterWith(IoQueue& queue) const {
  const iovec whole{memory_, static_cast<std::size_t>(std::uint64_t{count_} * buffer_bytes_)};
  return queue.RegisterBuffers({&whole, 1});
}

}  // namespace zonal
