// SPDX-License-Identifier: MIT
#include "workload/stamp.h"

#include <cstring>

#include "zonal/rng.h"

namespace zonal::workload {
namespace {

constexpr std::uint64_t kMagic = 0x6B6C626C616E6F7A;  // "zonalblk"

struct Layout {
  std::uint64_t magic, run_seed, zone_and_worker, offset, sequence, check;
};
static_assert(sizeof(Layout) == 48);

std::uint64_t Check(const Layout& fields) noexcept {
  std::uint64_t state = fields.run_seed ^ kMagic;
  std::uint64_t mixed = SplitMix64(state);
  for (const std::uint64_t field : {fields.zone_and_worker, fields.offset, fields.sequence}) {
    state = mixed ^ field;
    mixed = SplitMix64(state);
  }
  return mixed;
}

Layout Encode(const Stamp& stamp) noexcept {
  Layout fields{kMagic,       stamp.run_seed, std::uint64_t{stamp.worker} << 32 | stamp.zone,
                stamp.offset, stamp.sequence, 0};
  fields.check = Check(fields);
  return fields;
}

std::string Off(const char* field, std::uint64_t offset, std::uint64_t found,
                std::uint64_t expected) {
  return "block at offset " + std::to_string(offset) + ": the stamp's " + field + " is " +
         std::to_string(found) + ", expected " + std::to_string(expected);
}

std::string Compare(std::span<const std::byte> block, const Stamp& expected) {
  const std::optional<Stamp> found = ReadStamp(block);
  if (!found) {
    return "block at offset " + std::to_string(expected.offset) +
           ": it carries no stamp, or only a part of one (never written by a stamping run, "
           "overwritten, or torn)";
  }
  if (found->offset != expected.offset) {
    return Off("offset", expected.offset, found->offset, expected.offset);
  }
  if (found->zone != expected.zone) return Off("zone", expected.offset, found->zone, expected.zone);
  if (found->run_seed != expected.run_seed) {
    return Off("run seed", expected.offset, found->run_seed, expected.run_seed);
  }
  return {};
}

}  // namespace

void StampBlocks(std::span<std::byte> data, std::uint32_t block_bytes,
                 const Stamp& first) noexcept {
  Stamp stamp = first;
  for (std::size_t at = 0; at + block_bytes <= data.size(); at += block_bytes) {
    const Layout fields = Encode(stamp);
    std::memcpy(data.data() + at, &fields, sizeof fields);
    std::memcpy(data.data() + at + block_bytes - sizeof fields.check, &fields.check,
                sizeof fields.check);
    stamp.offset += block_bytes;
  }
}

std::optional<Stamp> ReadStamp(std::span<const std::byte> block) noexcept {
  Layout fields;
  if (block.size() < sizeof fields + sizeof fields.check) return std::nullopt;
  std::memcpy(&fields, block.data(), sizeof fields);
  std::uint64_t tail;
  std::memcpy(&tail, block.data() + block.size() - sizeof tail, sizeof tail);
  if (fields.magic != kMagic || fields.check != Check(fields) || tail != fields.check) {
    return std::nullopt;
  }
  return Stamp{fields.run_seed, static_cast<std::uint32_t>(fields.zone_and_worker),
               static_cast<std::uint32_t>(fields.zone_and_worker >> 32), fields.offset,
               fields.sequence};
}

std::string CheckStamps(std::span<const std::byte> data, std::uint32_t block_bytes,
                        const Stamp& first) {
  Stamp expected = first;
  for (std::size_t at = 0; at + block_bytes <= data.size(); at += block_bytes) {
    std::string off = Compare(data.subspan(at, block_bytes), expected);
    if (!off.empty()) return off;
    expected.offset += block_bytes;
  }
  return {};
}

}  // namespace zonal::workload
