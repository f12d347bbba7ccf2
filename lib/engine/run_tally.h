// SPDX-License-Identifier: MIT
// Whose blocks a reading job finds. It knows no run beforehand, so it goes by what
// it meets: blocks are counted by the run they say they are of, and the first right
// block of a zone tells which life of the zone its others must be of. Belongs to the
// worker's thread; nothing is allocated after the constructor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/block.h"
#include "verify/judge.h"
#include "zonal/run.h"

namespace zonal::engine {

class RunTally {
 public:
  // Runs beyond these are not listed.
  static constexpr std::size_t kMostRuns = 8;

  explicit RunTally(std::size_t zones) : lives_(zones) {}

  // What is known of the zone: a block of the run that wrote its first one is of the
  // same life. `reset_count` moves on with each reset that this process knows of.
  void Expect(std::size_t zone, std::uint32_t reset_count, const verify::Identity& block,
              verify::Expected& expected) const noexcept {
    const Life& life = lives_[zone];
    if (!life.known || life.reset_count != reset_count || life.run_id != block.run_id) return;
    expected.run_id = life.run_id;
    expected.epoch = life.epoch;
  }

  // A right block. Zones whose places may be written again hold what they hold.
  void CountRun(const verify::Identity& block, std::uint64_t offset, VerifyResult& result) {
    const auto found =
        std::find_if(result.runs.begin(), result.runs.end(),
                     [&](const VerifyResult::Run& run) { return run.run_id == block.run_id; });
    if (found != result.runs.end()) {
      ++found->blocks;
      found->first_offset = std::min(found->first_offset, offset);
    } else if (result.runs.size() < kMostRuns) {
      result.runs.push_back({block.run_id, 1, offset});
    }
  }
  // The same of a write-pointer zone.
  void CountLife(std::size_t zone, std::uint32_t reset_count, const verify::Identity& block,
                 VerifyResult& result) noexcept {
    Life& life = lives_[zone];
    if (life.known && life.reset_count == reset_count) {
      if (life.run_id == block.run_id || life.mixed) return;
      life.mixed = true;
      ++result.mixed_zones;
      return;
    }
    // A read of an earlier life may be judged after one of a later.
    const bool older = life.known && static_cast<std::int32_t>(reset_count - life.reset_count) < 0;
    if (!older) life = {block.run_id, block.epoch, reset_count, true, false};
  }

 private:
  struct Life {
    std::uint64_t run_id = 0;
    std::uint32_t epoch = 0;
    std::uint32_t reset_count = 0;
    bool known = false;
    bool mixed = false;  // and counted
  };
  std::vector<Life> lives_;
};

}  // namespace zonal::engine
