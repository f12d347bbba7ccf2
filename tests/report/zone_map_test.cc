// SPDX-License-Identifier: MIT
#include "report/zone_map.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "support/catch.h"

namespace zonal::report {
namespace {

constexpr std::uint64_t kSize = 1000;

std::vector<Zone> EmptyZones(std::size_t count) {
  std::vector<Zone> zones(count);
  for (std::size_t i = 0; i < count; ++i) {
    zones[i].start = i * kSize;
    zones[i].size = zones[i].capacity = kSize;
    zones[i].write_pointer = zones[i].start;
  }
  return zones;
}

void Fill(Zone& zone, ZoneCondition condition, std::uint64_t written) {
  zone.condition = condition;
  zone.write_pointer = zone.start + written;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Characters on the screen: UTF-8 continuation bytes take no column.
std::size_t Columns(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

TEST_CASE("a drive of four zones gets a bar each", "[report]") {
  std::vector<Zone> zones = EmptyZones(4);
  zones[0].type = ZoneType::kConventional;
  zones[0].condition = ZoneCondition::kNotWritePointer;
  Fill(zones[1], ZoneCondition::kFull, 0);  // the pointer of a full zone has no meaning
  Fill(zones[2], ZoneCondition::kImplicitOpen, 500);
  ZoneMapOptions options;
  options.width = 52;
  CHECK(FormatZoneMap(zones, options) ==
        "zone 0  conventional    |====================|\n"
        "zone 1  full            |####################|  100%\n"
        "zone 2  implicitly open |##########..........|   50%\n"
        "zone 3  empty           |....................|    0%\n"
        "o implicitly open: 1   # full: 1   . empty: 1\n"
        "= conventional: 1\n");
}

TEST_CASE("more zones are cells in strips, with their fill in tenths below", "[report]") {
  std::vector<Zone> zones = EmptyZones(40);
  Fill(zones[1], ZoneCondition::kClosed, 399);
  Fill(zones[2], ZoneCondition::kExplicitOpen, 1);    // hardly anything, yet not nothing
  Fill(zones[3], ZoneCondition::kImplicitOpen, 999);  // nearly all, yet not all
  Fill(zones[31], ZoneCondition::kFull, 1000);
  Fill(zones[32], ZoneCondition::kReadOnly, 0);
  Fill(zones[33], ZoneCondition::kOffline, 0);
  ZoneMapOptions options;
  options.width = 40;
  CHECK(FormatZoneMap(zones, options) ==
        " 0  .cOo..........................\n"
        "     319\n"
        "30  .#rx......\n"
        "     #\n"
        "under each line of conditions, how full: 1-9 tenths, # all\n"
        "x offline: 1   r read-only: 1\n"
        "O explicitly open: 1\n"
        "o implicitly open: 1   c closed: 1\n"
        "# full: 1   . empty: 34\n");
}

TEST_CASE("a strip's number counts from the first zone asked for", "[report]") {
  ZoneMapOptions options;
  options.first = ZoneId(524);
  options.width = 40;
  const std::string map = FormatZoneMap(EmptyZones(60), options);
  CHECK(Lines(map)[0].substr(0, 6) == "524  .");
  CHECK(Lines(map)[1].substr(0, 6) == "554  .");
}

TEST_CASE("the zones of a 15 TB drive are grouped into a map that fits a screen", "[report]") {
  std::vector<Zone> zones = EmptyZones(55'880);
  for (std::size_t i = 0; i < 524; ++i) {
    zones[i].type = ZoneType::kConventional;
    zones[i].condition = ZoneCondition::kNotWritePointer;
  }
  for (std::size_t i = 1'000; i < 1'175; ++i) Fill(zones[i], ZoneCondition::kFull, 0);
  Fill(zones[30'000], ZoneCondition::kImplicitOpen, 500);
  for (const bool bars : {false, true}) {
    CAPTURE(bars);
    ZoneMapOptions options;
    options.block_characters = bars;
    const std::vector<std::string> lines = Lines(FormatZoneMap(zones, options));
    CHECK(lines.size() < 24);
    for (const std::string& line : lines) CHECK(Columns(line) <= 80);
    // 50 zones a cell: ten of conventional zones, one mixed, empty ones up to zone
    // 1000, three full, and one of which half is full.
    CHECK(lines[0].substr(0, 33) == "    0  ==========+.........###+..");
    CHECK(lines[1] == std::string(27, ' ') + (bars ? "███▄" : "###5"));
    // One open zone in a group is shown, and is not rounded to no fill at all.
    CHECK(lines[9] == "28000  " + std::string(40, '.') + "o" + std::string(29, '.'));
    CHECK(lines[10] == std::string(47, ' ') + (bars ? "▁" : "1"));
  }
}

TEST_CASE("no map is wider than asked, whatever the number of zones", "[report]") {
  for (const int width : {40, 61, 80, 200}) {
    for (const std::size_t count : {1u, 24u, 25u, 100u, 999u, 5'000u}) {
      CAPTURE(width, count);
      std::vector<Zone> zones = EmptyZones(count);
      for (Zone& zone : zones) Fill(zone, ZoneCondition::kImplicitOpen, 700);
      ZoneMapOptions options;
      options.width = width;
      const std::vector<std::string> lines = Lines(FormatZoneMap(zones, options));
      CHECK(lines.size() <= 2 * 16 + 3);
      for (const std::string& line : lines) {
        if (line.find("how full") == line.npos && line.find("one cell") == line.npos) {
          CHECK(Columns(line) <= static_cast<std::size_t>(width));
        }
      }
    }
  }
  CHECK(FormatZoneMap({}, {}).empty());
}

}  // namespace
}  // namespace zonal::report
