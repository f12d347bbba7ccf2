// SPDX-License-Identifier: MIT
// Runs workloads on devices and returns what happened. Two drivers: threads,
// one per worker; and a simulation that runs all workers on the calling thread
// in a seeded order and reruns to the byte. The library installs no signal
// handler and prints nothing: stopping and progress go through RunControl.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "zonal/device.h"
#include "zonal/errc.h"
#include "zonal/histogram.h"
#include "zonal/rate_samples.h"
#include "zonal/workload.h"

namespace zonal {

enum class DriverKind : std::uint8_t { kThreads, kSimulation };

struct RunPlan {
  std::vector<Workload> workers;
  DriverKind driver = DriverKind::kThreads;
  std::uint64_t seed = 1;  // order of the simulation; run id of stamped blocks
  bool keep_latencies = true;
};

// Everything that takes time besides plain data I/O, each on its own.
enum class OpClass : std::uint8_t {
  kReset,
  kFinish,
  kOpen,
  kClose,
  kReport,
  kWaitSlot,
  kWaitZone,
  kAppend,
  kFlush
};
inline constexpr int kOpClasses = 9;
std::string_view ToString(OpClass op) noexcept;

struct DirectionResult {
  std::uint64_t ios = 0;  // done, short ones included
  // Sent: also those that failed. A read that was retried counts once.
  std::uint64_t issued_ios = 0;
  std::uint64_t bytes = 0;
  std::uint64_t short_ios = 0;
  std::uint64_t dropped_ios = 0;
  nanoseconds runtime{0};  // from the worker's first request on; 0 if nothing moved
  Histogram submission;    // slat: empty for synchronous queues
  Histogram completion;    // clat
  Histogram total;         // lat
  // Of a direction with a rate: from when each operation was due, whenever it was
  // sent; empty otherwise.
  Histogram from_due;
  RateSamples bandwidth_kib;  // KiB/s
  RateSamples iops;
};

// Why a worker ended. Everything but kDone means less was done than asked, or
// something failed; `detail` in the result is a sentence for people.
enum class EndReason : std::uint8_t {
  kDone,            // did what was asked, or its time was up
  kInterrupted,     // RunControl::Stop()
  kIoError,         // an I/O failed: `error`
  kNoReadableData,  // nothing in the range has been written
  kNoWritableZone,  // no zone can be written and none ever will be
  kLessRoom,        // a stream came to its end with less written than its zones hold:
                    // some were partly written before, or cannot be written
  kVerifyMismatch,
  kCommandFailed,  // command_before or command_after did not end with status 0
  kTooSlow,        // below Pace::least_*, or an operation took longer than max_latency
  kEndedByError,   // of another worker (ErrorPolicy::ends_all)
  kTargetMissed,   // not even depth 1 meets latency_target
};
std::string_view ToString(EndReason reason) noexcept;

// What verification found (Workload::verify).
struct VerifyResult {
  std::uint64_t blocks = 0;      // judged
  std::uint64_t mismatches = 0;  // of them
  // Written and never judged: their zone was reset by another, or they were written
  // short or twice at the same time.
  std::uint64_t dropped = 0;
  std::vector<std::string> messages;  // of the first mismatches
  // Of a reader without a state: the runs whose blocks it found right, the first 8.
  // More than one is a mix, and no mismatch.
  struct Run {
    std::uint64_t run_id = 0;
    std::uint64_t blocks = 0;
    std::uint64_t first_offset = 0;
  };
  std::vector<Run> runs;
  std::uint64_t mixed_zones = 0;  // write-pointer zones that hold blocks of two runs
};

struct WorkerResult {
  std::string name;
  std::uint32_t group = 0;
  std::array<DirectionResult, kDirections> directions;
  std::array<Histogram, kOpClasses> operations;
  bool counts_zone_resets = false;  // a zbd-mode worker that writes or trims
  std::uint64_t zone_resets = 0;
  std::uint64_t zone_finishes = 0;
  std::uint64_t stale_reads = 0;  // retried: the zone was reset under them
  std::uint64_t io_errors = 0;
  // recover_write_errors: zones whose lost writes were written again, or could not
  // be; and a line for people for the first of each.
  std::uint64_t recovered_zones = 0, failed_recoveries = 0;
  std::vector<std::string> recoveries;
  std::uint64_t zones_touched = 0;  // distinct zones written or read
  VerifyResult verify;

  bool running = false;  // not ended yet: totals so far, and `reason` says nothing
  EndReason reason = EndReason::kDone;
  IoResult first_error;  // of `io_errors`, survived ones included
  // The first failed I/O that was not survived. With kNoWritableZone: kTooManyActive
  // where active zones leave none, which a write would have been told by the drive.
  IoResult error;
  std::string error_op;  // "write", "reset", ...
  std::string detail;    // names zone, write pointer, condition, and what to do

  // How often that many requests were in flight when one was submitted (itself
  // included): index i counts [2^i .. 2^(i+1)-1], index 6 counts 64 and more,
  // index 7 stays 0 (fio's "IO depths").
  std::array<std::uint64_t, 8> depth_levels{};
  // How many were submitted, or completed, at once: index i counts
  // [2^(i-1)+1 .. 2^i], index 0 counts 1, index 7 counts 65 and more.
  std::array<std::uint64_t, 8> submit_batches{};
  std::array<std::uint64_t, 8> complete_batches{};
  std::uint32_t depth_asked = 1;
  std::uint32_t depth_found = 0;  // by latency_target; 0: none was sought
  // Writes in flight per zone in force, and why; 0: any.
  std::uint32_t write_depth_per_zone = 0;
  std::string write_depth_reason;

  nanoseconds started_after{0};  // from the run's start
  nanoseconds runtime{0};
  nanoseconds user_cpu{0}, system_cpu{0};
  std::uint64_t context_switches = 0, major_faults = 0, minor_faults = 0;
  std::int64_t thread_id = 0;
};

// What the block layer counted for a device during the run, by anybody
// (/sys/dev/block/*/stat). Sectors are 512 bytes; times are milliseconds.
struct DiskUse {
  std::uint64_t read_ios = 0, read_merges = 0, read_sectors = 0, read_ms = 0;
  std::uint64_t write_ios = 0, write_merges = 0, write_sectors = 0, write_ms = 0;
  std::uint64_t busy_ms = 0;      // with at least one request in it
  std::uint64_t in_queue_ms = 0;  // added over requests
  friend bool operator==(const DiskUse&, const DiskUse&) = default;
};

// What the run saw of a device.
struct TargetResult {
  DeviceInfo info;
  std::string spec;   // as the workloads name it; info.spec: as the device does
  std::string queue;  // IoQueue::name()
  Limit write_targets = Limit::Unlimited();  // the limit in force on zones written at once
  std::optional<DiskUse> disk;               // where the kernel counts
  std::optional<DriveCounters> drive;        // where the drive counts itself; see Between
};

struct RunResult {
  std::vector<WorkerResult> workers;  // in plan order
  std::vector<TargetResult> targets;
  std::vector<std::string> notices;  // "rounded up offset from A to B": one line each
  std::uint64_t seed = 0;
  bool simulated = false;
  nanoseconds wall{0};
};

struct WorkerProgress {
  // fio's letters: P not started, R W M D running (read write mixed trim; small: random),
  // F, _ ended.
  char state = 'P';
  std::uint64_t bytes_done = 0, bytes_planned = 0;
  std::array<std::uint64_t, kDirections> bytes{};
  std::array<std::uint64_t, kDirections> ios{};
};

// Shared between the caller's threads and a running Run().
class RunControl {
 public:
  // Any thread, and safe in a signal handler: sets a flag that every worker sees
  // at its next step.
  void Stop() noexcept { stop_.store(true, std::memory_order_relaxed); }
  bool stopped() const noexcept { return stop_.load(std::memory_order_relaxed); }
  // Called by Run() about every `progress_interval` from one thread of its own
  // (only if set; threads driver only).
  std::function<void(const std::vector<WorkerProgress>&, nanoseconds elapsed)> on_progress;
  nanoseconds progress_interval{std::chrono::milliseconds(500)};
  // Runs a worker's command_before or command_after and returns its exit status;
  // not 0 fails the worker. Without it such a plan is refused. Called by the
  // worker's thread (simulation: by the caller's).
  std::function<int(const std::string& command, const Workload& workload)> on_command;
  // Called by Run() every `status_interval` with the totals so far, if both are set;
  // threads driver only, from one thread of its own. A worker that does not answer
  // within a second (its device does not) is there with what it said last.
  std::function<void(const RunResult& so_far)> on_status;
  nanoseconds status_interval{0};
  // Called once, after everything was checked and before the first I/O.
  std::function<void(const RunResult& so_far)> on_start;

 private:
  std::atomic<bool> stop_{false};
};

// Opens the devices, checks the plan against them, runs. A Status means that
// nothing was sent to any device; what went wrong later is in the result.
// `devices`, if given, resolves targets instead of Open() (tests, embedding).
using DeviceResolver =
    std::function<absl::StatusOr<std::shared_ptr<Device>>(const Workload& workload)>;
absl::StatusOr<RunResult> Run(const RunPlan& plan, RunControl& control,
                              const DeviceResolver& devices = nullptr);

}  // namespace zonal
