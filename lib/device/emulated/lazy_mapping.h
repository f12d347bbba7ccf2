// SPDX-License-Identifier: MIT
// Anonymous memory that costs nothing until touched and is all zeros then: the
// tables of drives with a million zones. Move-only; freed with the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/statusor.h"

namespace zonal::emulated {

// Huge pages suit tables that are walked; a store of sparse data would spend two
// megabytes on every block written alone.
enum class PageSize : std::uint8_t { kSmall, kHuge };

class LazyMapping {
 public:
  // ResourceExhausted if the address space cannot be had.
  static absl::StatusOr<LazyMapping> New(std::uint64_t bytes, PageSize pages);

  LazyMapping() noexcept = default;
  LazyMapping(LazyMapping&& other) noexcept;
  LazyMapping& operator=(LazyMapping&& other) noexcept;
  ~LazyMapping();

  std::byte* data() const noexcept { return data_; }
  std::uint64_t size() const noexcept { return size_; }

  // The mapping as an array of T, for which all zeros must be a valid value.
  template <typename T>
  std::span<T> As() const noexcept {
    return {reinterpret_cast<T*>(data_), size_ / sizeof(T)};
  }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace zonal::emulated
