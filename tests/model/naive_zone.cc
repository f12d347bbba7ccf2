// SPDX-License-Identifier: MIT
#include "model/naive_zone.h"

#include <algorithm>
#include <limits>

namespace zonal::model {

NaiveDrive::NaiveDrive(const NaiveOptions& options) : options_(options) {
  if (options_.zone_capacity == 0) options_.zone_capacity = options_.zone_size;
  if (options_.last_zone_size == 0) options_.last_zone_size = options_.zone_size;
  if (options_.write_granularity == 0) options_.write_granularity = options_.block;
  for (std::uint32_t i = 0; i < options_.zones; ++i) {
    NaiveZone zone;
    zone.start = device_bytes_;
    zone.size = i + 1 == options_.zones ? options_.last_zone_size : options_.zone_size;
    zone.pointer = zone.start;
    if (i < options_.conventional) {
      zone.type = ZoneType::kConventional;
      zone.condition = ZoneCondition::kNotWritePointer;
      zone.capacity = zone.size;
    } else {
      zone.capacity = std::min(zone.size, options_.zone_capacity);
    }
    device_bytes_ += zone.size;
    zones_.push_back(zone);
  }
  for (std::uint32_t i : options_.read_only_zones) zones_[i].condition = ZoneCondition::kReadOnly;
  for (std::uint32_t i : options_.offline_zones) zones_[i].condition = ZoneCondition::kOffline;
  if (options_.keep_data) data_.resize(device_bytes_);
}

// ---- Answers ----

Outcome NaiveDrive::Success(std::uint64_t offset, std::uint64_t bytes) const {
  Outcome outcome;
  outcome.offset = offset;
  outcome.bytes = bytes;
  return outcome;
}

Outcome NaiveDrive::Failure(const Command& command, Errc errc, std::uint32_t raw) const {
  Outcome outcome;
  outcome.errc = errc;
  outcome.raw = raw;
  outcome.origin = options_.dialect == Dialect::kZns ? Origin::kNvme : Origin::kScsi;
  outcome.offset = command.offset;
  return outcome;
}

Outcome NaiveDrive::InvalidField(const Command& command, Errc errc) const {
  return Failure(
      command, errc,
      options_.dialect == Dialect::kZns ? nvme::kInvalidField : scsi::kInvalidFieldInCdb);
}

Outcome NaiveDrive::OutOfRange(const Command& command) const {
  return Failure(command, Errc::kBadRange,
                 options_.dialect == Dialect::kZns ? nvme::kLbaOutOfRange : scsi::kLbaOutOfRange);
}

Outcome NaiveDrive::InvalidOpcode(const Command& command) const {
  return Failure(command, Errc::kNotSupported,
                 options_.dialect == Dialect::kZns ? nvme::kInvalidOpcode : scsi::kInvalidOpcode);
}

Outcome NaiveDrive::Boundary(const Command& command) const {
  if (options_.dialect == Dialect::kZns) {
    return Failure(command, Errc::kZoneBoundary, nvme::kZoneBoundaryError);
  }
  const bool read = command.kind == Command::Kind::kRead;
  return Failure(command, Errc::kZoneBoundary, read ? scsi::kReadBoundary : scsi::kWriteBoundary);
}

// ---- Places ----

bool NaiveDrive::EndsPastDevice(const Command& command) const {
  return command.offset >= device_bytes_ || command.bytes > device_bytes_ - command.offset;
}

bool NaiveDrive::CrossesZoneEnd(const Command& command, const NaiveZone& zone) const {
  return command.offset + command.bytes > zone.start + zone.size;
}

std::size_t NaiveDrive::ZoneAt(std::uint64_t offset) const {
  std::size_t i = 0;
  while (offset >= zones_[i].start + zones_[i].size) ++i;
  return i;
}

// ---- Slots and conditions ----

std::size_t NaiveDrive::CountOf(ZoneCondition condition) const {
  std::size_t count = 0;
  for (const NaiveZone& zone : zones_) {
    if (zone.condition == condition) ++count;
  }
  return count;
}

std::uint32_t NaiveDrive::explicit_open_count() const {
  return static_cast<std::uint32_t>(CountOf(ZoneCondition::kExplicitOpen));
}

std::uint32_t NaiveDrive::open_count() const {
  return explicit_open_count() + static_cast<std::uint32_t>(CountOf(ZoneCondition::kImplicitOpen));
}

std::uint32_t NaiveDrive::active_count() const {
  return open_count() + static_cast<std::uint32_t>(CountOf(ZoneCondition::kClosed));
}

bool NaiveDrive::ActiveSlotIsFree() const {
  return !options_.max_active || active_count() < *options_.max_active;
}

// Asked for a zone that is not open itself.
bool NaiveDrive::OpenSlotCanBeHad() const {
  if (!options_.max_open || open_count() < *options_.max_open) return true;
  return options_.auto_close && !implicit_order_.empty();
}

// REQUIRES: OpenSlotCanBeHad().
void NaiveDrive::MakeRoomForOneOpen() {
  if (!options_.max_open || open_count() < *options_.max_open) return;
  SetCondition(implicit_order_.front(), ZoneCondition::kClosed);
}

void NaiveDrive::SetCondition(std::size_t zone, ZoneCondition condition) {
  const ZoneCondition before = zones_[zone].condition;
  zones_[zone].condition = condition;
  if (before == condition) return;
  if (before == ZoneCondition::kImplicitOpen) std::erase(implicit_order_, zone);
  if (condition == ZoneCondition::kImplicitOpen) implicit_order_.push_back(zone);
}

void NaiveDrive::ResetZone(std::size_t zone) {
  const NaiveZone& z = zones_[zone];
  SetCondition(zone, ZoneCondition::kEmpty);
  zones_[zone].pointer = z.start;
  if (!options_.keep_data) return;
  std::fill_n(data_.begin() + static_cast<std::ptrdiff_t>(z.start), z.size, std::byte{0});
}

// ---- Data ----

void NaiveDrive::Store(std::uint64_t offset, const Command& command) {
  if (!options_.keep_data) return;
  const auto place = data_.begin() + static_cast<std::ptrdiff_t>(offset);
  if (command.source.empty()) {
    std::fill_n(place, command.bytes, std::byte{0});
  } else {
    std::copy_n(command.source.begin(), command.bytes, place);
  }
}

// A write to a sequential zone that passed every check; slots are already made.
Outcome NaiveDrive::Land(std::size_t zone, std::uint64_t offset, const Command& command) {
  Store(offset, command);
  NaiveZone& z = zones_[zone];
  z.pointer += command.bytes;
  if (z.pointer == z.start + z.capacity) {
    SetCondition(zone, ZoneCondition::kFull);
  } else if (z.condition != ZoneCondition::kExplicitOpen) {
    SetCondition(zone, ZoneCondition::kImplicitOpen);
  }
  return Success(offset, command.bytes);
}

Outcome NaiveDrive::CopyOut(const Command& command) const {
  if (options_.keep_data) {
    const auto place = data_.begin() + static_cast<std::ptrdiff_t>(command.offset);
    std::copy_n(place, command.target.size(), command.target.begin());
  } else {
    std::fill(command.target.begin(), command.target.end(), std::byte{0});
  }
  return Success(command.offset, command.bytes);
}

// Read and written anywhere, by block; a range over several conventional zones
// is legal, one that reaches any other zone is not.
Outcome NaiveDrive::AccessConventional(const Command& command) {
  if (command.bytes == 0 || command.bytes % options_.block != 0 ||
      command.offset % options_.block != 0) {
    return InvalidField(command, Errc::kMisaligned);
  }
  const std::size_t first = ZoneAt(command.offset);
  const std::size_t last = ZoneAt(command.offset + command.bytes - 1);
  for (std::size_t i = first; i <= last; ++i) {
    if (zones_[i].type != ZoneType::kConventional) return Boundary(command);
  }
  if (command.kind == Command::Kind::kRead) return CopyOut(command);
  Store(command.offset, command);
  return Success(command.offset, command.bytes);
}

// ---- Commands ----

Outcome NaiveDrive::Apply(const Command& command) {
  switch (command.kind) {
    case Command::Kind::kRead:
      return Read(command);
    case Command::Kind::kWrite:
      return Write(command);
    case Command::Kind::kAppend:
      return Append(command);
    case Command::Kind::kManage:
      return Manage(command);
    case Command::Kind::kManageAll:
      return ManageAll(command);
  }
  return InvalidOpcode(command);
}

Outcome NaiveDrive::Read(const Command& command) {
  if (EndsPastDevice(command)) return OutOfRange(command);
  const std::size_t zone = ZoneAt(command.offset);
  if (zones_[zone].type == ZoneType::kConventional) return AccessConventional(command);
  return options_.dialect == Dialect::kZns ? ZnsRead(command, zone) : ZbcRead(command, zone);
}

Outcome NaiveDrive::Write(const Command& command) {
  if (EndsPastDevice(command)) return OutOfRange(command);
  const std::size_t zone = ZoneAt(command.offset);
  if (zones_[zone].type == ZoneType::kConventional) return AccessConventional(command);
  return options_.dialect == Dialect::kZns ? ZnsWriteOrAppend(command, zone)
                                           : ZbcWrite(command, zone);
}

Outcome NaiveDrive::Append(const Command& command) {
  // ZBC has no such command, nor has a ZNS drive that supports none.
  if (options_.dialect == Dialect::kZbc || options_.max_append == 0) return InvalidOpcode(command);
  if (command.offset >= device_bytes_) return OutOfRange(command);
  const std::size_t zone = ZoneAt(command.offset);
  if (zones_[zone].type == ZoneType::kConventional) {
    return InvalidField(command, Errc::kBadZoneType);
  }
  return ZnsWriteOrAppend(command, zone);
}

void NaiveDrive::PowerCycle() {
  for (std::size_t i = 0; i < zones_.size(); ++i) {
    const NaiveZone& zone = zones_[i];
    const bool open = zone.condition == ZoneCondition::kImplicitOpen ||
                      zone.condition == ZoneCondition::kExplicitOpen;
    if (!open) continue;
    SetCondition(i, zone.pointer == zone.start ? ZoneCondition::kEmpty : ZoneCondition::kClosed);
  }
}

std::vector<Zone> NaiveDrive::Report() const {
  std::vector<Zone> report;
  for (const NaiveZone& zone : zones_) {
    Zone entry;
    entry.start = zone.start;
    entry.size = zone.size;
    entry.capacity = zone.capacity;
    entry.type = zone.type;
    entry.condition = zone.condition;
    switch (zone.condition) {
      case ZoneCondition::kNotWritePointer:
      case ZoneCondition::kReadOnly:
      case ZoneCondition::kOffline:
        entry.write_pointer = std::numeric_limits<std::uint64_t>::max();
        break;
      case ZoneCondition::kFull:
        entry.write_pointer = zone.start + zone.capacity;
        break;
      default:
        entry.write_pointer = zone.pointer;
    }
    report.push_back(entry);
  }
  return report;
}

}  // namespace zonal::model
