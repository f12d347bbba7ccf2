// SPDX-License-Identifier: MIT
#include "engine/range.h"

#include <string>
#include <vector>

#include "support/catch.h"

using namespace zonal;
using engine::ResolveRange;
using engine::WorkRange;

namespace {

constexpr std::uint64_t kZone = 1 << 20;
constexpr std::uint64_t kBlock = 4096;

// 16 zones and a short one of a quarter; zones 0 and 1 are conventional.
Geometry Zoned() {
  Geometry geometry;
  geometry.size_bytes = 16 * kZone + kZone / 4;
  geometry.zone_size = kZone;
  geometry.zone_count = 17;
  geometry.block_size = geometry.write_granularity = kBlock;
  return geometry;
}
bool IsSequential(ZoneId zone) { return zone.value() >= 2; }

Workload Job(bool writes, std::uint64_t offset, std::uint64_t size) {
  Workload workload;
  workload.target = "drive";
  workload.zone_mode = ZoneMode::kZbd;
  workload.reads = !writes;
  workload.writes = writes;
  workload.offset = offset;
  workload.size = size;
  return workload;
}

}  // namespace

TEST_CASE("ranges of zone-mode jobs", "[engine]") {
  struct Row {
    const char* name;
    bool writes;
    std::uint64_t offset, size, begin, end;
    std::vector<std::string> notices;
  };
  const std::uint64_t device = Zoned().size_bytes;
  const Row rows[] = {
      {"writer on zone starts", true, 4 * kZone, 2 * kZone, 4 * kZone, 6 * kZone, {}},
      {"writer, offset inside a zone",
       true,
       4 * kZone + kBlock,
       2 * kZone,
       5 * kZone,
       6 * kZone,
       {"drive: rounded up offset from 4198400 to 5242880",
        "drive: rounded down io_size from 1052672 to 1048576"}},
      {"writer, end inside a zone",
       true,
       4 * kZone,
       kZone + kBlock,
       4 * kZone,
       5 * kZone,
       {"drive: rounded down io_size from 1052672 to 1048576"}},
      {"writer to the device's end keeps the short zone",
       true,
       15 * kZone,
       0,
       15 * kZone,
       device,
       {}},
      {"writer in conventional zones only", true, kBlock, kZone, kBlock, kZone + kBlock, {}},
      {"writer across both kinds is rounded",
       true,
       kZone + kBlock,
       2 * kZone,
       2 * kZone,
       3 * kZone,
       {"drive: rounded up offset from 1052672 to 2097152",
        "drive: rounded down io_size from 1052672 to 1048576"}},
      {"reader inside one zone",
       false,
       4 * kZone + kBlock,
       kBlock,
       4 * kZone + kBlock,
       4 * kZone + 2 * kBlock,
       {}},
      {"reader, anywhere to anywhere",
       false,
       3 * kZone + kBlock,
       2 * kZone,
       3 * kZone + kBlock,
       5 * kZone + kBlock,
       {}},
      {"whole device", true, 0, 0, 0, device, {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    std::vector<std::string> notices;
    const auto range =
        ResolveRange(Job(row.writes, row.offset, row.size), Zoned(), IsSequential, notices);
    REQUIRE(range.ok());
    REQUIRE(*range == WorkRange{row.begin, row.end, row.end - row.begin, true});
    REQUIRE(notices == row.notices);
  }
}

TEST_CASE("ranges that cannot be", "[engine]") {
  struct Row {
    const char* name;
    Workload workload;
    const char* says;
  };
  Workload huge_block = Job(false, 0, kBlock);
  huge_block.read_block = 2 * kBlock;
  Workload percent = Job(false, 0, 0);
  percent.relative_offset = RelativeExtent{101, ExtentUnit::kPercent};
  Workload zones = Job(false, 0, 0);
  zones.relative_size = RelativeExtent{18, ExtentUnit::kZones};
  Workload no_io = Job(true, 2 * kZone, kZone);
  no_io.relative_io_size = RelativeExtent{0, ExtentUnit::kPercent};
  const Row rows[] = {
      {"writer inside one zone", Job(true, 4 * kZone + kBlock, kBlock),
       "io_size must be at least one zone"},
      {"writer over one boundary", Job(true, 4 * kZone + kBlock, kZone),
       "io_size must be at least one zone"},
      {"offset at the end", Job(false, 16 * kZone + kZone / 4, 0), "offset 17039360 is not below"},
      {"size beyond the end", Job(false, 16 * kZone, kZone), "the largest size there is 262144"},
      {"less than a block", huge_block, "holds no block of 8192 bytes"},
      {"101 percent", percent, "offset=101%"},
      {"more zones than there are", zones, "size=18z: the device has 17 zones"},
      {"io_size of nothing", no_io, "io_size comes to no block"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    std::vector<std::string> notices;
    const auto range = ResolveRange(row.workload, Zoned(), IsSequential, notices);
    REQUIRE(absl::IsInvalidArgument(range.status()));
    CAPTURE(range.status().message());
    REQUIRE(std::string(range.status().message()).find(row.says) != std::string::npos);
  }
}

TEST_CASE("extents in zones and percent", "[engine]") {
  std::vector<std::string> notices;
  Workload zones = Job(true, 0, 0);
  zones.relative_offset = RelativeExtent{14, ExtentUnit::kZones};
  zones.relative_size = RelativeExtent{3, ExtentUnit::kZones};
  zones.relative_io_size = RelativeExtent{5, ExtentUnit::kZones};
  auto range = ResolveRange(zones, Zoned(), IsSequential, notices);
  REQUIRE(range.ok());
  // The third zone is the short one.
  REQUIRE(*range == WorkRange{14 * kZone, Zoned().size_bytes, 5 * kZone, false});

  Workload percent = Job(false, 0, 0);
  percent.relative_offset = RelativeExtent{50, ExtentUnit::kPercent};
  percent.relative_size = RelativeExtent{70, ExtentUnit::kPercent};
  percent.relative_io_size = RelativeExtent{10, ExtentUnit::kPercent};
  range = ResolveRange(percent, Zoned(), IsSequential, notices);
  REQUIRE(range.ok());
  REQUIRE(range->begin == Zoned().size_bytes / 2);
  REQUIRE(range->end == Zoned().size_bytes);  // cut to what is left behind the offset
  REQUIRE(range->bytes_to_move == 851968);    // 10 % of 8519680, in whole blocks
  REQUIRE(notices.empty());

  Geometry plain;
  plain.size_bytes = 1 << 20;
  Workload in_zones = Job(false, 0, 0);
  in_zones.zone_mode = ZoneMode::kNone;
  in_zones.relative_size = RelativeExtent{1, ExtentUnit::kZones};
  REQUIRE(absl::IsInvalidArgument(ResolveRange(in_zones, plain, IsSequential, notices).status()));
}

TEST_CASE("without zone mode nothing is rounded", "[engine]") {
  std::vector<std::string> notices;
  Workload workload = Job(true, 4 * kZone + kBlock, kBlock);
  workload.zone_mode = ZoneMode::kNone;
  workload.io_size = 7 * kBlock;
  const auto range = ResolveRange(workload, Zoned(), IsSequential, notices);
  REQUIRE(range.ok());
  REQUIRE(*range == WorkRange{4 * kZone + kBlock, 4 * kZone + 2 * kBlock, 7 * kBlock, false});
  REQUIRE(notices.empty());
}

TEST_CASE("clones start an increment apart", "[engine]") {
  std::vector<std::string> notices;
  Workload bytes = Job(true, 2 * kZone, kZone);
  bytes.offset_increment = 3 * kZone;
  Workload zones = Job(true, 2 * kZone, kZone);
  zones.relative_offset_increment = RelativeExtent{3, ExtentUnit::kZones};
  Workload percent = Job(false, 0, kZone);
  percent.relative_offset_increment = RelativeExtent{10, ExtentUnit::kPercent};
  const std::uint64_t tenth = Zoned().size_bytes / 10 - Zoned().size_bytes / 10 % kBlock;
  for (std::uint32_t clone = 0; clone < 4; ++clone) {
    bytes.clone = zones.clone = percent.clone = clone;
    const auto range = ResolveRange(bytes, Zoned(), IsSequential, notices);
    REQUIRE(range.ok());
    REQUIRE(range->begin == (2 + 3 * clone) * kZone);
    REQUIRE(range->size() == kZone);
    REQUIRE(*ResolveRange(zones, Zoned(), IsSequential, notices) == *range);
    REQUIRE(ResolveRange(percent, Zoned(), IsSequential, notices)->begin == clone * tenth);
  }
  for (Workload* beyond : {&bytes, &zones}) {
    beyond->clone = 5;
    REQUIRE(
        absl::IsInvalidArgument(ResolveRange(*beyond, Zoned(), IsSequential, notices).status()));
  }
  bytes.offset_increment = ~std::uint64_t{0};
  REQUIRE(absl::IsInvalidArgument(ResolveRange(bytes, Zoned(), IsSequential, notices).status()));
}
