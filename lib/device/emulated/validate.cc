// SPDX-License-Identifier: MIT
// Which drives can be.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/status_macros.h"
#include "core/units.h"
#include "device/emulated/options.h"
#include "device/emulated/zone_word.h"
#include "zonal/emulated.h"

namespace zonal {
namespace {

absl::Status Bad(const std::string& message) { return absl::InvalidArgumentError(message); }

std::string Bytes(std::uint64_t bytes) { return core::FormatBytes(bytes); }

absl::Status CheckUnits(const EmulatedOptions& o) {
  if (!std::has_single_bit(o.block) || o.block < 512 || o.block > 65536) {
    return Bad("block=" + std::to_string(o.block) + ": a power of two from 512 to 65536");
  }
  if (o.write_granularity % o.block != 0) {
    return Bad("write_granularity=" + Bytes(o.write_granularity) + ": a multiple of the block, " +
               Bytes(o.block));
  }
  return absl::OkStatus();
}

absl::Status CheckZoneLength(const char* key, std::uint64_t bytes, const EmulatedOptions& o) {
  if (bytes != 0 && bytes % o.write_granularity == 0) return absl::OkStatus();
  return Bad(std::string(key) + "=" + Bytes(bytes) + ": a multiple of " +
             (o.write_granularity == o.block ? "the block, " : "the write granularity, ") +
             Bytes(o.write_granularity));
}

absl::Status CheckZones(const EmulatedOptions& o) {
  if (o.zones == 0) return Bad("zones=0: at least one");
  if (o.zones > kMaxEmulatedZones) {
    return Bad("zones=" + std::to_string(o.zones) + ": at most " +
               std::to_string(kMaxEmulatedZones));
  }
  ZONAL_RETURN_IF_ERROR(CheckZoneLength("zone_size", o.zone_size, o));
  ZONAL_RETURN_IF_ERROR(CheckZoneLength("zone_capacity", o.zone_capacity, o));
  ZONAL_RETURN_IF_ERROR(CheckZoneLength("last_zone_size", o.last_zone_size, o));
  if (o.zone_capacity > o.zone_size) {
    return Bad("zone_capacity=" + Bytes(o.zone_capacity) +
               " exceeds zone_size=" + Bytes(o.zone_size));
  }
  if (o.dialect == Dialect::kZbc && o.zone_capacity != o.zone_size) {
    return Bad("zone_capacity: zbc zones are writable to their end; leave it out");
  }
  if (o.last_zone_size > o.zone_size) {
    return Bad("last_zone_size=" + Bytes(o.last_zone_size) +
               " exceeds zone_size=" + Bytes(o.zone_size));
  }
  if (o.conventional > o.zones) {
    return Bad("conventional=" + std::to_string(o.conventional) +
               " exceeds zones=" + std::to_string(o.zones));
  }
  if (o.zone_size / o.block > emulated::ZoneWord::kMaxBlocks) {
    return Bad("zone_size=" + Bytes(o.zone_size) + ": at most 2^40 - 1 blocks");
  }
  if (o.zone_size > (std::uint64_t{INT64_MAX}) / o.zones) {
    return Bad("zones=" + std::to_string(o.zones) + " of " + Bytes(o.zone_size) +
               ": at most 8 EiB in all");
  }
  return absl::OkStatus();
}

absl::Status CheckLimits(const EmulatedOptions& o) {
  if (o.max_open.is_unknown() || o.max_active.is_unknown()) {
    return Bad("max_open, max_active: a number or unlimited");
  }
  if (o.max_open.count() == 0u) return Bad("max_open=0: at least 1, or unlimited");
  if (o.max_active.count() == 0u) return Bad("max_active=0: at least 1, or unlimited");
  if (o.max_active.has_count() && o.max_open.count_or(UINT32_MAX) > *o.max_active.count()) {
    return Bad("max_open exceeds max_active=" + std::to_string(*o.max_active.count()) +
               ": an open zone is active");
  }
  if (o.max_append != 0 && o.max_append < o.write_granularity) {
    return Bad("max_append=" + Bytes(o.max_append) + ": 0, or at least " +
               Bytes(o.write_granularity));
  }
  return absl::OkStatus();
}

absl::Status CheckZoneList(const char* key, const std::vector<std::uint32_t>& list,
                           std::uint32_t zones) {
  for (const std::uint32_t zone : list) {
    if (zone >= zones) {
      return Bad(std::string(key) + ": zone " + std::to_string(zone) + " of " +
                 std::to_string(zones));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDeadZones(const EmulatedOptions& o) {
  ZONAL_RETURN_IF_ERROR(CheckZoneList("read_only", o.read_only_zones, o.zones));
  ZONAL_RETURN_IF_ERROR(CheckZoneList("offline", o.offline_zones, o.zones));
  std::vector<std::uint32_t> offline = o.offline_zones;
  std::sort(offline.begin(), offline.end());
  for (const std::uint32_t zone : o.read_only_zones) {
    if (std::binary_search(offline.begin(), offline.end(), zone)) {
      return Bad("zone " + std::to_string(zone) + " is in read_only and in offline");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Validate(const EmulatedOptions& options) {
  const EmulatedOptions o = emulated::WithDefaults(options);
  ZONAL_RETURN_IF_ERROR(CheckUnits(o));
  ZONAL_RETURN_IF_ERROR(CheckZones(o));
  ZONAL_RETURN_IF_ERROR(CheckLimits(o));
  return CheckDeadZones(o);
}

}  // namespace zonal
