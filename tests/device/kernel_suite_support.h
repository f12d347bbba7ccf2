// SPDX-License-Identifier: MIT
// What the cases of zonal_device_suite share: the device under test and short
// ways to look at it. Everything on the device is lost.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "zonal/device.h"
#include "zonal/open.h"

namespace zonal::test {

// The device named by ZONAL_TEST_DEVICE.
std::string SuiteDevice();
// One attribute of its folder in sysfs, read without the library; "" if absent.
std::string SuiteSysfs(const std::string& attribute);
void WriteSuiteSysfs(const std::string& attribute, const std::string& text);

absl::StatusOr<std::unique_ptr<Device>> TryOpen(Access access, bool direct = true,
                                                bool even_if_in_use = false);
// REQUIREs that it works.
std::unique_ptr<Device> OpenSuite(Access access = Access::kReadWrite);
std::unique_ptr<IoQueue> SuiteQueue(Device& device, QueueKind kind, std::uint32_t depth);

std::vector<Zone> ReportAll(Device& device);
Zone ReportOne(Device& device, ZoneId zone);
// The first zone of a sequential type; and of the conventional one, if any.
ZoneId FirstSequential(Device& device);
bool HasConventional(Device& device);

// Manages one zone and returns the device's verdict.
IoResult ManageOne(Device& device, ZoneOp op, ZoneId zone);
void ResetAll(Device& device);
// Writes `bytes` at `offset` through psync and returns the verdict.
IoResult WriteAt(Device& device, std::uint64_t offset, std::uint64_t bytes);

// How many zones may be written at once.
std::uint32_t WritableZones(Device& device, std::uint32_t wanted);

}  // namespace zonal::test
