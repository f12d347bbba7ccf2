// SPDX-License-Identifier: MIT
// Equal-sized, block-aligned I/O buffers in one mapping (huge pages advised),
// ready to be registered with a queue. Not thread-safe: one per worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "zonal/io_queue.h"

namespace zonal {

class BufferPool {
 public:
  // `buffer_bytes` is rounded up to a multiple of 4096. ResourceExhausted if the
  // memory cannot be had.
  static absl::StatusOr<std::unique_ptr<BufferPool>> Create(std::uint32_t count,
                                                            std::uint64_t buffer_bytes);
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  std::uint32_t count() const noexcept { return count_; }
  std::uint64_t buffer_bytes() const noexcept { return buffer_bytes_; }
  std::byte* buffer(std::uint32_t index) const noexcept {
    return memory_ + std::uint64_t{index} * buffer_bytes_;
  }
  // The whole pool as registered buffer 0.
  absl::Status RegisterWith(IoQueue& queue) const;

 private:
  BufferPool(std::byte* memory, std::uint32_t count, std::uint64_t buffer_bytes) noexcept
      : memory_(memory), buffer_bytes_(buffer_bytes), count_(count) {}

  std::byte* memory_;
  std::uint64_t buffer_bytes_;
  std::uint32_t count_;
};

}  // namespace zonal
