// SPDX-License-Identifier: MIT
// Zones laid over a device that has none: the emulated drive on the other
// device's queues.
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "device/emulated/drive_memory.h"
#include "device/emulated/overlay_store.h"
#include "zonal/emulated.h"
#include "zonal/forwarding.h"

namespace zonal {
namespace {

absl::Status CheckSizes(const DeviceInfo& under, std::uint64_t zone_size,
                        std::uint64_t zone_capacity) {
  const auto refuse = [&under](const std::string& why) {
    return absl::InvalidArgumentError(absl::StrCat(under.spec, ": ", why));
  };
  const std::uint32_t block = under.geometry.block_size;
  if (under.geometry.is_zoned()) {
    return refuse("the device has zones of its own; none are laid over it");
  }
  if (zone_size == 0) {
    return refuse("zones over a device without any need a zone size (zonesize=, >= 512 bytes)");
  }
  if (zone_size < 512) {
    return refuse(absl::StrCat("the zone size of ", zone_size, " bytes is below 512"));
  }
  if (zone_size % block != 0 || zone_capacity % block != 0) {
    return refuse(absl::StrCat("zone size and capacity must be multiples of the device's block of ",
                               block, " bytes, not ", zone_size, " and ", zone_capacity));
  }
  if (zone_capacity > zone_size) {
    return refuse(absl::StrCat("the zone capacity of ", zone_capacity,
                               " bytes is larger than the zone size of ", zone_size));
  }
  if (zone_size > under.geometry.size_bytes) {
    return refuse(absl::StrCat("a zone of ", zone_size, " bytes is larger than the device of ",
                               under.geometry.size_bytes));
  }
  if (under.geometry.size_bytes / zone_size >= std::numeric_limits<std::uint32_t>::max()) {
    return refuse(absl::StrCat("zones of ", zone_size, " bytes are too many; make them larger"));
  }
  return absl::OkStatus();
}

EmulatedOptions OptionsOver(const Geometry& under, std::uint64_t zone_size,
                            std::uint64_t zone_capacity) {
  EmulatedOptions options;
  options.block = under.block_size;
  options.zone_size = zone_size;
  options.zone_capacity = zone_capacity;
  options.zones = static_cast<std::uint32_t>(under.size_bytes / zone_size);
  options.max_open = Limit::Unlimited();
  options.max_active = Limit::Unlimited();
  // What is left after the last whole zone is a zone too, down to whole blocks.
  const std::uint64_t rest = under.size_bytes % zone_size;
  if (rest >= under.block_size) {
    options.zones += 1;
    options.last_zone_size = rest - rest % under.block_size;
  }
  return options;
}

// The drive, with what is true of the device beneath it in its info.
class OverlayDevice final : public ForwardingDevice {
 public:
  OverlayDevice(std::unique_ptr<Device> drive, const DeviceInfo& below)
      : ForwardingDevice(std::move(drive)), info_(under().info()) {
    info_.geometry.max_transfer = below.geometry.max_transfer;
    info_.direct_io = below.direct_io;
    info_.rotational = below.rotational;
    info_.kernel = below.kernel;
    info_.scheduler = below.scheduler;
    info_.block_device_number = below.block_device_number;
  }

  const DeviceInfo& info() const noexcept override { return info_; }

 private:
  DeviceInfo info_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> NewZonedOverlay(std::shared_ptr<Device> under,
                                                        std::uint64_t zone_size,
                                                        std::uint64_t zone_capacity,
                                                        const Clock& clock) {
  const DeviceInfo& below = under->info();
  ZONAL_RETURN_IF_ERROR(CheckSizes(below, zone_size, zone_capacity));
  const EmulatedOptions options = OptionsOver(below.geometry, zone_size, zone_capacity);
  ZONAL_RETURN_IF_ERROR(Validate(options));
  emulated::DriveIdentity identity;
  identity.spec = below.spec;
  identity.backend = absl::StrCat("zones laid over ", below.backend);
  identity.identity = below.identity;
  identity.read_only = below.read_only;
  ZONAL_ASSIGN_OR_RETURN(emulated::DriveMemory memory,
                         emulated::NewAnonymousMemory(options, emulated::NewQueueStore(under)));
  ZONAL_ASSIGN_OR_RETURN(
      std::unique_ptr<Device> drive,
      emulated::NewDrive(options, std::move(identity), std::move(memory), clock));
  return std::make_unique<OverlayDevice>(std::move(drive), below);
}

}  // namespace zonal
