// SPDX-License-Identifier: MIT
// A zoned device: report zones, manage them, open I/O queues.
// Thread-safe. Calls may block; the fast path is IoQueue. Zone rules are not
// checked here, so that a tester can send a drive whatever it likes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "zonal/geometry.h"
#include "zonal/io_queue.h"
#include "zonal/limit.h"
#include "zonal/zone.h"

namespace zonal {

enum class ZoneModel : std::uint8_t { kNone, kHostAware, kHostManaged };
std::string_view ToString(ZoneModel model) noexcept;

// Facts about a device; fixed for the lifetime of the Device.
struct DeviceInfo {
  std::string spec;      // as the user named it
  std::string backend;   // "emulated", "zoned block device", "block device", "file"
  std::string identity;  // model, serial or uuid, where known; may be empty
  ZoneModel model = ZoneModel::kNone;
  Geometry geometry;
  Limit max_open = Limit::Unknown();
  Limit max_active = Limit::Unknown();
  // The drive closes an implicitly open zone on demand when the open limit is
  // hit (every drive known does; only an emulated one can be told not to).
  bool closes_implicit_on_demand = true;
  bool read_only = false;
  bool direct_io = true;  // bypasses the page cache
  bool rotational = false;
  bool is_emulated = false;               // rules are executed by our own drive
  std::string kernel;                     // release of the running kernel, where it matters
  std::string scheduler;                  // block layer's, "" where there is none
  std::uint64_t block_device_number = 0;  // st_rdev; 0 where there is none
};

// What Manage did. Zones are operated on in ascending order and the first error
// ends the call.
struct ManageResult {
  std::uint32_t completed = 0;  // zones done before the first error
  IoResult first_error;         // kOk if there was none; offset is the zone's start
};

struct ZoneRange {
  ZoneId first;
  std::uint32_t count = 1;
  constexpr bool Contains(ZoneId zone) const noexcept {
    return zone >= first && zone.value() - first.value() < count;
  }
};

enum class QueueKind : std::uint8_t { kDefault, kIoUring, kLibaio, kSync };
std::string_view ToString(QueueKind kind) noexcept;

// The deepest queue any kind has. psync executes inside Submit, one at a time,
// and is 1 deep whatever was asked for; io_uring has 65536 completions, of which
// one may be its own wake-up; libaio is bounded by fs.aio-max-nr as well (65536
// for the whole host by default), and the queue is then refused with that reason.
inline constexpr std::uint32_t kMaxQueueDepth = 65535;

struct QueueOptions {
  QueueKind kind = QueueKind::kDefault;  // the emulated drive has one kind and ignores this
  std::uint32_t depth = 32;              // 1..kMaxQueueDepth
  const Clock* clock = nullptr;          // completed_at; nullptr: the device's own
};

// Counters a drive keeps about itself, where it does (the emulated drive).
struct DriveCounters {
  std::uint64_t reads = 0, bytes_read = 0;
  std::uint64_t writes = 0, bytes_written = 0;  // appends included
  std::uint64_t appends = 0;
  std::uint64_t resets = 0, finishes = 0, opens = 0, closes = 0;
  std::uint64_t flushes = 0;
  std::uint64_t rule_violations = 0;  // commands refused by a zone rule
  std::uint64_t implicit_closes = 0;  // zones the drive closed to make room
  std::uint32_t open_now = 0, active_now = 0;
  // Since the drive was last opened for writing.
  std::uint32_t open_high_water = 0, active_high_water = 0;
  friend bool operator==(const DriveCounters&, const DriveCounters&) = default;
};
// Name and value of each, in a fixed order: for reports.
struct NamedCounter {
  std::string_view name;
  std::uint64_t value = 0;
};
std::vector<NamedCounter> NamedCounters(const DriveCounters& counters);
// What was counted between two readings; what is no count (`now`, `high_water`) is
// that of the second.
DriveCounters Between(const DriveCounters& before, const DriveCounters& after) noexcept;

// Sends a raw command: an NVMe command or a SCSI CDB with its buffer. Nothing
// fixes or checks it on the way.
class RawPort {
 public:
  virtual ~RawPort() = default;
  // `command`: 64 bytes for NVMe, 6..32 for SCSI. Returns the raw status as an
  // IoResult (origin kNvme or kScsi; errc from the mapping table). `to_device`
  // says which way `data` moves.
  struct Command {
    std::span<const std::byte> command;
    std::span<std::byte> data;
    bool to_device = false;
    nanoseconds timeout{0};  // 0: the backend's default
  };
  virtual absl::StatusOr<IoResult> Send(const Command& command) = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceInfo& info() const noexcept = 0;  // fixed for the object's lifetime

  // Fills `out` with zones from `first` on, as they are now; returns how many:
  // out.size(), or fewer only where the device ends. OutOfRange if `first` is
  // past the last zone; Unimplemented if the device has no zones.
  virtual absl::StatusOr<std::size_t> Report(ZoneId first, std::span<Zone> out) = 0;

  // Operates on each zone of `range` in turn. An error of the device is in the
  // result; a Status means the call could not be made at all (OutOfRange,
  // Unimplemented, FailedPrecondition on a read-only Device). timeout 0: the
  // device's own.
  virtual absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) = 0;

  // The device's own "all zones" form of the operation (NVMe select-all, ZBC
  // ALL bit). Unimplemented where there is none: then call Manage on a range.
  virtual absl::StatusOr<ManageResult> ManageAll(ZoneOp op, nanoseconds timeout);

  // Durable: everything whose completion was returned before the call.
  virtual absl::Status Flush() = 0;

  virtual absl::StatusOr<std::unique_ptr<IoQueue>> NewQueue(const QueueOptions& options) = 0;

  // Null where the backend has no raw port.
  virtual RawPort* raw() noexcept { return nullptr; }

  // Unimplemented on devices that do not count.
  virtual absl::StatusOr<DriveCounters> Counters();
};

}  // namespace zonal
