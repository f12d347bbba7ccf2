// SPDX-License-Identifier: MIT
#include "engine/checks.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "zonal/zone_queue.h"

using namespace zonal;
using namespace zonal::engine;

namespace {

DeviceInfo Drive() {
  DeviceInfo info;
  info.spec = "drive";
  info.model = ZoneModel::kHostManaged;
  info.geometry.size_bytes = 64 << 20;
  info.geometry.zone_size = 1 << 20;
  info.geometry.zone_count = 64;
  info.geometry.block_size = info.geometry.write_granularity = 4096;
  info.max_open = Limit::Of(8);
  info.max_active = Limit::Of(10);
  return info;
}

Workload Writer() {
  Workload workload;
  workload.name = "job";
  workload.target = "drive";
  workload.writes = true;
  workload.direct = true;
  workload.zone_mode = ZoneMode::kZbd;
  return workload;
}

bool Says(const absl::Status& status, const char* part) {
  return absl::IsInvalidArgument(status) &&
         std::string(status.message()).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("workloads that are wrong whatever the device", "[engine]") {
  REQUIRE(CheckWorkload(Writer()).ok());
  Workload w = Writer();
  w.writes = false;
  REQUIRE(Says(CheckWorkload(w), "neither reads nor writes"));
  w = Writer();
  w.depth = 0;
  REQUIRE(Says(CheckWorkload(w), "iodepth=0"));
  w.depth = kMaxQueueDepth;
  REQUIRE(Says(CheckWorkload(w), "iodepth=65535: 1 to 65534 is accepted with --zonemode=zbd"));
  w.depth = kMaxZoneQueueDepth;
  REQUIRE(CheckWorkload(w).ok());
  w.zone_mode = ZoneMode::kNone;
  w.depth = kMaxQueueDepth;
  REQUIRE(CheckWorkload(w).ok());
  w.depth = kMaxQueueDepth + 1;
  REQUIRE(Says(CheckWorkload(w), "iodepth=65536: 1 to 65535 is accepted"));
  w = Writer();
  w.time_based = true;
  REQUIRE(Says(CheckWorkload(w), "time_based needs a runtime"));
  w = Writer();
  w.zone_reset_threshold = 0.5;
  REQUIRE(Says(CheckWorkload(w), "do nothing alone"));
  w.zone_reset_frequency = 1.5;
  REQUIRE(Says(CheckWorkload(w), "zone_reset_frequency: value out of range"));
  w.zone_reset_frequency = 0.5;
  REQUIRE(CheckWorkload(w).ok());
}

TEST_CASE("a workload against its device", "[engine]") {
  REQUIRE(CheckAgainstDevice(Writer(), Drive(), false).ok());
  Workload w = Writer();
  w.direct = false;
  REQUIRE(Says(CheckAgainstDevice(w, Drive(), false),
               "Using direct I/O is mandatory for writing to ZBD drives"));
  REQUIRE(CheckAgainstDevice(w, Drive(), true).ok());  // zones of ours: no such rule
  w.zone_mode = ZoneMode::kNone;
  REQUIRE(Says(CheckAgainstDevice(w, Drive(), false), "Using direct I/O is mandatory"));
  w.writes = false;
  w.reads = true;
  REQUIRE(CheckAgainstDevice(w, Drive(), false).ok());
  w = Writer();
  w.zone_size = 2 << 20;
  REQUIRE(Says(CheckAgainstDevice(w, Drive(), false),
               "job parameter zonesize 2097152 does not match disk zone size 1048576"));
  w = Writer();
  w.write_block = 2 << 20;
  REQUIRE(Says(CheckAgainstDevice(w, Drive(), false), "I/O buflen exceeds zone size"));
  w.write_block = 6000;
  REQUIRE(Says(CheckAgainstDevice(w, Drive(), false), "bs=6000"));
  DeviceInfo plain = Drive();
  plain.model = ZoneModel::kNone;
  plain.geometry.zone_size = 0;
  plain.geometry.zone_count = 0;
  REQUIRE(Says(CheckAgainstDevice(Writer(), plain, false),
               "Specifying the zone size is mandatory for regular file/block device"));
  REQUIRE(Says(CheckCapacity(Writer(), 2048), "exceeds the zone capacity 2048"));
  REQUIRE(CheckCapacity(Writer(), 4096).ok());
}

TEST_CASE("a range off the device's blocks is refused where no page cache helps", "[engine]") {
  struct Row {
    const char* name;
    std::uint64_t begin, end;
    bool direct, emulated;
    const char* says;  // "": accepted
  };
  const std::uint64_t device = Drive().geometry.size_bytes;
  const Row rows[] = {
      {"whole blocks", 4096, 12288, true, false, ""},
      {"offset", 1000, 12288, true, false,
       "job: offset=1000 on drive: not a multiple of its block of 4096 bytes; the nearest are 0 "
       "and 4096"},
      {"a sector is no block", 512, 12288, true, false, "offset=512"},
      {"size", 4096, 14096, true, false, "size=10000 on drive: not a multiple of its block"},
      {"buffered", 1000, 14096, false, false, ""},
      {"emulated drives have no page cache", 1000, 14096, false, true, "offset=1000"},
      {"to the device's end", 4096, device + 100, true, false, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    DeviceInfo info = Drive();
    info.direct_io = row.direct;
    info.is_emulated = row.emulated;
    if (row.end > device) info.geometry.size_bytes = row.end;
    const absl::Status status = CheckAlignment(Writer(), info, row.begin, row.end);
    CAPTURE(status.ToString());
    CHECK((*row.says == '\0' ? status.ok() : Says(status, row.says)));
  }
}

TEST_CASE("jobs of one device agree on how many zones they write", "[engine]") {
  Workload a = Writer(), b = Writer();
  const std::vector<const Workload*> both{&a, &b};
  const auto agreed = [&](const DeviceInfo& info) { return AgreeOnWriteTargets(both, info); };
  REQUIRE(*agreed(Drive()) == Limit::Of(8));
  a.max_open_zones = b.max_open_zones = 4;
  REQUIRE(*agreed(Drive()) == Limit::Of(4));
  b.max_open_zones = 5;
  REQUIRE(Says(agreed(Drive()).status(), "Different 'max_open_zones' values"));
  b.writes = false;  // a reader does not count
  b.reads = true;
  REQUIRE(*agreed(Drive()) == Limit::Of(4));
  a.max_open_zones = 9;
  REQUIRE(Says(agreed(Drive()).status(), "Specified --max_open_zones (9) is larger than max (8)"));
  DeviceInfo unlimited = Drive();
  unlimited.max_open = unlimited.max_active = Limit::Unlimited();
  REQUIRE(*agreed(unlimited) == Limit::Of(9));
  a.max_open_zones = 0;
  REQUIRE_FALSE(agreed(unlimited)->has_count());
  a.worker_max_open_zones = 2;
  REQUIRE(Says(agreed(unlimited).status(), "'job_max_open_zones' cannot be used without"));
  REQUIRE(*agreed(Drive()) == Limit::Of(8));
  DeviceInfo few_active = Drive();
  few_active.max_active = Limit::Of(3);
  REQUIRE(*agreed(few_active) == Limit::Of(3));
  b = Writer();
  b.zone_mode = ZoneMode::kNone;
  REQUIRE(Says(agreed(Drive()).status(), "writes without --zonemode=zbd"));
}
