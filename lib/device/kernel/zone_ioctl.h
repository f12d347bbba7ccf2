// SPDX-License-Identifier: MIT
// Zones through the block layer's ioctls. The only place where 512-byte sectors
// exist. Thread-safe: no state but the geometry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "device/kernel/environment.h"
#include "zonal/device.h"
#include "zonal/geometry.h"
#include "zonal/zone.h"

namespace zonal::kernel {

// 512 bytes, whatever the logical block is.
class Sector {
 public:
  static constexpr std::uint64_t kBytes = 512;
  constexpr explicit Sector(std::uint64_t value) noexcept : value_(value) {}
  // Exact, or nullopt.
  static constexpr std::optional<Sector> FromBytes(std::uint64_t bytes) noexcept {
    if (bytes % kBytes != 0) return std::nullopt;
    return Sector(bytes / kBytes);
  }
  constexpr std::optional<std::uint64_t> ToBytes() const noexcept {
    if (value_ > UINT64_MAX / kBytes) return std::nullopt;
    return value_ * kBytes;
  }
  constexpr std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_;
};

struct ZoneShape {
  std::uint64_t zone_size = 0;
  std::uint32_t zone_count = 0;
};
// Asks for the size and the number of zones; both 0 on a device without zones.
absl::StatusOr<ZoneShape> ReadZoneShape(const Ioctl& ioctl);

class ZoneIoctls {
 public:
  // The most one report asks for: 256 KiB of answer.
  static constexpr std::size_t kZonesPerReport = 4096;

  ZoneIoctls(Ioctl ioctl, const Geometry& geometry, std::string device)
      : ioctl_(std::move(ioctl)), geometry_(geometry), device_(std::move(device)) {}

  // As Device::Report and Device::Manage. An answer that does not fit the
  // geometry, or ends early, is kDeviceMisbehaved. The kernel has no timeout for
  // these calls: `timeout` is looked at between zones.
  absl::StatusOr<std::size_t> Report(ZoneId first, std::span<Zone> out) const;
  absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) const;
  // Reset only: the kernel turns a range over everything into one command.
  absl::StatusOr<ManageResult> ManageAll(ZoneOp op) const;

 private:
  absl::StatusOr<std::size_t> ReportChunk(ZoneId first, std::span<Zone> out) const;
  // 0 or -errno.
  int Operate(unsigned long request, std::uint64_t start, std::uint64_t bytes) const;

  Ioctl ioctl_;
  Geometry geometry_;
  std::string device_;
};

}  // namespace zonal::kernel
