// SPDX-License-Identifier: MIT
// The rules of ZBC / ZAC, one after the other. SCSI sense. There is no active
// limit, no append and no offline command.
#include "model/naive_zone.h"

namespace zonal::model {

Outcome NaiveDrive::ZbcNoResources(const Command& command) const {
  return Failure(command, Errc::kTooManyOpen, scsi::kInsufficientZoneResources);
}

Outcome NaiveDrive::ZbcRead(const Command& command, std::size_t zone) {
  const NaiveZone& z = zones_[zone];
  if (z.condition == ZoneCondition::kOffline) {
    return Failure(command, Errc::kZoneOffline, scsi::kZoneIsOffline);
  }
  if (command.bytes == 0 || command.bytes % options_.block != 0 ||
      command.offset % options_.block != 0) {
    return InvalidField(command, Errc::kMisaligned);
  }
  if (CrossesZoneEnd(command, z)) return Boundary(command);
  // A full zone has no pointer to be past, however it became full.
  if (options_.read_past_write_pointer_fails && z.condition != ZoneCondition::kFull &&
      command.offset + command.bytes > z.pointer) {
    return Failure(command, Errc::kReadPastWritePointer, scsi::kReadInvalidData);
  }
  return CopyOut(command);
}

Outcome NaiveDrive::ZbcWrite(const Command& command, std::size_t zone) {
  const NaiveZone& z = zones_[zone];
  if (z.condition == ZoneCondition::kReadOnly) {
    return Failure(command, Errc::kZoneReadOnly, scsi::kZoneIsReadOnly);
  }
  if (z.condition == ZoneCondition::kOffline) {
    return Failure(command, Errc::kZoneOffline, scsi::kZoneIsOffline);
  }
  if (command.bytes == 0 || command.bytes % options_.block != 0 ||
      command.offset % options_.block != 0) {
    return InvalidField(command, Errc::kMisaligned);
  }
  if (z.condition == ZoneCondition::kFull) {
    return Failure(command, Errc::kZoneFull, scsi::kUnalignedWrite);
  }
  if (command.offset != z.pointer) {
    return Failure(command, Errc::kNotAtWritePointer, scsi::kUnalignedWrite);
  }
  if (CrossesZoneEnd(command, z)) return Boundary(command);
  // A write must end on a physical block.
  if ((command.offset + command.bytes) % options_.write_granularity != 0) {
    return Failure(command, Errc::kMisaligned, scsi::kUnalignedWrite);
  }
  if (z.condition == ZoneCondition::kEmpty || z.condition == ZoneCondition::kClosed) {
    if (!OpenSlotCanBeHad()) return ZbcNoResources(command);
    MakeRoomForOneOpen();
  }
  return Land(zone, command.offset, command);
}

Outcome NaiveDrive::ZbcOpen(const Command& command, std::size_t zone) {
  switch (zones_[zone].condition) {
    case ZoneCondition::kFull:
    case ZoneCondition::kExplicitOpen:
      return Success(command.offset, 0);
    case ZoneCondition::kEmpty:
    case ZoneCondition::kClosed:
      if (!OpenSlotCanBeHad()) return ZbcNoResources(command);
      MakeRoomForOneOpen();
      [[fallthrough]];
    default:
      SetCondition(zone, ZoneCondition::kExplicitOpen);
      return Success(command.offset, 0);
  }
}

Outcome NaiveDrive::ZbcClose(const Command& command, std::size_t zone) {
  const NaiveZone& z = zones_[zone];
  if (z.condition == ZoneCondition::kImplicitOpen || z.condition == ZoneCondition::kExplicitOpen) {
    SetCondition(zone, z.pointer == z.start ? ZoneCondition::kEmpty : ZoneCondition::kClosed);
  }
  return Success(command.offset, 0);
}

// A zone that is not open is opened on the way to full, so it needs a slot; a
// zone closed to make that room stays closed.
Outcome NaiveDrive::ZbcFinish(const Command& command, std::size_t zone) {
  const ZoneCondition now = zones_[zone].condition;
  if (now == ZoneCondition::kEmpty || now == ZoneCondition::kClosed) {
    if (!OpenSlotCanBeHad()) return ZbcNoResources(command);
    MakeRoomForOneOpen();
  }
  SetCondition(zone, ZoneCondition::kFull);
  return Success(command.offset, 0);
}

Outcome NaiveDrive::ZbcManage(const Command& command, std::size_t zone) {
  if (zones_[zone].condition == ZoneCondition::kReadOnly) {
    return Failure(command, Errc::kZoneReadOnly, scsi::kZoneIsReadOnly);
  }
  if (zones_[zone].condition == ZoneCondition::kOffline) {
    return Failure(command, Errc::kZoneOffline, scsi::kZoneIsOffline);
  }
  switch (command.op) {
    case ZoneOp::kOpen:
      return ZbcOpen(command, zone);
    case ZoneOp::kClose:
      return ZbcClose(command, zone);
    case ZoneOp::kFinish:
      return ZbcFinish(command, zone);
    case ZoneOp::kReset:
      ResetZone(zone);
      return Success(command.offset, 0);
    case ZoneOp::kOffline:
      break;
  }
  return InvalidOpcode(command);
}

}  // namespace zonal::model
