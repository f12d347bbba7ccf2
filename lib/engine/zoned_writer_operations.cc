// SPDX-License-Identifier: MIT
// ZonedWriter: resets and finishes, those that make room and those of the schedule.
#include <algorithm>
#include <utility>

#include "engine/verifier.h"
#include "engine/zoned_writer.h"

namespace zonal::engine {

bool ZonedWriter::IsBeingRead(ZoneId zone) const noexcept {
  return std::any_of(slots_.begin(), slots_.end(),
                     [zone](const Slot& slot) { return slot.reading && slot.zone == zone; });
}

Draw ZonedWriter::StartOperation(ZoneId zone, SlotUse use, Slot& slot, std::uint32_t id) noexcept {
  // What a read brings from under a reset is nobody's: it would be read for nothing.
  if (use == SlotUse::kReset && IsBeingRead(zone)) {
    shared_.resets.GiveBack(zone);
    return Draw::WaitForOwnIo();
  }
  if (use == SlotUse::kReset && verifier_ != nullptr) {
    if (const std::optional<Draw> held = HoldReset(zone)) return *held;
  }
  const Admission admission =
      queue_.Manage(zone, use == SlotUse::kReset ? ZoneOp::kReset : ZoneOp::kFinish, id);
  if (!admission.ok()) {
    shared_.resets.GiveBack(zone);
    if (barred_) verifier_->Unbar(*std::exchange(barred_, {}));
    switch (Classify(admission)) {
      case Attempt::kBusy:
        return Draw::Wait(admission);
      case Attempt::kUnwritable:
      case Attempt::kFull:
        return NoneOfThem();
      default:
        return Draw::Refused(admission.errc);
    }
  }
  if (use == SlotUse::kReset) {
    // Writes still in flight there land before the reset, and are counted already.
    const bool full = manager_.ConditionOf(zone) == ZoneCondition::kFull;
    schedule_.Reset(full ? manager_.CommittedOf(zone) : manager_.ReservedOf(zone));
    schedule_.ResetStarted(zone);
  }
  operation_active_ = true;
  operation_zone_ = zone;
  slot.use = use;
  slot.zone = zone;
  slot.offset = geometry_.StartOf(zone);
  slot.bytes = 0;
  return Draw::Of(Draw::Kind::kPrepared);
}

bool ZonedWriter::ResetIsDue(ZoneId zone) const noexcept {
  return !operation_active_ && schedule_.DueIn(zone) && manager_.ReservedOf(zone) != 0 &&
         MayReset(zone);
}

std::optional<Draw> ZonedWriter::ResetIfDue(ZoneId zone, Slot& slot, std::uint32_t id) noexcept {
  if (!ResetIsDue(zone) || !shared_.resets.Take(zone)) return std::nullopt;
  // Again, now that nobody else resets it: another's reset may just have ended.
  if (ResetIsDue(zone)) return StartOperation(zone, SlotUse::kReset, slot, id);
  shared_.resets.GiveBack(zone);
  return std::nullopt;
}

std::optional<Draw> ZonedWriter::MakeRoom(ZoneId zone, Slot& slot, std::uint64_t bytes,
                                          std::uint32_t id) noexcept {
  if (operation_active_) return Draw::WaitForOwnIo();
  if (!shared_.resets.Take(zone)) {
    // Another worker is at it. Its operation owns the zone: wait for that.
    refusal_ = {Errc::kZoneBusy, {WaitKey::Kind::kZone, zone}, 0, 0};
    return Draw::Wait(refusal_);
  }
  const std::uint64_t remaining = Remaining(zone);  // again, now that it is ours to decide
  const bool filled = verifier_ != nullptr && remaining == 0;  // and to be verified
  if (FitIn(zone, bytes) != 0 || filled) {
    shared_.resets.GiveBack(zone);
    if (filled) NoRoomIn(zone);
    return std::nullopt;
  }
  return StartOperation(zone, remaining == 0 ? SlotUse::kReset : SlotUse::kFinish, slot, id);
}

// Another worker may have written the zone since ResetIfDue found none due. With the
// zone's claim, asking again, writing and counting the write are one step.
ZonedWriter::Attempt ZonedWriter::WriteUnlessDue(ZoneId zone, Slot& slot, std::uint64_t bytes,
                                                 std::uint32_t id) noexcept {
  if (!schedule_.on()) return Write(zone, slot, bytes, id);
  if (!shared_.resets.Take(zone)) {
    refusal_ = {Errc::kZoneBusy, {WaitKey::Kind::kZone, zone}, 0, 0};
    return Attempt::kBusy;
  }
  Attempt attempt = Attempt::kBusy;
  refusal_ = {Errc::kZoneBusy, {}, 0, 0};  // to wait for nothing is to try again at once
  if (!ResetIsDue(zone)) attempt = Write(zone, slot, bytes, id);
  shared_.resets.GiveBack(zone);
  return attempt;
}

}  // namespace zonal::engine
