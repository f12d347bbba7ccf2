// SPDX-License-Identifier: MIT
#include "device/emulated/file_words.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "device/emulated/zone_word.h"

namespace zonal::emulated {
namespace {

constexpr std::uint64_t kFlagBits = 0xF0;  // zone_word.h: zero

std::uint64_t WordOf(ZoneCondition condition) { return ZoneWord(condition, 0, 0).bits(); }

bool IsPossible(std::uint64_t bits, bool conventional, std::uint64_t capacity_blocks) noexcept {
  const ZoneWord word(bits);
  if ((bits & kFlagBits) != 0 || word.blocks() > capacity_blocks) return false;
  switch (word.condition()) {
    case ZoneCondition::kEmpty:
      return word.blocks() == 0 && (!conventional || bits == 0);
    case ZoneCondition::kImplicitOpen:
    case ZoneCondition::kExplicitOpen:
    case ZoneCondition::kClosed:
    case ZoneCondition::kFull:
      return !conventional;
    case ZoneCondition::kReadOnly:
    case ZoneCondition::kOffline:
      return true;
    case ZoneCondition::kNotWritePointer:
      return false;
  }
  return false;  // the other bit patterns
}

}  // namespace

std::vector<std::uint64_t> InitialWords(const EmulatedOptions& options) {
  std::vector<std::uint64_t> words(options.zones, 0);
  for (std::uint32_t z : options.read_only_zones) words[z] = WordOf(ZoneCondition::kReadOnly);
  for (std::uint32_t z : options.offline_zones) words[z] = WordOf(ZoneCondition::kOffline);
  return words;
}

absl::Status CheckWords(const std::string& path, const EmulatedOptions& options,
                        std::span<const std::atomic<std::uint64_t>> words) {
  const std::uint64_t capacity =
      options.zone_capacity != 0 ? options.zone_capacity : options.zone_size;
  for (std::uint32_t zone = 0; zone < words.size(); ++zone) {
    const bool last = zone + 1 == options.zones && options.last_zone_size != 0;
    const std::uint64_t bytes = last ? std::min(capacity, options.last_zone_size) : capacity;
    const std::uint64_t word = words[zone].load(std::memory_order_acquire);
    if (!IsPossible(word, zone < options.conventional, bytes / options.block)) {
      return absl::DataLossError(absl::StrCat(path, ": the table's entry of zone ", zone, " (",
                                              absl::Hex(word, absl::kZeroPad16),
                                              ") is damaged; restore the file"));
    }
  }
  return absl::OkStatus();
}

}  // namespace zonal::emulated
