// SPDX-License-Identifier: MIT
// The rules of the NVMe Zoned Namespace Command Set, one after the other.
// NVMe status codes.
#include "model/naive_zone.h"

namespace zonal::model {

Outcome NaiveDrive::ZnsRead(const Command& command, std::size_t zone) {
  const NaiveZone& z = zones_[zone];
  if (z.condition == ZoneCondition::kOffline) {
    return Failure(command, Errc::kZoneOffline, nvme::kZoneIsOffline);
  }
  if (command.bytes == 0 || command.bytes % options_.block != 0 ||
      command.offset % options_.block != 0) {
    return InvalidField(command, Errc::kMisaligned);
  }
  if (CrossesZoneEnd(command, z)) return Boundary(command);
  return CopyOut(command);  // zeros past the pointer
}

Outcome NaiveDrive::ZnsWriteOrAppend(const Command& command, std::size_t zone) {
  const bool append = command.kind == Command::Kind::kAppend;
  const NaiveZone& z = zones_[zone];

  // 1. The zone's condition.
  if (z.condition == ZoneCondition::kReadOnly) {
    return Failure(command, Errc::kZoneReadOnly, nvme::kZoneIsReadOnly);
  }
  if (z.condition == ZoneCondition::kOffline) {
    return Failure(command, Errc::kZoneOffline, nvme::kZoneIsOffline);
  }
  if (z.condition == ZoneCondition::kFull) {
    return Failure(command, Errc::kZoneFull, nvme::kZoneIsFull);
  }
  // 2. Size and alignment.
  if (command.bytes == 0 || command.bytes % options_.write_granularity != 0 ||
      command.offset % options_.write_granularity != 0) {
    return InvalidField(command, Errc::kMisaligned);
  }
  // 3. The place. An append names the zone and is put at its pointer.
  std::uint64_t offset = command.offset;
  if (append) {
    if (command.offset != z.start) return InvalidField(command, Errc::kBadRange);
    if (command.bytes > options_.max_append) return InvalidField(command, Errc::kTooLarge);
    offset = z.pointer;
  } else if (command.offset != z.pointer) {
    return Failure(command, Errc::kNotAtWritePointer, nvme::kZoneInvalidWrite);
  }
  // 4. The capacity.
  if (command.bytes > z.start + z.capacity - offset) return Boundary(command);
  // 5. Slots, active before open. An empty zone needs both even if this write
  //    fills it at once.
  if (z.condition == ZoneCondition::kEmpty && !ActiveSlotIsFree()) {
    return Failure(command, Errc::kTooManyActive, nvme::kTooManyActiveZones);
  }
  if (z.condition == ZoneCondition::kEmpty || z.condition == ZoneCondition::kClosed) {
    if (!OpenSlotCanBeHad()) {
      return Failure(command, Errc::kTooManyOpen, nvme::kTooManyOpenZones);
    }
    MakeRoomForOneOpen();
  }
  return Land(zone, offset, command);
}

Outcome NaiveDrive::ZnsBadTransition(const Command& command) const {
  return Failure(command, Errc::kInvalidTransition, nvme::kInvalidZoneStateTransition);
}

Outcome NaiveDrive::ZnsOpen(const Command& command, std::size_t zone) {
  switch (zones_[zone].condition) {
    case ZoneCondition::kEmpty:
      if (!ActiveSlotIsFree()) {
        return Failure(command, Errc::kTooManyActive, nvme::kTooManyActiveZones);
      }
      [[fallthrough]];
    case ZoneCondition::kClosed:
      if (!OpenSlotCanBeHad()) {
        return Failure(command, Errc::kTooManyOpen, nvme::kTooManyOpenZones);
      }
      MakeRoomForOneOpen();
      [[fallthrough]];
    case ZoneCondition::kImplicitOpen:
      SetCondition(zone, ZoneCondition::kExplicitOpen);
      return Success(command.offset, 0);
    case ZoneCondition::kExplicitOpen:
      return Success(command.offset, 0);
    default:
      return ZnsBadTransition(command);
  }
}

Outcome NaiveDrive::ZnsManage(const Command& command, std::size_t zone) {
  using enum ZoneCondition;
  const ZoneCondition now = zones_[zone].condition;
  const bool open = now == kImplicitOpen || now == kExplicitOpen;
  const Outcome done = Success(command.offset, 0);

  switch (command.op) {
    case ZoneOp::kOpen:
      return ZnsOpen(command, zone);

    case ZoneOp::kClose:
      if (!open && now != kClosed) return ZnsBadTransition(command);
      SetCondition(zone, kClosed);  // also when nothing is written in it
      return done;

    case ZoneOp::kFinish:  // takes no slot
      if (now == kReadOnly || now == kOffline) return ZnsBadTransition(command);
      SetCondition(zone, kFull);
      return done;

    case ZoneOp::kReset:
      if (now == kReadOnly || now == kOffline) return ZnsBadTransition(command);
      ResetZone(zone);
      return done;

    case ZoneOp::kOffline:
      if (now != kReadOnly && now != kOffline) return ZnsBadTransition(command);
      SetCondition(zone, kOffline);
      return done;
  }
  return ZnsBadTransition(command);
}

}  // namespace zonal::model
