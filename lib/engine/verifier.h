// SPDX-License-Identifier: MIT
// What a worker that verifies knows: it stamps what is written, remembers it, says
// which block to read back next, and judges what was read (docs/verify.md). Belongs
// to the worker's thread; no allocation per block, unless a mismatch is described
// or the state is saved.
//
// Blocks of a zone live as long as the zone is not reset: when the manager's epoch
// moved on, they are gone, and counted as dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/path.h"
#include "engine/run_tally.h"
#include "engine/setup.h"
#include "verify/checksum.h"
#include "verify/judge.h"
#include "verify/pattern.h"
#include "verify/state_file.h"
#include "verify/written_map.h"
#include "zonal/run.h"

namespace zonal::engine {

class Verifier {
 public:
  // Loads the state if one is asked for. `setup` must outlive it.
  static absl::StatusOr<std::unique_ptr<Verifier>> Create(const WorkerSetup& setup,
                                                          const Clock& clock);
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  // What the buffers of writes hold at the start; for the dump of what was expected.
  void SetPayload(std::span<const std::byte> payload);

  // --- Writing.
  // False while another worker resets the zone: it is not to be written now.
  bool MayWrite(ZoneId zone) noexcept;
  // A write is prepared: headers and tags go into its buffer. The other slots may
  // hold a write to the same place, which nobody can verify then.
  void Stamp(Slot& slot, std::span<Slot> all) noexcept;
  // Where an append landed nothing lies that was written and is known.
  bool IsFree(const Slot& slot) const noexcept;
  // It ended; `bytes` of it are there.
  void Written(const Slot& slot, std::uint64_t bytes) noexcept;
  // It failed, and was written again with the data it had: all of it is there now.
  void Rewritten(const Slot& slot, std::uint64_t offset, std::uint64_t bytes) noexcept;

  // --- Resetting.
  // Blocks of this worker, written or being written, are yet to be verified there.
  bool HasPending(ZoneId zone) const noexcept;
  // Somebody has, or resets it already: it must not be reset now. Else nobody
  // enters it until Unbar.
  bool Bar(ZoneId zone) noexcept;
  void Unbar(ZoneId zone) noexcept;
  // Nobody else has blocks to verify in the zone, as it looks now.
  bool MayReset(ZoneId zone) const noexcept;
  // Leaves zones this worker came to and wrote nothing in, or nothing that is still to
  // be verified.
  void LeaveZones() noexcept;
  // At the end, whatever is unverified.
  void LeaveForGood() noexcept;
  // The blocks verified in these zones are about to go: the state says so first.
  void BeforeReset(ZoneId first, std::uint32_t count);

  // --- Reading back.
  bool reads_back() const noexcept { return reads_back_; }
  std::uint64_t pending_blocks() const noexcept { return pending_.blocks(); }
  bool BacklogIsDue() const noexcept { return backlog_ != 0 && pending_.blocks() >= backlog_; }
  // Reads back `blocks` of them (0: all), or those of one zone.
  void StartReadBack(std::uint64_t blocks);
  void StartReadBack(ZoneId zone);
  // The next block to read; nothing when this round is over. Its zone is in
  // `slot.zone`.
  std::optional<verify::WrittenBlock> NextToRead(Slot& slot);
  // It could not be sent now: it comes again.
  void NotRead(const verify::WrittenBlock& block) noexcept;
  void EndReadBack();
  // What was asked for by NextToRead came back, or did not (`bytes` 0).
  void ReadBack(const Slot& slot, std::uint64_t bytes);
  // False: the zone was reset since its blocks were written.
  bool IsStillThere(ZoneId zone) const noexcept;
  // It came back, and its zone was reset meanwhile.
  void Dropped(const Slot& slot) noexcept;

  // --- Reads of a job that only reads; of a write-pointer zone, `slot.epoch` is the
  // manager's at admission.
  void CheckRead(const Slot& slot, std::uint64_t bytes);

  const VerifyResult& result() const noexcept { return result_; }
  bool must_stop() const noexcept { return fatal_ && result_.mismatches != 0; }

  // Saves the state if one is asked for and the last is old.
  void SaveIfDue(Instant now) {
    if (next_save_ && now >= *next_save_) Save();
  }
  void Save();
  // Why a state could not be saved; empty if it always could.
  const std::string& save_error() const noexcept { return save_error_; }

 private:
  struct Life {  // of a zone
    std::uint32_t manager_epoch = 0;
    std::uint32_t header_epoch = 0;
    std::uint32_t pending = 0;  // blocks in write-pointer zones
    bool entered = false;
  };

  Verifier(const WorkerSetup& setup, const Clock& clock, verify::Checksummer checksummer,
           verify::WrittenMap pending, std::optional<verify::WrittenMap> verified,
           bool knows_sequences);
  absl::Status Load(const verify::State& state);
  absl::Status Accept(const verify::State& state);

  Life& LifeOf(ZoneId zone) noexcept { return lives_[zone.value() - first_zone_]; }
  const Life& LifeOf(ZoneId zone) const noexcept { return lives_[zone.value() - first_zone_]; }
  bool IsRewritable(ZoneId zone) const noexcept;
  std::uint32_t EpochOf(ZoneId zone) const noexcept;
  ZoneId ZoneOf(std::uint64_t offset) const noexcept;
  std::uint64_t EndOf(ZoneId zone) const noexcept;
  std::uint64_t StartOf(ZoneId zone) const noexcept;
  void ForgetIfReset(ZoneId zone) noexcept;
  void Forget(ZoneId zone, Life& life, const verify::WrittenBlock& block) noexcept;
  void LeaveIfDone(ZoneId zone, Life& life) noexcept;

  void StampData(const Slot& slot) noexcept;
  bool HoldsHeader(std::uint64_t bytes) const noexcept;
  // Of what is left of a write, how much the next header stands for.
  std::uint64_t Interval(std::uint64_t left) const noexcept;
  void CheckBlock(const Slot& slot, std::uint64_t bytes);
  verify::Judgement JudgeRead(const Slot& slot, std::uint64_t at, std::span<const std::byte> block,
                              const verify::Header* header);
  verify::Expected ExpectedAt(const Slot& slot, std::uint64_t at) const noexcept;
  verify::Identity IdentityAt(const Slot& slot, std::uint64_t at) const noexcept;
  verify::Judgement JudgeBlock(std::span<const std::byte> block,
                               const verify::Expected& expected) const;
  void Count(const Slot& slot, std::uint64_t at, std::span<const std::byte> block,
             verify::Judgement judgement);
  void Dump(const Slot& slot, std::uint64_t at, std::span<const std::byte> block);
  verify::State CurrentState() const;
  void AddTo(verify::State& state, const verify::WrittenMap& map) const;

  const WorkerSetup& setup_;
  const Verify& options_;
  const Clock& clock_;
  const ZoneManager* const manager_;  // null without zone mode
  const Geometry& geometry_;
  UnverifiedZones* const shared_;  // null without zone mode
  const verify::Checksummer checksummer_;
  const bool reads_back_;
  const bool appends_;
  const bool fatal_;
  const std::uint64_t backlog_;

  std::uint64_t run_id_;
  std::uint32_t epoch_base_ = 0;  // epochs of a run that goes on with a state are above
  std::uint64_t sequence_;        // of the last write
  verify::WrittenMap pending_;
  // What was verified and is still there; kept for the state only.
  std::optional<verify::WrittenMap> verified_;
  bool from_state_ = false;  // pending blocks are those of a state
  // Blocks of write-pointer zones, too, are known by their sequences: appended ones,
  // for which the device told the place.
  const bool knows_sequences_;
  std::uint32_t first_zone_ = 0;
  std::vector<Life> lives_;

  // This round of reading back.
  std::uint64_t at_ = 0, end_ = 0, left_ = 0;

  std::vector<std::byte> payload_;  // empty: not known
  RunTally tally_;                  // of a reader
  VerifyResult result_;
  std::optional<Instant> next_save_;
  std::string save_error_;  // the first
};

}  // namespace zonal::engine
