// SPDX-License-Identifier: MIT
#include "device/kernel/describe.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/stat.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "device/kernel/zone_ioctl.h"
#include "zonal/errc.h"

namespace zonal::kernel {
namespace {

// Linux moves no more in one call (MAX_RW_COUNT). It sends as many commands as the
// device needs (queue/max_sectors_kb) for what one call moves.
constexpr std::uint64_t kMostPerCall = 0x7FFFF000;

// What direct I/O to a plain file must be aligned to. Kernels before 6.1 do not
// say; the preferred block is always enough. glibc's own struct lacks the field.
std::uint32_t DirectAlignment(int fd, const struct stat& status) {
#ifdef STATX_DIOALIGN
  struct ::statx extended {};
  if (::syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &extended) == 0 &&
      (extended.stx_mask & STATX_DIOALIGN) != 0 && extended.stx_dio_offset_align != 0) {
    return extended.stx_dio_offset_align;
  }
#endif
  return static_cast<std::uint32_t>(status.st_blksize);
}

void DescribeFile(const OpenOptions& options, const OpenedFile& opened, DeviceInfo& info) {
  info.backend = "file";
  info.geometry.size_bytes = static_cast<std::uint64_t>(opened.status.st_size);
  info.geometry.block_size =
      options.direct ? DirectAlignment(opened.file.get(), opened.status) : 512;
  info.geometry.write_granularity = info.geometry.block_size;
}

absl::Status DescribeZones(const BlockFacts& facts, const Ioctl& ioctl, DeviceInfo& info) {
  absl::StatusOr<ZoneShape> shape = ReadZoneShape(ioctl);
  if (!shape.ok())
    return absl::Status(shape.status().code(),
                        absl::StrCat(info.spec, ": ", shape.status().message()));
  if (shape->zone_size == 0 || shape->zone_count == 0 ||
      (facts.zone_size != 0 && facts.zone_size != shape->zone_size) ||
      (facts.zone_count != 0 && facts.zone_count != shape->zone_count)) {
    return MakeStatus(
        Errc::kDeviceMisbehaved,
        absl::StrCat(info.spec, ": sysfs has ", facts.zone_count, " zones of ", facts.zone_size,
                     " bytes, the driver ", shape->zone_count, " of ", shape->zone_size));
  }
  info.geometry.zone_size = shape->zone_size;
  info.geometry.zone_count = shape->zone_count;
  info.max_open = facts.max_open;
  info.max_active = facts.max_active;
  return absl::OkStatus();
}

absl::Status DescribeBlockDevice(const BlockFacts& facts, const OpenedFile& opened,
                                 const Ioctl& ioctl, DeviceInfo& info) {
  const bool zoned = facts.model != ZoneModel::kNone && !facts.is_partition;
  info.backend = zoned ? "zoned block device" : "block device";
  info.identity = facts.identity;
  info.model = zoned ? facts.model : ZoneModel::kNone;
  info.rotational = facts.rotational;
  info.scheduler = facts.scheduler;
  info.block_device_number = opened.status.st_rdev;
  if (int error = ioctl(BLKGETSIZE64, &info.geometry.size_bytes); error != 0) {
    return MakeStatus(FromErrno(-error),
                      absl::StrCat(info.spec, ": asking for the device's size fails"));
  }
  info.geometry.block_size = facts.block_size;
  info.geometry.write_granularity = facts.write_granularity;
  info.geometry.max_transfer = kMostPerCall;
  return zoned ? DescribeZones(facts, ioctl, info) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<DeviceInfo> Describe(const Environment& environment, const std::string& path,
                                    const OpenOptions& options, const OpenedFile& opened,
                                    const Ioctl& ioctl) {
  DeviceInfo info;
  info.spec = path;
  info.read_only = options.access == Access::kReadOnly;
  info.direct_io = options.direct;
  info.kernel = environment.kernel_release;
  if (opened.facts) {
    ZONAL_RETURN_IF_ERROR(DescribeBlockDevice(*opened.facts, opened, ioctl, info));
  } else {
    DescribeFile(options, opened, info);
  }
  return info;
}

std::string WhyNotZoned(const std::string& path, const std::optional<BlockFacts>& facts) {
  if (!facts) return absl::StrCat(path, ": a plain file has no zones; lay zones over it");
  if (facts->host_aware_unseen) {
    return absl::StrCat(path,
                        ": is a host-aware SMR disk, which Linux 6.8 and later treat as an "
                        "ordinary disk: its zones can be seen with an older kernel only");
  }
  return absl::StrCat(path,
                      ": is not a zoned block device (queue/zoned in sysfs says none); "
                      "a host-aware disk looks so on Linux 6.8 and later");
}

}  // namespace zonal::kernel
