// SPDX-License-Identifier: MIT
// What one worker does: a plain value. Everything in bytes and nanoseconds.
// Built by hand or from fio options (zonal/fio.h); run by zonal/run.h, which
// checks it against the device and refuses what does not fit.
// Lists by direction are indexed by Direction: reads, writes, trims.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "zonal/clock.h"
#include "zonal/device.h"

namespace zonal {

enum class Direction : std::uint8_t { kRead, kWrite, kTrim };
inline constexpr int kDirections = 3;
template <typename T>
using PerDirection = std::array<T, kDirections>;

enum class Pattern : std::uint8_t { kSequential, kRandom };
// kStrided: work inside one window of `zone_range` bytes until `zone_size` bytes
// are moved there, then go to the next, `zone_skip` bytes behind its end.
enum class ZoneMode : std::uint8_t { kNone, kStrided, kZbd };

// Bytes per operation of one direction.
struct BlockSize {
  struct Share {
    std::uint64_t bytes = 0;
    std::uint32_t percent = 0;  // of the operations
    friend bool operator==(const Share&, const Share&) = default;
  };
  // Uniform over the multiples of `min` from `min` to `max`.
  std::uint64_t min = 4096;
  std::uint64_t max = 4096;
  // If not empty: these sizes and no others; percents sum to 100, and `min` and
  // `max` are the least and the largest of them.
  std::vector<Share> shares;

  BlockSize() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number of bytes is a block size
  BlockSize(std::uint64_t fixed) : min(fixed), max(fixed) {}
  BlockSize(std::uint64_t least, std::uint64_t most) : min(least), max(most) {}
  bool is_fixed() const noexcept { return min == max; }
  friend bool operator==(const BlockSize&, const BlockSize&) = default;
};

// Where random operations of one direction go.
struct RandomDistribution {
  enum class Kind : std::uint8_t {
    kUniform,
    kZipf,           // `parameter`: theta
    kPareto,         // `parameter`: power, 0..1
    kNormal,         // `parameter`: standard deviation in percent of the range
    kZones,          // `shares`: parts of the range, sized in percent of it
    kZonesAbsolute,  // `shares`: parts of the range, sized in bytes
  };
  struct Share {
    std::uint32_t access_percent = 0;  // sum to 100
    std::uint64_t size = 0;            // percent or bytes; percents sum to 100
    friend bool operator==(const Share&, const Share&) = default;
  };
  Kind kind = Kind::kUniform;
  double parameter = 0;
  std::optional<double> center;  // of zipf, pareto, normal: 0..1 of the range
  std::vector<Share> shares;
  friend bool operator==(const RandomDistribution&, const RandomDistribution&) = default;
};

// How fast, where less than possible is wanted. Zeros: no limit.
struct Pace {
  PerDirection<std::uint64_t> bytes_per_second{};
  PerDirection<std::uint64_t> ios_per_second{};
  // The worker fails when it falls below one of these.
  PerDirection<std::uint64_t> least_bytes_per_second{};
  PerDirection<std::uint64_t> least_ios_per_second{};
  nanoseconds least_window{1'000'000'000};  // over which `least_*` is taken
  bool poisson = false;                     // gaps are exponential, not equal
  bool ignore_think_time = false;           // else what stalls cost is caught up

  nanoseconds think_time{0};       // stall between operations
  nanoseconds think_spin{0};       // of it, this long busily
  std::uint32_t think_blocks = 1;  // operations between two stalls
  bool think_after_issue = false;  // count operations issued, not completed
  nanoseconds think_io_time{0};    // or: stall whenever this long was worked

  // Among workers of one `flow_id` with a weight, operations are in proportion to
  // the weights. 0: takes no part.
  std::uint32_t flow = 0;
  std::uint32_t flow_id = 0;
  nanoseconds flow_sleep{0};  // when ahead; 0: give way without sleeping

  // Depth is sought between 1 and `depth` such that `latency_percentile` percent of
  // the operations of a window take at most `latency_target`.
  nanoseconds latency_target{0};
  nanoseconds latency_window{0};
  double latency_percentile = 100;
  bool latency_run = false;    // go on, searching; else end when the depth is found
  nanoseconds max_latency{0};  // an operation above it fails the worker
  friend bool operator==(const Pace&, const Pace&) = default;
};

// How many requests travel together. Zeros: as many as there are.
struct Batching {
  std::uint32_t submit = 0;  // at most this many at once; 0: all the depth allows
  std::uint32_t complete_min = 1;
  std::uint32_t complete_max = 0;
  std::uint32_t low_depth = 0;  // a full queue is refilled when down to it; 0: always
  friend bool operator==(const Batching&, const Batching&) = default;
};

// Which failed operations a worker survives: where it is to go on, those with an
// errno of the list, or, with an empty list, EIO and EILSEQ. A survived operation
// counts as issued. Resets and finishes that failed are never survived.
struct ErrorPolicy {
  PerDirection<bool> go_on{};               // reads, writes, trims that failed
  bool go_on_after_mismatch = false;        // of verification
  std::array<std::vector<int>, 3> ignored;  // of reads, writes and trims, verification
  bool ends_all = false;                    // an error here ends every worker
  friend bool operator==(const ErrorPolicy&, const ErrorPolicy&) = default;
};

// When a worker runs, in relation to others. Indices are into RunPlan::workers.
struct Schedule {
  nanoseconds start_delay{0};
  // Starts when all of these have ended (stonewall, wait_for).
  std::vector<std::uint32_t> after;
  bool ends_all = false;        // when it is done, every other worker is ended
  bool ends_its_group = false;  // the same for workers of its `stage`
  std::uint32_t stage = 0;      // workers between two stonewalls
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// What is in the buffers of writes.
struct DataFill {
  enum class Kind : std::uint8_t {
    kRandom,    // one random pattern for all blocks
    kRefill,    // fresh random bytes for each block
    kScramble,  // the one pattern, with a few words changed for each block
    kZeros,
    kPattern,  // `pattern`, repeated
  };
  Kind kind = Kind::kRandom;
  std::vector<std::byte> pattern;
  std::uint32_t compress_percent = 0;  // of each chunk, that compresses away
  std::uint32_t compress_chunk = 512;  // bytes
  std::uint32_t dedupe_percent = 0;    // of the blocks, that repeat an earlier one
  friend bool operator==(const DataFill&, const DataFill&) = default;
};

// Verification: blocks carry a header and are read back.
enum class Checksum : std::uint8_t {
  kNone,     // no verification
  kPattern,  // `pattern` alone, without a header
  kHeaderOnly,
  kCrc32c,
  kCrc32,
  kCrc64,
  kXxhash,
  kMd5,
  kSha1,
  kSha256,
  kSha512,
};
struct Verify {
  Checksum checksum = Checksum::kNone;
  bool reads_back = true;      // a writer reads its blocks back after each pass
  bool only = false;           // nothing is written: read back what the same job wrote
  bool own_run = false;        // to a reader, blocks of runs with another seed are mismatches
  std::uint32_t interval = 0;  // bytes under one header; 0: the block size
  std::uint32_t offset = 0;    // of the header inside its interval
  std::vector<std::byte> pattern;
  bool pattern_has_offset = false;  // `%o` in the pattern: the block's offset goes there
  std::uint32_t pattern_offset_at = 0;
  std::uint64_t backlog = 0;        // read back whenever so many blocks are written; 0: at the end
  std::uint32_t backlog_batch = 0;  // so many of them; 0: all
  bool fatal = false;               // end at the first mismatch, else at the end of the run
  bool dump = false;                // write expected and received block to files
  std::string state_save;           // file for run id, seed and what was written; empty: none
  std::string state_load;
  bool enabled() const noexcept { return checksum != Checksum::kNone; }
  friend bool operator==(const Verify&, const Verify&) = default;
};

// Series over time, written while the run goes on. Empty names: none.
struct TimeLogs {
  std::string bandwidth, latency, iops, histogram;  // file names, without suffix
  nanoseconds average_over{0};                      // 0: a line for each operation
  nanoseconds histogram_every{0};
  bool with_offsets = false;
  bool per_worker = true;
  bool highest = false;  // of each interval the highest value, not the mean
  friend bool operator==(const TimeLogs&, const TimeLogs&) = default;
};

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
  bool trims = false;  // of a write-pointer zone: resets, one zone each
  // `writes` and `trims`: each block is trimmed, then written (trimwrite).
  // Of a workload that reads and writes (or trims), how many operations in a
  // hundred are reads.
  std::uint32_t read_percent = 50;
  BlockSize read_block, write_block, trim_block;
  bool unaligned_blocks = false;  // sizes between min and max may be any number of bytes
  // Random offsets are multiples of it; 0: of the least block size.
  PerDirection<std::uint64_t> block_align{};
  PerDirection<RandomDistribution> distribution;
  PerDirection<std::uint32_t> random_percent{100, 100, 100};  // the others go on sequentially
  // Operations at consecutive offsets before a random workload draws anew; for a
  // sequential one, how often in a row each offset is used if `repeats_offset`.
  std::uint32_t run_length = 1;
  bool repeats_offset = false;
  std::int64_t sequential_skip = 0;  // bytes added to the offset after each sequential operation

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
  // Added to the offset, `clone` times.
  std::uint64_t offset_increment = 0;
  std::optional<RelativeExtent> relative_offset_increment;
  std::uint64_t most_operations = 0;  // end after so many I/Os; 0: no limit
  std::uint32_t loops = 1;            // go through all of it so often
  bool fills_device = false;          // write until there is no room
  // A regular file that does not exist is created with offset + size bytes, unless
  // `may_create` is off.
  bool may_create = true;

  std::uint32_t depth = 1;
  // A synchronous queue of a kernel device runs at depth 1 whatever `depth` is; an
  // emulated drive has a queue of its own and takes any depth.
  QueueKind queue = QueueKind::kDefault;
  bool queue_chosen = true;  // false: a front end's default, of which no notice is worth a line
  bool direct = false;
  // A random workload without it visits every block of the range once a pass.
  bool may_repeat_blocks = false;
  Batching batching;
  Pace pace;
  ErrorPolicy errors;
  Schedule schedule;
  DataFill fill;
  Verify verify;
  TimeLogs logs;
  // A flush after every so many writes (0: never), and at the end.
  std::uint32_t flush_every = 0;
  bool flush_at_end = false;
  bool forced_writes = false;  // each write is durable when it completes (O_DSYNC, FUA)
  // CPUs the worker may run on (empty: any), and its scheduling.
  std::vector<std::uint32_t> cpus;
  int nice = 0;
  // Shell commands before the first and after the last operation; run by the
  // caller's hook (RunControl::on_command), never by the library.
  std::string command_before, command_after;
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
  bool ignore_device_limits = false;  // max_open_zones may exceed the device's own
  bool read_beyond_write_pointer = false;
  // A tail of a zone too small for a block is written short, not finished.
  bool write_zone_remainder = false;
  // Writes are zone appends: the worker picks the zone, the device the place in it.
  // kZbd only, on devices with max_append, whose other writers append, too.
  bool appends = false;
  // After a failed write: wait for the zone's others, then write the lost tail again.
  bool recover_write_errors = false;
  // kStrided: the window's length (0: zone_size). kStrided and sequential kZbd: bytes
  // skipped behind each window or zone; `relative_zone_skip` counts zones.
  std::uint64_t zone_range = 0;
  std::uint64_t zone_skip = 0;
  std::optional<RelativeExtent> relative_zone_skip;
  // Reset before a write: once `threshold` (0..1) of the range holds data, every
  // (1 / frequency)-th write first resets the zone it goes to. Both or neither.
  std::optional<double> zone_reset_threshold;
  std::optional<double> zone_reset_frequency;

  std::uint64_t seed = 1;  // of this worker; every choice derives from it

  friend bool operator==(const Workload&, const Workload&) = default;
};

}  // namespace zonal
