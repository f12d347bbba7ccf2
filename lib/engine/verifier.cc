// SPDX-License-Identifier: MIT
// Verifier: what was written, and what is still there. Judging what was read, and
// the state file, are in verifier_check.cc and verifier_state.cc.
#include "engine/verifier.h"

#include <algorithm>
#include <numeric>

#include "core/status_macros.h"
#include "zonal/rng.h"

namespace zonal::engine {
namespace {

std::uint64_t RunIdOf(std::uint64_t seed) noexcept {
  std::uint64_t state = seed ^ 0x7A6F6E616C;
  return SplitMix64(state);
}

// The unit all offsets, from the range's begin on, and lengths of writes are
// multiples of: the larger, the less memory the notes take.
std::uint64_t GranuleOf(const WorkerSetup& setup) {
  const Workload& workload = setup.workload;
  const Geometry& geometry = setup.target->device->info().geometry;
  const std::uint64_t align = workload.block_align[1];  // 0 is neutral in gcd
  if (workload.zone_mode == ZoneMode::kZbd) {
    return std::gcd(std::uint64_t{geometry.write_granularity}, align);
  }
  const bool regular = workload.write_block.is_fixed() && !workload.unaligned_blocks &&
                       workload.sequential_skip == 0 && workload.zone_mode == ZoneMode::kNone;
  if (!regular || !workload.writes) return std::gcd(std::uint64_t{geometry.block_size}, align);
  std::uint64_t granule = std::gcd(setup.write_block(), align);
  granule = std::gcd(granule, setup.range.size());
  return std::gcd(granule, setup.range.bytes_to_move);
}

bool HasRewritable(const WorkerSetup& setup) noexcept {
  return setup.workload.zone_mode != ZoneMode::kZbd || setup.has_conventional;
}

bool HasSequences(const verify::State& state) {
  return std::any_of(
      state.blocks.begin(), state.blocks.end(),
      [](const verify::State::Blocks& blocks) { return blocks.first_sequence != 0; });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Verifier>> Verifier::Create(const WorkerSetup& setup,
                                                           const Clock& clock) {
  const Verify& options = setup.workload.verify;
  ZONAL_ASSIGN_OR_RETURN(auto checksummer, verify::Checksummer::Create(options.checksum));
  std::optional<verify::State> state;
  if (!options.state_load.empty()) {
    ZONAL_ASSIGN_OR_RETURN(state, verify::LoadState(options.state_load));
  }
  const bool knows_sequences = setup.appends() || (state && HasSequences(*state));
  const verify::WrittenMap::Options range{setup.range.begin, setup.range.end, GranuleOf(setup),
                                          knows_sequences || HasRewritable(setup)};
  ZONAL_ASSIGN_OR_RETURN(auto pending, verify::WrittenMap::Create(range));
  std::optional<verify::WrittenMap> verified;
  if (!options.state_save.empty()) {
    ZONAL_ASSIGN_OR_RETURN(verified, verify::WrittenMap::Create(range));
  }
  std::unique_ptr<Verifier> verifier(new Verifier(setup, clock, std::move(checksummer),
                                                  std::move(pending), std::move(verified),
                                                  knows_sequences));
  if (state) ZONAL_RETURN_IF_ERROR(verifier->Load(*state));
  return verifier;
}

Verifier::Verifier(const WorkerSetup& setup, const Clock& clock, verify::Checksummer checksummer,
                   verify::WrittenMap pending, std::optional<verify::WrittenMap> verified,
                   bool knows_sequences)
    : setup_(setup),
      options_(setup.workload.verify),
      clock_(clock),
      manager_(setup.target->manager.get()),
      geometry_(setup.target->device->info().geometry),
      shared_(setup.target->coordination.unverified.created()
                  ? &setup.target->coordination.unverified
                  : nullptr),
      checksummer_(std::move(checksummer)),
      reads_back_(options_.reads_back),
      appends_(setup.appends()),
      fatal_(options_.fatal),
      backlog_(options_.reads_back ? options_.backlog : 0),
      run_id_(RunIdOf(setup.run_seed)),
      sequence_(std::uint64_t{setup.index} << verify::kJobShift),
      pending_(std::move(pending)),
      verified_(std::move(verified)),
      knows_sequences_(knows_sequences),
      first_zone_(ZoneOf(setup.range.begin).value()),
      lives_(ZoneOf(setup.range.end - 1).value() - first_zone_ + 1),
      tally_(setup.writes() ? 0 : lives_.size()) {
  result_.runs.reserve(RunTally::kMostRuns);
}

ZoneId Verifier::ZoneOf(std::uint64_t offset) const noexcept {
  return geometry_.is_zoned() ? geometry_.ZoneOf(offset) : ZoneId(0);
}

std::uint64_t Verifier::StartOf(ZoneId zone) const noexcept {
  return geometry_.is_zoned() ? geometry_.StartOf(zone) : 0;
}

std::uint64_t Verifier::EndOf(ZoneId zone) const noexcept {
  return geometry_.is_zoned() ? geometry_.EndOf(zone) : geometry_.size_bytes;
}

bool Verifier::IsRewritable(ZoneId zone) const noexcept {
  if (setup_.workload.zone_mode != ZoneMode::kZbd) return true;
  return setup_.has_conventional && manager_->TypeOf(zone) == ZoneType::kConventional;
}

void Verifier::LeaveIfDone(ZoneId zone, Life& life) noexcept {
  if (life.pending != 0 || !life.entered) return;
  life.entered = false;
  shared_->Leave(zone);
}

void Verifier::Forget(ZoneId zone, Life& life, const verify::WrittenBlock& block) noexcept {
  pending_.Remove(block.offset, block.bytes);
  if (IsRewritable(zone)) return;
  --life.pending;
  LeaveIfDone(zone, life);
}

void Verifier::ForgetIfReset(ZoneId zone) noexcept {
  if (IsRewritable(zone)) return;
  Life& life = LifeOf(zone);
  const std::uint32_t epoch = manager_->EpochOf(zone);
  if (life.manager_epoch == epoch) return;
  const std::uint64_t begin = StartOf(zone), end = EndOf(zone);
  while (const auto block = pending_.Next(std::max(begin, pending_.begin()), end)) {
    if (reads_back_) ++result_.dropped;
    Forget(zone, life, *block);
  }
  if (verified_) verified_->Remove(begin, end - begin);
  life.manager_epoch = epoch;
  life.header_epoch = epoch_base_ + epoch;
}

bool Verifier::MayWrite(ZoneId zone) noexcept {
  if (!reads_back_ || shared_ == nullptr) return true;
  Life& life = LifeOf(zone);
  if (!life.entered) life.entered = shared_->Enter(zone);
  return life.entered;
}

void Verifier::Stamp(Slot& slot, std::span<Slot> all) noexcept {
  slot.sequence = ++sequence_;
  slot.unverifiable = false;
  if (IsRewritable(slot.zone)) {
    for (Slot& other : all) {
      const bool overlaps = other.stamped && other.offset < slot.offset + slot.bytes &&
                            slot.offset < other.offset + other.bytes;
      if (overlaps) slot.unverifiable = other.unverifiable = true;
    }
    pending_.Remove(slot.offset, slot.bytes);
    if (verified_) verified_->Remove(slot.offset, slot.bytes);
    slot.epoch = 0;
  } else {
    ForgetIfReset(slot.zone);
    Life& life = LifeOf(slot.zone);
    ++life.pending;
    slot.epoch = life.header_epoch;
  }
  slot.stamped = true;
  StampData(slot);
}

bool Verifier::IsFree(const Slot& slot) const noexcept {
  return !pending_.Holds(slot.offset, slot.bytes) &&
         !(verified_ && verified_->Holds(slot.offset, slot.bytes));
}

void Verifier::Written(const Slot& slot, std::uint64_t bytes) noexcept {
  const bool rewritable = IsRewritable(slot.zone);
  if (bytes == slot.bytes && !slot.unverifiable) {
    pending_.Add(slot.offset, bytes, static_cast<std::uint32_t>(slot.sequence));
    return;
  }
  // Failed, short, or written twice at once: nobody knows what is there.
  if (bytes != 0 && reads_back_) ++result_.dropped;
  if (rewritable) {
    pending_.Remove(slot.offset, slot.bytes);
    return;
  }
  Life& life = LifeOf(slot.zone);
  --life.pending;
  LeaveIfDone(slot.zone, life);
}

void Verifier::Rewritten(const Slot& slot, std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (!IsStillThere(slot.zone) || !MayWrite(slot.zone)) return;
  ++LifeOf(slot.zone).pending;
  pending_.Add(offset, bytes, static_cast<std::uint32_t>(slot.sequence));
}

bool Verifier::HasPending(ZoneId zone) const noexcept {
  return reads_back_ && LifeOf(zone).pending != 0;
}

bool Verifier::Bar(ZoneId zone) noexcept {
  if (shared_ == nullptr) return true;
  Life& life = LifeOf(zone);
  if (!reads_back_) life.pending = 0;
  LeaveIfDone(zone, life);
  return shared_->Bar(zone);
}

void Verifier::LeaveZones() noexcept {
  for (std::size_t i = 0; i < lives_.size(); ++i) {
    LeaveIfDone(ZoneId(first_zone_ + static_cast<std::uint32_t>(i)), lives_[i]);
  }
}

void Verifier::LeaveForGood() noexcept {
  for (Life& life : lives_) life.pending = 0;
  LeaveZones();
}

bool Verifier::MayReset(ZoneId zone) const noexcept {
  return shared_ == nullptr || shared_->users(zone) == (LifeOf(zone).entered ? 1 : 0);
}

void Verifier::Unbar(ZoneId zone) noexcept {
  if (shared_ != nullptr) shared_->Unbar(zone);
}

void Verifier::StartReadBack(std::uint64_t blocks) {
  // From where the last round ended: else blocks at the end would wait for ever.
  const bool go_on = blocks != 0 && at_ >= pending_.begin() && pending_.Next(at_);
  if (!go_on) at_ = pending_.begin();
  end_ = pending_.end();
  left_ = blocks == 0 ? ~std::uint64_t{0} : blocks;
}

void Verifier::StartReadBack(ZoneId zone) {
  at_ = std::max(StartOf(zone), pending_.begin());
  end_ = std::min(EndOf(zone), pending_.end());
  left_ = ~std::uint64_t{0};
}

std::optional<verify::WrittenBlock> Verifier::NextToRead(Slot& slot) {
  if (left_ == 0 || must_stop()) return std::nullopt;
  for (;;) {
    const auto block = pending_.Next(at_, end_);
    if (!block) return std::nullopt;
    const ZoneId zone = ZoneOf(block->offset);
    if (!IsStillThere(zone)) {
      ForgetIfReset(zone);
      continue;
    }
    at_ = block->offset + block->bytes;
    --left_;
    slot.zone = zone;
    slot.sequence = block->sequence;
    slot.epoch = IsRewritable(zone) ? 0 : LifeOf(zone).header_epoch;
    return block;
  }
}

void Verifier::NotRead(const verify::WrittenBlock& block) noexcept {
  at_ = block.offset;
  ++left_;
}

void Verifier::EndReadBack() {
  if (pending_.blocks() == 0) from_state_ = false;
}

void Verifier::ReadBack(const Slot& slot, std::uint64_t bytes) {
  const auto block = pending_.Next(slot.offset, slot.offset + slot.bytes);
  if (!block || block->offset != slot.offset) return;
  if (bytes != 0) CheckBlock(slot, bytes);
  Forget(slot.zone, LifeOf(slot.zone), *block);
  if (verified_ && bytes != 0) verified_->Add(block->offset, block->bytes, block->sequence);
}

bool Verifier::IsStillThere(ZoneId zone) const noexcept {
  return IsRewritable(zone) || LifeOf(zone).manager_epoch == manager_->EpochOf(zone);
}

void Verifier::Dropped(const Slot& slot) noexcept { ForgetIfReset(slot.zone); }

}  // namespace zonal::engine
