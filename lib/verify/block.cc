// SPDX-License-Identifier: MIT
#include "verify/block.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "zonal/rng.h"

namespace zonal::verify {
namespace {

static_assert(std::endian::native == std::endian::little, "headers are stored as they are");

constexpr std::uint64_t kMagic = 0x796676'6C616E6F7A;  // "zonalvfy"
constexpr std::uint16_t kPlacedByDevice = 1;

struct Layout {
  std::uint64_t magic;
  std::uint8_t version, checksum;
  std::uint16_t flags;
  std::uint32_t length;
  std::uint64_t run_id, offset, sequence;
  std::uint32_t zone, epoch;
  std::uint64_t zeros;
  std::uint32_t crc, more_zeros;
};
static_assert(sizeof(Layout) == kFixedHeaderBytes);
constexpr std::size_t kUnderCrc = 56;

std::size_t PaddedDigestBytes(Checksum checksum) noexcept {
  return (DigestBytes(checksum) + 7) / 8 * 8;
}

std::uint32_t HeaderCrc(const Layout& fields, const Digest& digest, Checksum checksum) noexcept {
  std::byte covered[kUnderCrc + kMaxDigestBytes];
  std::memcpy(covered, &fields, kUnderCrc);
  std::memcpy(covered + kUnderCrc, digest.bytes.data(), kMaxDigestBytes);
  return Crc32c({covered, kUnderCrc + PaddedDigestBytes(checksum)});
}

std::uint64_t MixOf(const Identity& identity, std::uint32_t sequence) noexcept {
  std::uint64_t state = identity.run_id;
  std::uint64_t mixed = SplitMix64(state);
  const std::uint64_t life = std::uint64_t{identity.epoch} << 32 | identity.zone;
  for (const std::uint64_t field : {identity.offset, life, std::uint64_t{sequence}}) {
    state = mixed ^ field;
    mixed = SplitMix64(state);
  }
  return mixed;
}

// One multiplication per sector: tags are set on every write.
std::uint32_t MixIn(std::uint64_t mixed, std::size_t sector) noexcept {
  const std::uint64_t spread = (mixed ^ (sector + 1)) * 0x9E3779B97F4A7C15u;
  return static_cast<std::uint32_t>(spread >> 32);
}

void SetTags(std::span<std::byte> block, const Identity& identity) noexcept {
  const auto sequence = static_cast<std::uint32_t>(identity.sequence);
  const std::uint64_t mixed = MixOf(identity, sequence);
  const std::size_t sectors = block.size() / kSectorBytes;
  for (std::size_t sector = 0; sector < sectors; ++sector) {
    const Tag tag{sequence, MixIn(mixed, sector)};
    std::memcpy(block.data() + (sector + 1) * kSectorBytes - kTagBytes, &tag, sizeof tag);
  }
}

}  // namespace

std::size_t HeaderBytes(Checksum checksum) noexcept {
  return kFixedHeaderBytes + PaddedDigestBytes(checksum);
}

Tag Tags::Read(std::span<const std::byte> block, std::size_t sector) noexcept {
  Tag tag;
  std::memcpy(&tag, block.data() + (sector + 1) * kSectorBytes - kTagBytes, sizeof tag);
  return tag;
}

Tag Tags::Expected(const Identity& identity, std::uint32_t sequence, std::size_t sector) noexcept {
  return {sequence, MixIn(MixOf(identity, sequence), sector)};
}

Digest DigestOf(std::span<const std::byte> block, std::size_t header_at,
                const Checksummer& checksummer) noexcept {
  const std::size_t end = header_at + HeaderBytes(checksummer.checksum());
  return checksummer.Of(block.first(header_at), block.subspan(end));
}

void StampBlock(std::span<std::byte> block, const Identity& identity, std::size_t header_at,
                const Checksummer& checksummer) noexcept {
  SetTags(block, identity);
  const Checksum kind = checksummer.checksum();
  const Digest digest = DigestOf(block, header_at, checksummer);
  Layout fields{};
  fields.magic = kMagic;
  fields.version = kFormatVersion;
  fields.checksum = static_cast<std::uint8_t>(kind);
  fields.flags = identity.placed_by_device ? kPlacedByDevice : 0;
  fields.length = static_cast<std::uint32_t>(block.size());
  fields.run_id = identity.run_id;
  fields.offset = identity.offset;
  fields.sequence = identity.sequence;
  fields.zone = identity.zone;
  fields.epoch = identity.epoch;
  fields.crc = HeaderCrc(fields, digest, kind);
  std::memcpy(block.data() + header_at, &fields, sizeof fields);
  std::memcpy(block.data() + header_at + sizeof fields, digest.bytes.data(),
              PaddedDigestBytes(kind));
}

HeaderState ReadHeader(std::span<const std::byte> block, std::size_t header_at,
                       Header& header) noexcept {
  Layout fields;
  if (block.size() < header_at + sizeof fields) return HeaderState::kAbsent;
  std::memcpy(&fields, block.data() + header_at, sizeof fields);
  if (fields.magic != kMagic) return HeaderState::kAbsent;
  if (fields.version != kFormatVersion ||
      fields.checksum > static_cast<std::uint8_t>(Checksum::kSha512)) {
    return HeaderState::kUnknownVersion;
  }
  const auto kind = static_cast<Checksum>(fields.checksum);
  if (block.size() < header_at + HeaderBytes(kind)) return HeaderState::kDamaged;
  header.digest = {};
  header.digest.size = DigestBytes(kind);
  std::memcpy(header.digest.bytes.data(), block.data() + header_at + sizeof fields,
              PaddedDigestBytes(kind));
  if (fields.crc != HeaderCrc(fields, header.digest, kind) || fields.more_zeros != 0) {
    return HeaderState::kDamaged;
  }
  header.checksum = kind;
  header.length = fields.length;
  header.identity = {fields.run_id, fields.offset, fields.sequence,
                     fields.zone,   fields.epoch,  (fields.flags & kPlacedByDevice) != 0};
  return HeaderState::kValid;
}

}  // namespace zonal::verify
