// SPDX-License-Identifier: MIT
// Which addresses a worker works on and how much it moves: a Workload's offset,
// size and io_size, resolved against a device. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "zonal/geometry.h"
#include "zonal/workload.h"

namespace zonal::engine {

// [begin, end) in bytes, and how many bytes to move.
struct WorkRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t bytes_to_move = 0;
  // A sequential worker ends with the range, though less was moved: `io_size`
  // was not asked for.
  bool single_pass = true;

  std::uint64_t size() const noexcept { return end - begin; }
  friend bool operator==(const WorkRange&, const WorkRange&) = default;
};

// True for zones in which writes go to a write pointer.
using IsWritePointerZone = std::function<bool(ZoneId)>;

// Resolves relative extents, and, for a writer in zone mode whose range touches a
// write-pointer zone, rounds inward to whole zones; what it rounded is added to
// `notices`, each prefixed with the target. The device's end counts as a zone end,
// so that a short last zone can be written. A reader's range is taken as it is.
// InvalidArgument names the option and its value.
absl::StatusOr<WorkRange> ResolveRange(const Workload& workload, const Geometry& geometry,
                                       const IsWritePointerZone& is_write_pointer_zone,
                                       std::vector<std::string>& notices);

// zone_skip in bytes, or why not: in kZbd it counts whole zones of the device.
absl::StatusOr<std::uint64_t> ResolveZoneSkip(const Workload& workload, const Geometry& geometry);

}  // namespace zonal::engine
