// SPDX-License-Identifier: MIT
// The one place that knows every backend.
#include "zonal/open.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "device/emulated/file_drive.h"
#include "device/kernel/kernel_device.h"
#include "device/open_devices.h"
#include "zonal/emulated.h"

namespace zonal {
namespace {

bool IsMemorySpec(std::string_view spec) { return spec == "emu" || spec.starts_with("emu,"); }

const Clock& ClockOf(const OpenOptions& options) {
  return options.clock != nullptr ? *options.clock : MonotonicClock();
}

absl::Status CheckOptions(const std::string& spec, const OpenOptions& options) {
  if (spec.empty()) {
    return absl::InvalidArgumentError(
        "no device given: name a zoned block device, a drive's file, or emu,...");
  }
  if (IsMemorySpec(spec) && options.fd >= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(spec, ": an emulated drive in memory has no descriptor to adopt"));
  }
  return absl::OkStatus();
}

absl::Status RefuseOverlay(const std::string& spec) {
  return absl::InvalidArgumentError(
      absl::StrCat(spec, ": an emulated drive has zones of its own; none are laid over it"));
}

absl::StatusOr<std::shared_ptr<Device>> OpenMemory(const std::string& spec,
                                                   const OpenOptions& options) {
  if (options.overlay.has_value()) return RefuseOverlay(spec);
  ZONAL_ASSIGN_OR_RETURN(const EmulatedOptions drive, ParseEmulatedSpec(spec));
  return NewEmulatedDevice(drive, ClockOf(options));
}

absl::StatusOr<std::shared_ptr<Device>> OpenDriveFile(const std::string& path,
                                                      const OpenOptions& options) {
  if (options.overlay.has_value()) return RefuseOverlay(path);
  emulated::FileOpenOptions file_options;
  file_options.writable = options.access == Access::kReadWrite;
  if (options.fd < 0) return OpenEmulatedFile(path, file_options.writable, ClockOf(options));
  // A duplicate, so that the caller's descriptor stays the caller's on failure.
  const int duplicate = fcntl(options.fd, F_DUPFD_CLOEXEC, 0);
  if (duplicate < 0) return absl::ErrnoToStatus(errno, absl::StrCat(path, ": adopting"));
  ZONAL_ASSIGN_OR_RETURN(
      std::shared_ptr<Device> device,
      emulated::NewFileDevice(emulated::File(duplicate, path), file_options, ClockOf(options)));
  close(options.fd);
  return device;
}

absl::StatusOr<std::shared_ptr<Device>> OpenKernel(const std::string& path,
                                                   const OpenOptions& options) {
  ZONAL_ASSIGN_OR_RETURN(std::shared_ptr<Device> device, OpenKernelDevice(path, options));
  if (!options.overlay.has_value()) return device;
  const ZoneOverlay& overlay = *options.overlay;
  return NewZonedOverlay(std::move(device), overlay.zone_size, overlay.zone_capacity,
                         ClockOf(options));
}

// A descriptor is looked at through its name in /proc, which leaves it alone.
std::string PathToLookAt(const std::string& path, const OpenOptions& options) {
  return options.fd >= 0 ? absl::StrCat("/proc/self/fd/", options.fd) : path;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Device>> Open(std::string_view spec, const OpenOptions& options) {
  const std::string path(spec);
  ZONAL_RETURN_IF_ERROR(CheckOptions(path, options));
  if (IsMemorySpec(spec)) return OpenMemory(path, options);  // each is a drive of its own
  return OpenShared(PathToLookAt(path, options), path, options, [&] {
    return IsEmulatedFile(PathToLookAt(path, options)) ? OpenDriveFile(path, options)
                                                       : OpenKernel(path, options);
  });
}

}  // namespace zonal
