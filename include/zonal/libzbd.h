// SPDX-License-Identifier: MIT
// A second opinion on a zoned block device: the same facts as Device::info() and
// Device::Report(), read by libzbd instead of our own ioctls.
// Unimplemented if the library was built without libzbd (ZONAL_WITH_LIBZBD).
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "zonal/device.h"
#include "zonal/zone.h"

namespace zonal {

// What libzbd knows: model, size, zones, block size, limits, vendor (identity).
// write_granularity, max_transfer, scheduler and the like keep their defaults.
absl::StatusOr<DeviceInfo> InfoWithLibzbd(const std::string& path);

// All zones, as they are now. FailedPrecondition if the device is not zoned.
absl::StatusOr<std::vector<Zone>> ReportWithLibzbd(const std::string& path);

}  // namespace zonal
