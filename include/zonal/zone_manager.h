// SPDX-License-Identifier: MIT
// The zone manager: what this process knows of a device's zones, who may write
// them, and how many may be open. Thread-safe. It never resets, finishes or
// closes a zone by itself, holds no lock across a device call, and shares
// nothing between queues per I/O. I/O goes through ZoneQueue (zone_queue.h).
//
// Ownership: one queue at a time writes a zone, so the order inside the zone is
// the order inside that queue. Taking a zone is one compare-exchange.
// Two pointers: `reserved` (admitted to be written) and `committed` (completed,
// up to the first gap; may be read). Only a completed reset or a report from the
// device lowers them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "zonal/device.h"
#include "zonal/errc.h"
#include "zonal/zone.h"

namespace zonal {

struct ManagerOptions {
  // Stay below these, besides the device's own limits.
  Limit max_open = Limit::Unlimited();
  Limit max_active = Limit::Unlimited();
  // The target set: how many zones may be written at once by all queues together;
  // 0: no such set. Each queue claims at most ceil(write_targets / writers).
  std::uint32_t write_targets = 0;
  std::uint32_t writers = 1;
  // A queue yields a zone that another one wants after this many I/Os or this
  // long, whichever comes first.
  std::uint32_t quantum_ios = 64;
  nanoseconds quantum_time{std::chrono::microseconds(100)};
  const Clock* clock = nullptr;  // nullptr: MonotonicClock(); must outlive the manager
};

// What to wait for after a refusal; pass it to ZoneQueue::Park.
struct WaitKey {
  enum class Kind : std::uint8_t {
    kNone,     // retry at once, or never: waiting does not help
    kOwnIo,    // this queue's own completions: just Poll
    kZone,     // the zone's owner
    kReset,    // the end of the zone's reset: for readers
    kSlot,     // an open or active slot of the device
    kTargets,  // a place in the target set
  };
  Kind kind = Kind::kNone;
  ZoneId zone;
};

// The answer to a request for admission.
struct Admission {
  Errc errc = Errc::kOk;
  WaitKey wait;              // for kZoneBusy, kZoneSuspect, kNoSlot
  std::uint64_t offset = 0;  // admitted: where the bytes will land (append: the zone's start)
  std::uint64_t bytes = 0;   // admitted: how many
  bool ok() const noexcept { return errc == Errc::kOk; }
};

// How many slots are taken and allowed; both counts from one atomic reading.
struct LimitUse {
  std::uint32_t open = 0, active = 0;
  Limit max_open = Limit::Unknown(), max_active = Limit::Unknown();
};

// What became of an extent that was in flight when its zone went wrong, and
// other things an application should hear of.
struct ZoneEvent {
  enum class Kind : std::uint8_t {
    kKept,         // completed, below the pointer the device reports
    kLost,         // at or above it, whatever its completion said
    kUnknown,      // failed, yet below it
    kResynced,     // write_pointer is adopted; the zone takes writes again
    kLimitDesync,  // the device says "too many open/active" though our count says not
    kMisbehaved,   // the device broke its contract; `detail`
  };
  Kind kind = Kind::kResynced;
  ZoneId zone;
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t write_pointer = 0;
  IoResult result;  // of the failed I/O, where there is one
};

class ZoneManager {
 public:
  // Reads the report of the whole device: foreign explicitly open zones take
  // open slots; implicitly open ones do not (the drive closes them on demand)
  // unless the drive is known not to; every open or closed zone takes an active
  // slot. `device` must have zones.
  static absl::StatusOr<std::unique_ptr<ZoneManager>> Create(std::shared_ptr<Device> device,
                                                             const ManagerOptions& options);
  // All queues must be gone: checked.
  virtual ~ZoneManager() = default;
  ZoneManager(const ZoneManager&) = delete;
  ZoneManager& operator=(const ZoneManager&) = delete;

  virtual Device& device() noexcept = 0;
  virtual const Geometry& geometry() const noexcept = 0;

  // What is known of a zone now; asks no device. condition kImplicitOpen for
  // every zone we opened by writing.
  virtual Zone Get(ZoneId zone) const noexcept = 0;
  // Cheap parts of Get(). Bytes from the zone's start.
  virtual ZoneType TypeOf(ZoneId zone) const noexcept = 0;
  virtual ZoneCondition ConditionOf(ZoneId zone) const noexcept = 0;
  virtual std::uint64_t CapacityOf(ZoneId zone) const noexcept = 0;
  virtual std::uint64_t CommittedOf(ZoneId zone) const noexcept = 0;
  virtual std::uint64_t ReservedOf(ZoneId zone) const noexcept = 0;
  virtual std::uint32_t EpochOf(ZoneId zone) const noexcept = 0;  // odd: being reset

  virtual LimitUse Limits() const noexcept = 0;
  // If no slot is left: which zones hold them that this process did not write,
  // and the command that frees them. Empty if none do.
  virtual std::string ExplainForeignZones() const = 0;

  // Puts every zone of the range that is open (or closed, when the device has an
  // active limit) into the target set, as fio does at start. ResourceExhausted
  // names the count and the limit if they do not fit; then nothing was added.
  virtual absl::Status SeedTargets(ZoneRange range) = 0;
  // The zones of the target set, in no order.
  virtual std::vector<ZoneId> TargetZones() const = 0;

  // Reads zones from the device again and adopts what it says; zones owned by a
  // queue are left alone and counted in the result.
  virtual absl::StatusOr<std::uint32_t> Refresh(ZoneRange range) = 0;

  // Takes out the oldest events; returns how many. Events beyond the bound are
  // dropped and counted.
  virtual std::size_t DrainEvents(std::span<ZoneEvent> out) = 0;
  virtual std::uint64_t events_dropped() const noexcept = 0;

  // Zones whose owner holds them wanted by another and has not polled for so long.
  struct StalledOwner {
    ZoneId zone;
    std::uint32_t queue_id;
    nanoseconds since_poll;
  };
  virtual std::vector<StalledOwner> StalledOwners(nanoseconds older_than) const = 0;

 protected:
  ZoneManager() = default;
};

}  // namespace zonal
