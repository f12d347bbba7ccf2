// SPDX-License-Identifier: MIT
// The way from a worker to its device: decides where the next block goes and
// prepares it. PlainPath: any offset, no zone rules. ZonedPath: write pointers,
// ownership, limits. Belongs to the worker's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "zonal/io_queue.h"
#include "zonal/run.h"
#include "zonal/zone_queue.h"

namespace zonal::engine {

enum class SlotUse : std::uint8_t {
  kRead,
  kWrite,
  kTrim,
  kReset,
  kFinish,
  kFlush,
  kRewrite,
  kReadBack,
};

// Data I/O, and no operation on the way to it.
constexpr bool IsIo(SlotUse use) noexcept { return use <= SlotUse::kTrim; }
constexpr Direction DirectionOf(SlotUse use) noexcept { return static_cast<Direction>(use); }

constexpr const char* NameOf(Direction direction) noexcept {
  switch (direction) {
    case Direction::kRead:
      return "read";
    case Direction::kWrite:
      return "write";
    case Direction::kTrim:
      return "trim";
  }
  return "";
}

// One place of the queue depth.
struct Slot {
  SlotUse use = SlotUse::kRead;
  ZoneId zone;
  std::uint64_t offset = 0;  // of an I/O: where it goes
  std::uint64_t bytes = 0;
  // A read: the zone was reset between looking at its pointer and being admitted,
  // so what comes back may never have been written.
  bool stale = false;
  Instant drawn_at;
  Instant due_at;  // of an I/O with a rate
  void* buffer = nullptr;
  // Of a verifying worker's I/O: which write, in which life of the zone. Of a read
  // that is not one back: the manager's epoch of the zone.
  std::uint64_t sequence = 0;
  std::uint32_t epoch = 0;
  bool stamped = false;       // a write, stamped and in flight
  bool reading = false;       // a read of data, in flight
  bool unverifiable = false;  // written to the same place as another in flight
};

// The answer to "prepare one".
struct Draw {
  enum class Kind : std::uint8_t {
    kPrepared,         // the slot is filled: an I/O or a zone operation
    kWait,             // `wait` says for what
    kRetryLater,       // a reader met zones being reset; no one will wake it
    kPassOver,         // a sequential stream is at the end of its range
    kNothingReadable,  // no block of the range holds data now
    kNothingWritable,  // no zone of the range can be written, whatever happens
    kRefused,          // `errc`: the request is impossible
    kVerifyFirst,      // `wait.zone` is to be reset, and holds blocks not yet verified
  };
  Kind kind = Kind::kPrepared;
  Errc errc = Errc::kOk;
  WaitKey wait;

  static Draw Of(Kind kind) noexcept { return {kind, Errc::kOk, {}}; }
  static Draw Wait(const Admission& refusal) noexcept {
    return {Kind::kWait, refusal.errc, refusal.wait};
  }
  static Draw WaitForOwnIo() noexcept {
    return {Kind::kWait, Errc::kZoneBusy, {WaitKey::Kind::kOwnIo, {}}};
  }
  static Draw VerifyFirst(ZoneId zone) noexcept {
    return {Kind::kVerifyFirst, Errc::kOk, {WaitKey::Kind::kNone, zone}};
  }
  static Draw Refused(Errc errc) noexcept { return {Kind::kRefused, errc, {}}; }
};

class Path {
 public:
  virtual ~Path() = default;

  // Once before the Prepare calls that one Poll will submit.
  virtual void BeginBatch() noexcept = 0;
  // `bytes` are wanted; slot.bytes says how many it became. `id` comes back as
  // the completion's user_data. A write may turn into the reset or finish that
  // has to come first.
  virtual Draw PrepareRead(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept = 0;
  virtual Draw PrepareWrite(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept = 0;
  // Trims a block: in zone mode a whole zone, by resetting it.
  virtual Draw PrepareTrim(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept = 0;
  // A write at `offset`, or in zone mode at the write pointer of its zone. kPassOver:
  // the zone has no room.
  virtual Draw PrepareWriteAt(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                              std::uint32_t id) noexcept = 0;
  // Writes a failed write again, from the zone's write pointer on, if that lies in it.
  // kPassOver: it lies behind. kRefused: before it, so that this would leave a gap.
  virtual Draw PrepareRewrite(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                              std::uint32_t id) noexcept = 0;
  // A write in this zone failed and will be written again: nobody else is to go on in
  // the zone before that, as far as this can be had.
  virtual void KeepForRewrites(ZoneId zone) noexcept = 0;
  // All of a zone's writes have been written again, or are given up.
  virtual void EndRewrites(ZoneId zone) noexcept = 0;
  // Reads one block that was written, for verification.
  virtual Draw PrepareReadBack(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                               std::uint32_t id) noexcept = 0;
  // Makes durable what completed before.
  virtual Draw PrepareFlush(Slot& slot, std::uint32_t id) noexcept = 0;
  // True once a sequential stream met what others wrote on its way: its pass then
  // was not all its own, and it goes by bytes.
  virtual bool met_others() const noexcept { return false; }
  // A sequential stream begins its range again.
  virtual void StartPass(Direction direction) noexcept = 0;

  // Submits what is prepared, then as ZoneQueue::Poll.
  virtual std::size_t Poll(std::span<ZoneCompletion> out, std::size_t min,
                           nanoseconds wait) noexcept = 0;
  // Tells the path what became of its slot.
  virtual void Completed(const Slot& slot, const ZoneCompletion& completion) noexcept = 0;
  virtual bool Park(WaitKey key) noexcept = 0;
  // Prepared or submitted, and not completed.
  virtual std::uint32_t in_flight() const noexcept = 0;
  virtual IoQueue& io_queue() noexcept = 0;
  // All the places of the queue depth, so that a reset can wait for reads of its zone.
  virtual void WatchSlots(std::span<const Slot> slots) noexcept = 0;
  // From now on buffers are parts of the queue's registered buffer 0.
  virtual void UseRegisteredBuffer() noexcept = 0;
};

}  // namespace zonal::engine
