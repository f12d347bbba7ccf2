// SPDX-License-Identifier: MIT
// The zones of an emulated drive and the stages that change them: admit and
// land. Two 64-bit words per zone: *admitted* is what commands are decided on,
// *landed* is what has its bytes in the store, what reports and reads see, and
// what survives a killed process. Thread-safe.
//
// A write inside an open zone takes no lock: one compare-exchange on the admitted
// word gives it its place, one on the landed word, in turn, makes it visible.
// Whatever changes a zone's condition does so under the one mutex.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/transition.h"
#include "device/emulated/drive_memory.h"
#include "device/emulated/implicit_order.h"
#include "device/emulated/lazy_mapping.h"
#include "device/emulated/zone_word.h"
#include "device/emulated/zone_words.h"
#include "zonal/geometry.h"
#include "zonal/zone.h"

namespace zonal::emulated {

// The place an admitted write has in its zone, in blocks.
struct Ticket {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t zone = 0;
  std::uint16_t epoch = 0;
};

enum class Landing : std::uint8_t {
  kLanded,  // the bytes count
  kNotYet,  // an earlier write of the zone has not landed: ask again
  kLost,    // its store write failed, or an earlier one's did: nothing counts
};

struct Admission {
  core::Outcome outcome;
  Ticket ticket;  // if the outcome is ok
};

struct ManageOutcome {
  core::Outcome outcome;
  bool not_yet = false;  // writes of the zone have not landed: ask again
};

class ZoneTable {
 public:
  // REQUIRES: `options` are valid and have their defaults; `memory` outlives it.
  ZoneTable(const EmulatedOptions& options, DriveMemory& memory);
  ZoneTable(const ZoneTable&) = delete;
  ZoneTable& operator=(const ZoneTable&) = delete;

  // Allocates the tables and takes the landed words through a power cycle;
  // read-only drives need neither.
  absl::Status PowerOn();

  const core::Rules& rules() const noexcept { return rules_; }
  const Geometry& geometry() const noexcept { return geometry_; }
  bool IsConventional(std::uint32_t zone) const noexcept { return zone < conventional_; }
  const core::ZoneFacts& FactsOf(std::uint32_t zone) const noexcept {
    if (zone + 1 == geometry_.zone_count) return last_facts_;
    return zone < conventional_ ? conventional_facts_ : sequential_facts_;
  }

  // Decides a data command against what has landed; for reads, and for writes
  // to conventional zones, which have no pointer to move.
  core::Outcome DecideOnLanded(std::uint32_t zone, core::ZoneCommand command) const noexcept;

  // Admit, the common case: a write or append that extends an open zone. Where
  // it answers false, AdmitWrite decides.
  bool TryExtend(std::uint32_t zone, core::ZoneCommand command, Ticket& ticket) noexcept {
    std::uint64_t bits = admitted_[zone].load(std::memory_order_acquire);
    for (;;) {
      const ZoneWord word(bits);
      const core::ZoneState state{word.condition(), word.blocks() << block_shift_};
      if ((bits & kFailing) != 0 || !ExtendsOpenZone(rules_, FactsOf(zone), state, command)) {
        return false;
      }
      const std::uint64_t end = word.blocks() + (command.bytes >> block_shift_);
      const ZoneWord next(word.condition(), word.epoch(), end);
      if (admitted_[zone].compare_exchange_weak(bits, next.bits())) {
        ticket = {word.blocks(), end, zone, word.epoch()};
        return true;
      }
    }
  }
  // Between admission and landing: true if the zone must be prepared before the
  // bytes of an admitted write go to the store. Every write's caller asks, not
  // only the first's: writes admitted behind it come from any queue.
  bool MustPrepare(std::uint32_t zone) const noexcept {
    return !unprepared_.empty() && unprepared_[zone].load(std::memory_order_acquire) != 0;
  }
  // May block. False: it could not be done, and the store must not be written.
  // REQUIRES: an admitted write of the zone has not landed (so no reset comes
  // between, whose mark this would take away).
  bool Prepare(std::uint32_t zone) noexcept;
  bool prepares() const noexcept { return !unprepared_.empty(); }
  std::uint64_t OffsetOf(const Ticket& ticket) const noexcept {
    return ticket.begin << block_shift_;
  }
  // Admit: a write or append to a sequential zone.
  Admission AdmitWrite(std::uint32_t zone, core::ZoneCommand command) noexcept;
  // Land: the store is done with the ticket's bytes. To be repeated while the
  // answer is kNotYet. A failed write takes its turn like any other; then the
  // admitted pointer falls back to the landed one, once the writes admitted
  // behind it have come to their turns and are lost too.
  Landing Land(const Ticket& ticket, bool stored) noexcept;

  // One zone. A reset or finish takes its turn behind the writes admitted before.
  ManageOutcome Manage(std::uint32_t zone, core::CommandKind kind) noexcept;
  // OPEN ALL: everything or nothing. `completed`: zones opened.
  core::Outcome OpenAll(std::uint32_t& completed) noexcept;
  // Whether the all-zones form of the command acts on this zone, now.
  bool AllTouches(std::uint32_t zone, core::CommandKind kind) const noexcept;

  Zone Describe(std::uint32_t zone) const noexcept;

  void CountFlush() noexcept;  // one of the device's own

  // Tells the store of the zones reset since, if they are empty still.
  void ForgetEmptied() noexcept;

  // What the store could not do, as the dialect says it.
  core::Outcome WriteFault() const noexcept;
  core::Outcome ReadFault() const noexcept;

 private:
  // In admitted words only: a write failed and the pointer is about to fall back.
  // Nothing is admitted meanwhile.
  static constexpr std::uint64_t kFailing = 1ull << 4;

  core::ZoneState StateOf(ZoneWord word, std::uint32_t zone) const noexcept;
  ZoneWord WordOf(core::ZoneState state, std::uint16_t epoch) const noexcept;
  Ticket TicketFor(std::uint32_t zone, ZoneWord from, ZoneWord to) const noexcept;

  // Under the mutex.
  Admission AdmitWithSlots(std::uint32_t zone, core::ZoneCommand command) noexcept;
  ManageOutcome ManageLocked(std::uint32_t zone, core::CommandKind kind) noexcept;
  void NoteLeaving(std::uint32_t zone, ZoneWord word) noexcept;
  void EvictOldest() noexcept;
  void Reset(std::uint32_t zone, std::uint64_t from) noexcept;
  void Account(std::uint32_t zone, ZoneCondition from, ZoneCondition to) noexcept;
  void MarkPassingOpen(ZoneCondition from, ZoneCondition to) noexcept;
  void PublishGauges(std::uint32_t open, std::uint32_t active) noexcept;
  void ForgetEmptiedLocked() noexcept;

  // Brings the landed word's condition in line with the admitted one.
  void Reconcile(std::uint32_t zone) noexcept;
  bool IsQuiet(std::uint32_t zone, std::uint64_t admitted) const noexcept;

  // A zone in which a write failed, until the writes behind it had their turns.
  struct Failing {
    std::uint32_t zone;
    std::uint64_t turn;  // blocks; the next ticket to be lost begins here
  };
  Landing LoseInTurn(const Ticket& ticket) noexcept;
  void FallBackIfSettled(std::size_t index) noexcept;

  const core::Rules rules_;
  const Geometry geometry_;
  const std::uint32_t conventional_;
  const int block_shift_;
  core::ZoneFacts sequential_facts_, conventional_facts_, last_facts_;

  DriveMemory& memory_;
  ZoneWords landed_;
  LazyMapping admitted_mapping_;
  ZoneWords admitted_;
  // By zone: left Empty since it was last prepared; empty where nothing is to be.
  LazyMapping unprepared_mapping_;
  std::span<std::atomic<std::uint8_t>> unprepared_;

  std::mutex mutex_;
  core::SlotUse use_;
  ImplicitOrder order_;  // kept only where max_open has a count
  std::vector<Failing> failing_;
  std::vector<std::uint32_t> emptied_;  // reset since the store was last told
  std::uint64_t emptied_bytes_ = 0;     // what they held
};

}  // namespace zonal::emulated
