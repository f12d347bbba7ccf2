// SPDX-License-Identifier: MIT
#include "device_view.h"

#include <algorithm>
#include <vector>

#include "core/units.h"
#include "zonal/libzbd.h"
#include "zonal/open.h"

namespace zonal::cli {
namespace {

bool IsKernelZoned(const DeviceInfo& info) {
  return !info.is_emulated && info.block_device_number != 0 && info.model != ZoneModel::kNone;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Device>> OpenToLook(std::string_view spec) {
  OpenOptions options;
  options.access = Access::kReadOnly;
  absl::StatusOr<std::shared_ptr<Device>> device = Open(spec, options);
  if (device.ok() && !(*device)->info().geometry.is_zoned()) {
    return absl::FailedPreconditionError(std::string(spec) + " has no zones (it is a " +
                                         (*device)->info().backend +
                                         "); `zonal create` makes an emulated drive");
  }
  return device;
}

std::string Headline(const DeviceInfo& info) {
  return std::string(ToString(info.model)) + ", " + std::to_string(info.geometry.zone_count) +
         " zones of " + core::FormatBytes(info.geometry.zone_size);
}

DeviceInfo Facts(const Device& device) {
  DeviceInfo info = device.info();
  if (!IsKernelZoned(info)) return info;
  const absl::StatusOr<DeviceInfo> said = InfoWithLibzbd(info.spec);
  if (!said.ok()) return info;
  info.model = said->model;
  info.identity = said->identity;
  info.geometry.size_bytes = said->geometry.size_bytes;
  info.geometry.zone_size = said->geometry.zone_size;
  info.geometry.zone_count = said->geometry.zone_count;
  info.geometry.block_size = said->geometry.block_size;
  return info;
}

absl::Status ForEachZone(Device& device, ZoneId first, std::uint32_t count,
                         const std::function<void(ZoneId, std::span<const Zone>)>& see) {
  if (IsKernelZoned(device.info())) {
    const absl::StatusOr<std::vector<Zone>> all = ReportWithLibzbd(device.info().spec);
    if (all.ok() && all->size() >= std::uint64_t{first.value()} + count) {
      see(first, std::span<const Zone>(*all).subspan(first.value(), count));
      return absl::OkStatus();
    }
    if (!all.ok() && !absl::IsUnimplemented(all.status())) return all.status();
  }
  constexpr std::uint32_t kChunk = 4096;
  std::vector<Zone> zones(std::min(kChunk, count));
  for (std::uint32_t done = 0; done < count;) {
    const std::size_t wanted = std::min(kChunk, count - done);
    const ZoneId at(first.value() + done);
    const absl::StatusOr<std::size_t> got = device.Report(at, std::span(zones).first(wanted));
    if (!got.ok()) return got.status();
    see(at, std::span<const Zone>(zones).first(*got));
    if (*got < wanted) break;
    done += static_cast<std::uint32_t>(*got);
  }
  return absl::OkStatus();
}

}  // namespace zonal::cli
