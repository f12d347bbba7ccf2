// SPDX-License-Identifier: MIT
#include "report/zone_map.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace zonal::report {
namespace {

// Up to so many zones get a line each.
constexpr std::size_t kFewZones = 24;
constexpr char kMixed = '+';

struct Symbol {
  ZoneCondition condition;
  char symbol;
  std::string_view meaning;
};

// The first ones matter most: a group that holds one such zone shows it. The last
// three are shown only by groups that hold nothing else.
constexpr Symbol kSymbols[] = {
    {ZoneCondition::kOffline, 'x', "offline"},
    {ZoneCondition::kReadOnly, 'r', "read-only"},
    {ZoneCondition::kExplicitOpen, 'O', "explicitly open"},
    {ZoneCondition::kImplicitOpen, 'o', "implicitly open"},
    {ZoneCondition::kClosed, 'c', "closed"},
    {ZoneCondition::kFull, '#', "full"},
    {ZoneCondition::kEmpty, '.', "empty"},
    {ZoneCondition::kNotWritePointer, '=', "conventional"},
};
constexpr std::size_t kAlwaysShown = 5;

using Counts = std::array<std::uint64_t, std::size(kSymbols)>;

// An unknown condition counts as offline: nothing can be done with such a zone.
std::size_t IndexOf(ZoneCondition condition) {
  for (std::size_t i = 0; i < std::size(kSymbols); ++i) {
    if (kSymbols[i].condition == condition) return i;
  }
  return 0;
}

Counts CountConditions(std::span<const Zone> zones) {
  Counts counts{};
  for (const Zone& zone : zones) ++counts[IndexOf(zone.condition)];
  return counts;
}

char SymbolOf(std::span<const Zone> group) {
  const Counts counts = CountConditions(group);
  for (std::size_t i = 0; i < std::size(kSymbols); ++i) {
    if (counts[i] == group.size() || (i < kAlwaysShown && counts[i] != 0)) {
      return kSymbols[i].symbol;
    }
  }
  return kMixed;
}

// 0..1 of what zones with a known fill can hold; none if there are no such zones.
std::optional<double> FillOf(std::span<const Zone> group) {
  double written = 0, capacity = 0;
  for (const Zone& zone : group) {
    if (!zone.has_write_pointer() && zone.condition != ZoneCondition::kFull) continue;
    written += static_cast<double>(zone.written());
    capacity += static_cast<double>(zone.capacity);
  }
  if (capacity == 0) return std::nullopt;
  return std::clamp(written / capacity, 0.0, 1.0);
}

// `steps` is full; above 0 and below full stay apart from both.
int Step(double fill, int steps) {
  if (fill <= 0) return 0;
  if (fill >= 1) return steps;
  return std::clamp(static_cast<int>(fill * steps), 1, steps - 1);
}

std::string FillCell(std::span<const Zone> group, bool block_characters) {
  const std::optional<double> fill = FillOf(group);
  if (!fill) return " ";
  if (block_characters) {
    constexpr std::string_view kBars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    return std::string(kBars[Step(*fill, 8)]);
  }
  const int tenths = Step(*fill, 10);
  return std::string(1, tenths == 0 ? ' ' : tenths == 10 ? '#' : static_cast<char>('0' + tenths));
}

std::string PadLeft(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string PadRight(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string Bar(const Zone& zone, int width, bool block_characters) {
  const std::optional<double> fill = FillOf({&zone, 1});
  const std::string_view full = block_characters ? "█" : "#";
  if (!fill) return std::string(static_cast<std::size_t>(width), SymbolOf({&zone, 1}));
  const int filled = Step(*fill, width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? full : ".";
  return bar;
}

std::string OneLineEach(std::span<const Zone> zones, const ZoneMapOptions& options,
                        std::size_t label) {
  std::string text;
  // "zone N  explicitly open |BAR|  100%"
  const int bar = options.width - static_cast<int>(label) - 31;
  ZoneId id = options.first;
  for (const Zone& zone : zones) {
    const std::optional<double> fill = FillOf({&zone, 1});
    text += "zone " + PadLeft(std::to_string(id.value()), label) + "  " +
            PadRight(std::string(kSymbols[IndexOf(zone.condition)].meaning), 16) + "|" +
            Bar(zone, std::max(bar, 4), options.block_characters) + "|";
    if (fill) text += PadLeft(std::to_string(Step(*fill, 100)), 5) + "%";
    text += "\n";
    id = id.Next();
  }
  return text;
}

// The smallest of 1, 2, 5, 10, 20, 50, ... that is not below `needed`.
std::size_t RoundGroup(std::size_t needed) {
  for (std::size_t ten = 1;; ten *= 10) {
    for (std::size_t digit : {1u, 2u, 5u}) {
      if (digit * ten >= needed) return digit * ten;
    }
  }
}

std::string Strips(std::span<const Zone> zones, const ZoneMapOptions& options, std::size_t label,
                   std::size_t cells, std::size_t group) {
  std::string text;
  for (std::size_t at = 0; at < zones.size(); at += cells * group) {
    std::string conditions, fills;
    for (std::size_t cell = at; cell < std::min(at + cells * group, zones.size()); cell += group) {
      const auto part = zones.subspan(cell, std::min(group, zones.size() - cell));
      conditions += SymbolOf(part);
      fills += FillCell(part, options.block_characters);
    }
    fills.resize(fills.find_last_not_of(' ') + 1);
    text += PadLeft(std::to_string(options.first.value() + at), label) + "  " + conditions + "\n";
    if (!fills.empty()) text += std::string(label + 2, ' ') + fills + "\n";
  }
  return text;
}

std::string Legend(std::span<const Zone> zones, int width) {
  const Counts counts = CountConditions(zones);
  std::string text, line;
  for (std::size_t i = 0; i < std::size(kSymbols); ++i) {
    if (counts[i] == 0) continue;
    const std::string entry = std::string(1, kSymbols[i].symbol) + " " +
                              std::string(kSymbols[i].meaning) + ": " + std::to_string(counts[i]);
    if (!line.empty() && line.size() + 3 + entry.size() > static_cast<std::size_t>(width)) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : "   ") + entry;
  }
  return text + line + "\n";
}

std::string GridNote(std::size_t group, bool block_characters) {
  std::string text = "under each line of conditions, how full: ";
  text += block_characters ? "a bar\n" : "1-9 tenths, # all\n";
  if (group == 1) return text;
  return text + "one cell is " + std::to_string(group) +
         " zones: x r O o c if it holds any such, + if it is mixed\n";
}

}  // namespace

std::string FormatZoneMap(std::span<const Zone> zones, const ZoneMapOptions& asked) {
  if (zones.empty()) return "";
  ZoneMapOptions options = asked;
  options.width = std::max(options.width, 40);
  const std::size_t label = std::to_string(options.first.value() + zones.size() - 1).size();
  if (zones.size() <= kFewZones) {
    return OneLineEach(zones, options, label) + Legend(zones, options.width);
  }
  std::size_t cells = static_cast<std::size_t>(options.width) - label - 2;
  cells -= cells % 10;  // round numbers at the start of each strip
  const std::size_t most = cells * static_cast<std::size_t>(std::max(options.max_strips, 1));
  const std::size_t group = RoundGroup((zones.size() + most - 1) / most);
  return Strips(zones, options, label, cells, group) + GridNote(group, options.block_characters) +
         Legend(zones, options.width);
}

}  // namespace zonal::report
