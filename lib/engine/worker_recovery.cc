// SPDX-License-Identifier: MIT
// Worker: after a failed write, the rest of its zone. Everything else in flight
// ends first, and the manager asks the device for the zone's write pointer; then
// what was lost is written again in order, with the data it had, so that it can be
// read and verified. These writes count in no total: the failed ones stay failed.
#include "engine/worker.h"

namespace zonal::engine {
namespace {

constexpr std::uint64_t kLinesOfAKind = 8;  // the counts go on

}  // namespace

std::uint32_t Worker::Recover() {
  if (path_->in_flight() != 0) return 0;
  while (recovery_.active()) {
    const ZoneRecovery::Held held = recovery_.next();
    const Draw draw = path_->PrepareRewrite(slots_[held.id], held.offset, held.bytes, held.id);
    switch (draw.kind) {
      case Draw::Kind::kPrepared:
        slots_[held.id].drawn_at = now_;
        return 1;
      case Draw::Kind::kWait:
        Block(draw);
        return 0;
      case Draw::Kind::kPassOver:  // it was kept, or others went on behind it
        EndRecovery(held.zone, held.offset + held.bytes);
        break;
      default:
        GiveUpRecovery(held.zone, held.offset);
        break;
    }
  }
  return 0;
}

void Worker::CompleteRewrite(const Slot& slot, const ZoneCompletion& completion) {
  if (completion.result.ok()) {
    const ZoneRecovery::Held held = recovery_.next();
    if (verifier_) verifier_->Rewritten(slot, held.offset, held.bytes);
    EndRecovery(slot.zone, slot.offset + slot.bytes);
  } else {
    GiveUpRecovery(slot.zone, slot.offset);
  }
}

void Worker::EndRecovery(ZoneId zone, std::uint64_t write_pointer) {
  free_.push_back(recovery_.next().id);
  recovery_.PopNext();
  if (recovery_.active() && recovery_.next().zone == zone) return;
  path_->EndRewrites(zone);
  if (++result_.recovered_zones > kLinesOfAKind) return;
  result_.recoveries.push_back(setup_.target->spec + ": Write pointer move succeeded: zone " +
                               std::to_string(zone.value()) + " goes on at " +
                               std::to_string(write_pointer));
}

void Worker::GiveUpRecovery(ZoneId zone, std::uint64_t write_pointer) {
  while (recovery_.active() && recovery_.next().zone == zone) {
    free_.push_back(recovery_.next().id);
    recovery_.PopNext();
  }
  path_->EndRewrites(zone);
  if (++result_.failed_recoveries > kLinesOfAKind) return;
  result_.recoveries.push_back("Failed to recover write pointer for " + setup_.target->spec +
                               ": zone " + std::to_string(zone.value()) + " at " +
                               std::to_string(write_pointer));
}

}  // namespace zonal::engine
