// SPDX-License-Identifier: MIT
// From what the system says about an opened file to DeviceInfo.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "device/kernel/environment.h"
#include "device/kernel/open_file.h"
#include "zonal/device.h"
#include "zonal/open.h"

namespace zonal::kernel {

// Two sources that disagree about the zones (sysfs, the ioctls) are
// kDeviceMisbehaved: nothing is safe to write then.
absl::StatusOr<DeviceInfo> Describe(const Environment& environment, const std::string& path,
                                    const OpenOptions& options, const OpenedFile& opened,
                                    const Ioctl& ioctl);

// Why a device without zones has none, and what to do.
std::string WhyNotZoned(const std::string& path, const std::optional<BlockFacts>& facts);

}  // namespace zonal::kernel
