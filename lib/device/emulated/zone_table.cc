// SPDX-License-Identifier: MIT
#include "device/emulated/zone_table.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/check.h"

namespace zonal::emulated {
namespace {

using core::CommandKind;
using core::Outcome;
using core::ZoneCommand;
using core::ZoneState;

// Emptied zones are handed to the store when they held this much.
constexpr std::uint64_t kForgetBatch = 256ull << 20;

// The word with another condition; pointer, epoch and flags stay.
std::uint64_t WithCondition(std::uint64_t bits, ZoneCondition condition) noexcept {
  return (bits & ~0xFull) | (static_cast<std::uint64_t>(condition) ^ 1);
}

// What the landed word says while its pointer is at `blocks`: what is admitted,
// except that a zone is full only when the write that filled it has landed.
ZoneCondition LandedCondition(ZoneWord admitted, ZoneWord landed, std::uint64_t blocks) noexcept {
  if (admitted.condition() != ZoneCondition::kFull || admitted.blocks() == blocks) {
    return admitted.condition();
  }
  return IsOpen(landed.condition()) ? landed.condition() : ZoneCondition::kImplicitOpen;
}

void Add(std::atomic<std::uint64_t>& counter) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::uint32_t& CountOf(core::SlotUse& use, ZoneCondition condition) noexcept {
  switch (condition) {
    case ZoneCondition::kImplicitOpen:
      return use.implicit_open;
    case ZoneCondition::kExplicitOpen:
      return use.explicit_open;
    default:
      return use.closed;
  }
}

void RaiseTo(std::atomic<std::uint32_t>& mark, std::uint32_t value) noexcept {
  if (value > mark.load(std::memory_order_relaxed)) mark.store(value, std::memory_order_relaxed);
}

}  // namespace

ZoneTable::ZoneTable(const EmulatedOptions& options, DriveMemory& memory)
    : rules_(RulesOf(options)),
      geometry_(GeometryOf(options)),
      conventional_(options.conventional),
      block_shift_(std::countr_zero(options.block)),
      sequential_facts_{ZoneType::kSequentialRequired, options.zone_size, options.zone_capacity},
      conventional_facts_{ZoneType::kConventional, options.zone_size, options.zone_size},
      memory_(memory),
      landed_(memory.landed) {
  last_facts_ = options.zones <= conventional_ ? conventional_facts_ : sequential_facts_;
  last_facts_.size = options.last_zone_size;
  last_facts_.capacity = std::min(last_facts_.capacity, last_facts_.size);
}

absl::Status ZoneTable::PowerOn() {
  absl::StatusOr<LazyMapping> admitted =
      LazyMapping::New(ZoneWords::BytesFor(geometry_.zone_count), PageSize::kHuge);
  if (!admitted.ok()) return admitted.status();
  admitted_mapping_ = *std::move(admitted);
  admitted_ = ZoneWords::Over(admitted_mapping_.As<AtomicWord>(), geometry_.zone_count);
  if (rules_.max_open.has_count()) {
    absl::StatusOr<ImplicitOrder> order = ImplicitOrder::New(geometry_.zone_count);
    if (!order.ok()) return order.status();
    order_ = *std::move(order);
  }
  if (memory_.hooks != nullptr && memory_.hooks->prepares_zones()) {
    absl::StatusOr<LazyMapping> marks = LazyMapping::New(geometry_.zone_count, PageSize::kHuge);
    if (!marks.ok()) return marks.status();
    unprepared_mapping_ = *std::move(marks);
    unprepared_ = unprepared_mapping_.As<std::atomic<std::uint8_t>>();
  }
  memory_.gauges->open_high_water.store(0, std::memory_order_relaxed);
  memory_.gauges->active_high_water.store(0, std::memory_order_relaxed);
  for (std::uint32_t zone = 0; zone < geometry_.zone_count; ++zone) {
    const ZoneWord before(landed_[zone].load(std::memory_order_acquire));
    if (before == ZoneWord()) continue;  // leaves the page of the new table untouched
    const ZoneWord after = WordOf(AfterPowerCycle(StateOf(before, zone)), before.epoch());
    if (after != before) landed_[zone].store(after.bits(), std::memory_order_release);
    admitted_[zone].store(after.bits(), std::memory_order_release);
    if (after.condition() == ZoneCondition::kClosed) ++use_.closed;
    // Opened, not written, closed: no first write has prepared it.
    if (prepares() && IsActive(after.condition()) && after.blocks() == 0) {
      unprepared_[zone].store(1, std::memory_order_relaxed);
    }
  }
  PublishGauges(use_.open(), use_.active());
  return absl::OkStatus();
}

core::ZoneState ZoneTable::StateOf(ZoneWord word, std::uint32_t zone) const noexcept {
  const ZoneCondition condition = word.condition();
  if (IsConventional(zone) && condition == ZoneCondition::kEmpty) {
    return {ZoneCondition::kNotWritePointer, 0};
  }
  return {condition, word.blocks() << block_shift_};
}

ZoneWord ZoneTable::WordOf(ZoneState state, std::uint16_t epoch) const noexcept {
  const ZoneCondition condition =
      state.condition == ZoneCondition::kNotWritePointer ? ZoneCondition::kEmpty : state.condition;
  return ZoneWord(condition, epoch, state.pointer >> block_shift_);
}

Ticket ZoneTable::TicketFor(std::uint32_t zone, ZoneWord from, ZoneWord to) const noexcept {
  return {from.blocks(), to.blocks(), zone, from.epoch()};
}

Outcome ZoneTable::WriteFault() const noexcept {
  return core::Refuse({}, Errc::kMediaError, rules_.dialect, nvme::kWriteFault, scsi::kWriteError);
}

Outcome ZoneTable::ReadFault() const noexcept {
  return core::Refuse({}, Errc::kMediaError, rules_.dialect, nvme::kUnrecoveredReadError,
                      scsi::kReadError);
}

Outcome ZoneTable::DecideOnLanded(std::uint32_t zone, ZoneCommand command) const noexcept {
  const ZoneWord word(landed_[zone].load(std::memory_order_acquire));
  return Decide(rules_, FactsOf(zone), StateOf(word, zone), command, {});
}

Admission ZoneTable::AdmitWrite(std::uint32_t zone, ZoneCommand command) noexcept {
  std::uint64_t bits = admitted_[zone].load(std::memory_order_acquire);
  for (;;) {
    const ZoneWord word(bits);
    const ZoneCondition condition = word.condition();
    if (condition == ZoneCondition::kEmpty || condition == ZoneCondition::kClosed) break;
    if ((bits & kFailing) != 0) return {WriteFault(), {}};
    const Outcome outcome = Decide(rules_, FactsOf(zone), StateOf(word, zone), command, {});
    if (!outcome.ok()) return {outcome, {}};
    if (outcome.next.condition != condition) break;  // it fills the zone: a slot comes free
    const ZoneWord next = WordOf(outcome.next, word.epoch());
    if (admitted_[zone].compare_exchange_weak(bits, next.bits())) {
      return {outcome, TicketFor(zone, word, next)};
    }
  }
  const std::lock_guard lock(mutex_);
  return AdmitWithSlots(zone, command);
}

Admission ZoneTable::AdmitWithSlots(std::uint32_t zone, ZoneCommand command) noexcept {
  std::uint64_t bits = admitted_[zone].load(std::memory_order_acquire);
  for (;;) {
    const ZoneWord word(bits);
    if ((bits & kFailing) != 0) return {WriteFault(), {}};
    const Outcome outcome = Decide(rules_, FactsOf(zone), StateOf(word, zone), command, use_);
    if (!outcome.ok()) return {outcome, {}};
    NoteLeaving(zone, word);
    // Only an empty or closed zone makes others give way, and such a zone's word
    // changes under the mutex only: the exchange below cannot fail after this.
    if (outcome.evict) EvictOldest();
    const ZoneWord next = WordOf(outcome.next, word.epoch());
    if (admitted_[zone].compare_exchange_strong(bits, next.bits())) {
      Account(zone, word.condition(), next.condition());
      MarkPassingOpen(word.condition(), next.condition());
      return {outcome, TicketFor(zone, word, next)};
    }
  }
}

void ZoneTable::NoteLeaving(std::uint32_t zone, ZoneWord word) noexcept {
  if (word.condition() != ZoneCondition::kEmpty || memory_.hooks == nullptr) return;
  memory_.hooks->ZoneLeavesEmpty(ZoneId(zone));
  // Published by the exchange of the admitted word that follows.
  if (prepares()) unprepared_[zone].store(1, std::memory_order_relaxed);
}

bool ZoneTable::Prepare(std::uint32_t zone) noexcept {
  if (memory_.hooks->PrepareZone(ZoneId(zone)) != 0) return false;
  unprepared_[zone].store(0, std::memory_order_release);
  return true;
}

Landing ZoneTable::Land(const Ticket& ticket, bool stored) noexcept {
  std::uint64_t bits = landed_[ticket.zone].load();
  for (;;) {
    const ZoneWord landed(bits);
    const std::uint64_t admitted = admitted_[ticket.zone].load();
    if (landed.blocks() != ticket.begin) {
      return (admitted & kFailing) != 0 ? LoseInTurn(ticket) : Landing::kNotYet;
    }
    ZONAL_CHECK(landed.epoch() == ticket.epoch, "no reset overtakes an admitted write");
    if (!stored) return LoseInTurn(ticket);
    const ZoneWord next(LandedCondition(ZoneWord(admitted), landed, ticket.end), ticket.epoch,
                        ticket.end);
    // Only the write whose turn it is moves the pointer; the exchange fails when
    // the condition changed meanwhile.
    if (!landed_[ticket.zone].compare_exchange_weak(bits, next.bits())) continue;
    if (admitted_[ticket.zone].load() != admitted) Reconcile(ticket.zone);
    return Landing::kLanded;
  }
}

Landing ZoneTable::LoseInTurn(const Ticket& ticket) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(failing_.begin(), failing_.end(),
                                  [&](const Failing& f) { return f.zone == ticket.zone; });
  const std::size_t index = static_cast<std::size_t>(found - failing_.begin());
  if (found == failing_.end()) {
    const ZoneWord landed(landed_[ticket.zone].load(std::memory_order_acquire));
    if (landed.blocks() != ticket.begin) return Landing::kNotYet;
    admitted_[ticket.zone].fetch_or(kFailing);
    failing_.push_back({ticket.zone, ticket.end});
  } else {
    if (found->turn != ticket.begin) return Landing::kNotYet;
    found->turn = ticket.end;
  }
  FallBackIfSettled(index);
  return Landing::kLost;
}

void ZoneTable::FallBackIfSettled(std::size_t index) noexcept {
  const Failing record = failing_[index];
  const ZoneWord admitted(admitted_[record.zone].load(std::memory_order_acquire));
  if (admitted.blocks() != record.turn) return;
  // A zone filled by the lost writes stays full, finished by the drive: its slots
  // have been given back and may be taken.
  const ZoneWord landed(landed_[record.zone].load(std::memory_order_acquire));
  const std::uint16_t epoch = static_cast<std::uint16_t>(admitted.epoch() + 1);
  const ZoneWord next(admitted.condition(), epoch, landed.blocks());
  landed_[record.zone].store(next.bits(), std::memory_order_release);
  admitted_[record.zone].store(next.bits(), std::memory_order_release);
  failing_.erase(failing_.begin() + static_cast<std::ptrdiff_t>(index));
}

// Whoever changes an admitted condition calls this afterwards, and so does a
// landing that was decided on a word which has changed since: whichever of the
// two comes last (all of it is sequentially consistent) sees the other's word,
// so the last store never rests on an old one.
void ZoneTable::Reconcile(std::uint32_t zone) noexcept {
  std::uint64_t bits = landed_[zone].load();
  for (;;) {
    const ZoneWord landed(bits);
    const ZoneWord admitted(admitted_[zone].load());
    const std::uint64_t next =
        WithCondition(bits, LandedCondition(admitted, landed, landed.blocks()));
    if (next == bits) return;
    if (landed_[zone].compare_exchange_weak(bits, next)) bits = next;
  }
}

bool ZoneTable::IsQuiet(std::uint32_t zone, std::uint64_t admitted) const noexcept {
  const ZoneWord landed(landed_[zone].load());  // ordered with LandingBell
  return (admitted & kFailing) == 0 && ZoneWord(admitted).blocks() == landed.blocks();
}

ManageOutcome ZoneTable::Manage(std::uint32_t zone, CommandKind kind) noexcept {
  const std::lock_guard lock(mutex_);
  const ManageOutcome done = ManageLocked(zone, kind);
  if (done.not_yet) return done;
  CounterSlot& counters = memory_.counters[0];
  if (!done.outcome.ok()) {
    Add(counters.rule_violations);
    return done;
  }
  switch (kind) {
    case CommandKind::kOpen:
      Add(counters.opens);
      break;
    case CommandKind::kClose:
      Add(counters.closes);
      break;
    case CommandKind::kFinish:
      Add(counters.finishes);
      break;
    case CommandKind::kReset:
      Add(counters.resets);
      break;
    default:
      break;
  }
  return done;
}

ManageOutcome ZoneTable::ManageLocked(std::uint32_t zone, CommandKind kind) noexcept {
  std::uint64_t bits = admitted_[zone].load(std::memory_order_acquire);
  for (;;) {
    const ZoneWord word(bits);
    const ZoneState state = StateOf(word, zone);
    const Outcome outcome = Decide(rules_, FactsOf(zone), state, {kind, 0, 0}, use_);
    if (!outcome.ok()) return {outcome, false};
    const bool takes_turn = kind == CommandKind::kReset || kind == CommandKind::kFinish;
    if (takes_turn && !IsQuiet(zone, bits)) return {outcome, true};
    if (outcome.next == state) return {outcome, false};
    if ((bits & kFailing) != 0) return {outcome, true};
    if (kind == CommandKind::kOpen) NoteLeaving(zone, word);
    if (outcome.evict) EvictOldest();
    const ZoneWord next =
        kind == CommandKind::kReset
            ? ZoneWord(ZoneCondition::kEmpty, static_cast<std::uint16_t>(word.epoch() + 1), 0)
            : WordOf(outcome.next, word.epoch());
    if (!admitted_[zone].compare_exchange_strong(bits, next.bits())) {
      continue;  // a write was admitted meanwhile
    }
    Account(zone, word.condition(), next.condition());
    if (rules_.dialect == Dialect::kZbc) MarkPassingOpen(word.condition(), next.condition());
    if (kind == CommandKind::kReset) {
      Reset(zone, word.blocks());
    } else {
      Reconcile(zone);
    }
    return {outcome, false};
  }
}

void ZoneTable::Reset(std::uint32_t zone, std::uint64_t from) noexcept {
  // The zone is empty and quiet, and leaves Empty under the mutex only: nobody
  // else stores this word.
  landed_[zone].store(admitted_[zone].load(std::memory_order_acquire), std::memory_order_release);
  if (from == 0) return;
  emptied_.push_back(zone);
  emptied_bytes_ += from << block_shift_;
  if (emptied_bytes_ > kForgetBatch) ForgetEmptiedLocked();
}

void ZoneTable::EvictOldest() noexcept {
  ZONAL_CHECK(!order_.empty(), "an implicitly open zone gives way only if there is one");
  const std::uint32_t victim = order_.oldest();
  std::uint64_t bits = admitted_[victim].load(std::memory_order_acquire);
  for (;;) {
    const ZoneState state = StateOf(ZoneWord(bits), victim);
    const Outcome closed =
        Decide(rules_, FactsOf(victim), state, {CommandKind::kClose, 0, 0}, use_);
    if (admitted_[victim].compare_exchange_strong(bits,
                                                  WithCondition(bits, closed.next.condition))) {
      Account(victim, state.condition, closed.next.condition);
      break;
    }
  }
  Reconcile(victim);
  Add(memory_.counters[0].implicit_closes);
}

Outcome ZoneTable::OpenAll(std::uint32_t& completed) noexcept {
  completed = 0;
  const std::lock_guard lock(mutex_);
  const Outcome decision = DecideOpenAll(rules_, use_);
  if (!decision.ok()) {
    Add(memory_.counters[0].rule_violations);
    return decision;
  }
  // Those that are closed now: a zone that gives way becomes closed too, and is
  // not meant.
  std::vector<std::uint32_t> closed;
  for (std::uint32_t zone = conventional_; zone < geometry_.zone_count; ++zone) {
    if (AllTouches(zone, CommandKind::kOpen)) closed.push_back(zone);
  }
  for (const std::uint32_t zone : closed) {
    const std::uint64_t bits = admitted_[zone].load(std::memory_order_acquire);
    if (use_.implicit_open > 0 && !rules_.max_open.Admits(use_.open())) EvictOldest();
    admitted_[zone].store(WithCondition(bits, ZoneCondition::kExplicitOpen),
                          std::memory_order_release);
    Account(zone, ZoneCondition::kClosed, ZoneCondition::kExplicitOpen);
    Reconcile(zone);
    Add(memory_.counters[0].opens);
    ++completed;
  }
  return decision;
}

bool ZoneTable::AllTouches(std::uint32_t zone, CommandKind kind) const noexcept {
  const ZoneWord word(admitted_[zone].load(std::memory_order_acquire));
  return core::AllTouches(rules_.dialect, kind, FactsOf(zone).type, word.condition());
}

void ZoneTable::Account(std::uint32_t zone, ZoneCondition from, ZoneCondition to) noexcept {
  if (from == to) return;
  if (IsActive(from)) --CountOf(use_, from);
  if (IsActive(to)) ++CountOf(use_, to);
  if (rules_.max_open.has_count()) {
    if (from == ZoneCondition::kImplicitOpen) order_.Remove(zone);
    if (to == ZoneCondition::kImplicitOpen) order_.PushNewest(zone);
  }
  PublishGauges(use_.open(), use_.active());
}

// A zone that became full without having been open, by a command that needs the
// slots, held them meanwhile.
void ZoneTable::MarkPassingOpen(ZoneCondition from, ZoneCondition to) noexcept {
  if (!IsOpen(from) && to == ZoneCondition::kFull) {
    PublishGauges(use_.open() + 1, use_.active() + 1);
  }
}

void ZoneTable::PublishGauges(std::uint32_t open, std::uint32_t active) noexcept {
  DriveGauges& gauges = *memory_.gauges;
  gauges.open_now.store(use_.open(), std::memory_order_relaxed);
  gauges.active_now.store(use_.active(), std::memory_order_relaxed);
  RaiseTo(gauges.open_high_water, open);
  RaiseTo(gauges.active_high_water, active);
}

Zone ZoneTable::Describe(std::uint32_t zone) const noexcept {
  const core::ZoneFacts facts = FactsOf(zone);
  const ZoneState state = StateOf(ZoneWord(landed_[zone].load(std::memory_order_acquire)), zone);
  Zone description;
  description.start = geometry_.StartOf(ZoneId(zone));
  description.size = facts.size;
  description.capacity = facts.capacity;
  description.type = facts.type;
  description.condition = state.condition;
  // Where the pointer has no meaning: all ones, as NVMe drives report it; a full
  // zone's is its end.
  if (state.condition == ZoneCondition::kFull) {
    description.write_pointer = description.start + facts.capacity;
  } else if (HasWritePointer(state.condition)) {
    description.write_pointer = description.start + state.pointer;
  } else {
    description.write_pointer = std::numeric_limits<std::uint64_t>::max();
  }
  return description;
}

void ZoneTable::CountFlush() noexcept {
  const std::lock_guard lock(mutex_);
  Add(memory_.counters[0].flushes);
}

void ZoneTable::ForgetEmptied() noexcept {
  const std::lock_guard lock(mutex_);
  ForgetEmptiedLocked();
}

void ZoneTable::ForgetEmptiedLocked() noexcept {
  for (const std::uint32_t zone : emptied_) {
    const ZoneWord word(admitted_[zone].load(std::memory_order_acquire));
    if (word.condition() != ZoneCondition::kEmpty) continue;  // it is being written again
    memory_.store->Forget(geometry_.StartOf(ZoneId(zone)), FactsOf(zone).size);
  }
  emptied_.clear();
  emptied_bytes_ = 0;
}

}  // namespace zonal::emulated
