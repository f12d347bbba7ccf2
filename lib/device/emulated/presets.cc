// SPDX-License-Identifier: MIT
// Named geometries. Geometry and limits only: what a drive of that name is like
// to software, not how fast it is.
#include <string>

#include "absl/status/status.h"
#include "zonal/emulated.h"

namespace zonal {
namespace {

EmulatedOptions Zbc() {
  EmulatedOptions o;
  o.dialect = Dialect::kZbc;
  o.block = 512;
  o.max_open = Limit::Of(128);
  o.max_active = Limit::Unlimited();
  o.max_append = 0;
  o.read_past_write_pointer_fails = true;
  return o;
}

// A 15 TB host-managed disk: 256 MiB zones, the first 524 conventional.
EmulatedOptions Smr15Tb() {
  EmulatedOptions o = Zbc();
  o.zones = 55880;
  o.zone_size = 256ull << 20;
  o.conventional = 524;
  return o;
}

// A disk of the same kind that a test fills in a moment.
EmulatedOptions SmrSmall() {
  EmulatedOptions o = Zbc();
  o.zones = 64;
  o.zone_size = 16ull << 20;
  o.conventional = 8;
  o.max_open = Limit::Of(8);
  return o;
}

// Capacity below the size, as flash has it.
EmulatedOptions ZnsSmall() {
  EmulatedOptions o;
  o.zones = 64;
  o.zone_size = 64ull << 20;
  o.zone_capacity = 48ull << 20;
  return o;
}

// The geometry of a 1 TB ZNS drive as published with "Performance
// Characterization of NVMe Flash Devices with Zoned Namespaces" (CLUSTER 2023).
EmulatedOptions Zn540() {
  EmulatedOptions o;
  o.zones = 904;
  o.zone_size = 2048ull << 20;
  o.zone_capacity = 1077ull << 20;
  return o;
}

struct Preset {
  std::string_view name;
  EmulatedOptions (*make)();
};
constexpr Preset kPresets[] = {
    {"smr-15tb", Smr15Tb}, {"smr-small", SmrSmall}, {"zn540", Zn540}, {"zns-small", ZnsSmall}};

}  // namespace

absl::StatusOr<EmulatedOptions> EmulatedPreset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) return preset.make();
  }
  std::string message = "no preset '" + std::string(name) + "'; there are";
  for (const Preset& preset : kPresets) message += " " + std::string(preset.name);
  return absl::NotFoundError(message);
}

std::vector<std::string_view> EmulatedPresetNames() {
  std::vector<std::string_view> names;
  for (const Preset& preset : kPresets) names.push_back(preset.name);
  return names;
}

}  // namespace zonal
