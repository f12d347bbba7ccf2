// SPDX-License-Identifier: MIT
// Zones of a real device: three reports that agree, limits, management.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "device/kernel_suite_support.h"
#include "support/catch.h"
#include "zonal/libzbd.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;

// One line of `blkzone report`, in bytes. The pointer is relative to the start,
// and 0 for conventional zones.
struct BlkzoneLine {
  std::uint64_t start, size, capacity, pointer;
  unsigned reset, non_sequential, condition, type;
};

std::vector<BlkzoneLine> BlkzoneReport() {
  std::vector<BlkzoneLine> lines;
  std::FILE* const pipe = ::popen(("blkzone report " + SuiteDevice()).c_str(), "r");
  REQUIRE(pipe != nullptr);
  char text[512];
  while (std::fgets(text, sizeof text, pipe) != nullptr) {
    BlkzoneLine line{};
    char word[32], type_word[64];
    const int fields =
        std::sscanf(text,
                    " start: 0x%" SCNx64 ", len 0x%" SCNx64 ", cap 0x%" SCNx64 ", wptr 0x%" SCNx64
                    " reset:%u non-seq:%u, zcond:%u(%31[^)]) [type: %u(%63[^)])]",
                    &line.start, &line.size, &line.capacity, &line.pointer, &line.reset,
                    &line.non_sequential, &line.condition, word, &line.type, type_word);
    INFO(text);
    REQUIRE(fields == 10);
    for (std::uint64_t* sectors : {&line.start, &line.size, &line.capacity, &line.pointer}) {
      *sectors *= 512;
    }
    lines.push_back(line);
  }
  REQUIRE(::pclose(pipe) == 0);
  return lines;
}

void ThreeReportsAgree(Device& device) {
  const std::vector<Zone> ours = ReportAll(device);
  const auto libzbd = ReportWithLibzbd(SuiteDevice());
  INFO(libzbd.status().ToString());
  REQUIRE(libzbd.ok());
  const std::vector<BlkzoneLine> blkzone = BlkzoneReport();
  REQUIRE(libzbd->size() == ours.size());
  REQUIRE(blkzone.size() == ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    CAPTURE(i);
    const Zone& zone = ours[i];
    const Zone& other = (*libzbd)[i];
    CHECK(zone.start == other.start);
    CHECK(zone.size == other.size);
    CHECK(zone.capacity == other.capacity);
    CHECK(zone.type == other.type);
    CHECK(zone.condition == other.condition);
    CHECK(zone.attributes == other.attributes);
    CHECK(zone.start == blkzone[i].start);
    CHECK(zone.size == blkzone[i].size);
    CHECK(zone.capacity == blkzone[i].capacity);
    CHECK(static_cast<unsigned>(zone.type) == blkzone[i].type);
    CHECK(static_cast<unsigned>(zone.condition) == blkzone[i].condition);
    CHECK(zone.attributes.reset_recommended == (blkzone[i].reset != 0));
    CHECK(zone.attributes.non_sequential_resources == (blkzone[i].non_sequential != 0));
    if (!zone.has_write_pointer()) continue;  // it means nothing there
    CHECK(zone.write_pointer == other.write_pointer);
    CHECK(zone.write_pointer - zone.start == blkzone[i].pointer);
  }
}

// Conditions of every kind a command can bring about: implicitly open,
// explicitly open, closed, full, empty.
void PrepareConditions(Device& device) {
  const std::uint32_t first = FirstSequential(device).value();
  const std::uint64_t unit =
      std::max<std::uint32_t>(4096, device.info().geometry.write_granularity);
  const auto start = [&](std::uint32_t zone) {
    return device.info().geometry.StartOf(ZoneId(zone));
  };
  REQUIRE(WriteAt(device, start(first), 3 * unit).ok());
  REQUIRE(ManageOne(device, ZoneOp::kOpen, ZoneId(first + 1)).ok());
  REQUIRE(WriteAt(device, start(first + 2), unit).ok());
  REQUIRE(ManageOne(device, ZoneOp::kClose, ZoneId(first + 2)).ok());
  REQUIRE(WriteAt(device, start(first + 3), unit).ok());
  REQUIRE(ManageOne(device, ZoneOp::kFinish, ZoneId(first + 3)).ok());
}

}  // namespace

TEST_CASE("our report, libzbd's and blkzone's agree field by field", "[zoned]") {
  auto device = OpenSuite();
  ResetAll(*device);
  ThreeReportsAgree(*device);
  PrepareConditions(*device);
  const std::uint32_t first = FirstSequential(*device).value();
  CHECK(ReportOne(*device, ZoneId(first)).condition == ZoneCondition::kImplicitOpen);
  CHECK(ReportOne(*device, ZoneId(first + 1)).condition == ZoneCondition::kExplicitOpen);
  CHECK(ReportOne(*device, ZoneId(first + 2)).condition == ZoneCondition::kClosed);
  CHECK(ReportOne(*device, ZoneId(first + 3)).condition == ZoneCondition::kFull);
  CHECK(ReportOne(*device, ZoneId(first + 4)).condition == ZoneCondition::kEmpty);
  ThreeReportsAgree(*device);
  ResetAll(*device);
}

TEST_CASE("our facts are sysfs's and libzbd's", "[zoned]") {
  auto device = OpenSuite(Access::kReadOnly);
  const DeviceInfo& info = device->info();
  const auto libzbd = InfoWithLibzbd(SuiteDevice());
  INFO(libzbd.status().ToString());
  REQUIRE(libzbd.ok());
  CHECK(info.model == libzbd->model);
  CHECK(info.geometry.size_bytes == libzbd->geometry.size_bytes);
  CHECK(info.geometry.zone_size == libzbd->geometry.zone_size);
  CHECK(info.geometry.zone_count == libzbd->geometry.zone_count);
  CHECK(info.geometry.block_size == libzbd->geometry.block_size);
  CHECK(info.max_open == libzbd->max_open);
  CHECK(info.max_active == libzbd->max_active);
  CHECK(std::to_string(info.max_open.count_or(0)) == SuiteSysfs("queue/max_open_zones"));
  CHECK(std::to_string(info.max_active.count_or(0)) == SuiteSysfs("queue/max_active_zones"));
  CHECK(std::to_string(info.geometry.write_granularity) ==
        SuiteSysfs("queue/zone_write_granularity"));
  // However little the device takes at once: the kernel sends more in pieces.
  CHECK(info.geometry.max_transfer >= (1u << 30));
  CHECK(SuiteSysfs("queue/scheduler").find(info.scheduler) != std::string::npos);
  CHECK_FALSE(info.scheduler.empty());
  CHECK(info.backend == "zoned block device");
  CHECK(info.block_device_number != 0);
}

TEST_CASE("the lab's layouts have the limits they were made with", "[zoned]") {
  struct Row {
    std::string layout;
    Limit max_open, max_active;
    std::uint32_t zones, conventional;
    std::uint64_t capacity_mib;
  };
  const Row rows[] = {
      {"null_plain", Limit::Unknown(), Limit::Unknown(), 32, 0, 4},
      {"null_limits", Limit::Of(4), Limit::Of(6), 32, 4, 6},
      {"scsi_managed", Limit::Of(6), Limit::Unknown(), 32, 2, 4},
      {"zns", Limit::Of(8), Limit::Of(12), 32, 0, 12},
  };
  const char* const layout = std::getenv("ZONAL_LAYOUT");
  auto device = OpenSuite(Access::kReadOnly);
  for (const Row& row : rows) {
    if (layout == nullptr || row.layout != layout) continue;
    CAPTURE(row.layout);
    CHECK(device->info().max_open == row.max_open);
    CHECK(device->info().max_active == row.max_active);
    CHECK(device->info().geometry.zone_count == row.zones);
    CHECK(FirstSequential(*device).value() == row.conventional);
    CHECK(ReportOne(*device, ZoneId(row.zones - 1)).capacity == row.capacity_mib << 20);
  }
}

TEST_CASE("management moves zones as the standards say", "[zoned]") {
  auto device = OpenSuite();
  ResetAll(*device);
  const ZoneId zone = FirstSequential(*device);
  const std::uint64_t start = device->info().geometry.StartOf(zone);
  const std::uint64_t unit =
      std::max<std::uint32_t>(4096, device->info().geometry.write_granularity);
  const auto condition = [&] { return ReportOne(*device, zone).condition; };
  CHECK(ManageOne(*device, ZoneOp::kOpen, zone).ok());
  CHECK(condition() == ZoneCondition::kExplicitOpen);
  // Closed before its first write, a zone is empty again in ZBC (4.5.3.3.4), and
  // closed in ZNS (2.1.1.4.1); null_blk follows ZBC.
  const bool zns = SuiteDevice().find("nvme") != std::string::npos;
  CHECK(ManageOne(*device, ZoneOp::kClose, zone).ok());
  CHECK(condition() == (zns ? ZoneCondition::kClosed : ZoneCondition::kEmpty));
  CHECK(ManageOne(*device, ZoneOp::kReset, zone).ok());
  CHECK(WriteAt(*device, start, unit).ok());
  CHECK(condition() == ZoneCondition::kImplicitOpen);
  CHECK(ReportOne(*device, zone).write_pointer == start + unit);
  CHECK(ManageOne(*device, ZoneOp::kClose, zone).ok());
  CHECK(condition() == ZoneCondition::kClosed);
  CHECK(ManageOne(*device, ZoneOp::kOpen, zone).ok());
  CHECK(condition() == ZoneCondition::kExplicitOpen);
  CHECK(ManageOne(*device, ZoneOp::kFinish, zone).ok());
  CHECK(condition() == ZoneCondition::kFull);
  CHECK(ManageOne(*device, ZoneOp::kReset, zone).ok());
  CHECK(condition() == ZoneCondition::kEmpty);
  CHECK(ReportOne(*device, zone).write_pointer == start);
}

TEST_CASE("management of a range says how far it got", "[zoned]") {
  auto device = OpenSuite();
  ResetAll(*device);
  const ZoneId first = FirstSequential(*device);
  const std::uint32_t last = device->info().geometry.zone_count - 1;
  auto result = device->Manage(ZoneOp::kFinish, {first, 3}, 0ns);
  REQUIRE(result.ok());
  CHECK(result->completed == 3);
  result = device->Manage(ZoneOp::kReset, {first, 3}, 10s);
  REQUIRE(result.ok());
  CHECK(result->completed == 3);
  CHECK(ReportOne(*device, first).condition == ZoneCondition::kEmpty);
  CHECK(absl::IsOutOfRange(device->Manage(ZoneOp::kReset, {ZoneId(last), 2}, 0ns).status()));
  CHECK(absl::IsUnimplemented(device->Manage(ZoneOp::kOffline, {first, 1}, 0ns).status()));
  if (HasConventional(*device)) {
    // Conventional zones cannot be finished: the range ends where they begin.
    result = device->Manage(ZoneOp::kFinish, {ZoneId(0), 2}, 0ns);
    REQUIRE(result.ok());
    CHECK(result->completed == 0);
    CHECK_FALSE(result->first_error.ok());
    CHECK(result->first_error.origin == Origin::kErrno);
    CHECK(result->first_error.raw != 0);
    CHECK(result->first_error.offset == 0);
  }
}

TEST_CASE("one open zone too many is refused as such", "[zoned]") {
  auto device = OpenSuite();
  ResetAll(*device);
  const auto limit = device->info().max_open.count();
  if (!limit) return;  // no limit, nothing to exceed: the layouts with one run it
  const ZoneId first = FirstSequential(*device);
  const auto result = device->Manage(ZoneOp::kOpen, {first, *limit + 1}, 0ns);
  REQUIRE(result.ok());
  CHECK(result->completed == *limit);
  CAPTURE(result->first_error.raw);
  CHECK(result->first_error.errc == Errc::kTooManyOpen);
  ResetAll(*device);
}

TEST_CASE("a reader reports and manages nothing", "[zoned]") {
  auto device = OpenSuite(Access::kReadOnly);
  CHECK(ReportAll(*device).size() == device->info().geometry.zone_count);
  const ZoneId zone = FirstSequential(*device);
  CHECK(absl::IsFailedPrecondition(device->Manage(ZoneOp::kReset, {zone, 1}, 0ns).status()));
  CHECK(absl::IsFailedPrecondition(device->ManageAll(ZoneOp::kReset, 0ns).status()));
}

}  // namespace zonal::test
