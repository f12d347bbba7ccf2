// SPDX-License-Identifier: MIT
#include "engine/zoned_trimmer.h"

#include <algorithm>

namespace zonal::engine {
namespace {

constexpr int kDraws = 32;

}  // namespace

ZonedTrimmer::ZonedTrimmer(const WorkerSetup& setup, ZoneQueue& queue)
    : manager_(*setup.target->manager),
      queue_(queue),
      shared_(setup.target->coordination),
      geometry_(manager_.geometry()),
      range_(setup.range),
      first_(geometry_.ZoneOf(range_.begin)),
      zones_(geometry_.ZoneOf(range_.end - 1).value() - first_.value() + 1),
      is_random_(setup.workload.pattern == Pattern::kRandom),
      // What is written right after may as well be written to an empty zone.
      only_with_data_(!setup.workload.writes),
      position_(range_.begin),
      rng_(setup.workload.seed ^ 0x7212) {
  under_way_.reserve(setup.workload.depth);
}

ZonedTrimmer::~ZonedTrimmer() {
  for (const ZoneId zone : under_way_) shared_.resets.GiveBack(zone);
}

bool ZonedTrimmer::HoldsData(ZoneId zone) const noexcept {
  return manager_.ReservedOf(zone) != 0 || manager_.ConditionOf(zone) == ZoneCondition::kFull;
}

std::optional<Draw> ZonedTrimmer::Trim(ZoneId zone, Slot& slot, std::uint32_t id) noexcept {
  const ZoneCondition condition = manager_.ConditionOf(zone);
  if (condition == ZoneCondition::kReadOnly || condition == ZoneCondition::kOffline) {
    return std::nullopt;
  }
  if (!shared_.resets.Take(zone)) {
    return Draw::Wait({Errc::kZoneBusy, {WaitKey::Kind::kZone, zone}, 0, 0});
  }
  const std::uint64_t held =
      condition == ZoneCondition::kFull ? manager_.CommittedOf(zone) : manager_.ReservedOf(zone);
  const Admission admission = queue_.Manage(zone, ZoneOp::kReset, id);
  if (!admission.ok()) {
    shared_.resets.GiveBack(zone);
    if (admission.errc == Errc::kZoneBusy) return Draw::Wait(admission);
    if (admission.errc == Errc::kZoneOffline || admission.errc == Errc::kZoneReadOnly) {
      return std::nullopt;
    }
    return Draw::Refused(admission.errc);
  }
  shared_.Dropped(geometry_.StartOf(zone), held);
  under_way_.push_back(zone);
  slot.use = SlotUse::kTrim;
  slot.zone = zone;
  slot.offset = geometry_.StartOf(zone);
  slot.bytes = geometry_.EndOf(zone) - slot.offset;
  return Draw::Of(Draw::Kind::kPrepared);
}

Draw ZonedTrimmer::Prepare(Slot& slot, std::uint32_t id) noexcept {
  return is_random_ ? Random(slot, id) : Sequential(slot, id);
}

Draw ZonedTrimmer::Sequential(Slot& slot, std::uint32_t id) noexcept {
  while (position_ < range_.end) {
    const ZoneId zone = geometry_.ZoneOf(position_);
    const std::optional<Draw> draw = Trim(zone, slot, id);
    if (draw && draw->kind != Draw::Kind::kPrepared) return *draw;
    position_ = geometry_.EndOf(zone);
    if (draw) return *draw;
  }
  return Draw::Of(Draw::Kind::kPassOver);
}

// A zone drawn anywhere; when few hold data, the next that does behind a random one.
Draw ZonedTrimmer::Random(Slot& slot, std::uint32_t id) noexcept {
  std::optional<Draw> refusal;
  const auto attempt = [&](std::uint64_t at) -> bool {
    const ZoneId zone(first_.value() + static_cast<std::uint32_t>(at));
    if (only_with_data_ && !HoldsData(zone)) return false;
    const std::optional<Draw> draw = Trim(zone, slot, id);
    if (draw) refusal = draw;
    return draw && draw->kind == Draw::Kind::kPrepared;
  };
  for (int draw = 0; draw < kDraws; ++draw) {
    if (attempt(rng_.Below(zones_))) return *refusal;
  }
  const std::uint64_t from = rng_.Below(zones_);
  for (std::uint32_t i = 0; i < zones_; ++i) {
    if (attempt((from + i) % zones_)) return *refusal;
  }
  return refusal ? *refusal : Draw::Of(Draw::Kind::kNothingReadable);
}

void ZonedTrimmer::Completed(const Slot& slot) noexcept {
  shared_.resets.GiveBack(slot.zone);
  const auto at = std::find(under_way_.begin(), under_way_.end(), slot.zone);
  *at = under_way_.back();
  under_way_.pop_back();
}

}  // namespace zonal::engine
