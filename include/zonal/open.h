// SPDX-License-Identifier: MIT
// Opens a device by its spec: the one place that knows every backend.
//
// A spec is a path to a zoned block device (/dev/nvme0n1), a path to an
// emulated-drive file (recognised by its header), a path to a plain file or
// ordinary block device, or `emu,key=value,...` for an emulated drive in memory
// (keys: zonal/emulated.h). Commas and `=`, because `:` separates files on a
// fio command line.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "zonal/clock.h"
#include "zonal/device.h"

namespace zonal {

enum class Access : std::uint8_t { kReadOnly, kReadWrite };

// Zones laid by us over a device that has none: all empty at start, kept in
// memory only, no limits.
struct ZoneOverlay {
  std::uint64_t zone_size = 0;      // >= 512
  std::uint64_t zone_capacity = 0;  // 0: zone_size
};

struct OpenOptions {
  Access access = Access::kReadOnly;
  const Clock* clock = nullptr;  // nullptr: MonotonicClock(); must outlive the device
  bool direct = true;            // O_DIRECT; host-managed devices insist on it for writing
  // Nothing is opened for writing that is mounted, held or partitioned, unless
  // the caller insists.
  bool even_if_in_use = false;
  // Adopt this descriptor instead of opening the path; the device closes it.
  int fd = -1;
  // For plain files and ordinary block devices.
  std::optional<ZoneOverlay> overlay;
  // A plain file that does not exist is created with this length.
  std::uint64_t create_size = 0;
};

// NotFound, PermissionDenied (which permission), FailedPrecondition (in use,
// wrong scheduler, direct I/O mandatory, locked by another process),
// InvalidArgument (malformed spec or options). The message says what to do.
// Opens of one device in one process share one Device (key: st_rdev, or dev and
// inode): the second caller gets the first one's, as long as access and overlay
// agree; FailedPrecondition if they do not. While another thread is destroying the
// last reference to it, Open waits (a minute at most) and then opens it anew.
absl::StatusOr<std::shared_ptr<Device>> Open(std::string_view spec, const OpenOptions& options);

}  // namespace zonal
