// SPDX-License-Identifier: MIT
#include "device/emulated/lazy_mapping.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace zonal::emulated {
namespace {

constexpr std::uint64_t kHugePage = 2ull << 20;

}  // namespace

absl::StatusOr<LazyMapping> LazyMapping::New(std::uint64_t bytes, PageSize pages) {
  LazyMapping mapping;
  if (bytes == 0) return mapping;
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) {
    return absl::ResourceExhaustedError("cannot map " + std::to_string(bytes) +
                                        " bytes of memory: " + std::strerror(errno));
  }
  // Advice only: a kernel without huge pages refuses it.
  if (bytes >= kHugePage) {
    ::madvise(data, bytes, pages == PageSize::kHuge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  mapping.data_ = static_cast<std::byte*>(data);
  mapping.size_ = bytes;
  return mapping;
}

LazyMapping::LazyMapping(LazyMapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

LazyMapping& LazyMapping::operator=(LazyMapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

LazyMapping::~LazyMapping() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace zonal::emulated
