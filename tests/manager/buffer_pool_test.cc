// SPDX-License-Identifier: MIT
#include "zonal/buffer_pool.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "support/catch.h"

using zonal::BufferPool;

TEST_CASE("buffers are rounded to pages, aligned, and do not overlap", "[buffers]") {
  for (const std::uint64_t bytes :
       {std::uint64_t{1}, std::uint64_t{4096}, std::uint64_t{4097}, std::uint64_t{1} << 20}) {
    CAPTURE(bytes);
    auto pool = BufferPool::Create(5, bytes);
    REQUIRE(pool.ok());
    REQUIRE((*pool)->count() == 5);
    REQUIRE((*pool)->buffer_bytes() == (bytes + 4095) / 4096 * 4096);
    for (std::uint32_t i = 0; i < 5; ++i) {
      REQUIRE(reinterpret_cast<std::uintptr_t>((*pool)->buffer(i)) % 4096 == 0);
      std::memset((*pool)->buffer(i), static_cast<int>(i + 1), (*pool)->buffer_bytes());
    }
    for (std::uint32_t i = 0; i < 5; ++i) {
      const std::vector<std::byte> expected((*pool)->buffer_bytes(), static_cast<std::byte>(i + 1));
      REQUIRE(std::memcmp((*pool)->buffer(i), expected.data(), expected.size()) == 0);
    }
  }
}

TEST_CASE("a pool that cannot be is refused with the reason", "[buffers]") {
  REQUIRE(absl::IsInvalidArgument(BufferPool::Create(0, 4096).status()));
  REQUIRE(absl::IsInvalidArgument(BufferPool::Create(1, 0).status()));
  REQUIRE(absl::IsResourceExhausted(BufferPool::Create(2, ~std::uint64_t{0}).status()));
  REQUIRE(absl::IsResourceExhausted(BufferPool::Create(65535, std::uint64_t{1} << 62).status()));
  REQUIRE(absl::IsResourceExhausted(BufferPool::Create(1024, std::uint64_t{1} << 46).status()));
}
