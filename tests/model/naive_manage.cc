// SPDX-License-Identifier: MIT
// Management of the naive model: one zone, a range, and the form that names no
// zone. What an operation does to one zone is in naive_zns.cc and naive_zbc.cc.
#include <algorithm>

#include "model/naive_zone.h"

namespace zonal::model {

Outcome NaiveDrive::Manage(const Command& command) {
  // Taking a zone offline is an operation of ZNS only.
  if (options_.dialect == Dialect::kZbc && command.op == ZoneOp::kOffline) {
    return InvalidOpcode(command);
  }
  if (command.offset >= device_bytes_) return OutOfRange(command);
  const std::size_t zone = ZoneAt(command.offset);
  if (zones_[zone].start != command.offset) return InvalidField(command, Errc::kBadRange);
  if (zones_[zone].type == ZoneType::kConventional) {
    return InvalidField(command, Errc::kBadZoneType);
  }
  return options_.dialect == Dialect::kZns ? ZnsManage(command, zone) : ZbcManage(command, zone);
}

Outcome NaiveDrive::ManageRange(ZoneOp op, std::uint32_t first, std::uint32_t count) {
  Outcome last;
  for (std::uint32_t i = 0; i < count; ++i) {
    Command command;
    command.kind = Command::Kind::kManage;
    command.op = op;
    command.offset = zones_[first + i].start;
    last = Apply(command);
    last.zones = i;
    if (!last.ok()) return last;
  }
  last = Outcome{};
  last.zones = count;
  return last;
}

// OPEN ALL fits when every closed zone can be open beside those that stay so:
// implicitly open zones can be closed to make room, if the drive does that.
bool NaiveDrive::OpenAllFits() const {
  if (!options_.max_open) return true;
  const std::uint32_t stays = options_.auto_close ? explicit_open_count() : open_count();
  return stays + CountOf(ZoneCondition::kClosed) <= *options_.max_open;
}

// Opens the zones that are closed now; those it closes to make room stay closed.
void NaiveDrive::OpenAll() {
  std::vector<std::size_t> closed;
  for (std::size_t i = 0; i < zones_.size(); ++i) {
    if (zones_[i].condition == ZoneCondition::kClosed) closed.push_back(i);
  }
  for (std::size_t zone : closed) {
    MakeRoomForOneOpen();
    SetCondition(zone, ZoneCondition::kExplicitOpen);
  }
}

// The form of an operation that names no zone. It leaves alone every zone whose
// condition is not in its list, and so never fails because of one.
Outcome NaiveDrive::ManageAll(const Command& command) {
  using enum ZoneCondition;
  std::vector<ZoneCondition> list;
  switch (command.op) {
    case ZoneOp::kOpen:
      list = {kClosed};
      break;
    case ZoneOp::kClose:
      list = {kImplicitOpen, kExplicitOpen};
      break;
    case ZoneOp::kFinish:
      list = {kImplicitOpen, kExplicitOpen, kClosed};
      break;
    case ZoneOp::kReset:
      list = {kImplicitOpen, kExplicitOpen, kClosed, kFull};
      break;
    case ZoneOp::kOffline:
      if (options_.dialect == Dialect::kZbc) return InvalidOpcode(command);
      list = {kReadOnly};
      break;
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < zones_.size(); ++i) {
    if (std::count(list.begin(), list.end(), zones_[i].condition) != 0) chosen.push_back(i);
  }
  if (command.op == ZoneOp::kOpen) {
    if (!OpenAllFits()) {
      return options_.dialect == Dialect::kZns
                 ? Failure(command, Errc::kTooManyOpen, nvme::kTooManyOpenZones)
                 : ZbcNoResources(command);
    }
    OpenAll();
  }
  for (std::size_t i : chosen) {
    switch (command.op) {
      case ZoneOp::kOpen:
        break;  // done above, together
      case ZoneOp::kClose: {
        // ZBC has no closed zone with nothing in it.
        const bool unwritten = zones_[i].pointer == zones_[i].start;
        SetCondition(i, unwritten && options_.dialect == Dialect::kZbc ? kEmpty : kClosed);
        break;
      }
      case ZoneOp::kFinish:
        SetCondition(i, kFull);
        break;
      case ZoneOp::kReset:
        ResetZone(i);
        break;
      case ZoneOp::kOffline:
        SetCondition(i, kOffline);
        break;
    }
  }
  Outcome outcome;
  outcome.zones = static_cast<std::uint32_t>(chosen.size());
  return outcome;
}

}  // namespace zonal::model
