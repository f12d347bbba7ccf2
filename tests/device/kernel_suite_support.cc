// SPDX-License-Identifier: MIT
#include "device/kernel_suite_support.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "device/kernel/kernel_device.h"
#include "support/aligned_buffer.h"
#include "support/catch.h"

namespace zonal::test {

using namespace std::chrono_literals;

std::string SuiteDevice() {
  const char* const path = std::getenv("ZONAL_TEST_DEVICE");
  return path == nullptr ? "" : path;
}

static std::string SysfsPath(const std::string& attribute) {
  const std::string device = SuiteDevice();
  return "/sys/block/" + device.substr(device.rfind('/') + 1) + "/" + attribute;
}

std::string SuiteSysfs(const std::string& attribute) {
  std::ifstream file(SysfsPath(attribute));
  std::string line;
  std::getline(file, line);
  return line;
}

void WriteSuiteSysfs(const std::string& attribute, const std::string& text) {
  std::ofstream file(SysfsPath(attribute));
  file << text << std::flush;
  REQUIRE(file.good());
}

absl::StatusOr<std::unique_ptr<Device>> TryOpen(Access access, bool direct, bool even_if_in_use) {
  OpenOptions options;
  options.access = access;
  options.direct = direct;
  options.even_if_in_use = even_if_in_use;
  return OpenKernelDevice(SuiteDevice(), options);
}

std::unique_ptr<Device> OpenSuite(Access access) {
  auto device = TryOpen(access);
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  return *std::move(device);
}

std::unique_ptr<IoQueue> SuiteQueue(Device& device, QueueKind kind, std::uint32_t depth) {
  QueueOptions options;
  options.kind = kind;
  options.depth = depth;
  auto queue = device.NewQueue(options);
  INFO(queue.status().ToString());
  REQUIRE(queue.ok());
  return *std::move(queue);
}

std::vector<Zone> ReportAll(Device& device) {
  std::vector<Zone> zones(device.info().geometry.zone_count);
  const auto count = device.Report(ZoneId(0), zones);
  INFO(count.status().ToString());
  REQUIRE(count.ok());
  REQUIRE(*count == zones.size());
  return zones;
}

Zone ReportOne(Device& device, ZoneId zone) {
  Zone result;
  const auto count = device.Report(zone, std::span(&result, 1));
  INFO(count.status().ToString());
  REQUIRE(count.ok());
  return result;
}

ZoneId FirstSequential(Device& device) {
  const std::vector<Zone> zones = ReportAll(device);
  const auto it = std::find_if(zones.begin(), zones.end(), [](const Zone& zone) {
    return zone.type != ZoneType::kConventional;
  });
  REQUIRE(it != zones.end());
  return ZoneId(static_cast<std::uint32_t>(it - zones.begin()));
}

bool HasConventional(Device& device) {
  return ReportOne(device, ZoneId(0)).type == ZoneType::kConventional;
}

IoResult ManageOne(Device& device, ZoneOp op, ZoneId zone) {
  const auto result = device.Manage(op, {zone, 1}, 0ns);
  INFO(result.status().ToString());
  REQUIRE(result.ok());
  CHECK(result->completed == (result->first_error.ok() ? 1u : 0u));
  return result->first_error;
}

void ResetAll(Device& device) {
  const auto result = device.ManageAll(ZoneOp::kReset, 0ns);
  INFO(result.status().ToString());
  REQUIRE(result.ok());
  REQUIRE(result->first_error.ok());
}

IoResult WriteAt(Device& device, std::uint64_t offset, std::uint64_t bytes) {
  auto queue = SuiteQueue(device, QueueKind::kSync, 1);
  AlignedBuffer buffer(bytes);
  std::memset(buffer.data(), 0x5A, bytes);
  IoRequest request;
  request.op = IoOp::kWrite;
  request.offset = offset;
  request.bytes = bytes;
  request.buffer = buffer.data();
  std::array<Completion, 1> done;
  REQUIRE(queue->Submit(std::span(&request, 1)) == 1);
  REQUIRE(queue->Poll(done, 1, 30s) == 1);
  return done[0].result;
}

std::uint32_t WritableZones(Device& device, std::uint32_t wanted) {
  const DeviceInfo& info = device.info();
  return std::min({wanted, info.max_open.count_or(wanted), info.max_active.count_or(wanted)});
}

}  // namespace zonal::test
