// SPDX-License-Identifier: MIT
// ZonedWriter: attempts, and the sequential stream. The random draws are in
// zoned_writer_random.cc, resets and finishes in zoned_writer_operations.cc.
#include "engine/zoned_writer.h"

#include <algorithm>
#include <utility>

#include "engine/streams.h"
#include "engine/verifier.h"

namespace zonal::engine {
namespace {

ZoneRange ZonesOf(const Geometry& geometry, const WorkRange& range) noexcept {
  const ZoneId first = geometry.ZoneOf(range.begin);
  return {first, geometry.ZoneOf(range.end - 1).value() - first.value() + 1};
}

std::uint32_t Share(const WorkerSetup& setup) noexcept {
  const Workload& workload = setup.workload;
  const std::uint32_t targets = setup.target->write_targets.count_or(0);
  const std::uint32_t writers = std::max<std::uint32_t>(1, setup.target->zone_writers);
  const std::uint32_t share = targets / writers + (targets % writers != 0 ? 1 : 0);
  if (workload.worker_max_open_zones == 0) return share;
  return std::min(share, workload.worker_max_open_zones);
}

}  // namespace

ZonedWriter::ZonedWriter(const WorkerSetup& setup, ZoneQueue& queue, Verifier* verifier)
    : manager_(*setup.target->manager),
      queue_(queue),
      shared_(setup.target->coordination),
      geometry_(manager_.geometry()),
      range_(setup.range),
      zones_(ZonesOf(geometry_, range_)),
      is_random_(setup.workload.pattern == Pattern::kRandom),
      uses_targets_(setup.uses_targets()),
      appends_(setup.appends()),
      has_conventional_(setup.has_conventional),
      least_(setup.least_write()),
      writes_remainder_(setup.workload.write_zone_remainder),
      partly_written_(setup.partly_written),
      fills_(setup.workload.fills_device),
      forced_(setup.workload.forced_writes),
      skip_(setup.zone_skip),
      share_(Share(setup)),
      schedule_(setup),
      position_(range_.begin),
      offsets_(RandomStreamOptions(setup, Direction::kWrite, range_.begin, range_.end),
               setup.workload.distribution[1]),
      rng_(setup.workload.seed ^ 0x3717E),
      verifier_(setup.writes() ? verifier : nullptr),
      pass_bytes_(setup.pass_bytes),
      is_alone_(setup.target->zone_writers <= 1) {
  if (verifier_ != nullptr) StartSweep();
  if (uses_targets_) queue_.SetTargetCap(share_);
}

ZonedWriter::~ZonedWriter() {
  if (operation_active_) shared_.resets.GiveBack(operation_zone_);
  if (barred_) verifier_->Unbar(*barred_);
}

Draw ZonedWriter::Prepare(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  if (sweeping_) {
    if (const std::optional<Draw> draw = Sweep(slot, id)) return *draw;
  }
  const Draw draw = is_random_ ? Random(slot, bytes, id) : Sequential(slot, bytes, id);
  return draw.kind == Draw::Kind::kPassOver && verifier_ != nullptr ? WhenNoRoomIsLeft() : draw;
}

std::uint64_t ZonedWriter::Remaining(ZoneId zone) const noexcept {
  if (manager_.ConditionOf(zone) == ZoneCondition::kFull) return 0;
  return manager_.CapacityOf(zone) - manager_.ReservedOf(zone);
}

std::uint64_t ZonedWriter::FitIn(ZoneId zone, std::uint64_t bytes) const noexcept {
  const std::uint64_t room = Remaining(zone);
  if (room >= bytes) return bytes;
  return room < least_ && writes_remainder_ ? room : room - room % least_;
}

bool ZonedWriter::IsConventional(ZoneId zone) const noexcept {
  return has_conventional_ && manager_.TypeOf(zone) == ZoneType::kConventional;
}

bool ZonedWriter::IsTarget(ZoneId zone) const noexcept {
  const std::span<const ZoneId> own = queue_.Targets();
  return std::find(own.begin(), own.end(), zone) != own.end();
}

bool ZonedWriter::AnyWritable() const noexcept {
  for (std::uint32_t i = 0; i < zones_.count; ++i) {
    const ZoneCondition condition = manager_.ConditionOf(ZoneId(zones_.first.value() + i));
    if (condition != ZoneCondition::kReadOnly && condition != ZoneCondition::kOffline) return true;
  }
  return false;
}

ZonedWriter::Attempt ZonedWriter::Classify(const Admission& admission) noexcept {
  switch (admission.errc) {
    case Errc::kOk:
      return Attempt::kDone;
    case Errc::kZoneFull:
      return Attempt::kFull;
    case Errc::kZoneReadOnly:
    case Errc::kZoneOffline:
      return Attempt::kUnwritable;
    case Errc::kZoneBusy:
    case Errc::kNoSlot:
      refusal_ = admission;
      return Attempt::kBusy;
    case Errc::kZoneSuspect:
      refusal_ = admission;
      // Without a key nobody could read its pointer: it stays as it is.
      return admission.wait.kind == WaitKey::Kind::kNone ? Attempt::kUnwritable : Attempt::kBusy;
    default:
      refusal_ = admission;
      return Attempt::kRefused;
  }
}

ZonedWriter::Attempt ZonedWriter::Claim(ZoneId zone) noexcept {
  if (appends_) return JoinAppendZone(zone);
  if (IsTarget(zone)) return Attempt::kDone;
  return Classify(queue_.ClaimTarget(zone));
}

ZonedWriter::Attempt ZonedWriter::Write(ZoneId zone, Slot& slot, std::uint64_t bytes,
                                        std::uint32_t id) noexcept {
  if (verifier_ != nullptr && !verifier_->MayWrite(zone)) {
    refusal_ = {Errc::kZoneBusy, {WaitKey::Kind::kZone, zone}, 0, 0};
    return Attempt::kBusy;
  }
  if (appends_) return Append(zone, slot, bytes, id);
  // Where nothing fits the queue is asked all the same: it knows why.
  if (const std::uint64_t fit = FitIn(zone, bytes); fit != 0) bytes = fit;
  WriteOptions options;
  options.min_bytes = bytes;
  // A stream stays in its zone, and targets are kept by being claimed.
  options.keep = uses_targets_ || !is_random_;
  options.fua = forced_;
  options.registered_buffer = registered_buffer_;
  const Admission admission = queue_.Write(zone, slot.buffer, bytes, id, options);
  if (!admission.ok()) return Classify(admission);
  schedule_.WritePrepared(admission.bytes);
  slot.use = SlotUse::kWrite;
  slot.zone = zone;
  slot.offset = admission.offset;
  slot.bytes = admission.bytes;
  written_in_pass_ += slot.bytes;
  return Attempt::kDone;
}

ZonedWriter::Attempt ZonedWriter::WriteAt(std::uint64_t offset, Slot& slot, std::uint64_t bytes,
                                          std::uint32_t id) noexcept {
  WriteOptions options;
  options.fua = forced_;
  options.registered_buffer = registered_buffer_;
  const ZoneId zone = geometry_.ZoneOf(offset);
  // Never into the next zone, whose write pointer is elsewhere.
  const std::uint64_t fit = std::min(bytes, std::min(geometry_.EndOf(zone), range_.end) - offset);
  const Admission admission = queue_.WriteAt(offset, slot.buffer, fit, id, options);
  if (!admission.ok()) return Classify(admission);
  slot.use = SlotUse::kWrite;
  slot.zone = zone;
  slot.offset = admission.offset;
  slot.bytes = admission.bytes;
  return Attempt::kDone;
}

void ZonedWriter::Completed(const Slot& slot, const ZoneCompletion& completion) noexcept {
  if (appends_ && slot.use != SlotUse::kRead) LeaveAppendZoneIfFull(slot.zone);
  if (slot.use == SlotUse::kWrite) {
    if (completion.result.ok()) return;
    lost_in_ = slot.zone;
    if (!IsConventional(slot.zone)) schedule_.Lost(slot.zone, slot.bytes);
    return;
  }
  if (slot.use == SlotUse::kRead) return;
  shared_.resets.GiveBack(slot.zone);
  operation_active_ = false;
  if (barred_) verifier_->Unbar(*std::exchange(barred_, {}));
  if (slot.use == SlotUse::kReset && uses_targets_ && completion.result.ok()) {
    next_target_ = slot.zone;
  }
  // A tail too small for a block: the stream itself has ended the zone.
  const bool in_it = position_ < range_.end && geometry_.ZoneOf(position_) == slot.zone;
  if (!is_random_ && slot.use == SlotUse::kFinish && completion.result.ok() && in_it) {
    LeaveZone(slot.zone);
  }
}

void ZonedWriter::EnterAt(std::uint64_t offset) noexcept {
  position_ = offset;
  entering_ = true;
}

void ZonedWriter::LeaveZone(ZoneId zone) noexcept {
  EnterAt(geometry_.EndOf(zone) + skip_);
  if (!detour_from_) return;
  position_ = detour_from_->position;
  entering_ = detour_from_->entering;
  detour_from_.reset();
}

Draw ZonedWriter::DrawOf(Attempt attempt) const noexcept {
  switch (attempt) {
    case Attempt::kDone:
      return Draw::Of(Draw::Kind::kPrepared);
    case Attempt::kBusy:
      return Draw::Wait(refusal_);
    case Attempt::kRefused:
      return Draw::Refused(refusal_.errc);
    case Attempt::kFull:
    case Attempt::kUnwritable:
      break;
  }
  return Draw::Of(Draw::Kind::kPassOver);
}

Draw ZonedWriter::Sequential(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  if (operation_active_) return Draw::WaitForOwnIo();
  while (position_ < range_.end) {
    const ZoneId zone = geometry_.ZoneOf(position_);
    if (!IsConventional(zone)) {
      if (std::optional<Draw> draw = SequentialInZone(zone, slot, bytes, id)) return *draw;
      continue;
    }
    const Draw draw = DrawOf(WriteAt(position_, slot, bytes, id));
    if (draw.kind == Draw::Kind::kPassOver) {
      EnterAt(geometry_.EndOf(zone) + skip_);
      continue;
    }
    if (draw.kind == Draw::Kind::kPrepared) {
      const std::uint64_t end = slot.offset + slot.bytes;
      EnterAt(end == geometry_.EndOf(zone) ? end + skip_ : end);
    }
    return draw;
  }
  return Draw::Of(Draw::Kind::kPassOver);
}

// Nothing: the stream has moved on, look at its position again.
std::optional<Draw> ZonedWriter::SequentialInZone(ZoneId zone, Slot& slot, std::uint64_t bytes,
                                                  std::uint32_t id) noexcept {
  if (const std::optional<Draw> reset = ResetIfDue(zone, slot, id)) return *reset;
  Attempt attempt = uses_targets_ ? Claim(zone) : Attempt::kDone;
  if (attempt == Attempt::kDone) attempt = WriteUnlessDue(zone, slot, bytes, id);
  switch (attempt) {
    case Attempt::kDone: {
      if (appends_) return Appended(zone);
      const std::uint64_t end = slot.offset + slot.bytes;
      // A zone begun by others is met in the middle, or, where all were empty or full
      // before the run, also on coming to it. Behind its position the stream is put
      // by writes of its own that failed.
      const bool mine = slot.offset == (entering_ ? geometry_.StartOf(zone) : position_);
      const bool put_back = slot.offset < position_ && lost_in_ == zone;
      met_others_ = met_others_ || (!mine && !put_back && !(entering_ && partly_written_));
      entering_ = false;
      position_ = end;
      if (end == geometry_.StartOf(zone) + manager_.CapacityOf(zone)) LeaveZone(zone);
      return Draw::Of(Draw::Kind::kPrepared);
    }
    case Attempt::kFull: {
      // Only a zone the stream comes to anew is reset: one it was in the middle
      // of, another worker has filled up meanwhile.
      if (Remaining(zone) == 0 && (!entering_ || fills_ || verifier_ != nullptr)) {
        met_others_ = met_others_ || !entering_ || verifier_ != nullptr;
        LeaveZone(zone);
        return std::nullopt;
      }
      return MakeRoom(zone, slot, bytes, id);
    }
    case Attempt::kBusy:
      return appends_ ? WhenNoAppendZoneIsFree() : WhenSequentialIsBusy();
    case Attempt::kRefused:
      return Draw::Refused(refusal_.errc);
    case Attempt::kUnwritable:
      if (appends_) LeaveAppendZone(zone);
      LeaveZone(zone);
      return std::nullopt;
  }
  return std::nullopt;
}

// No place in the target set for the stream's zone: a target that is ours already
// (one handed over while we waited), or one that nobody writes, takes its part;
// else wait. Afterwards the stream goes on where it was.
Draw ZonedWriter::WhenSequentialIsBusy() noexcept {
  // Of the set, or of this worker's share of it; not a slot of the device.
  const bool no_place =
      refusal_.errc == Errc::kNoSlot && refusal_.wait.kind != WaitKey::Kind::kSlot;
  if (!no_place || queue_.in_flight() != 0) return Draw::Wait(refusal_);
  // The caller tries again; waiting for nothing is trying again at once.
  const Draw again{Draw::Kind::kWait, Errc::kNoSlot, {}};
  const std::span<const ZoneId> own = queue_.Targets();
  const auto with_room =
      std::find_if(own.begin(), own.end(), [this](ZoneId zone) { return Remaining(zone) != 0; });
  // Without room it is about to leave the set, or a write failed in it and its
  // pointer is being read.
  if (!own.empty() && with_room == own.end()) return again;
  const std::optional<ZoneId> other =
      own.empty() ? queue_.ClaimUnclaimed(zones_) : std::optional<ZoneId>(*with_room);
  if (!other) return Draw::Wait(refusal_);
  met_others_ = true;
  if (!detour_from_) detour_from_ = Place{position_, entering_};
  position_ = geometry_.StartOf(*other) + manager_.ReservedOf(*other);
  entering_ = false;
  return again;
}

}  // namespace zonal::engine
