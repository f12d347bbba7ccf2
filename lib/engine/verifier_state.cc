// SPDX-License-Identifier: MIT
// Verifier: the state file. It never names a block that may be gone: it is saved
// anew before zones are reset; else about ten times a second, and at the end.
#include <algorithm>

#include "core/status_macros.h"
#include "engine/verifier.h"

namespace zonal::engine {
namespace {

constexpr nanoseconds kSaveEvery{100'000'000};
// Saving takes at most this share of the time.
constexpr int kShare = 20;

}  // namespace

absl::Status Verifier::Load(const verify::State& state) {
  const absl::Status accepted = Accept(state);
  if (accepted.ok()) return accepted;
  return absl::Status(accepted.code(), setup_.workload.name + ": verify state " +
                                           options_.state_load + ": " +
                                           std::string(accepted.message()));
}

absl::Status Verifier::Accept(const verify::State& state) {
  if (state.checksum != options_.checksum || state.interval != options_.interval ||
      state.header_at != options_.offset) {
    return absl::InvalidArgumentError(
        "it is of a job with verify=" + std::string(verify::ToString(state.checksum)) +
        ", verify_interval=" + std::to_string(state.interval) +
        ", verify_offset=" + std::to_string(state.header_at) + "; give the same");
  }
  if (state.device_bytes != geometry_.size_bytes) {
    return absl::InvalidArgumentError("it is of a device of " + std::to_string(state.device_bytes) +
                                      " bytes, not of " + std::to_string(geometry_.size_bytes));
  }
  run_id_ = state.run_id;
  sequence_ = std::max(sequence_, state.next_sequence);
  epoch_base_ = state.next_epoch;
  for (std::size_t i = 0; i < lives_.size(); ++i) {
    const ZoneId zone(first_zone_ + static_cast<std::uint32_t>(i));
    const std::uint32_t now = IsRewritable(zone) ? 0 : manager_->EpochOf(zone);
    lives_[i].manager_epoch = now;
    lives_[i].header_epoch = epoch_base_ + now;
  }
  for (const verify::State::ZoneLife& life : state.zones) {
    if (life.zone < first_zone_ || life.zone - first_zone_ >= lives_.size()) continue;
    lives_[life.zone - first_zone_].header_epoch = life.epoch;
  }
  from_state_ = true;
  const std::uint64_t granule = pending_.granule();
  for (const verify::State::Blocks& blocks : state.blocks) {
    const std::uint64_t end = blocks.offset + blocks.bytes * blocks.count;
    if (blocks.offset < pending_.begin() || end > pending_.end()) {
      return absl::InvalidArgumentError("it has blocks from " + std::to_string(blocks.offset) +
                                        " to " + std::to_string(end) +
                                        ", outside the range of the job");
    }
    const bool too_long = blocks.bytes > std::max(setup_.reads() ? setup_.read_block() : 0,
                                                  setup_.writes() ? setup_.write_block() : 0);
    const bool fits = !too_long && (blocks.offset - pending_.begin()) % granule == 0 &&
                      (blocks.bytes % granule == 0 || end == pending_.end());
    if (!fits) {
      return absl::InvalidArgumentError("it is of a job with other block sizes; give the same");
    }
    for (std::uint64_t i = 0; i < blocks.count; ++i) {
      const std::uint64_t offset = blocks.offset + i * blocks.bytes;
      const ZoneId zone = ZoneOf(offset);
      const std::uint32_t sequence =
          blocks.first_sequence == 0 ? 0 : blocks.first_sequence + static_cast<std::uint32_t>(i);
      if (!IsRewritable(zone)) ++LifeOf(zone).pending;
      pending_.Add(offset, blocks.bytes, sequence);
    }
  }
  return absl::OkStatus();
}

void Verifier::AddTo(verify::State& state, const verify::WrittenMap& map) const {
  for (auto block = map.Next(map.begin()); block; block = map.Next(block->offset + block->bytes)) {
    const ZoneId zone = ZoneOf(block->offset);
    if (!IsRewritable(zone)) {
      if (!IsStillThere(zone)) continue;
      if (state.zones.empty() || state.zones.back().zone != zone.value()) {
        state.zones.push_back({zone.value(), LifeOf(zone).header_epoch});
      }
      if (!knows_sequences_) block->sequence = 0;
    }
    state.Add(*block);
  }
}

verify::State Verifier::CurrentState() const {
  verify::State state;
  state.run_id = run_id_;
  state.checksum = options_.checksum;
  state.interval = options_.interval;
  state.header_at = options_.offset;
  state.device_bytes = geometry_.size_bytes;
  state.next_sequence = sequence_;
  for (const Life& life : lives_) {
    state.next_epoch = std::max(state.next_epoch, life.header_epoch + 2);
  }
  AddTo(state, *verified_);
  AddTo(state, pending_);
  return state;
}

void Verifier::Save() {
  if (!verified_) return;
  const Instant before = MonotonicClock().Now();
  const absl::Status saved = verify::SaveState(options_.state_save, CurrentState());
  if (!saved.ok() && save_error_.empty()) save_error_ = std::string(saved.message());
  const nanoseconds took = MonotonicClock().Now() - before;
  next_save_ = clock_.Now() + std::max(kSaveEvery, took * kShare);
}

void Verifier::BeforeReset(ZoneId first, std::uint32_t count) {
  bool any = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ZoneId zone(first.value() + i);
    if (IsRewritable(zone)) continue;
    const std::uint64_t begin = std::max(StartOf(zone), pending_.begin());
    const std::uint64_t end = std::min(EndOf(zone), pending_.end());
    if (verified_ && verified_->Next(begin, end)) {
      verified_->Remove(begin, end - begin);
      any = true;
    }
    if (!reads_back_ && pending_.Next(begin, end)) {
      pending_.Remove(begin, end - begin);
      any = true;
    }
  }
  if (any) Save();
}

}  // namespace zonal::engine
