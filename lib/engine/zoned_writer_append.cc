// SPDX-License-Identifier: MIT
// ZonedWriter of a worker that appends: it picks the zone, the device the place in
// it. Zones are shared by all who append, so there are no claims: with a limit on the
// zones written at once, all append to the same set of them (append_zones.h).
#include "engine/zoned_writer.h"

namespace zonal::engine {
namespace {

constexpr int kDraws = 16;

}  // namespace

ZonedWriter::Attempt ZonedWriter::Append(ZoneId zone, Slot& slot, std::uint64_t bytes,
                                         std::uint32_t id) noexcept {
  // Where nothing fits the queue is asked all the same: it knows why.
  if (const std::uint64_t fit = FitIn(zone, bytes); fit != 0) bytes = fit;
  const Admission admission = queue_.Append(zone, slot.buffer, bytes, id);
  if (!admission.ok()) return Classify(admission);
  schedule_.WritePrepared(admission.bytes);
  slot.use = SlotUse::kWrite;
  slot.zone = zone;
  slot.offset = admission.offset;  // the zone's start, until it has landed
  slot.bytes = admission.bytes;
  written_in_pass_ += slot.bytes;
  return Attempt::kDone;
}

ZonedWriter::Attempt ZonedWriter::JoinAppendZone(ZoneId zone) noexcept {
  if (Remaining(zone) == 0) return Attempt::kFull;
  if (!shared_.append_zones.Join(zone, append_place_)) {
    refusal_ = {Errc::kNoSlot, {}, 0, 0};
    return Attempt::kBusy;
  }
  if (Remaining(zone) != 0) return Attempt::kDone;
  // Filled between our look and our joining it. If that has landed, too, nothing of it
  // is in flight any more whose end would take it out.
  LeaveAppendZoneIfFull(zone);
  return Attempt::kFull;
}

void ZonedWriter::LeaveAppendZone(ZoneId zone) noexcept {
  if (uses_targets_) shared_.append_zones.Leave(zone);
}

// With everything landed: its slots are free then, and not before.
void ZonedWriter::LeaveAppendZoneIfFull(ZoneId zone) noexcept {
  if (manager_.ConditionOf(zone) == ZoneCondition::kFull) LeaveAppendZone(zone);
}

Draw ZonedWriter::Appended(ZoneId zone) noexcept {
  entering_ = false;
  met_others_ = met_others_ || !is_alone_;
  if (Remaining(zone) == 0) LeaveZone(zone);
  return Draw::Of(Draw::Kind::kPrepared);
}

// The stream's zone cannot be one more of those appended to: one of them takes its
// part. Where all of these are just being filled, their last completion frees a place.
Draw ZonedWriter::WhenNoAppendZoneIsFree() noexcept {
  const bool no_place =
      refusal_.errc == Errc::kNoSlot && refusal_.wait.kind == WaitKey::Kind::kNone;
  if (!no_place) return Draw::Wait(refusal_);
  const AppendZones& zones = shared_.append_zones;
  for (std::uint32_t place = 0; place < zones.most(); ++place) {
    const std::optional<ZoneId> other = zones.At(place);
    if (!other || Remaining(*other) == 0) continue;
    met_others_ = true;
    if (!detour_from_) detour_from_ = Place{position_, entering_};
    position_ = geometry_.StartOf(*other);
    entering_ = false;
    return {Draw::Kind::kWait, Errc::kNoSlot, {}};  // again, and at once
  }
  if (queue_.in_flight() != 0) return Draw::WaitForOwnIo();
  return Draw::Wait(refusal_);
}

Draw ZonedWriter::AmongAppendZones(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  AppendZones& zones = shared_.append_zones;
  if (!searched_ && zones.HasFreePlace()) {
    searched_ = true;
    if (std::optional<Draw> operation = SearchAppendZone(slot, bytes, id)) return *operation;
  }
  const std::uint32_t count = zones.most();
  std::uint32_t at = count == 1 ? 0 : static_cast<std::uint32_t>(rng_.Below(count));
  for (std::uint32_t tried = 0; tried < count; ++tried, at = at + 1 == count ? 0 : at + 1) {
    const std::optional<ZoneId> zone = zones.At(at);
    if (!zone || (operation_active_ && *zone == operation_zone_)) continue;
    if (const std::optional<Draw> reset = ResetIfDue(*zone, slot, id)) return *reset;
    switch (WriteUnlessDue(*zone, slot, bytes, id)) {
      case Attempt::kDone:
        unwritable_streak_ = 0;
        return Draw::Of(Draw::Kind::kPrepared);
      case Attempt::kFull: {
        if (Remaining(*zone) == 0) {
          // It leaves when its last append has landed, if it has not by now.
          NoRoomIn(*zone);
          LeaveAppendZoneIfFull(*zone);
          break;
        }
        if (operation_active_) break;
        const std::optional<Draw> made = MakeRoom(*zone, slot, bytes, id);
        if (made && made->kind == Draw::Kind::kPrepared) return *made;
        break;
      }
      case Attempt::kBusy:
        break;
      case Attempt::kUnwritable:
        LeaveAppendZone(*zone);
        NoRoomIn(*zone);
        break;
      case Attempt::kRefused:
        return Draw::Refused(refusal_.errc);
    }
  }
  return NoneOfThem();
}

// One more zone for a free place. A draw is returned only if a zone has to be reset
// first and that took the slot.
std::optional<Draw> ZonedWriter::SearchAppendZone(Slot& slot, std::uint64_t bytes,
                                                  std::uint32_t id) noexcept {
  for (int draw = 0; draw < kDraws && !NoRoomLeft(); ++draw) {
    const ZoneId zone = next_target_ ? *next_target_ : RandomZone();
    next_target_.reset();
    if (operation_active_ && zone == operation_zone_) continue;
    const ZoneCondition condition = manager_.ConditionOf(zone);
    if (condition == ZoneCondition::kReadOnly || condition == ZoneCondition::kOffline) {
      ++unwritable_streak_;
      NoRoomIn(zone);
      continue;
    }
    unwritable_streak_ = 0;
    if (JoinAppendZone(zone) != Attempt::kFull) return std::nullopt;
    if (operation_active_) continue;
    const std::optional<Draw> made = MakeRoom(zone, slot, bytes, id);
    if (made && made->kind == Draw::Kind::kPrepared) return made;
  }
  return std::nullopt;
}

}  // namespace zonal::engine
