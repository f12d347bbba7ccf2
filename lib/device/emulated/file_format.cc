// SPDX-License-Identifier: MIT
#include "device/emulated/file_format.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "device/emulated/drive_memory.h"
#include "device/emulated/file_crc32c.h"

namespace zonal::emulated {
namespace {

constexpr std::array<char, 8> kMagic = {'Z', 'O', 'N', 'A', 'L', 'D', 'R', 'V'};
constexpr std::uint32_t kUnlimited = 0xFFFFFFFF;  // as NVMe says it
constexpr std::uint32_t kFlagClean = 1;
constexpr std::uint32_t kOptionAutoClose = 1;
constexpr std::uint32_t kOptionReadPastFails = 2;
constexpr std::uint32_t kOptionDiscard = 4;
constexpr std::uint32_t kOptionDurableHost = 8;
constexpr std::uint32_t kAllOptions = 15;

// The header page, field by field as the document lists them.
struct RawHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t crc;
  std::uint64_t generation;
  std::uint32_t flags;
  std::uint32_t reserved0;
  Uuid uuid;
  Uuid boot_id;
  std::uint32_t dialect;
  std::uint32_t zones;
  std::uint64_t zone_size;
  std::uint64_t zone_capacity;
  std::uint64_t last_zone_size;
  std::uint32_t conventional;
  std::uint32_t block;
  std::uint32_t write_granularity;
  std::uint32_t options;
  std::uint32_t max_open;
  std::uint32_t max_active;
  std::uint64_t max_append;
  std::uint32_t order;
  std::uint32_t reserved1;
  std::uint64_t seed;
  std::uint32_t facts_runs;
  std::uint32_t facts_crc;
  std::uint64_t facts;
  std::uint64_t statistics;
  std::uint64_t table;
  std::uint64_t checkpoint;
  std::uint64_t data;
  std::uint64_t checkpoint_generation;
  std::uint32_t checkpoint_crc;
  std::uint32_t reserved2;
};
static_assert(sizeof(RawHeader) == 208);
static_assert(offsetof(RawHeader, uuid) == 32 && offsetof(RawHeader, dialect) == 64 &&
              offsetof(RawHeader, max_append) == 120 && offsetof(RawHeader, facts_runs) == 144 &&
              offsetof(RawHeader, checkpoint_generation) == 192);
constexpr std::size_t kCrcOffset = offsetof(RawHeader, crc);

std::uint64_t RoundUpToPage(std::uint64_t bytes) noexcept {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

std::uint32_t EncodeLimit(Limit limit) noexcept { return limit.count_or(kUnlimited); }
Limit DecodeLimit(std::uint32_t raw) noexcept {
  return raw == kUnlimited ? Limit::Unlimited() : Limit::Of(raw);
}

// The page's CRC with its own field taken as zero.
std::uint32_t CrcOf(std::span<const std::byte, kPageBytes> page) noexcept {
  Page copy;
  std::memcpy(copy.data(), page.data(), copy.size());
  std::memset(copy.data() + kCrcOffset, 0, sizeof(std::uint32_t));
  return Crc32c(copy);
}

std::uint32_t OptionBits(const EmulatedOptions& o) noexcept {
  return (o.auto_close ? kOptionAutoClose : 0) |
         (o.read_past_write_pointer_fails ? kOptionReadPastFails : 0) |
         (o.data == DataPolicy::kDiscard ? kOptionDiscard : 0) |
         (o.durability == Durability::kHost ? kOptionDurableHost : 0);
}

// REQUIRES: the enumerations are in range.
EmulatedOptions DecodeOptions(const RawHeader& raw) {
  EmulatedOptions o;
  o.dialect = static_cast<Dialect>(raw.dialect);
  o.zones = raw.zones;
  o.zone_size = raw.zone_size;
  o.zone_capacity = raw.zone_capacity;
  o.last_zone_size = raw.last_zone_size;
  o.conventional = raw.conventional;
  o.block = raw.block;
  o.write_granularity = raw.write_granularity;
  o.max_open = DecodeLimit(raw.max_open);
  o.max_active = DecodeLimit(raw.max_active);
  o.max_append = raw.max_append;
  o.auto_close = (raw.options & kOptionAutoClose) != 0;
  o.read_past_write_pointer_fails = (raw.options & kOptionReadPastFails) != 0;
  o.data = (raw.options & kOptionDiscard) != 0 ? DataPolicy::kDiscard : DataPolicy::kKeep;
  o.durability = (raw.options & kOptionDurableHost) != 0 ? Durability::kHost : Durability::kProcess;
  o.order = static_cast<CompletionOrder>(raw.order);
  o.seed = raw.seed;
  return o;
}

absl::Status CheckEnumerations(const RawHeader& raw) {
  if (raw.dialect > static_cast<std::uint32_t>(Dialect::kZbc) ||
      raw.order > static_cast<std::uint32_t>(CompletionOrder::kReverse) ||
      (raw.options & ~kAllOptions) != 0 || (raw.flags & ~kFlagClean) != 0) {
    return absl::DataLossError("the header holds a value this version does not know");
  }
  return absl::OkStatus();
}

absl::Status CheckLayout(const RawHeader& raw, const FileLayout& layout) {
  if (raw.facts != layout.facts || raw.statistics != layout.statistics ||
      raw.table != layout.table || raw.checkpoint != layout.checkpoint || raw.data != layout.data) {
    return absl::DataLossError("the header's region offsets do not follow from its geometry");
  }
  return absl::OkStatus();
}

}  // namespace

bool FitsOffsets(const EmulatedOptions& options) noexcept {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 62;  // leaves room for the regions
  return options.zones == 0 ||
         (options.zone_size <= kLargest / options.zones && options.last_zone_size <= kLargest);
}

FileLayout LayoutOf(const EmulatedOptions& options, std::uint32_t facts_runs) noexcept {
  constexpr std::uint64_t kDataAlignment = 1 << 20;
  FileLayout layout;
  layout.facts = 2 * kPageBytes;
  layout.facts_bytes = RoundUpToPage(facts_runs * kFactsRunBytes);
  layout.statistics = layout.facts + 2 * layout.facts_bytes;
  layout.table = layout.statistics + kStatisticsBytes;
  layout.table_bytes = RoundUpToPage(std::uint64_t{options.zones} * sizeof(std::uint64_t));
  layout.checkpoint = layout.table + layout.table_bytes;
  layout.checkpoint_pages = static_cast<std::uint32_t>(
      (options.zones + kWordsPerCheckpointPage - 1) / kWordsPerCheckpointPage);
  const std::uint64_t end = layout.checkpoint + 2 * kPageBytes * layout.checkpoint_pages;
  layout.data = (end + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
  layout.data_bytes = options.data == DataPolicy::kDiscard ? 0 : DriveBytes(options);
  return layout;
}

Page EncodeHeader(const FileHeader& header) {
  const EmulatedOptions& o = header.options;
  const FileLayout layout = LayoutOf(o, header.facts_runs);
  RawHeader raw{};
  raw.magic = kMagic;
  raw.version = kFormatVersion;
  raw.generation = header.generation;
  raw.flags = header.clean ? kFlagClean : 0;
  raw.uuid = header.uuid;
  raw.boot_id = header.boot_id;
  raw.dialect = static_cast<std::uint32_t>(o.dialect);
  raw.zones = o.zones;
  raw.zone_size = o.zone_size;
  raw.zone_capacity = o.zone_capacity;
  raw.last_zone_size = o.last_zone_size;
  raw.conventional = o.conventional;
  raw.block = o.block;
  raw.write_granularity = o.write_granularity;
  raw.options = OptionBits(o);
  raw.max_open = EncodeLimit(o.max_open);
  raw.max_active = EncodeLimit(o.max_active);
  raw.max_append = o.max_append;
  raw.order = static_cast<std::uint32_t>(o.order);
  raw.seed = o.seed;
  raw.facts_runs = header.facts_runs;
  raw.facts_crc = header.facts_crc;
  raw.facts = layout.facts;
  raw.statistics = layout.statistics;
  raw.table = layout.table;
  raw.checkpoint = layout.checkpoint;
  raw.data = layout.data;
  raw.checkpoint_generation = header.checkpoint_generation;
  raw.checkpoint_crc = header.checkpoint_crc;

  Page page{};
  std::memcpy(page.data(), &raw, sizeof raw);
  raw.crc = Crc32c(page);
  std::memcpy(page.data(), &raw, sizeof raw);
  return page;
}

absl::StatusOr<FileHeader> DecodeHeader(std::span<const std::byte, kPageBytes> page) {
  if (!HasMagic(page)) return absl::InvalidArgumentError("no emulated drive's header");
  RawHeader raw;
  std::memcpy(&raw, page.data(), sizeof raw);
  if (raw.version != kFormatVersion) {
    return absl::DataLossError(absl::StrCat("the header is of format version ", raw.version,
                                            "; this program reads version ", kFormatVersion));
  }
  if (raw.crc != CrcOf(page)) return absl::DataLossError("the header's checksum is wrong");
  if (absl::Status status = CheckEnumerations(raw); !status.ok()) return status;

  FileHeader header;
  header.generation = raw.generation;
  header.clean = (raw.flags & kFlagClean) != 0;
  header.uuid = raw.uuid;
  header.boot_id = raw.boot_id;
  header.options = DecodeOptions(raw);
  header.facts_runs = raw.facts_runs;
  header.facts_crc = raw.facts_crc;
  header.checkpoint_generation = raw.checkpoint_generation;
  header.checkpoint_crc = raw.checkpoint_crc;
  if (absl::Status status = Validate(header.options); !status.ok()) {
    return absl::DataLossError(
        absl::StrCat("the header describes no possible drive: ", status.message()));
  }
  if (!FitsOffsets(header.options)) {
    return absl::DataLossError("the header describes a drive larger than any file");
  }
  if (header.facts_runs == 0 || header.facts_runs > header.options.zones) {
    return absl::DataLossError("the header's number of zone runs is impossible");
  }
  if (absl::Status status = CheckLayout(raw, LayoutOf(header.options, header.facts_runs));
      !status.ok()) {
    return status;
  }
  return header;
}

bool HasMagic(std::span<const std::byte> page) noexcept {
  return page.size() >= kMagic.size() &&
         std::memcmp(page.data(), kMagic.data(), kMagic.size()) == 0;
}

std::string FormatUuid(const Uuid& uuid) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[uuid[i] >> 4];
    text += kDigits[uuid[i] & 15];
  }
  return text;
}

absl::StatusOr<Uuid> ParseUuid(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  Uuid uuid{};
  std::size_t count = 0;
  for (const char c : text) {
    if (c == '-') continue;
    if (digit(c) < 0 || count == 2 * uuid.size()) break;
    uuid[count / 2] = static_cast<std::uint8_t>(uuid[count / 2] << 4 | digit(c));
    ++count;
  }
  if (count != 2 * uuid.size() || FormatUuid(uuid) != text) {
    return absl::InvalidArgumentError("not a UUID");
  }
  return uuid;
}

}  // namespace zonal::emulated
