// SPDX-License-Identifier: MIT
// Blocks to damage, for tests of verification.
#pragma once

#include <cstdint>
#include <vector>

#include "support/catch.h"
#include "verify/judge.h"
#include "zonal/rng.h"

namespace zonal::testing {

inline constexpr std::uint64_t kRun = 0xABCDEF;
inline constexpr std::uint64_t kZoneStart = 3u << 20;
inline constexpr std::uint64_t kOffset = kZoneStart + 8192;

inline constexpr Checksum kWithDigest[] = {Checksum::kCrc32c, Checksum::kCrc32, Checksum::kCrc64,
                                           Checksum::kXxhash, Checksum::kMd5,   Checksum::kSha1,
                                           Checksum::kSha256, Checksum::kSha512};
inline constexpr Checksum kWithHeader[] = {
    Checksum::kHeaderOnly, Checksum::kCrc32c, Checksum::kCrc32,
    Checksum::kCrc64,      Checksum::kXxhash, Checksum::kMd5,
    Checksum::kSha1,       Checksum::kSha256, Checksum::kSha512};

inline verify::Checksummer Summer(Checksum checksum) {
  auto created = verify::Checksummer::Create(checksum);
  REQUIRE(created.ok());
  return *std::move(created);
}

inline std::vector<std::byte> Noise(std::size_t bytes, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::byte> data(bytes);
  for (std::byte& b : data) b = static_cast<std::byte>(rng.Next());
  return data;
}

inline verify::Identity Write(std::uint64_t sequence = 42) {
  return {kRun, kOffset, sequence, 3, 6, false};
}

// A block as written; every write has a payload of its own.
inline std::vector<std::byte> Block(Checksum checksum, const verify::Identity& identity,
                                    std::size_t bytes = 4096, std::size_t header_at = 0) {
  std::vector<std::byte> block = Noise(bytes, identity.sequence + identity.epoch * 1000);
  verify::StampBlock(block, identity, header_at, Summer(checksum));
  return block;
}

inline verify::Expected Wanted() {
  verify::Expected expected;
  expected.offset = kOffset;
  expected.zone = 3;
  expected.zone_start = kZoneStart;
  expected.run_id = kRun;
  expected.epoch = 6;
  expected.sequence = 42;
  return expected;
}

}  // namespace zonal::testing
