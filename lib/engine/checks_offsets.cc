// SPDX-License-Identifier: MIT
// Checks of where operations go: distributions, windows, runs.
#include <string>

#include "core/status_macros.h"
#include "engine/checks.h"

namespace zonal::engine {
namespace {

using Kind = RandomDistribution::Kind;

std::string Number(std::uint64_t value) { return std::to_string(value); }

absl::Status Wrong(const Workload& workload, const std::string& what) {
  return absl::InvalidArgumentError(workload.name + ": " + what);
}

absl::Status CheckShares(const Workload& workload, const RandomDistribution& asked,
                         std::uint64_t range_bytes) {
  const bool in_bytes = asked.kind == Kind::kZonesAbsolute;
  const std::string option =
      std::string("random_distribution=") + (in_bytes ? "zoned_abs: " : "zoned: ");
  std::uint64_t access = 0, size = 0;
  for (const RandomDistribution::Share& share : asked.shares) {
    access += share.access_percent;
    if (in_bytes && share.access_percent != 0 && size >= range_bytes) {
      return Wrong(workload, option + "a part begins at " + Number(size) +
                                 ", behind the end of the range of " + Number(range_bytes) +
                                 " bytes");
    }
    size += share.size;
  }
  if (access != 100) {
    return Wrong(workload, option + "the shares of the operations add up to " + Number(access) +
                               " percent, not to 100");
  }
  if (in_bytes || size == 100) return absl::OkStatus();
  return Wrong(workload, option + "the parts of the range add up to " + Number(size) +
                             " percent, not to 100");
}

absl::Status CheckDistribution(const Workload& workload, const RandomDistribution& asked,
                               std::uint64_t range_bytes) {
  if (asked.center && !(*asked.center >= 0 && *asked.center <= 1)) {
    return Wrong(workload, "random_distribution: its center is a fraction of the range, 0 to 1");
  }
  switch (asked.kind) {
    case Kind::kUniform:
      return absl::OkStatus();
    case Kind::kZipf:
      if (asked.parameter > 0) return absl::OkStatus();
      return Wrong(workload, "random_distribution=zipf: theta must be above 0");
    case Kind::kPareto:
      if (asked.parameter > 0 && asked.parameter < 1) return absl::OkStatus();
      return Wrong(workload, "random_distribution=pareto: its input must be between 0 and 1");
    case Kind::kNormal:
      if (asked.parameter > 0 && asked.parameter <= 100) return absl::OkStatus();
      return Wrong(workload,
                   "random_distribution=normal: the deviation is a percentage above 0, to 100");
    case Kind::kZones:
    case Kind::kZonesAbsolute:
      return CheckShares(workload, asked, range_bytes);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckDistributions(const Workload& workload, std::uint64_t range_bytes) {
  for (std::size_t i = 0; i < workload.distribution.size(); ++i) {
    ZONAL_RETURN_IF_ERROR(CheckDistribution(workload, workload.distribution[i], range_bytes));
    if (workload.random_percent[i] > 100) {
      return Wrong(workload, "percentage_random=" + Number(workload.random_percent[i]) +
                                 ": 0 to 100 is accepted");
    }
  }
  if (workload.run_length == 0) {
    return Wrong(workload, "a run of 0 operations: at least 1 is accepted");
  }
  const bool by_zones = workload.zone_mode == ZoneMode::kZbd;
  if (by_zones && (workload.sequential_skip != 0 ||
                   (workload.repeats_offset && workload.pattern == Pattern::kSequential))) {
    return Wrong(workload,
                 "a stream that skips or repeats offsets is not possible with --zonemode=zbd: "
                 "writes go to write pointers");
  }
  return absl::OkStatus();
}

absl::Status CheckWindows(const Workload& workload, const DeviceInfo& info,
                          std::uint64_t zone_skip) {
  if (!info.direct_io && !info.is_emulated) return absl::OkStatus();
  struct Row {
    const char* option;
    std::uint64_t bytes;
  };
  const std::uint64_t unit = info.geometry.block_size;
  for (const Row& row : {Row{"zonesize", workload.zone_size}, Row{"zonerange", workload.zone_range},
                         Row{"zoneskip", zone_skip}}) {
    if (row.bytes % unit == 0) continue;
    return Wrong(workload, std::string(row.option) + "=" + Number(row.bytes) + " on " + info.spec +
                               ": not a multiple of its block of " + Number(unit) + " bytes");
  }
  return absl::OkStatus();
}

}  // namespace zonal::engine
