// SPDX-License-Identifier: MIT
// ZonedWriter: writes whose zone is given: one that was just trimmed, and one in
// which a write failed.
#include <algorithm>

#include "engine/zoned_writer.h"

namespace zonal::engine {

Draw ZonedWriter::PrepareInZoneOf(std::uint64_t offset, Slot& slot, std::uint64_t bytes,
                                  std::uint32_t id) noexcept {
  ZoneId zone = geometry_.ZoneOf(offset);
  Attempt attempt = uses_targets_ ? Claim(zone) : Attempt::kDone;
  if (attempt == Attempt::kBusy && refusal_.errc == Errc::kNoSlot && queue_.in_flight() == 0) {
    // No place in the target set: one that is in it takes the zone's part.
    const std::span<const ZoneId> own = queue_.Targets();
    const std::optional<ZoneId> other =
        own.empty() ? queue_.ClaimUnclaimed(zones_) : std::optional<ZoneId>(own.front());
    if (other) {
      zone = *other;
      attempt = Attempt::kDone;
    }
  }
  if (attempt == Attempt::kDone) attempt = Write(zone, slot, bytes, id);
  return DrawOf(attempt);
}

Draw ZonedWriter::PrepareRewrite(std::uint64_t offset, Slot& slot, std::uint64_t bytes,
                                 std::uint32_t id) noexcept {
  const ZoneId zone = geometry_.ZoneOf(offset);
  // A lease, so that nobody goes on in the zone before it is whole again. It is
  // given once the zone's pointer is known, and says where that is.
  const Admission lease = queue_.Acquire(zone);
  if (lease.errc == Errc::kZoneFull) return Draw::Of(Draw::Kind::kPassOver);
  if (!lease.ok()) {
    return lease.wait.kind == WaitKey::Kind::kNone ? Draw::Refused(lease.errc) : Draw::Wait(lease);
  }
  if (lease.offset >= offset + bytes) return Draw::Of(Draw::Kind::kPassOver);
  if (lease.offset < offset) return Draw::Refused(Errc::kNotAtWritePointer);
  const std::uint64_t kept = lease.offset - offset;
  WriteOptions options;
  options.min_bytes = bytes - kept;
  options.fua = forced_;
  options.registered_buffer = registered_buffer_;
  void* buffer = static_cast<std::byte*>(slot.buffer) + kept;
  const Admission admission = queue_.Write(zone, buffer, bytes - kept, id, options);
  if (!admission.ok()) {
    const bool may_wait = admission.wait.kind != WaitKey::Kind::kNone;
    return may_wait ? Draw::Wait(admission) : Draw::Refused(admission.errc);
  }
  schedule_.Written(bytes);  // with what of it had been kept
  slot.use = SlotUse::kRewrite;
  return Draw::Of(Draw::Kind::kPrepared);
}

}  // namespace zonal::engine
