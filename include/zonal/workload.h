// SPDX-License-Identifier: MIT
// What one worker does: a plain value. Everything in bytes and nanoseconds.
// Built by hand or from fio options (zonal/fio.h); run by zonal/run.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "zonal/clock.h"
#include "zonal/device.h"

namespace zonal {

enum class Pattern : std::uint8_t { kSequential, kRandom };
enum class ZoneMode : std::uint8_t { kNone, kZbd };

// A position or length whose bytes are known only once the device is:
// `size=2z`, `offset=10%`.
enum class ExtentUnit : std::uint8_t { kPercent, kZones };
struct RelativeExtent {
  std::uint64_t value = 0;  // percent: 0..100
  ExtentUnit unit = ExtentUnit::kPercent;
  friend bool operator==(const RelativeExtent&, const RelativeExtent&) = default;
};

struct Workload {
  std::string name = "workload";
  std::string target;       // a device spec (zonal/open.h)
  std::uint32_t group = 0;  // workers of one group are reported together on request
  std::uint32_t clone = 0;  // 0: the job itself; n: its n-th copy (numjobs)

  Pattern pattern = Pattern::kSequential;
  bool reads = false;
  bool writes = false;
  // Of a mixed workload's operations, how many in a hundred are reads.
  std::uint32_t read_percent = 50;
  std::uint64_t read_block = 4096;  // bytes per operation
  std::uint64_t write_block = 4096;

  // The address range; size 0: to the end of the device.
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  // Bytes to move; 0: as many as the range has. More than the range: go round
  // again (a sequential writer resets each zone it comes back to).
  std::uint64_t io_size = 0;
  // Where set, in place of the three above, and resolved when the device is known.
  // Zones: that many times the zone size (a device without zones: an error).
  // Percent: `offset` and `size` of the device's length, rounded down to the
  // larger block, `size` cut to what is left behind `offset`; `io_size` of the
  // resolved size. A created file must not be given in percent.
  std::optional<RelativeExtent> relative_offset;
  std::optional<RelativeExtent> relative_size;
  std::optional<RelativeExtent> relative_io_size;
  // A regular file that does not exist is created with offset + size bytes.

  std::uint32_t depth = 1;
  // A synchronous queue of a kernel device runs at depth 1 whatever `depth` is; an
  // emulated drive has a queue of its own and takes any depth.
  QueueKind queue = QueueKind::kDefault;
  bool queue_chosen = true;  // false: a front end's default, of which no notice is worth a line
  bool direct = false;
  // A random workload without it visits every block of the range once a pass.
  bool may_repeat_blocks = false;
  // Fill each block with (run seed, zone, offset, sequence) so that a reader can
  // tell it; otherwise buffers keep one random pattern.
  bool stamp_blocks = false;
  // Compare each read block with its stamp; a mismatch is an error.
  bool check_stamps = false;

  nanoseconds runtime{0};    // 0: no limit
  bool time_based = false;   // go round until `runtime` is over
  nanoseconds ramp_time{0};  // run, but count nothing, this long

  ZoneMode zone_mode = ZoneMode::kNone;
  std::uint64_t zone_size = 0;      // overlay on devices without zones; else must agree
  std::uint64_t zone_capacity = 0;  // overlay; 0: zone_size
  // Zones written at once: over all workers of the device, and by this worker.
  // 0: the device's own limit, or none.
  std::uint32_t max_open_zones = 0;
  std::uint32_t worker_max_open_zones = 0;
  bool read_beyond_write_pointer = false;
  // Reset before a write: once `threshold` (0..1) of the range holds data, every
  // (1 / frequency)-th write first resets the zone it goes to. Both or neither.
  std::optional<double> zone_reset_threshold;
  std::optional<double> zone_reset_frequency;

  std::uint64_t seed = 1;  // of this worker; every choice derives from it

  friend bool operator==(const Workload&, const Workload&) = default;
};

}  // namespace zonal
