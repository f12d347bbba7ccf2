// SPDX-License-Identifier: MIT
// The tables of docs/zone-model.md in code; the order of the checks is part of
// them. Tested by tests/core/transition_test.cc and, against an independent
// model, by tests/model.
#include "core/transition.h"

#include <algorithm>

namespace zonal::core {
namespace {

// One command being decided.
struct Case {
  const Rules& rules;
  const ZoneFacts& zone;
  ZoneState state;
  ZoneCommand command;
  const SlotUse& slots;

  bool zns() const noexcept { return rules.dialect == Dialect::kZns; }
  bool conventional() const noexcept { return zone.type == ZoneType::kConventional; }
  std::uint64_t end() const noexcept { return command.offset + command.bytes; }
  // Without a sum that could wrap.
  bool CrossesZoneEnd() const noexcept {
    return command.offset > zone.size || command.bytes > zone.size - command.offset;
  }

  Outcome Fail(Errc errc, std::uint32_t nvme, std::uint32_t sense) const noexcept {
    return Refuse(state, errc, rules.dialect, nvme, sense);
  }
  Outcome Succeed(ZoneState next, bool evict = false) const noexcept {
    Outcome outcome;
    outcome.next = next;
    outcome.evict = evict;
    return outcome;
  }
  Outcome Stay() const noexcept { return Succeed(state); }
  Outcome Become(ZoneCondition condition, bool evict = false) const noexcept {
    return Succeed({condition, state.pointer}, evict);
  }

  Outcome ReadOnly() const noexcept {
    return Fail(Errc::kZoneReadOnly, nvme::kZoneIsReadOnly, scsi::kZoneIsReadOnly);
  }
  Outcome Offline() const noexcept {
    return Fail(Errc::kZoneOffline, nvme::kZoneIsOffline, scsi::kZoneIsOffline);
  }
  Outcome BadTransition() const noexcept {  // ZNS only: ZBC has a code for each cause
    return Fail(Errc::kInvalidTransition, nvme::kInvalidZoneStateTransition, 0);
  }
  Outcome Misaligned() const noexcept {
    return Fail(Errc::kMisaligned, nvme::kInvalidField, scsi::kInvalidFieldInCdb);
  }
  Outcome InvalidOpcode() const noexcept {
    return Fail(Errc::kNotSupported, nvme::kInvalidOpcode, scsi::kInvalidOpcode);
  }
};

// A slot the command needs: refused, free, or to be had by closing another zone.
struct Slot {
  bool refused = false;
  bool evict = false;
};

// The zone itself is not implicitly open when it needs an open slot, so any
// implicitly open zone is another one.
Slot OpenSlot(const Rules& rules, const SlotUse& slots) noexcept {
  if (rules.max_open.Admits(slots.open())) return {};
  if (rules.auto_close && slots.implicit_open > 0) return {.refused = false, .evict = true};
  return {.refused = true, .evict = false};
}

// Opens the zone, implicitly or explicitly, or carries it through an open
// condition to `next`.
Outcome TakeSlots(const Case& c, ZoneState next) noexcept {
  if (IsOpen(c.state.condition)) return c.Succeed(next);
  // Closing frees an open slot, never an active one: a closed zone is still
  // active, so the drive cannot relieve the active limit by itself.
  if (c.zns() && c.state.condition == ZoneCondition::kEmpty &&
      !c.rules.max_active.Admits(c.slots.active())) {
    return c.Fail(Errc::kTooManyActive, nvme::kTooManyActiveZones, 0);
  }
  const Slot slot = OpenSlot(c.rules, c.slots);
  if (slot.refused) {
    return c.Fail(Errc::kTooManyOpen, nvme::kTooManyOpenZones, scsi::kInsufficientZoneResources);
  }
  return c.Succeed(next, slot.evict);
}

// The state after `bytes` more at the pointer.
ZoneState Filled(const Case& c) noexcept {
  const std::uint64_t pointer = c.state.pointer + c.command.bytes;
  if (pointer == c.zone.capacity) return {ZoneCondition::kFull, pointer};
  if (c.state.condition == ZoneCondition::kExplicitOpen) {
    return {ZoneCondition::kExplicitOpen, pointer};
  }
  return {ZoneCondition::kImplicitOpen, pointer};
}

Outcome WriteAt(const Case& c, std::uint64_t offset) noexcept {
  Outcome outcome = TakeSlots(c, Filled(c));
  outcome.offset = offset;
  return outcome;
}

bool OffUnit(const ZoneCommand& command, std::uint64_t unit) noexcept {
  if (command.bytes == 0) return true;
  // Most units are powers of two, and two divisions cost more than all the rest.
  if ((unit & (unit - 1)) == 0) return ((command.offset | command.bytes) & (unit - 1)) != 0;
  return command.offset % unit != 0 || command.bytes % unit != 0;
}

Outcome ReadConventional(const Case& c) noexcept {
  if (c.state.condition == ZoneCondition::kOffline) return c.Offline();
  if (OffUnit(c.command, c.rules.block)) return c.Misaligned();
  if (c.CrossesZoneEnd()) {
    return c.Fail(Errc::kZoneBoundary, nvme::kZoneBoundaryError, scsi::kReadBoundary);
  }
  Outcome outcome = c.Stay();
  outcome.offset = c.command.offset;
  outcome.data_bytes = c.command.bytes;
  return outcome;
}

Outcome WriteConventional(const Case& c) noexcept {
  if (c.state.condition == ZoneCondition::kReadOnly) return c.ReadOnly();
  if (c.state.condition == ZoneCondition::kOffline) return c.Offline();
  if (OffUnit(c.command, c.rules.block)) return c.Misaligned();
  if (c.CrossesZoneEnd()) {
    return c.Fail(Errc::kZoneBoundary, nvme::kZoneBoundaryError, scsi::kWriteBoundary);
  }
  Outcome outcome = c.Stay();
  outcome.offset = c.command.offset;
  return outcome;
}

Outcome Read(const Case& c) noexcept {
  if (c.conventional()) return ReadConventional(c);
  if (c.state.condition == ZoneCondition::kOffline) return c.Offline();
  if (OffUnit(c.command, c.rules.block)) return c.Misaligned();
  if (c.CrossesZoneEnd()) {
    return c.Fail(Errc::kZoneBoundary, nvme::kZoneBoundaryError, scsi::kReadBoundary);
  }
  // A full zone has no pointer: all of it may be read.
  if (c.rules.read_past_write_pointer_fails && c.state.condition != ZoneCondition::kFull &&
      c.end() > c.state.pointer) {
    return c.Fail(Errc::kReadPastWritePointer, nvme::kUnrecoveredReadError, scsi::kReadInvalidData);
  }
  Outcome outcome = c.Stay();
  outcome.offset = c.command.offset;
  outcome.data_bytes =
      std::min(c.end(), std::max(c.command.offset, c.state.pointer)) - c.command.offset;
  return outcome;
}

Outcome WriteZns(const Case& c) noexcept {
  const bool append = c.command.kind == CommandKind::kAppend;
  switch (c.state.condition) {
    case ZoneCondition::kReadOnly:
      return c.ReadOnly();
    case ZoneCondition::kOffline:
      return c.Offline();
    case ZoneCondition::kFull:
      return c.Fail(Errc::kZoneFull, nvme::kZoneIsFull, 0);
    default:
      break;
  }
  if (OffUnit(c.command, c.rules.write_granularity)) return c.Misaligned();
  if (append) {
    if (c.command.offset != 0) return c.Fail(Errc::kBadRange, nvme::kInvalidField, 0);
    if (c.command.bytes > c.rules.max_append) {
      return c.Fail(Errc::kTooLarge, nvme::kInvalidField, 0);
    }
  } else if (c.command.offset != c.state.pointer) {
    return c.Fail(Errc::kNotAtWritePointer, nvme::kZoneInvalidWrite, 0);
  }
  if (c.command.bytes > c.zone.capacity - c.state.pointer) {
    return c.Fail(Errc::kZoneBoundary, nvme::kZoneBoundaryError, 0);
  }
  return WriteAt(c, c.state.pointer);
}

Outcome WriteZbc(const Case& c) noexcept {
  if (c.state.condition == ZoneCondition::kReadOnly) return c.ReadOnly();
  if (c.state.condition == ZoneCondition::kOffline) return c.Offline();
  if (OffUnit(c.command, c.rules.block)) return c.Misaligned();
  if (c.state.condition == ZoneCondition::kFull) {
    return c.Fail(Errc::kZoneFull, 0, scsi::kUnalignedWrite);
  }
  if (c.command.offset != c.state.pointer) {
    return c.Fail(Errc::kNotAtWritePointer, 0, scsi::kUnalignedWrite);
  }
  if (c.command.bytes > c.zone.size - c.state.pointer) {
    return c.Fail(Errc::kZoneBoundary, 0, scsi::kWriteBoundary);
  }
  // 512e: a write must end on a physical block.
  if (c.end() % c.rules.write_granularity != 0) {
    return c.Fail(Errc::kMisaligned, 0, scsi::kUnalignedWrite);
  }
  return WriteAt(c, c.state.pointer);
}

Outcome Write(const Case& c) noexcept {
  if (c.conventional()) return WriteConventional(c);
  return c.zns() ? WriteZns(c) : WriteZbc(c);
}

Outcome Append(const Case& c) noexcept {
  if (c.conventional()) return c.Fail(Errc::kBadZoneType, nvme::kInvalidField, 0);
  return WriteZns(c);
}

Outcome ManageZns(const Case& c) noexcept {
  using enum ZoneCondition;
  const ZoneCondition condition = c.state.condition;
  switch (c.command.kind) {
    case CommandKind::kOpen:
      if (condition == kExplicitOpen) return c.Stay();
      if (condition == kEmpty || IsActive(condition)) {
        return TakeSlots(c, {kExplicitOpen, c.state.pointer});
      }
      return c.BadTransition();
    case CommandKind::kClose:
      if (IsActive(condition)) return c.Become(kClosed);
      return c.BadTransition();
    case CommandKind::kFinish:
      if (condition == kFull) return c.Stay();
      if (condition == kEmpty || IsActive(condition)) return c.Become(kFull);
      return c.BadTransition();
    case CommandKind::kReset:
      if (condition == kReadOnly || condition == kOffline) return c.BadTransition();
      return c.Succeed({kEmpty, 0});
    case CommandKind::kOffline:
      if (condition == kReadOnly || condition == kOffline) return c.Become(kOffline);
      return c.BadTransition();
    default:
      return c.InvalidOpcode();
  }
}

Outcome ManageZbc(const Case& c) noexcept {
  using enum ZoneCondition;
  const ZoneCondition condition = c.state.condition;
  if (condition == kReadOnly) return c.ReadOnly();
  if (condition == kOffline) return c.Offline();
  switch (c.command.kind) {
    case CommandKind::kOpen:
      if (condition == kFull || condition == kExplicitOpen) return c.Stay();
      return TakeSlots(c, {kExplicitOpen, c.state.pointer});
    case CommandKind::kClose:
      if (!IsOpen(condition)) return c.Stay();
      return c.Become(c.state.pointer == 0 ? kEmpty : kClosed);
    case CommandKind::kFinish:
      if (condition == kFull) return c.Stay();
      return TakeSlots(c, {kFull, c.state.pointer});
    case CommandKind::kReset:
      return c.Succeed({kEmpty, 0});
    default:
      return c.InvalidOpcode();
  }
}

Outcome Manage(const Case& c) noexcept {
  if (c.conventional()) {
    return c.Fail(Errc::kBadZoneType, nvme::kInvalidField, scsi::kInvalidFieldInCdb);
  }
  return c.zns() ? ManageZns(c) : ManageZbc(c);
}

}  // namespace

bool Knows(const Rules& rules, CommandKind kind) noexcept {
  const bool zns = rules.dialect == Dialect::kZns;
  if (kind == CommandKind::kAppend) return zns && rules.max_append != 0;
  return zns || kind != CommandKind::kOffline;
}

Outcome Decide(const Rules& rules, const ZoneFacts& zone, ZoneState state, ZoneCommand command,
               const SlotUse& slots) noexcept {
  const Case c{rules, zone, state, command, slots};
  // Before anything else: a drive does not look at the operands of a command it
  // does not know.
  if (!Knows(rules, command.kind)) return c.InvalidOpcode();
  switch (command.kind) {
    case CommandKind::kRead:
      return Read(c);
    case CommandKind::kWrite:
      return Write(c);
    case CommandKind::kAppend:
      return Append(c);
    default:
      return Manage(c);
  }
}

bool AllTouches(Dialect dialect, CommandKind kind, ZoneType type,
                ZoneCondition condition) noexcept {
  using enum ZoneCondition;
  if (type == ZoneType::kConventional) return false;
  switch (kind) {
    case CommandKind::kOpen:
      return condition == kClosed;
    case CommandKind::kClose:
      return IsOpen(condition);
    case CommandKind::kFinish:
      return IsActive(condition);
    case CommandKind::kReset:
      return IsActive(condition) || condition == kFull;
    case CommandKind::kOffline:
      return dialect == Dialect::kZns && condition == kReadOnly;
    default:
      return false;
  }
}

Outcome DecideOpenAll(const Rules& rules, const SlotUse& slots) noexcept {
  // Implicitly open zones make room; those that were closed at the start need a
  // slot each, beside the explicitly open ones.
  const std::uint64_t kept = rules.auto_close ? slots.explicit_open : slots.open();
  const std::uint64_t needed = kept + slots.closed;
  if (slots.closed != 0 && rules.max_open.has_count() && needed > *rules.max_open.count()) {
    return Refuse({}, Errc::kTooManyOpen, rules.dialect, nvme::kTooManyOpenZones,
                  scsi::kInsufficientZoneResources);
  }
  return {};
}

ZoneState AfterPowerCycle(ZoneState state) noexcept {
  if (!IsOpen(state.condition)) return state;
  if (state.pointer == 0) return {ZoneCondition::kEmpty, 0};
  return {ZoneCondition::kClosed, state.pointer};
}

Outcome Refuse(ZoneState state, Errc errc, Dialect dialect, std::uint32_t nvme,
               std::uint32_t sense) noexcept {
  Outcome outcome;
  outcome.errc = errc;
  outcome.origin = dialect == Dialect::kZns ? Origin::kNvme : Origin::kScsi;
  outcome.raw = dialect == Dialect::kZns ? nvme : sense;
  outcome.next = state;
  return outcome;
}

}  // namespace zonal::core
