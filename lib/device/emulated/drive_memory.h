// SPDX-License-Identifier: MIT
// What an emulated drive stands on and does not own the making of: the table
// of landed zone words, counters and gauges, the store of bytes, and hooks. A
// drive in memory gets anonymous tables; a drive in a file gets mapped ones, so
// that they survive a killed process and other processes read them live.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "device/emulated/options.h"
#include "device/emulated/store.h"
#include "device/emulated/zone_words.h"
#include "zonal/device.h"
#include "zonal/emulated.h"
#include "zonal/zone.h"

namespace zonal::emulated {

// Counters of one queue. Written by one thread at a time with plain loads and
// stores (relaxed), read by anybody: no counter is shared per I/O. All zeros is
// a fresh slot. The order of the fields is part of the file's format.
struct alignas(64) CounterSlot {
  std::atomic<std::uint64_t> reads, bytes_read, writes, bytes_written, appends, rule_violations,
      flushes, resets, finishes, opens, closes, implicit_closes;
  std::atomic<std::uint64_t> unused[4];
};
static_assert(sizeof(CounterSlot) == 128);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// Slot 0 belongs to the Device (its Manage calls, under the drive's mutex); each
// queue takes one of the others for its lifetime and leaves its sums there for
// the next queue to add to. So this is one more than the most queues at once.
inline constexpr std::size_t kCounterSlots = 256;

// How many zones hold slots. Written under the drive's mutex.
struct alignas(64) DriveGauges {
  std::atomic<std::uint32_t> open_now, active_now, open_high_water, active_high_water;
  std::atomic<std::uint32_t> unused[12];
};
static_assert(sizeof(DriveGauges) == 64);

// What a persistent drive must do at certain moments.
class DriveHooks {
 public:
  virtual ~DriveHooks() = default;
  // The zone is about to leave Empty for a condition in which it is written
  // (implicitly or explicitly open, or full by a write). Called under the drive's
  // mutex: it must not wait for a sync.
  virtual void ZoneLeavesEmpty(ZoneId zone) noexcept = 0;
  // Whether a zone that left Empty must be prepared before its first byte goes to
  // the store; fixed.
  virtual bool prepares_zones() const noexcept = 0;
  // Whatever durable record says the zone's pointer was higher must be gone when
  // this returns, because the bytes below that pointer are overwritten next. Every
  // first write after a reset passes here. Called by the queues' Poll, without the
  // mutex, by several threads at once; may block. An errno, 0 for success; on
  // failure the write fails as a media error.
  virtual int PrepareZone(ZoneId zone) noexcept = 0;
  // Everything landed before the call, bytes and words, survives what the
  // drive's durability promises. Called without the mutex, by any thread, by
  // several at once; called for IoOp::kFlush, Device::Flush, and writes with fua.
  virtual absl::Status Flush() = 0;
};

// Destroyed from the last member to the first, after the drive used it last.
struct DriveMemory {
  // Owner of the mappings below, where they need one.
  std::shared_ptr<void> mappings;
  // One ZoneWord per zone (zone_word.h): the state whose bytes are in the store.
  // Stored after the bytes of a write, and before the completion of anything.
  // The words of conventional zones stay 0 unless read-only or offline.
  ZoneWords landed;
  std::span<CounterSlot> counters;  // kCounterSlots of them
  DriveGauges* gauges = nullptr;
  std::unique_ptr<Store> store;
  std::unique_ptr<DriveHooks> hooks;  // null: Flush is Store::Sync
};

// Anonymous tables with the read-only and offline zones of `options` set; the
// store follows options.data.
absl::StatusOr<DriveMemory> NewAnonymousMemory(const EmulatedOptions& options);
// The same tables over a store of the caller's.
absl::StatusOr<DriveMemory> NewAnonymousMemory(const EmulatedOptions& options,
                                               std::unique_ptr<Store> store);

// How a drive presents itself.
struct DriveIdentity {
  std::string spec;
  std::string backend = "emulated";
  std::string identity;  // uuid or path; may be empty
  // No command changes anything: the tables may be mapped read-only and belong
  // to a writer in another process.
  bool read_only = false;
};

// The drive. Unless read-only, the landed words are taken through a power cycle
// first: open zones become closed, or empty when nothing was written; gauges
// restart, counters go on. `clock` must outlive it. On destruction, with all
// queues gone, the store is told of zones that are empty (Store::Forget), then
// `memory` is destroyed.
absl::StatusOr<std::unique_ptr<Device>> NewDrive(const EmulatedOptions& options,
                                                 DriveIdentity identity, DriveMemory memory,
                                                 const Clock& clock);

}  // namespace zonal::emulated
