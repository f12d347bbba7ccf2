// SPDX-License-Identifier: MIT
#include "engine/zoned_reader.h"

#include <algorithm>

#include "engine/streams.h"

namespace zonal::engine {

ZonedReader::ZonedReader(const WorkerSetup& setup, ZoneQueue& queue)
    : manager_(*setup.target->manager),
      queue_(queue),
      geometry_(manager_.geometry()),
      range_(setup.range),
      block_(setup.least_read()),
      is_random_(setup.workload.pattern == Pattern::kRandom),
      beyond_write_pointer_(setup.workload.read_beyond_write_pointer),
      has_conventional_(setup.has_conventional),
      skip_(setup.zone_skip),
      position_(range_.begin),
      offsets_(RandomStreamOptions(setup, Direction::kRead, range_.begin, range_.end),
               setup.workload.distribution[0]),
      rng_(setup.workload.seed ^ 0x5EAD) {
  // Allocated here: nothing is while I/O runs.
  if (is_random_ && setup.workload.reads) {
    blocks_up_to_.resize(geometry_.ZoneOf(range_.end - 1).value() - first_zone().value() + 1);
  }
}

Draw ZonedReader::Prepare(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  return is_random_ ? Random(slot, bytes, id) : Sequential(slot, bytes, id);
}

std::uint64_t ZonedReader::ReadableEnd(ZoneId zone) const noexcept {
  const std::uint64_t start = geometry_.StartOf(zone);
  // An offline zone has no data; its pointer means nothing.
  if (manager_.ConditionOf(zone) == ZoneCondition::kOffline) return start;
  if (beyond_write_pointer_) return std::min(geometry_.EndOf(zone), range_.end);
  if (has_conventional_ && manager_.TypeOf(zone) == ZoneType::kConventional) {
    return std::min(geometry_.EndOf(zone), range_.end);
  }
  return std::min(start + manager_.CommittedOf(zone), range_.end);
}

// `epoch` was taken before the zone's pointer was looked at. The queue compares
// with the epoch at admission; if that differs from ours, the pointer was another's.
ZonedReader::Attempt ZonedReader::Read(Slot& slot, ZoneId zone, std::uint32_t epoch,
                                       std::uint64_t offset, std::uint64_t bytes,
                                       std::uint32_t id) noexcept {
  const Admission admission = queue_.Read(offset, slot.buffer, bytes, id, registered_buffer_);
  if (admission.ok()) {
    slot.use = SlotUse::kRead;
    slot.zone = zone;
    slot.offset = offset;
    slot.bytes = admission.bytes;
    slot.epoch = epoch;
    slot.stale = manager_.EpochOf(zone) != epoch;
    return Attempt::kDone;
  }
  if (admission.errc == Errc::kZoneBusy || admission.errc == Errc::kZoneOffline) {
    return Attempt::kElsewhere;
  }
  refusal_ = admission.errc;
  return Attempt::kRefused;
}

Draw ZonedReader::PrepareReadBack(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                                  std::uint32_t id) noexcept {
  const Admission admission = queue_.Read(offset, slot.buffer, bytes, id, registered_buffer_);
  if (!admission.ok()) {
    // Being reset by another: it will be gone when we look again.
    if (admission.errc == Errc::kZoneBusy) return Draw::Wait(admission);
    return Draw::Refused(admission.errc);
  }
  slot.use = SlotUse::kReadBack;
  slot.offset = offset;
  slot.bytes = admission.bytes;
  return Draw::Of(Draw::Kind::kPrepared);
}

Draw ZonedReader::Sequential(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  while (position_ < range_.end) {
    const ZoneId zone = geometry_.ZoneOf(position_);
    const std::uint32_t epoch = manager_.EpochOf(zone);
    const std::uint64_t end = ReadableEnd(zone);
    // A zone that is readable to its end may end in less than a block; below a
    // write pointer only whole blocks are read, and of blocks that no zone holds none.
    const bool to_the_end =
        block_ <= geometry_.zone_size && end == std::min(geometry_.EndOf(zone), range_.end);
    const std::uint64_t room = end > position_ ? end - position_ : 0;
    const std::uint64_t fit = to_the_end ? std::min(bytes, room) : Whole(bytes, room);
    if (fit != 0) {
      const Attempt attempt = Read(slot, zone, epoch, position_, fit, id);
      if (attempt == Attempt::kRefused) return Draw::Refused(refusal_);
      if (attempt == Attempt::kDone) {
        position_ += slot.bytes;
        if (position_ == geometry_.EndOf(zone)) position_ += skip_;
        return Draw::Of(Draw::Kind::kPrepared);
      }
    }
    position_ = geometry_.EndOf(zone) + skip_;
  }
  return Draw::Of(Draw::Kind::kPassOver);
}

Draw ZonedReader::Random(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  if (tries_left_ != 0) --tries_left_;
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::uint64_t offset = offsets_.Next(bytes);
    const ZoneId zone = geometry_.ZoneOf(offset);
    const std::uint32_t epoch = manager_.EpochOf(zone);
    const std::uint64_t end = ReadableEnd(zone);
    const std::uint64_t fit = end > offset ? Whole(bytes, end - offset) : 0;
    if (fit == 0) continue;
    const Attempt attempt = Read(slot, zone, epoch, offset, fit, id);
    if (attempt == Attempt::kDone) return Draw::Of(Draw::Kind::kPrepared);
    if (attempt == Attempt::kRefused) return Draw::Refused(refusal_);
  }
  return FromIndex(slot, bytes, id);
}

void ZonedReader::RebuildIndex() noexcept {
  std::uint64_t total = 0;
  ZoneId zone = first_zone();
  for (std::uint64_t& up_to : blocks_up_to_) {
    const std::uint64_t from = std::max(geometry_.StartOf(zone), range_.begin);
    const std::uint64_t end = ReadableEnd(zone);
    if (end > from) total += (end - from) / block_;
    up_to = total;
    zone = zone.Next();
  }
  tries_left_ = kTriesPerIndex;
}

Draw ZonedReader::FromIndex(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  // An index without a block is no use until it is rebuilt, however young it is.
  if (tries_left_ == 0 || blocks_up_to_.back() == 0) RebuildIndex();
  const std::uint64_t total = blocks_up_to_.back();
  if (total == 0) return Draw::Of(Draw::Kind::kNothingReadable);
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::uint64_t wanted = rng_.Below(total);
    const auto at = std::upper_bound(blocks_up_to_.begin(), blocks_up_to_.end(), wanted);
    const std::uint64_t before = at == blocks_up_to_.begin() ? 0 : *(at - 1);
    const ZoneId zone(first_zone().value() +
                      static_cast<std::uint32_t>(at - blocks_up_to_.begin()));
    const std::uint64_t from = std::max(geometry_.StartOf(zone), range_.begin);
    const std::uint64_t offset = from + (wanted - before) * block_;
    const std::uint32_t epoch = manager_.EpochOf(zone);
    const std::uint64_t end = ReadableEnd(zone);
    const std::uint64_t fit = end > offset ? Whole(bytes, end - offset) : 0;
    if (fit == 0) continue;  // reset since the index was built
    const Attempt attempt = Read(slot, zone, epoch, offset, fit, id);
    if (attempt == Attempt::kDone) return Draw::Of(Draw::Kind::kPrepared);
    if (attempt == Attempt::kRefused) return Draw::Refused(refusal_);
  }
  tries_left_ -= std::min<std::uint64_t>(tries_left_, kDraws);
  return Draw::Of(Draw::Kind::kRetryLater);
}

}  // namespace zonal::engine
