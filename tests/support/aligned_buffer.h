// SPDX-License-Identifier: MIT
// Memory direct I/O accepts, for tests.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

namespace zonal::test {

class AlignedBuffer {
 public:
  static constexpr std::size_t kAlignment = 4096;
  explicit AlignedBuffer(std::size_t bytes)
      : bytes_(bytes),
        memory_(static_cast<std::byte*>(
            std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment))) {}

  std::byte* data() const noexcept { return memory_.get(); }
  std::size_t size() const noexcept { return bytes_; }
  std::span<std::byte> span() const noexcept { return {memory_.get(), bytes_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace zonal::test
