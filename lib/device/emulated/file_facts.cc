// SPDX-License-Identifier: MIT
#include "device/emulated/file_facts.h"

#include <algorithm>
#include <cstring>

namespace zonal::emulated {
namespace {

struct RawRun {
  std::uint32_t first;
  std::uint32_t count;
  std::uint64_t capacity;
  std::uint8_t type;
  std::uint8_t initial;
  std::uint8_t reserved[6];
};
static_assert(sizeof(RawRun) == 24);

// Read-only and offline zones, by number.
struct Marked {
  std::uint32_t zone;
  ZoneCondition condition;
};

std::vector<Marked> MarkedZones(const EmulatedOptions& options) {
  std::vector<Marked> marked;
  for (std::uint32_t z : options.read_only_zones) marked.push_back({z, ZoneCondition::kReadOnly});
  for (std::uint32_t z : options.offline_zones) marked.push_back({z, ZoneCondition::kOffline});
  std::sort(marked.begin(), marked.end(), [](Marked a, Marked b) { return a.zone < b.zone; });
  return marked;
}

// A zone by the geometry alone.
FactsRun PlainZone(const EmulatedOptions& options, std::uint32_t zone) {
  const bool conventional = zone < options.conventional;
  const bool last = zone + 1 == options.zones;
  const std::uint64_t size =
      last && options.last_zone_size != 0 ? options.last_zone_size : options.zone_size;
  const std::uint64_t capacity = options.zone_capacity != 0 ? options.zone_capacity : size;
  FactsRun run;
  run.first = zone;
  run.count = 1;
  run.capacity = conventional ? size : std::min(capacity, size);
  run.type = conventional ? ZoneType::kConventional : ZoneType::kSequentialRequired;
  run.initial = conventional ? ZoneCondition::kNotWritePointer : ZoneCondition::kEmpty;
  return run;
}

void Append(std::vector<FactsRun>& runs, const FactsRun& run) {
  if (run.count == 0) return;
  if (!runs.empty()) {
    FactsRun& back = runs.back();
    if (back.capacity == run.capacity && back.type == run.type && back.initial == run.initial) {
      back.count += run.count;
      return;
    }
  }
  runs.push_back(run);
}

// Zones [first, end), none of them marked.
void AppendPlain(std::vector<FactsRun>& runs, const EmulatedOptions& options, std::uint32_t first,
                 std::uint32_t end) {
  // Where zones change by geometry: after the conventional ones, before the last.
  for (const std::uint32_t cut : {std::min(options.conventional, end), options.zones - 1, end}) {
    const std::uint32_t stop = std::min(cut, end);
    if (stop <= first) continue;
    FactsRun run = PlainZone(options, first);
    run.count = stop - first;
    Append(runs, run);
    first = stop;
  }
}

}  // namespace

std::vector<FactsRun> FactsOf(const EmulatedOptions& options) {
  std::vector<FactsRun> runs;
  std::uint32_t next = 0;
  for (const Marked& marked : MarkedZones(options)) {
    if (marked.zone < next || marked.zone >= options.zones) continue;  // named twice
    AppendPlain(runs, options, next, marked.zone);
    FactsRun run = PlainZone(options, marked.zone);
    run.initial = marked.condition;
    Append(runs, run);
    next = marked.zone + 1;
  }
  AppendPlain(runs, options, next, options.zones);
  return runs;
}

std::vector<std::byte> EncodeFacts(std::span<const FactsRun> runs) {
  std::vector<std::byte> bytes(runs.size() * sizeof(RawRun));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RawRun raw{};
    raw.first = runs[i].first;
    raw.count = runs[i].count;
    raw.capacity = runs[i].capacity;
    raw.type = static_cast<std::uint8_t>(runs[i].type);
    raw.initial = static_cast<std::uint8_t>(runs[i].initial);
    std::memcpy(bytes.data() + i * sizeof raw, &raw, sizeof raw);
  }
  return bytes;
}

absl::Status DecodeFacts(std::span<const std::byte> bytes, EmulatedOptions& options) {
  for (std::size_t at = 0; at + sizeof(RawRun) <= bytes.size(); at += sizeof(RawRun)) {
    RawRun raw;
    std::memcpy(&raw, bytes.data() + at, sizeof raw);
    const auto initial = static_cast<ZoneCondition>(raw.initial);
    const bool marked = initial == ZoneCondition::kReadOnly || initial == ZoneCondition::kOffline;
    if (!marked) continue;
    const std::size_t so_far = options.read_only_zones.size() + options.offline_zones.size();
    if (raw.first >= options.zones || raw.count > options.zones - raw.first ||
        so_far + raw.count > options.zones) {
      return absl::DataLossError("the zone facts name zones the drive does not have");
    }
    std::vector<std::uint32_t>& list =
        initial == ZoneCondition::kReadOnly ? options.read_only_zones : options.offline_zones;
    for (std::uint32_t i = 0; i < raw.count; ++i) list.push_back(raw.first + i);
  }
  // One encoding per drive: anything else was not written by us.
  const std::vector<std::byte> again = EncodeFacts(FactsOf(options));
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) {
    return absl::DataLossError("the zone facts do not fit the header's geometry");
  }
  return absl::OkStatus();
}

}  // namespace zonal::emulated
