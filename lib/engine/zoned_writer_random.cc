// SPDX-License-Identifier: MIT
// ZonedWriter: random writes, among the targets claimed or anywhere.
#include "engine/zoned_writer.h"

namespace zonal::engine {
namespace {

constexpr int kDraws = 16;
// Zones that refused to be written, one after the other, before all are looked at.
constexpr std::uint32_t kStreak = 64;

}  // namespace

Draw ZonedWriter::Random(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  refusal_ = {};
  if (has_conventional_) {
    if (std::optional<Draw> draw = DrawConventional(slot, bytes, id)) return *draw;
  }
  if (NoRoomLeft()) return NoneOfThem();
  if (!uses_targets_) return Anywhere(slot, bytes, id);
  return appends_ ? AmongAppendZones(slot, bytes, id) : AmongTargets(slot, bytes, id);
}

// Conventional zones get the share of the draws that their size is.
std::optional<Draw> ZonedWriter::DrawConventional(Slot& slot, std::uint64_t bytes,
                                                  std::uint32_t id) noexcept {
  const std::uint64_t offset = offsets_.Next(bytes);
  const ZoneId zone = geometry_.ZoneOf(offset);
  if (!IsConventional(zone)) return std::nullopt;
  const Draw draw = DrawOf(WriteAt(offset, slot, bytes, id));
  if (draw.kind == Draw::Kind::kPassOver) return std::nullopt;
  if (draw.kind == Draw::Kind::kPrepared) unwritable_streak_ = 0;
  return draw;
}

Draw ZonedWriter::Anywhere(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  for (int draw = 0; draw < kDraws && !NoRoomLeft(); ++draw) {
    const ZoneId zone = RandomZone();
    if (IsConventional(zone) || (operation_active_ && zone == operation_zone_)) continue;
    if (const std::optional<Draw> reset = ResetIfDue(zone, slot, id)) return *reset;
    switch (WriteUnlessDue(zone, slot, bytes, id)) {
      case Attempt::kDone:
        unwritable_streak_ = 0;
        return Draw::Of(Draw::Kind::kPrepared);
      case Attempt::kFull: {
        if (operation_active_) break;  // another zone, until it is done
        const std::optional<Draw> made = MakeRoom(zone, slot, bytes, id);
        if (made && made->kind == Draw::Kind::kPrepared) return *made;
        break;
      }
      case Attempt::kBusy:
        unwritable_streak_ = 0;
        break;
      case Attempt::kUnwritable:
        ++unwritable_streak_;
        NoRoomIn(zone);
        break;
      case Attempt::kRefused:
        return Draw::Refused(refusal_.errc);
    }
  }
  return NoneOfThem();
}

Draw ZonedWriter::AmongTargets(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  if (!searched_ && queue_.Targets().size() < share_) {
    searched_ = true;
    if (std::optional<Draw> operation = SearchTarget(slot, bytes, id)) return *operation;
  }
  const std::span<const ZoneId> own = queue_.Targets();
  const std::size_t count = own.size();
  if (count == 0) return NoneOfThem();
  std::size_t at = count == 1 ? 0 : rng_.Below(count);
  for (std::size_t tried = 0; tried < count; ++tried, at = at + 1 == count ? 0 : at + 1) {
    const ZoneId zone = own[at];
    if (operation_active_ && zone == operation_zone_) continue;
    if (const std::optional<Draw> reset = ResetIfDue(zone, slot, id)) return *reset;
    switch (WriteUnlessDue(zone, slot, bytes, id)) {
      case Attempt::kDone:
        unwritable_streak_ = 0;
        return Draw::Of(Draw::Kind::kPrepared);
      case Attempt::kFull: {
        // Filled by writes in flight: their completion replaces it. A tail that
        // holds no block must be finished, or it would hold its place for ever.
        if (Remaining(zone) == 0) NoRoomIn(zone);
        if (operation_active_ || Remaining(zone) == 0) break;
        const std::optional<Draw> made = MakeRoom(zone, slot, bytes, id);
        if (made && made->kind == Draw::Kind::kPrepared) return *made;
        break;
      }
      case Attempt::kBusy:
        break;
      case Attempt::kUnwritable:
        queue_.Release(zone);
        NoRoomIn(zone);
        return NoneOfThem();
      case Attempt::kRefused:
        return Draw::Refused(refusal_.errc);
    }
  }
  return NoneOfThem();
}

// Claims one more zone. A draw is returned only if a zone has to be reset or
// finished first and that took the slot.
std::optional<Draw> ZonedWriter::SearchTarget(Slot& slot, std::uint64_t bytes,
                                              std::uint32_t id) noexcept {
  const bool desperate = queue_.Targets().empty();
  for (int draw = 0; draw < (desperate ? kDraws : 1) && !NoRoomLeft(); ++draw) {
    const ZoneId zone = next_target_ ? *next_target_ : RandomZone();
    next_target_.reset();
    if (IsConventional(zone) || (operation_active_ && zone == operation_zone_)) continue;
    switch (Claim(zone)) {
      case Attempt::kDone:
        return std::nullopt;
      case Attempt::kFull: {
        if (operation_active_) continue;
        const std::optional<Draw> made = MakeRoom(zone, slot, bytes, id);
        if (made && made->kind == Draw::Kind::kPrepared) return made;
        continue;
      }
      case Attempt::kUnwritable:
        ++unwritable_streak_;
        NoRoomIn(zone);
        continue;
      case Attempt::kRefused:
        return Draw::Refused(refusal_.errc);
      case Attempt::kBusy:
        unwritable_streak_ = 0;
        break;
    }
    // The set is full, or the zone is another's: one of the set that nobody writes
    // will do.
    if (queue_.ClaimUnclaimed(zones_)) return std::nullopt;
    if (refusal_.wait.kind != WaitKey::Kind::kZone) return std::nullopt;
  }
  return std::nullopt;
}

// No zone took a block. What to wait for?
Draw ZonedWriter::NoneOfThem() noexcept {
  if (NoRoomLeft() && !has_conventional_) return Draw::Of(Draw::Kind::kPassOver);
  if (unwritable_streak_ >= kStreak) {
    // Zones may also stay suspect for ever: after so many draws none was missed.
    const bool tried_all = unwritable_streak_ / 32 > zones_.count;
    if (tried_all || !AnyWritable()) return Draw::Of(Draw::Kind::kNothingWritable);
  }
  if (queue_.in_flight() != 0) return Draw::WaitForOwnIo();
  return Draw::Wait(refusal_);
}

}  // namespace zonal::engine
