// SPDX-License-Identifier: MIT
// ZonedWriter of a worker that verifies: what it wrote must stay until it was read
// back. So zones are reset before a pass, not in it; a full zone is passed by; and a
// reset that is due by schedule waits until the zone's blocks are verified.
#include <algorithm>

#include "engine/verifier.h"
#include "engine/zoned_writer.h"

namespace zonal::engine {

void ZonedWriter::StartSweep() noexcept {
  sweeping_ = true;
  swept_ = 0;
  left_to_others_ = false;
  written_in_pass_ = 0;
  verifier_->LeaveZones();
  if (!is_random_) return;
  with_room_.clear();
  for (std::uint32_t i = 0; i < zones_.count; ++i) {
    const ZoneId zone(zones_.first.value() + i);
    if (!IsConventional(zone)) with_room_.push_back(zone);
  }
}

bool ZonedWriter::MayReset(ZoneId zone) const noexcept {
  return verifier_ == nullptr || verifier_->MayReset(zone);
}

std::optional<Draw> ZonedWriter::HoldReset(ZoneId zone) noexcept {
  if (!verifier_->HasPending(zone) && verifier_->Bar(zone)) {
    barred_ = zone;
    verifier_->BeforeReset(zone, 1);
    return std::nullopt;
  }
  shared_.resets.GiveBack(zone);
  if (verifier_->HasPending(zone)) return Draw::VerifyFirst(zone);
  // Somebody came into the zone just now. Try again.
  return Draw{Draw::Kind::kWait, Errc::kZoneBusy, {}};
}

std::optional<Draw> ZonedWriter::Sweep(Slot& slot, std::uint32_t id) noexcept {
  if (operation_active_) return Draw::WaitForOwnIo();
  if (swept_ == 0) verifier_->BeforeReset(zones_.first, zones_.count);
  for (; swept_ < zones_.count; ++swept_) {
    const ZoneId zone(zones_.first.value() + swept_);
    const ZoneCondition condition = manager_.ConditionOf(zone);
    const bool lost = condition == ZoneCondition::kReadOnly || condition == ZoneCondition::kOffline;
    const bool holds_data = condition == ZoneCondition::kFull || manager_.ReservedOf(zone) != 0;
    if (IsConventional(zone) || lost || !holds_data) continue;
    if (!verifier_->MayReset(zone) || !shared_.resets.Take(zone)) {
      left_to_others_ = true;
      continue;
    }
    const Draw draw = StartOperation(zone, SlotUse::kReset, slot, id);
    switch (draw.kind) {
      case Draw::Kind::kPrepared:
        ++swept_;
        return draw;
      case Draw::Kind::kWait:
      case Draw::Kind::kRefused:
        return draw;
      default:
        break;  // nobody can reset it
    }
  }
  sweeping_ = false;
  return std::nullopt;
}

void ZonedWriter::NoRoomIn(ZoneId zone) noexcept {
  const auto at = std::find(with_room_.begin(), with_room_.end(), zone);
  if (at == with_room_.end()) return;
  *at = with_room_.back();
  with_room_.pop_back();
}

// The offset drawn picks one of those that are left in its proportion, so that a
// distribution keeps its shape.
ZoneId ZonedWriter::RandomZoneWithRoom() noexcept {
  const std::uint64_t count = with_room_.size();
  const std::uint64_t zone = geometry_.ZoneOf(offsets_.Next(least_)).value();
  return with_room_[(zone - zones_.first.value()) * count / zones_.count];
}

// A pass in which nothing could be written, because others have yet to verify the
// zones, is tried again. One that others filled too is not the last one.
Draw ZonedWriter::WhenNoRoomIsLeft() noexcept {
  if (is_random_ && !is_alone_ && written_in_pass_ < pass_bytes_) met_others_ = true;
  if (written_in_pass_ != 0 || !left_to_others_) return Draw::Of(Draw::Kind::kPassOver);
  StartPass();
  return Draw::Of(Draw::Kind::kRetryLater);
}

}  // namespace zonal::engine
