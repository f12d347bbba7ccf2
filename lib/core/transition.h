// SPDX-License-Identifier: MIT
// The zone state machine as a pure function: (rules, zone, state, command,
// slots) -> outcome, for the rule sets of NVMe ZNS and of ZBC. It decides; the
// emulated drive acts. Sources: NVMe ZNS Command Set 1.1, 2.1.1.3 and 3.4;
// ZBC-2 4.5 and 5; where they leave a choice, docs/zone-model.md names ours.
#pragma once

#include <cstdint>

#include "zonal/dialect.h"
#include "zonal/errc.h"
#include "zonal/limit.h"
#include "zonal/zone.h"

namespace zonal::core {

// What is fixed for a drive.
struct Rules {
  Dialect dialect = Dialect::kZns;
  std::uint32_t block = 4096;
  std::uint32_t write_granularity = 4096;
  std::uint64_t max_append = 0;  // bytes; 0: append is not supported
  Limit max_open = Limit::Unlimited();
  Limit max_active = Limit::Unlimited();
  bool auto_close = true;  // evict the oldest implicitly open zone at the open limit
  bool read_past_write_pointer_fails = false;
};

// What is fixed for a zone; bytes.
struct ZoneFacts {
  ZoneType type = ZoneType::kSequentialRequired;
  std::uint64_t size = 0;
  std::uint64_t capacity = 0;
};

// What changes. `pointer` is bytes from the zone's start. In a full zone it
// stays where the data ends, so that a finished zone knows what was written.
struct ZoneState {
  ZoneCondition condition = ZoneCondition::kEmpty;
  std::uint64_t pointer = 0;
  friend bool operator==(const ZoneState&, const ZoneState&) = default;
};

enum class CommandKind : std::uint8_t {
  kRead,
  kWrite,
  kAppend,
  kOpen,
  kClose,
  kFinish,
  kReset,
  kOffline
};

struct ZoneCommand {
  CommandKind kind = CommandKind::kRead;
  std::uint64_t offset = 0;  // from the zone's start, bytes; append: must be 0
  std::uint64_t bytes = 0;   // data commands only
};

// How many zones hold which slot now.
struct SlotUse {
  std::uint32_t implicit_open = 0;
  std::uint32_t explicit_open = 0;
  std::uint32_t closed = 0;
  std::uint32_t open() const noexcept { return implicit_open + explicit_open; }
  std::uint32_t active() const noexcept { return open() + closed; }
};

struct Outcome {
  Errc errc = Errc::kOk;
  Origin origin = Origin::kNone;
  std::uint32_t raw = 0;
  // The oldest implicitly open zone other than this one must be closed for the
  // command to be carried out. Only set on success.
  bool evict = false;
  ZoneState next;                // the state after success; the old one after failure
  std::uint64_t offset = 0;      // data commands: where they act, from the zone's start
  std::uint64_t data_bytes = 0;  // read: how many bytes from `offset` are written data;
                                 // the rest of the range reads as zeros
  bool ok() const noexcept { return errc == Errc::kOk; }
};

// False for a command the drive does not have: append where there is none, and
// offline on a ZBC drive. It is refused (kNotSupported) whatever its operands.
bool Knows(const Rules& rules, CommandKind kind) noexcept;

// One command on one zone. Data commands must not cross the zone's end here:
// that they do is part of the decision, but a range that begins in another zone
// is another call.
Outcome Decide(const Rules& rules, const ZoneFacts& zone, ZoneState state, ZoneCommand command,
               const SlotUse& slots) noexcept;

// The common case of Decide, small enough to be inlined: true if the command is
// a write or append that Decide accepts in this zone, which is open and stays
// open, so that no slot is touched; it acts at the pointer. Tested against Decide.
inline bool ExtendsOpenZone(const Rules& rules, const ZoneFacts& zone, ZoneState state,
                            ZoneCommand command) noexcept {
  if (!IsOpen(state.condition) || zone.type != ZoneType::kSequentialRequired) return false;
  // A power of two, or left to Decide: a division costs as much as all of this.
  const std::uint64_t unit = rules.write_granularity;
  if ((unit & (unit - 1)) != 0 || command.bytes == 0) return false;
  if (command.kind == CommandKind::kWrite) {
    if (command.offset != state.pointer) return false;
  } else if (command.kind != CommandKind::kAppend || rules.dialect != Dialect::kZns ||
             command.offset != 0 || command.bytes > rules.max_append) {
    return false;
  }
  return ((command.offset | command.bytes) & (unit - 1)) == 0 &&
         command.bytes < zone.capacity - state.pointer;
}

// Which zones the "all zones" form of a command acts on, by condition.
bool AllTouches(Dialect dialect, CommandKind kind, ZoneType type, ZoneCondition condition) noexcept;
// OPEN ALL does everything or nothing: the error if the closed zones do not fit.
Outcome DecideOpenAll(const Rules& rules, const SlotUse& slots) noexcept;

// The state after a power cycle or controller reset: open zones become closed,
// or empty when nothing was written.
ZoneState AfterPowerCycle(ZoneState state) noexcept;

// An error as the dialect would say it.
Outcome Refuse(ZoneState state, Errc errc, Dialect dialect, std::uint32_t nvme,
               std::uint32_t sense) noexcept;

}  // namespace zonal::core
