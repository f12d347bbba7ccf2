// SPDX-License-Identifier: MIT
// Stamps: what a stamped block says of itself, so that a reader can tell whether
// it got the block it asked for. Little endian, at the start of each device block:
//
//   0  magic "zonalblk"          24  byte offset of this block on the device
//   8  run seed                  32  sequence: the how-manieth write of its worker
//   16 zone, and worker << 32    40  check: a mix of the five fields above
//
// The last 8 bytes of the block repeat `check`: a block of which only a part was
// written shows. Bytes between keep whatever the buffer held.
// Blocks are at least 64 bytes. Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace zonal::workload {

struct Stamp {
  std::uint64_t run_seed = 0;
  std::uint32_t zone = 0;
  std::uint32_t worker = 0;
  std::uint64_t offset = 0;
  std::uint64_t sequence = 0;
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

// Stamps every block of `data`, which starts at `first.offset`; offsets advance
// by `block_bytes`, the other fields stay.
void StampBlocks(std::span<std::byte> data, std::uint32_t block_bytes, const Stamp& first) noexcept;

// The stamp of one block, or nothing if it carries none or a torn one.
std::optional<Stamp> ReadStamp(std::span<const std::byte> block) noexcept;

// Compares every block of `data` with run seed, zone and offset; worker and
// sequence may be any. The answer is empty, or says which block and field is off.
// Builds a string only on a mismatch.
std::string CheckStamps(std::span<const std::byte> data, std::uint32_t block_bytes,
                        const Stamp& first);

}  // namespace zonal::workload
