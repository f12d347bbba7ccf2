// SPDX-License-Identifier: MIT
// Where operations go: windows (zonemode=strided; fio's zoned suite, tests 31, 40,
// 56, 68, 71), runs, skips, distributions. A device that notes what it is sent.
#include <map>
#include <set>

#include "engine/drive_fixture.h"
#include "zonal/forwarding.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

struct Noted {
  IoOp op;
  std::uint64_t offset, bytes;
  bool fua;
};

class NotingQueue final : public ForwardingQueue {
 public:
  NotingQueue(std::unique_ptr<IoQueue> under, std::vector<Noted>& log)
      : ForwardingQueue(std::move(under)), log_(log) {}
  std::size_t Submit(std::span<const IoRequest> requests) noexcept override {
    const std::size_t taken = ForwardingQueue::Submit(requests);
    for (const IoRequest& r : requests.first(taken)) {
      log_.push_back({r.op, r.offset, r.bytes, r.fua});
    }
    return taken;
  }

 private:
  std::vector<Noted>& log_;
};

class NotingDevice final : public ForwardingDevice {
 public:
  explicit NotingDevice(std::shared_ptr<Device> under) : ForwardingDevice(std::move(under)) {}
  std::vector<Noted> log;

 protected:
  std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) override {
    return std::make_unique<NotingQueue>(std::move(queue), log);
  }
};

std::shared_ptr<NotingDevice> Conventional(std::uint32_t zones = 8) {
  EmulatedOptions options = SmallDrive(zones);
  options.conventional = zones;
  return std::make_shared<NotingDevice>(MakeDrive(options));
}

Workload Plain(const std::string& rw, std::uint32_t first, std::uint32_t zones) {
  Workload job = Job(rw, first, zones);
  job.zone_mode = ZoneMode::kNone;
  return job;
}

Workload Strided(const std::string& rw, std::uint64_t quota, std::uint64_t range,
                 std::uint64_t skip) {
  Workload job = Job(rw, 0, 8);
  job.zone_mode = ZoneMode::kStrided;
  job.zone_size = quota;
  job.zone_range = range;
  job.zone_skip = skip;
  job.depth = 1;
  return job;
}

std::vector<std::uint64_t> Blocks(const NotingDevice& device) {
  std::vector<std::uint64_t> blocks;
  for (const Noted& noted : device.log) blocks.push_back(noted.offset / kBlock);
  return blocks;
}

std::string Refusal(const Workload& job, const std::shared_ptr<Device>& drive) {
  RunControl control;
  const auto result = Run(Simulated({job}), control, Always(drive));
  REQUIRE_FALSE(result.ok());
  return std::string(result.status().message());
}

}  // namespace

TEST_CASE("strided: windows with gaps", "[engine][strided]") {
  const auto device = Conventional(1);
  Workload job = Strided("write", 2 * kBlock, 3 * kBlock, kBlock);
  job.size = 16 * kBlock;
  const WorkerResult worker = MustRun(Simulated({job}), device).workers[0];
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(Writes(worker).bytes == 8 * kBlock);
  REQUIRE(Blocks(*device) == std::vector<std::uint64_t>{0, 1, 4, 5, 8, 9, 12, 13});
  device->log.clear();
  job.io_size = 10 * kBlock;  // round again
  REQUIRE(Writes(MustRun(Simulated({job}), device).workers[0]).bytes == 10 * kBlock);
  REQUIRE(Blocks(*device) == std::vector<std::uint64_t>{0, 1, 4, 5, 8, 9, 12, 13, 0, 1});
}

TEST_CASE("strided: a window smaller than its quota is gone through again", "[engine][strided]") {
  const auto device = Conventional(1);
  Workload job = Strided("read", 3 * kBlock, 2 * kBlock, 0);
  job.size = 4 * kBlock;
  REQUIRE(Reads(MustRun(Simulated({job}), device).workers[0]).bytes == 6 * kBlock);
  REQUIRE(Blocks(*device) == std::vector<std::uint64_t>{0, 1, 0, 2, 3, 2});
}

TEST_CASE("strided: random operations stay in their window", "[engine][strided]") {
  const auto device = Conventional(4);
  Workload job = Strided("randread", 8 * kBlock, kZoneSize, 0);
  job.size = 4 * kZoneSize;
  job.depth = 4;
  REQUIRE(Reads(MustRun(Simulated({job}), device).workers[0]).bytes == 32 * kBlock);
  const auto blocks = Blocks(*device);
  for (std::size_t i = 0; i < blocks.size(); ++i) REQUIRE(blocks[i] / 16 == i / 8);
  const std::set<std::uint64_t> different(blocks.begin(), blocks.end());
  REQUIRE(different.size() == 32);  // none twice in a window without norandommap
}

TEST_CASE("strided: one block, blocks far apart, zones as windows (suite 40, 31, 56)",
          "[engine][strided][suite]") {
  const auto device = Conventional();
  Workload one = Strided("read", kBlock, 0, 0);
  one.size = kBlock;
  REQUIRE(Reads(MustRun(Simulated({one}), device).workers[0]).bytes == kBlock);
  one.zone_size = 0;
  REQUIRE(Refusal(one, device).find("--zonesize must be specified when using --zonemode=strided") !=
          std::string::npos);

  device->log.clear();
  Workload apart = Strided("write", 2 * kBlock, 10 * kBlock, 0);
  apart.write_block = 2 * kBlock;
  apart.io_size = 12 * 2 * kBlock;
  REQUIRE(Writes(MustRun(Simulated({apart}), device).workers[0]).ios == 12);
  for (std::size_t i = 0; i < 12; ++i) REQUIRE(Blocks(*device)[i] == 10 * i);

  device->log.clear();
  Workload zones = Strided("read", kZoneSize, 0, 0);
  zones.size = 0;
  zones.relative_size = RelativeExtent{8, ExtentUnit::kZones};
  zones.relative_zone_skip = RelativeExtent{2, ExtentUnit::kZones};
  REQUIRE(Reads(MustRun(Simulated({zones}), device).workers[0]).bytes == 3 * kZoneSize);
  REQUIRE(Blocks(*device).back() == 7 * 16 - 1);
  zones.zone_skip = kBlock + 1;
  zones.relative_zone_skip.reset();
  REQUIRE(Refusal(zones, device).find("zoneskip=4097") != std::string::npos);
}

TEST_CASE(
    "strided writes leave a tail in every other zone, which random writes finish "
    "(suite 71)",
    "[engine][strided][suite]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload holes = Strided("write", kZoneSize - 3 * kBlock, 2 * kZoneSize, 0);
  holes.write_block = kZoneSize - 3 * kBlock;
  holes.io_size = 4 * (kZoneSize - 3 * kBlock);
  REQUIRE(MustRun(Simulated({holes}), drive).workers[0].reason == EndReason::kDone);
  for (std::uint32_t i = 0; i < 8; i += 2) {
    REQUIRE(ZonesOf(*drive)[i].written() == kZoneSize - 3 * kBlock);
    REQUIRE(drive->Manage(ZoneOp::kClose, {ZoneId(i), 1}, nanoseconds{0}).ok());
  }
  // Three blocks left in each, two per write. Four zones are active, one may be a
  // target: the drive's active limit would count the closed ones, so it has none.
  Workload job = Job("randwrite", 0, 8);
  job.write_block = 2 * kBlock;
  job.ignore_device_limits = true;
  job.max_open_zones = 1;
  job.io_size = 8 * kZoneSize;
  const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
  CAPTURE(worker.detail);
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(Writes(worker).bytes == 8 * kZoneSize);
}

TEST_CASE("a mix of no writes writes nothing (suite 68)", "[engine][suite]") {
  const auto drive = MakeDrive(SmallDrive());
  Workload block = Strided("write", kBlock, 0, 0);
  block.size = kBlock;
  MustRun(Simulated({block}), drive);
  for (std::uint32_t zone = 1; zone < 4; ++zone) {
    REQUIRE(drive->Manage(ZoneOp::kOpen, {ZoneId(zone), 1}, nanoseconds{0}).ok());
  }
  Workload job = Job("randrw", 0, 8);
  job.read_percent = 100;
  job.max_open_zones = 1;  // less than are open: only writers mind
  job.io_size = 64 * kBlock;
  const WorkerResult worker = MustRun(Simulated({job}), drive).workers[0];
  REQUIRE(worker.reason == EndReason::kDone);
  REQUIRE(Writes(worker).ios == 0);
  REQUIRE(Reads(worker).bytes == 64 * kBlock);
}

TEST_CASE("a stream that skips goes round until all bytes are moved", "[engine]") {
  const auto device = Conventional(1);
  Workload job = Plain("write", 0, 1);
  job.size = 8 * kBlock;
  job.depth = 1;
  job.sequential_skip = kBlock;
  REQUIRE(Writes(MustRun(Simulated({job}), device).workers[0]).bytes == 8 * kBlock);
  REQUIRE(Blocks(*device) == std::vector<std::uint64_t>{0, 2, 4, 6, 0, 2, 4, 6});
  device->log.clear();
  job.sequential_skip = -2 * static_cast<std::int64_t>(kBlock);  // backwards
  MustRun(Simulated({job}), device);
  REQUIRE(Blocks(*device) == std::vector<std::uint64_t>{6, 5, 4, 3, 2, 1, 0, 6});
  job.zone_mode = ZoneMode::kZbd;
  job.size = kZoneSize;
  REQUIRE(Refusal(job, MakeDrive(SmallDrive())).find("write pointers") != std::string::npos);
}

TEST_CASE("a stream that uses each offset several times", "[engine]") {
  const auto device = Conventional(1);
  Workload job = Plain("read", 0, 1);
  job.depth = 1;
  job.run_length = 3;
  job.repeats_offset = true;
  job.io_size = 7 * kBlock;
  MustRun(Simulated({job}), device);
  REQUIRE(Blocks(*device) == std::vector<std::uint64_t>{0, 0, 0, 1, 1, 1, 2});
}

TEST_CASE("random runs of consecutive blocks", "[engine]") {
  const auto device = Conventional(64);
  Workload job = Plain("randread", 0, 64);
  job.depth = 1;
  job.run_length = 4;
  job.io_size = 400 * kBlock;
  MustRun(Simulated({job}), device);
  int goes_on = 0;
  const auto blocks = Blocks(*device);
  for (std::size_t i = 1; i < blocks.size(); ++i) goes_on += blocks[i] == blocks[i - 1] + 1;
  REQUIRE(goes_on >= 290);
}

TEST_CASE("a distribution decides where random operations go", "[engine]") {
  for (const ZoneMode mode : {ZoneMode::kNone, ZoneMode::kZbd}) {
    const auto device = Conventional(10);
    Workload job = Plain("randrw", 0, 10);
    job.zone_mode = mode;
    job.may_repeat_blocks = true;
    job.io_size = 4000 * kBlock;
    RandomDistribution zones;
    zones.kind = RandomDistribution::Kind::kZones;
    zones.shares = {{80, 10}, {0, 40}, {20, 50}};
    job.distribution[0] = job.distribution[1] = zones;
    MustRun(Simulated({job}), device);
    std::map<std::uint64_t, double> by_zone;
    for (const std::uint64_t block : Blocks(*device)) by_zone[block / 16] += 1.0 / 4000;
    REQUIRE(by_zone[0] == Approx(0.8).margin(0.025));
    for (std::uint64_t zone = 1; zone < 5; ++zone) REQUIRE(by_zone[zone] == 0);
    for (std::uint64_t zone = 5; zone < 10; ++zone) {
      REQUIRE(by_zone[zone] == Approx(0.04).margin(0.015));
    }
  }
}

TEST_CASE("distributions that cannot be are refused", "[engine]") {
  using Kind = RandomDistribution::Kind;
  struct Row {
    Kind kind;
    double parameter;
    std::vector<RandomDistribution::Share> shares;
    const char* says;
  };
  const Row rows[] = {{Kind::kZipf, 0, {}, "theta must be above 0"},
                      {Kind::kPareto, 1, {}, "between 0 and 1"},
                      {Kind::kNormal, 0, {}, "percentage above 0"},
                      {Kind::kZones, 0, {{50, 100}}, "add up to 50 percent"},
                      {Kind::kZones, 0, {{100, 90}}, "the range add up to 90 percent"},
                      {Kind::kZonesAbsolute, 0, {{50, 8 * kZoneSize}, {50, 1}}, "behind the end"}};
  for (const Row& row : rows) {
    CAPTURE(row.says);
    Workload job = Plain("randread", 0, 8);
    job.distribution[0].kind = row.kind;
    job.distribution[0].parameter = row.parameter;
    job.distribution[0].shares = row.shares;
    REQUIRE(Refusal(job, Conventional()).find(row.says) != std::string::npos);
  }
  Workload job = Plain("randread", 0, 8);
  job.random_percent[1] = 101;
  REQUIRE(Refusal(job, Conventional()).find("percentage_random=101") != std::string::npos);
}

TEST_CASE("a flush goes alone, after every so many writes and at the end", "[engine][flush]") {
  for (const ZoneMode mode : {ZoneMode::kNone, ZoneMode::kZbd}) {
    for (const std::uint32_t depth : {1u, 8u}) {
      CAPTURE(static_cast<int>(mode), depth);
      const auto device = std::make_shared<NotingDevice>(MakeDrive(SmallDrive()));
      Workload job = Job("write", 0, 2);
      job.zone_mode = mode;
      job.depth = mode == ZoneMode::kZbd ? depth : 1;
      job.flush_every = 5;
      job.flush_at_end = true;
      const WorkerResult worker = MustRun(Simulated({job}), device).workers[0];
      REQUIRE(worker.reason == EndReason::kDone);
      REQUIRE(Writes(worker).ios == 32);
      // 30 writes: six of them; and one at the end.
      REQUIRE(worker.operations[static_cast<std::size_t>(OpClass::kFlush)].count() == 7);
      REQUIRE(CountersOf(*device).flushes >= 7);
      std::size_t writes = 0;
      for (const Noted& noted : device->log) {
        if (noted.op == IoOp::kWrite) ++writes;
        if (noted.op == IoOp::kFlush) REQUIRE((writes % 5 == 0 || writes == 32));
      }
      REQUIRE(device->log.back().op == IoOp::kFlush);
    }
  }
}

TEST_CASE("forced writes are durable one by one", "[engine][flush]") {
  for (const ZoneMode mode : {ZoneMode::kNone, ZoneMode::kZbd}) {
    for (const bool forced : {false, true}) {
      const auto device = std::make_shared<NotingDevice>(MakeDrive(SmallDrive()));
      Workload job = Job("write", 0, 1);
      job.zone_mode = mode;
      job.depth = 1;
      job.forced_writes = forced;
      MustRun(Simulated({job}), device);
      REQUIRE(device->log.size() == 16);
      for (const Noted& noted : device->log) REQUIRE(noted.fua == forced);
    }
  }
}
