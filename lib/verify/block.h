// SPDX-License-Identifier: MIT
// What a verified block says of itself. Little endian; the header stands at
// `header_at` (0 unless asked otherwise) of the block:
//
//    0  magic "zonalvfy"            32  sequence: the how-manieth write of its worker
//    8  version, checksum kind      40  zone
//   10  flags                       44  epoch: which life of the zone in its run
//   12  length of the block         48  zeros
//   16  run id                      56  CRC32C of bytes 0..55 and of the digest
//   24  byte offset                 60  zeros
//                                   64  digest of the block without its header, zero
//                                       padded to a multiple of 8 bytes
//
// Besides, the last 8 bytes of each 512-byte sector of the block are a tag: the low
// half of the sequence, and a mix of it with run id, offset, zone, epoch and the
// sector's number. So each sector tells which write it is from, and a torn block
// shows where it is torn, whatever the payload. The header overlays tags it meets.
// Pure functions; docs/verify.md has the reasons. Tested by tests/verify.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "verify/checksum.h"
#include "zonal/workload.h"

namespace zonal::verify {

inline constexpr std::uint8_t kFormatVersion = 1;
inline constexpr std::size_t kFixedHeaderBytes = 64;
inline constexpr std::size_t kSectorBytes = 512;
inline constexpr std::size_t kTagBytes = 8;
// Sequences of different workers of one run do not meet: the upper bits are the
// worker's index, the others count its writes.
inline constexpr int kJobShift = 48;

// Which write a block is from.
struct Identity {
  std::uint64_t run_id = 0;
  std::uint64_t offset = 0;  // bytes; of a block placed by the device: its zone's start
  std::uint64_t sequence = 0;
  std::uint32_t zone = 0;
  std::uint32_t epoch = 0;
  // Zone append: where it would land was not known when it was stamped.
  bool placed_by_device = false;
  friend bool operator==(const Identity&, const Identity&) = default;
};

struct Header {
  Checksum checksum = Checksum::kCrc32c;
  std::uint32_t length = 0;
  Identity identity;
  Digest digest;
  friend bool operator==(const Header&, const Header&) = default;
};

enum class HeaderState : std::uint8_t {
  kValid,
  kAbsent,          // no magic
  kUnknownVersion,  // of a later zonal, or an unknown kind of checksum
  kDamaged,         // the magic is there, the CRC does not fit
};

std::size_t HeaderBytes(Checksum checksum) noexcept;

// REQUIRES: the header fits into `block` at `header_at`.
void StampBlock(std::span<std::byte> block, const Identity& identity, std::size_t header_at,
                const Checksummer& checksummer) noexcept;

HeaderState ReadHeader(std::span<const std::byte> block, std::size_t header_at,
                       Header& header) noexcept;

// Of the block without the header at `header_at`.
Digest DigestOf(std::span<const std::byte> block, std::size_t header_at,
                const Checksummer& checksummer) noexcept;

// One sector's tag.
struct Tag {
  std::uint32_t sequence = 0;  // low half
  std::uint32_t mix = 0;
  friend bool operator==(const Tag&, const Tag&) = default;
};

class Tags {
 public:
  Tags(std::size_t block_bytes, std::size_t header_at, std::size_t header_bytes) noexcept
      : block_bytes_(block_bytes), header_at_(header_at), header_end_(header_at + header_bytes) {}

  std::size_t sectors() const noexcept { return block_bytes_ / kSectorBytes; }
  // False where the header overlays it.
  bool Has(std::size_t sector) const noexcept {
    const std::size_t end = (sector + 1) * kSectorBytes;
    return end - kTagBytes >= header_end_ || end <= header_at_;
  }
  static Tag Read(std::span<const std::byte> block, std::size_t sector) noexcept;
  // The tag of this sector if it was written under `identity` as the
  // `sequence`-th write.
  static Tag Expected(const Identity& identity, std::uint32_t sequence,
                      std::size_t sector) noexcept;

 private:
  std::size_t block_bytes_, header_at_, header_end_;
};

}  // namespace zonal::verify
