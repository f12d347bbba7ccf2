// SPDX-License-Identifier: MIT
// Traps of libzbd 2.0: zbd_open() stores into a table of 1024 entries by
// descriptor without looking; a limit is 0 for "none or unknown" and -1 for
// "unknown" in an unsigned field; a descriptor opened elsewhere is not taken.
#include <fcntl.h>
#include <libzbd/zbd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/file_descriptor.h"
#include "core/status_macros.h"
#include "zonal/errc.h"
#include "zonal/libzbd.h"

namespace zonal {
namespace {

constexpr int kLibzbdDescriptors = 1024;

absl::Status Failed(const std::string& path, const char* what) {
  const int error = errno;
  return MakeStatus(FromErrno(error),
                    absl::StrCat(path, ": libzbd: ", what, " fails: ", std::strerror(error)));
}

class ZbdDevice {
 public:
  ~ZbdDevice() {
    if (fd_ >= 0) zbd_close(fd_);
  }
  absl::Status Open(const std::string& path);
  int fd() const noexcept { return fd_; }
  const zbd_info& info() const noexcept { return info_; }

 private:
  int fd_ = -1;
  zbd_info info_{};
};

absl::Status ZbdDevice::Open(const std::string& path) {
  // The number libzbd's own open will get, unless another thread is faster.
  const core::FileDescriptor probe(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!probe.valid() || probe.get() + 1 >= kLibzbdDescriptors) {
    return absl::ResourceExhaustedError(
        absl::StrCat(path, ": libzbd takes descriptors below ", kLibzbdDescriptors, " only"));
  }
  const int zoned = zbd_device_is_zoned(path.c_str());
  if (zoned < 0) return Failed(path, "looking at the device");
  if (zoned == 0) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": libzbd: not a zoned block device"));
  }
  fd_ = zbd_open(path.c_str(), O_RDONLY, &info_);
  return fd_ >= 0 ? absl::OkStatus() : Failed(path, "open");
}

Limit LimitOf(unsigned int count) {
  return count == 0 || count == UINT32_MAX ? Limit::Unknown() : Limit::Of(count);
}

ZoneModel ModelOf(unsigned int model) {
  if (model == ZBD_DM_HOST_MANAGED) return ZoneModel::kHostManaged;
  return model == ZBD_DM_HOST_AWARE ? ZoneModel::kHostAware : ZoneModel::kNone;
}

Zone Convert(const zbd_zone& from) {
  Zone zone;
  zone.start = from.start;
  zone.size = from.len;
  zone.capacity = from.capacity;
  zone.write_pointer = from.wp;
  zone.type = static_cast<ZoneType>(from.type);
  zone.condition = static_cast<ZoneCondition>(from.cond);
  zone.attributes.reset_recommended = (from.flags & ZBD_ZONE_RWP_RECOMMENDED) != 0;
  zone.attributes.non_sequential_resources = (from.flags & ZBD_ZONE_NON_SEQ_RESOURCES) != 0;
  return zone;
}

}  // namespace

absl::StatusOr<DeviceInfo> InfoWithLibzbd(const std::string& path) {
  ZbdDevice device;
  ZONAL_RETURN_IF_ERROR(device.Open(path));
  const zbd_info& from = device.info();
  DeviceInfo info;
  info.spec = path;
  info.backend = "zoned block device";
  info.identity.assign(from.vendor_id, ::strnlen(from.vendor_id, sizeof from.vendor_id));
  info.model = ModelOf(from.model);
  info.geometry.size_bytes = from.nr_sectors * 512;
  info.geometry.zone_size = from.zone_size;
  info.geometry.zone_count = from.nr_zones;
  info.geometry.block_size = from.lblock_size;
  info.max_open = LimitOf(from.max_nr_open_zones);
  info.max_active = LimitOf(from.max_nr_active_zones);
  info.read_only = true;
  return info;
}

absl::StatusOr<std::vector<Zone>> ReportWithLibzbd(const std::string& path) {
  ZbdDevice device;
  ZONAL_RETURN_IF_ERROR(device.Open(path));
  std::vector<zbd_zone> raw(device.info().nr_zones);
  unsigned int count = device.info().nr_zones;
  if (zbd_report_zones(device.fd(), 0, 0, ZBD_RO_ALL, raw.data(), &count) != 0) {
    return Failed(path, "report");
  }
  if (count != raw.size()) {
    return MakeStatus(Errc::kDeviceMisbehaved, absl::StrCat(path, ": libzbd: reports ", count,
                                                            " of ", raw.size(), " zones"));
  }
  std::vector<Zone> zones;
  zones.reserve(raw.size());
  for (const zbd_zone& zone : raw) zones.push_back(Convert(zone));
  return zones;
}

}  // namespace zonal
