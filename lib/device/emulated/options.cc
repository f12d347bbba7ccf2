// SPDX-License-Identifier: MIT
#include "device/emulated/options.h"

namespace zonal::emulated {

EmulatedOptions WithDefaults(EmulatedOptions options) {
  if (options.zone_capacity == 0) options.zone_capacity = options.zone_size;
  if (options.last_zone_size == 0) options.last_zone_size = options.zone_size;
  if (options.write_granularity == 0) options.write_granularity = options.block;
  if (options.dialect == Dialect::kZbc) {
    options.max_active = Limit::Unlimited();
    options.max_append = 0;
  }
  return options;
}

core::Rules RulesOf(const EmulatedOptions& options) noexcept {
  core::Rules rules;
  rules.dialect = options.dialect;
  rules.block = options.block;
  rules.write_granularity =
      options.write_granularity == 0 ? options.block : options.write_granularity;
  const bool zns = options.dialect == Dialect::kZns;
  rules.max_append = zns ? options.max_append : 0;
  rules.max_open = options.max_open;
  rules.max_active = zns ? options.max_active : Limit::Unlimited();
  rules.auto_close = options.auto_close;
  rules.read_past_write_pointer_fails = options.read_past_write_pointer_fails;
  return rules;
}

Geometry GeometryOf(const EmulatedOptions& options) noexcept {
  const core::Rules rules = RulesOf(options);
  Geometry geometry;
  geometry.size_bytes = DriveBytes(options);
  geometry.zone_size = options.zone_size;
  geometry.zone_count = options.zones;
  geometry.block_size = rules.block;
  geometry.write_granularity = rules.write_granularity;
  geometry.max_append = rules.max_append;
  return geometry;
}

std::uint64_t DriveBytes(const EmulatedOptions& options) noexcept {
  if (options.zones == 0) return 0;
  const std::uint64_t last =
      options.last_zone_size == 0 ? options.zone_size : options.last_zone_size;
  return options.zone_size * (options.zones - 1) + last;
}

}  // namespace zonal::emulated
