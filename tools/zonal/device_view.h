// SPDX-License-Identifier: MIT
// A device opened to be looked at: its facts and its zones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "zonal/device.h"

namespace zonal::cli {

// For reading only, so that it works while a run has the device.
// FailedPrecondition if it has no zones.
absl::StatusOr<std::shared_ptr<Device>> OpenToLook(std::string_view spec);

// What is known of the device: for a zoned block device what libzbd says, where
// the library was built with it, completed by our own queries.
DeviceInfo Facts(const Device& device);

// "host-managed, 55880 zones of 256MiB": the first line of a listing.
std::string Headline(const DeviceInfo& info);

// Calls `see` with `count` zones from `first` on, in order, in one or more parts.
// Zones of a zoned block device are read through libzbd, where it is built in.
absl::Status ForEachZone(Device& device, ZoneId first, std::uint32_t count,
                         const std::function<void(ZoneId, std::span<const Zone>)>& see);

}  // namespace zonal::cli
