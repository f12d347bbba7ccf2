// SPDX-License-Identifier: MIT
// The bytes of an emulated drive's file: where its regions lie, and the header.
// Pure encoding and validation; nothing here touches a file. The format is
// docs/emulated-drive-file.md, byte for byte.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "zonal/emulated.h"

namespace zonal::emulated {

static_assert(std::endian::native == std::endian::little,
              "the live table is mapped: the format is that of a little-endian host");

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kStatisticsBytes = 9 * kPageBytes;  // gauges, then counters
inline constexpr std::uint64_t kWordsPerCheckpointPage = 510;
inline constexpr std::uint64_t kFactsRunBytes = 24;
inline constexpr std::uint32_t kFormatVersion = 1;

using Uuid = std::array<std::uint8_t, 16>;

// Offsets in the file; all multiples of kPageBytes.
struct FileLayout {
  std::uint64_t facts = 0;  // two copies, `facts_bytes` each
  std::uint64_t facts_bytes = 0;
  std::uint64_t statistics = 0;  // kStatisticsBytes
  std::uint64_t table = 0;       // one 64-bit word per zone
  std::uint64_t table_bytes = 0;
  std::uint64_t checkpoint = 0;  // pages in pairs: copy A, copy B
  std::uint32_t checkpoint_pages = 0;
  std::uint64_t data = 0;        // byte 0 of the drive
  std::uint64_t data_bytes = 0;  // 0 for a drive that discards its data
  std::uint64_t file_bytes() const noexcept { return data + data_bytes; }
  friend bool operator==(const FileLayout&, const FileLayout&) = default;
};

// False if the drive's length does not fit a file offset.
bool FitsOffsets(const EmulatedOptions& options) noexcept;
// REQUIRES: a valid `options` that fits offsets.
FileLayout LayoutOf(const EmulatedOptions& options, std::uint32_t facts_runs) noexcept;

// What a header says. `options` lacks the lists of read-only and offline zones,
// which are zone facts.
struct FileHeader {
  std::uint64_t generation = 0;
  bool clean = false;
  Uuid uuid{};
  Uuid boot_id{};  // of the host that last opened the drive for writing
  EmulatedOptions options;
  std::uint32_t facts_runs = 0;
  std::uint32_t facts_crc = 0;
  std::uint64_t checkpoint_generation = 0;  // 0: none was written yet
  std::uint32_t checkpoint_crc = 0;         // over the CRCs of the pages it stands for
};

using Page = std::array<std::byte, kPageBytes>;

Page EncodeHeader(const FileHeader& header);
// InvalidArgument: not a drive's header at all (no magic); DataLoss: a header,
// but damaged or of another version, and how.
absl::StatusOr<FileHeader> DecodeHeader(std::span<const std::byte, kPageBytes> page);
// True if the page begins with the magic.
bool HasMagic(std::span<const std::byte> page) noexcept;

// "fa59bb8f-1842-433e-8000-d5a6daea2395".
std::string FormatUuid(const Uuid& uuid);
// InvalidArgument if `text` is not of that form.
absl::StatusOr<Uuid> ParseUuid(std::string_view text);

}  // namespace zonal::emulated
