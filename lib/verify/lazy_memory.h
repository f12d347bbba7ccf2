// SPDX-License-Identifier: MIT
// A large array of zeros that takes memory only where it is written: an anonymous
// mapping. Movable, not copyable.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace zonal::verify {

template <typename T>
class LazyArray {
 public:
  // ResourceExhausted if there is no address space for it.
  static absl::StatusOr<LazyArray> Create(std::size_t count) {
    if (count == 0) return LazyArray(nullptr, 0);
    void* at = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
      return absl::ResourceExhaustedError(
          "no address space for " + std::to_string(count * sizeof(T)) +
          " bytes of notes on what is to be verified; verify a smaller range");
    }
    return LazyArray(static_cast<T*>(at), count);
  }
  LazyArray(LazyArray&& other) noexcept
      : at_(std::exchange(other.at_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  LazyArray& operator=(LazyArray&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~LazyArray() {
    if (at_ != nullptr) munmap(at_, count_ * sizeof(T));
  }

  T& operator[](std::size_t i) noexcept { return at_[i]; }
  const T& operator[](std::size_t i) const noexcept { return at_[i]; }
  std::size_t size() const noexcept { return count_; }

 private:
  LazyArray(T* at, std::size_t count) noexcept : at_(at), count_(count) {}
  T* at_;
  std::size_t count_;
};

}  // namespace zonal::verify
