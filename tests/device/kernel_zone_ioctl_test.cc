// SPDX-License-Identifier: MIT
// Reports and zone management against a made-up block layer.
#include <linux/blkzoned.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>
#include <vector>

#include "device/kernel/zone_ioctl.h"
#include "support/catch.h"

namespace zonal::kernel {
namespace {

constexpr std::uint64_t kZoneSize = 1 << 20;
constexpr std::uint64_t kCapacity = 3 << 18;

Geometry SomeGeometry(std::uint32_t zones, std::uint64_t last_zone_size = kZoneSize) {
  Geometry geometry;
  geometry.zone_size = kZoneSize;
  geometry.zone_count = zones;
  geometry.size_bytes = kZoneSize * (zones - 1) + last_zone_size;
  return geometry;
}

// Answers like the kernel: at most `at_most` zones per report, `edit` last.
struct FakeBlockLayer {
  explicit FakeBlockLayer(const Geometry& shape) : geometry(shape) {}

  Geometry geometry;
  bool tells_capacity = true;
  std::uint32_t at_most = UINT32_MAX;
  std::function<void(std::uint32_t, blk_zone&)> edit = [](std::uint32_t, blk_zone&) {};
  std::function<int(unsigned long, std::uint64_t)> answer = [](unsigned long, std::uint64_t) {
    return 0;
  };
  std::vector<std::uint32_t> reported;  // zones asked for, per call
  struct Call {
    unsigned long request;
    std::uint64_t sector, sectors;
  };
  std::vector<Call> calls;

  Ioctl function() {
    return [this](unsigned long request, void* argument) { return Do(request, argument); };
  }
  int Do(unsigned long request, void* argument) {
    if (request == BLKREPORTZONE) return Report(*static_cast<blk_zone_report*>(argument));
    const auto& range = *static_cast<blk_zone_range*>(argument);
    calls.push_back({request, range.sector, range.nr_sectors});
    return answer(request, range.sector);
  }
  int Report(blk_zone_report& report) {
    reported.push_back(report.nr_zones);
    const auto first = static_cast<std::uint32_t>(report.sector * 512 / kZoneSize);
    const std::uint32_t wanted = std::min(report.nr_zones, at_most);
    report.nr_zones = std::min(wanted, geometry.zone_count - first);
    report.flags = tells_capacity ? 1 : 0;
    for (std::uint32_t i = 0; i < report.nr_zones; ++i) {
      blk_zone& zone = report.zones[i];
      zone = {};
      const ZoneId id(first + i);
      zone.start = geometry.StartOf(id) / 512;
      zone.len = geometry.SizeOf(id) / 512;
      zone.capacity = tells_capacity ? kCapacity / 512 : 0;
      zone.wp = zone.start + 8;
      zone.type = BLK_ZONE_TYPE_SEQWRITE_REQ;
      zone.cond = BLK_ZONE_COND_IMP_OPEN;
      edit(id.value(), zone);
    }
    return 0;
  }
};

ZoneIoctls On(FakeBlockLayer& layer) { return {layer.function(), layer.geometry, "/dev/fake"}; }

}  // namespace

TEST_CASE("sectors and bytes convert exactly or not at all", "[kernel]") {
  CHECK(Sector::FromBytes(4096)->value() == 8);
  CHECK_FALSE(Sector::FromBytes(4097).has_value());
  CHECK(Sector(8).ToBytes() == 4096u);
  CHECK(Sector(UINT64_MAX / 512).ToBytes().has_value());
  CHECK_FALSE(Sector(UINT64_MAX / 512 + 1).ToBytes().has_value());
}

TEST_CASE("a report is asked for in chunks and converted to bytes", "[kernel]") {
  FakeBlockLayer layer{SomeGeometry(10'000)};
  std::vector<Zone> zones(10'000);
  const auto count = On(layer).Report(ZoneId(0), zones);
  REQUIRE(count.ok());
  CHECK(*count == 10'000);
  CHECK(layer.reported == std::vector<std::uint32_t>{4096, 4096, 1808});
  for (std::uint32_t i : {0u, 1u, 4095u, 4096u, 9'999u}) {
    CAPTURE(i);
    CHECK(zones[i].start == i * kZoneSize);
    CHECK(zones[i].size == kZoneSize);
    CHECK(zones[i].capacity == kCapacity);
    CHECK(zones[i].write_pointer == i * kZoneSize + 4096);
    CHECK(zones[i].condition == ZoneCondition::kImplicitOpen);
  }
}

TEST_CASE("a report from the middle ends where the device ends", "[kernel]") {
  FakeBlockLayer layer{SomeGeometry(10, kZoneSize / 2)};
  layer.tells_capacity = false;
  std::vector<Zone> zones(8);
  const auto count = On(layer).Report(ZoneId(7), zones);
  REQUIRE(count.ok());
  CHECK(*count == 3);
  CHECK(zones[0].start == 7 * kZoneSize);
  CHECK(zones[2].size == kZoneSize / 2);
  CHECK(zones[2].capacity == kZoneSize / 2);  // not told: the size
  CHECK(absl::IsOutOfRange(On(layer).Report(ZoneId(10), zones).status()));
}

TEST_CASE("a kernel that answers in small pieces is asked again", "[kernel]") {
  FakeBlockLayer layer{SomeGeometry(10)};
  layer.at_most = 3;
  std::vector<Zone> zones(10);
  REQUIRE(On(layer).Report(ZoneId(0), zones).ok());
  CHECK(layer.reported == std::vector<std::uint32_t>{10, 7, 4, 1});
  CHECK(zones[9].start == 9 * kZoneSize);
  layer.at_most = 0;  // no end of it: an error, not a loop or a short list
  CHECK(ErrcOf(On(layer).Report(ZoneId(0), zones).status()) == Errc::kDeviceMisbehaved);
}

TEST_CASE("an impossible zone in a report is the device's misbehaviour", "[kernel]") {
  struct Row {
    const char* name;
    std::function<void(blk_zone&)> spoil;
    bool accepted;
  };
  const Row rows[] = {
      {"as it should be", [](blk_zone&) {}, true},
      {"elsewhere", [](blk_zone& zone) { zone.start += 8; }, false},
      {"another size", [](blk_zone& zone) { zone.len /= 2; }, false},
      {"capacity above size", [](blk_zone& zone) { zone.capacity = zone.len + 1; }, false},
      {"pointer before the start", [](blk_zone& zone) { zone.wp = zone.start - 1; }, false},
      {"pointer past the capacity",
       [](blk_zone& zone) { zone.wp = zone.start + zone.capacity + 1; }, false},
      {"pointer at the capacity", [](blk_zone& zone) { zone.wp = zone.start + zone.capacity; },
       true},
      {"a full zone's pointer means nothing",
       [](blk_zone& zone) {
         zone.cond = BLK_ZONE_COND_FULL;
         zone.wp = UINT64_MAX;
       },
       true},
      {"a conventional zone's pointer means nothing",
       [](blk_zone& zone) {
         zone.type = BLK_ZONE_TYPE_CONVENTIONAL;
         zone.cond = BLK_ZONE_COND_NOT_WP;
         zone.wp = 0;
       },
       true},
      {"unknown condition", [](blk_zone& zone) { zone.cond = 7; }, false},
      {"unknown type", [](blk_zone& zone) { zone.type = 9; }, false},
      {"start beyond 64 bits of bytes", [](blk_zone& zone) { zone.start = UINT64_MAX / 2; }, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FakeBlockLayer layer{SomeGeometry(4)};
    layer.edit = [&row](std::uint32_t id, blk_zone& zone) {
      if (id == 2) row.spoil(zone);
    };
    std::vector<Zone> zones(4);
    const absl::Status status = On(layer).Report(ZoneId(0), zones).status();
    CHECK(status.ok() == row.accepted);
    if (!row.accepted) {
      CHECK(ErrcOf(status) == Errc::kDeviceMisbehaved);
      CHECK(status.message().find("zone 2") != absl::string_view::npos);
    }
  }
}

TEST_CASE("a report without permission names the capability", "[kernel]") {
  std::vector<Zone> zones(4);
  const ZoneIoctls ioctls([](unsigned long, void*) { return -EACCES; }, SomeGeometry(4), "/dev/x");
  const absl::Status status = ioctls.Report(ZoneId(0), zones).status();
  CHECK(absl::IsPermissionDenied(status));
  CHECK(status.message().find("CAP_SYS_ADMIN") != absl::string_view::npos);
}

TEST_CASE("management goes zone by zone with the kernel's own requests", "[kernel]") {
  const std::pair<ZoneOp, unsigned long> rows[] = {{ZoneOp::kReset, 0x40101283},
                                                   {ZoneOp::kOpen, 0x40101286},
                                                   {ZoneOp::kClose, 0x40101287},
                                                   {ZoneOp::kFinish, 0x40101288}};
  for (const auto& [op, request] : rows) {
    CAPTURE(ToString(op));
    FakeBlockLayer layer{SomeGeometry(5, kZoneSize / 2)};
    const auto result = On(layer).Manage(op, {ZoneId(3), 2}, nanoseconds(0));
    REQUIRE(result.ok());
    CHECK(result->completed == 2);
    CHECK(result->first_error.ok());
    REQUIRE(layer.calls.size() == 2);
    CHECK(layer.calls[0].request == request);
    CHECK(layer.calls[0].sector == 3 * kZoneSize / 512);
    CHECK(layer.calls[0].sectors == kZoneSize / 512);
    CHECK(layer.calls[1].sectors == kZoneSize / 1024);  // the short last zone
  }
}

TEST_CASE("management says how far it got and why it stopped", "[kernel]") {
  FakeBlockLayer layer{SomeGeometry(8)};
  layer.answer = [](unsigned long, std::uint64_t sector) {
    return sector * 512 == 5 * kZoneSize ? -ETOOMANYREFS : 0;
  };
  const auto result = On(layer).Manage(ZoneOp::kOpen, {ZoneId(2), 6}, nanoseconds(0));
  REQUIRE(result.ok());
  CHECK(result->completed == 3);
  CHECK(result->first_error.errc == Errc::kTooManyOpen);
  CHECK(result->first_error.origin == Origin::kErrno);
  CHECK(result->first_error.raw == ETOOMANYREFS);
  CHECK(result->first_error.offset == 5 * kZoneSize);
  CHECK(layer.calls.size() == 4);
}

TEST_CASE("management of zones that are not there, or of a kind there is not", "[kernel]") {
  FakeBlockLayer layer{SomeGeometry(8)};
  const nanoseconds none(0);
  CHECK(absl::IsOutOfRange(On(layer).Manage(ZoneOp::kReset, {ZoneId(8), 1}, none).status()));
  CHECK(absl::IsOutOfRange(On(layer).Manage(ZoneOp::kReset, {ZoneId(7), 2}, none).status()));
  CHECK(
      absl::IsOutOfRange(On(layer).Manage(ZoneOp::kReset, {ZoneId(7), UINT32_MAX}, none).status()));
  CHECK(absl::IsUnimplemented(On(layer).Manage(ZoneOp::kOffline, {ZoneId(0), 1}, none).status()));
  CHECK(layer.calls.empty());
}

TEST_CASE("a timeout ends a range between two zones", "[kernel]") {
  FakeBlockLayer layer{SomeGeometry(8)};
  const auto result = On(layer).Manage(ZoneOp::kReset, {ZoneId(0), 8}, nanoseconds(1));
  REQUIRE(result.ok());
  CHECK(result->completed < 8);
  CHECK(result->first_error.errc == Errc::kTimeout);
  CHECK(result->first_error.offset == result->completed * kZoneSize);
}

TEST_CASE("only reset has a form for all zones, and it is one call", "[kernel]") {
  FakeBlockLayer layer{SomeGeometry(8)};
  const auto result = On(layer).ManageAll(ZoneOp::kReset);
  REQUIRE(result.ok());
  CHECK(result->completed == 8);
  REQUIRE(layer.calls.size() == 1);
  CHECK(layer.calls[0].sectors == 8 * kZoneSize / 512);
  CHECK(absl::IsUnimplemented(On(layer).ManageAll(ZoneOp::kFinish).status()));
}

TEST_CASE("a device that is not zoned has no zone shape", "[kernel]") {
  const auto shape = ReadZoneShape([](unsigned long, void*) { return -ENOTTY; });
  REQUIRE(shape.ok());
  CHECK(shape->zone_count == 0);
  CHECK_FALSE(ReadZoneShape([](unsigned long, void*) { return -EIO; }).ok());
}

}  // namespace zonal::kernel
