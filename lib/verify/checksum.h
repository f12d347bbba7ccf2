// SPDX-License-Identifier: MIT
// Checksums of verified blocks, each from a library: isa-l (crc32c, crc32, crc64),
// xxHash (XXH64), OpenSSL (md5, sha1, sha256, sha512).
// A Checksummer keeps the library's state, so that none is allocated per block;
// it belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "zonal/workload.h"

namespace zonal::verify {

inline constexpr std::size_t kMaxDigestBytes = 64;

struct Digest {
  std::array<std::byte, kMaxDigestBytes> bytes{};  // zeros behind `size`
  std::size_t size = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
};

// "crc32c", "md5", ...: as the option `verify` names it.
std::string_view ToString(Checksum checksum) noexcept;
// 0 for those without one: kNone, kPattern, kHeaderOnly.
std::size_t DigestBytes(Checksum checksum) noexcept;
std::uint32_t Crc32c(std::span<const std::byte> data) noexcept;

class Checksummer {
 public:
  // Unavailable: the library does not offer it (OpenSSL under a policy).
  static absl::StatusOr<Checksummer> Create(Checksum checksum);
  Checksummer(Checksummer&&) noexcept;
  Checksummer& operator=(Checksummer&&) noexcept;
  ~Checksummer();

  Checksum checksum() const noexcept { return checksum_; }
  // Of the two pieces as if they were one; integers little endian.
  Digest Of(std::span<const std::byte> first, std::span<const std::byte> second) const noexcept;

 private:
  struct Hash;  // what the libraries keep
  Checksummer(Checksum checksum, std::unique_ptr<Hash> hash) noexcept;

  Checksum checksum_;
  std::unique_ptr<Hash> hash_;
};

}  // namespace zonal::verify
