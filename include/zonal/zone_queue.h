// SPDX-License-Identifier: MIT
// I/O to a device under its zone manager: ZoneQueue joins one IoQueue with the
// manager's admission. Belongs to one thread (Wake: any). No allocation per I/O.
//
// Prepare requests with Write, Append, Read, WriteAt, Manage; Submit() hands the
// batch over; Poll() returns what ended. A refusal (kZoneBusy, kNoSlot,
// kZoneSuspect) carries a wait key: Park() it and sleep in Poll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "zonal/io_queue.h"
#include "zonal/service.h"
#include "zonal/zone_manager.h"

namespace zonal {

// One place of the device's queue is kept for the report of a suspect zone.
inline constexpr std::uint32_t kMaxZoneQueueDepth = kMaxQueueDepth - 1;

struct ZoneQueueOptions {
  QueueOptions queue;  // its depth is 1..kMaxZoneQueueDepth
  // For devices without native zone management; must outlive the queue. Null:
  // Manage() on such a device blocks inside Submit() and Poll().
  Service* service = nullptr;
};

struct WriteOptions {
  std::uint64_t min_bytes = 0;  // refuse (kZoneFull) if less than this is left; 0: all of it
  bool fua = false;
  // Keep the zone after the last write completed, until somebody wants it;
  // otherwise it is given back as soon as nothing is in flight.
  bool keep = false;
  std::int16_t registered_buffer = -1;
};

struct ZoneCompletion {
  std::uint64_t user_data = 0;
  IoOp op = IoOp::kRead;
  ZoneOp zone_op = ZoneOp::kReset;
  ZoneId zone;
  IoResult result;
  Instant submitted_at;  // never later than the true start
  Instant completed_at;  // never earlier than the true end
};

class ZoneQueue {
 public:
  // `manager` must outlive it.
  static absl::StatusOr<std::unique_ptr<ZoneQueue>> Create(ZoneManager& manager,
                                                           const ZoneQueueOptions& options);
  // Drains what is in flight, gives back every zone and claim. If io_queue() was
  // closed before, writes whose completions it dropped are told of as events:
  // kUnknown below the pointer the device reports, kLost at or above it.
  virtual ~ZoneQueue() = default;

  virtual std::uint32_t id() const noexcept = 0;
  virtual IoQueue& io_queue() noexcept = 0;
  virtual std::uint32_t depth() const noexcept = 0;
  // Prepared or submitted and not yet returned by Poll.
  virtual std::uint32_t in_flight() const noexcept = 0;
  bool full() const noexcept { return in_flight() >= depth(); }

  // A write at the zone's write pointer of up to `bytes`: cut at the capacity
  // and the transfer limit, and down to the write granularity. Takes ownership
  // and, for a zone that is not open, its slots. Errors: kZoneBusy (wait), kNoSlot
  // (wait), kZoneSuspect (wait), kZoneFull (less than min_bytes is left),
  // kZoneReadOnly, kZoneOffline, kBadZoneType, kTooLarge (min_bytes exceeds the
  // transfer limit). A full queue is kZoneBusy with kOwnIo: Poll first.
  virtual Admission Write(ZoneId zone, void* buffer, std::uint64_t bytes, std::uint64_t user_data,
                          const WriteOptions& options) noexcept = 0;
  // The completion says where it landed. Many queues may append to one zone.
  virtual Admission Append(ZoneId zone, void* buffer, std::uint64_t bytes,
                           std::uint64_t user_data) noexcept = 0;
  // A write to conventional zones, or to a device without rules, anywhere.
  virtual Admission WriteAt(std::uint64_t offset, void* buffer, std::uint64_t bytes,
                            std::uint64_t user_data, const WriteOptions& options) noexcept = 0;
  // Any bytes of one zone. kZoneBusy while the zone is being reset. The
  // completion is kStaleEpoch if the zone was reset meanwhile.
  virtual Admission Read(std::uint64_t offset, void* buffer, std::uint64_t bytes,
                         std::uint64_t user_data, std::int16_t registered_buffer = -1) noexcept = 0;
  // Operates on one zone: waits by itself for its owner to drain and give it
  // back; the completion comes with `user_data`. kReset ends with the pointers
  // at the start; it is refused (kZoneOffline, kZoneReadOnly) without a command.
  // After kClose of a zone nothing was written to (empty on some devices, closed
  // and active on others) the device is asked, by the next Polls, and until then
  // the zone is kZoneSuspect.
  virtual Admission Manage(ZoneId zone, ZoneOp op, std::uint64_t user_data) noexcept = 0;
  // Durable: every write completed before.
  virtual Admission Flush(std::uint64_t user_data) noexcept = 0;

  // Hands over what is prepared, with one clock reading for all of it; returns
  // how many. What the queue has no room for stays prepared.
  virtual std::size_t Submit() noexcept = 0;
  // As IoQueue::Poll (Submit is called first). Also yields wanted zones, moves
  // waiting Manage requests on and recovers suspect zones, so it must be called
  // again and again, with room in `out`, as long as the queue owns or wants zones.
  virtual std::size_t Poll(std::span<ZoneCompletion> out, std::size_t min,
                           nanoseconds wait) noexcept = 0;
  // Asks for a wake-up when what `key` names may be had. False: it may be had
  // now, retry instead of sleeping. A parked queue must Poll before it sleeps on
  // anything else. Wake-ups may be spurious.
  virtual bool Park(WaitKey key) noexcept = 0;
  virtual void Wake() noexcept = 0;

  // Ownership without end: until Release. Takes the zone's slots now. Issues no
  // command. A lease is never yielded; others get kZoneBusy. Of a zone in which a
  // write of this queue has just failed the lease holds at once, before whoever waits
  // for the zone, although the answer is kZoneSuspect (wait, ask again) until its
  // pointer is known.
  virtual Admission Acquire(ZoneId zone) noexcept = 0;
  // The same for any zone of the range that has `min_bytes` left, empty ones
  // first-fit from `range.first`; kNoFreeZone (nothing fits), kNoSlot, kZoneBusy
  // say why not. The zone is ZoneOf(offset) of the admission.
  virtual Admission AcquireAny(ZoneRange range, std::uint64_t min_bytes) noexcept = 0;
  // Gives a lease or a kept zone back, at once or when its writes are done.
  virtual void Release(ZoneId zone) noexcept = 0;

  // Target set. Zones this queue has claimed: it alone writes them.
  virtual std::span<const ZoneId> Targets() const noexcept = 0;
  // How many it may claim at most; `cap` 0: the manager's share.
  virtual void SetTargetCap(std::uint32_t cap) noexcept = 0;
  // Makes the zone a target of this queue. kOk also if it is one already.
  // kNoSlot with kOwnIo: this queue has its share. It writes its Targets(); the
  // completion that fills one, a reset of one or Release ends a claim. With nothing
  // in flight there is nothing to wait for: write or Release one first.
  // kNoSlot with kTargets: the set is full. ClaimUnclaimed one of it, or Park and
  // try both again. kZoneBusy, kZoneFull, ...: as Write. Without a target set: just
  // takes the zone (keep).
  virtual Admission ClaimTarget(ZoneId zone) noexcept = 0;
  // Claims a zone of the set that nobody has claimed and that lies in `range`.
  virtual std::optional<ZoneId> ClaimUnclaimed(ZoneRange range) noexcept = 0;
  // Gives all claims back; their zones stay in the set until full or reset.
  virtual void ReleaseTargets() noexcept = 0;
};

}  // namespace zonal
