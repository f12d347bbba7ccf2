// SPDX-License-Identifier: MIT
// Copies to and from memory that several threads may touch at once, as a disk's
// blocks may be: the host that reads a zone while another resets and rewrites it
// gets old or new bytes, and that is its own affair. Plain memcpy does that on
// every machine we build for; the thread sanitizer rightly calls it a race, so
// under it the copies are made of relaxed atomic words.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace zonal::emulated {

#if defined(__SANITIZE_THREAD__)
#define ZONAL_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ZONAL_UNDER_TSAN 1
#endif
#endif

#ifdef ZONAL_UNDER_TSAN
// `shared` is aligned to 8 and `bytes` a multiple of 8: both are whole blocks.
inline void CopyIn(std::byte* shared, const void* source, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, static_cast<const std::byte*>(source) + i, 8);
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(shared + i))
        .store(word, std::memory_order_relaxed);
  }
}
inline void CopyOut(void* target, std::byte* shared, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; i += 8) {
    const std::uint64_t word = std::atomic_ref(*reinterpret_cast<std::uint64_t*>(shared + i))
                                   .load(std::memory_order_relaxed);
    std::memcpy(static_cast<std::byte*>(target) + i, &word, 8);
  }
}
#else
inline void CopyIn(std::byte* shared, const void* source, std::size_t bytes) noexcept {
  std::memcpy(shared, source, bytes);
}
inline void CopyOut(void* target, const std::byte* shared, std::size_t bytes) noexcept {
  std::memcpy(target, shared, bytes);
}
#endif

}  // namespace zonal::emulated
