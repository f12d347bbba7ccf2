// SPDX-License-Identifier: MIT
// What must hold of a workload that verifies, and what verify_only makes of it.
#include <algorithm>
#include <set>
#include <string>

#include "engine/checks.h"
#include "verify/block.h"
#include "verify/pattern.h"

namespace zonal::engine {
namespace {

absl::Status Wrong(const Workload& workload, const std::string& what) {
  return absl::InvalidArgumentError("job " + workload.name + ": " + what);
}

std::string Number(std::uint64_t value) { return std::to_string(value); }

absl::Status CheckPattern(const Workload& workload) {
  const Verify& options = workload.verify;
  if (options.pattern.empty()) return Wrong(workload, "verify=pattern needs a verify_pattern");
  const bool fits =
      !options.pattern_has_offset ||
      options.pattern_offset_at + verify::kOffsetInPatternBytes <= options.pattern.size();
  return fits ? absl::OkStatus()
              : Wrong(workload, "verify_pattern: the offset does not fit into the pattern");
}

absl::Status CheckInterval(const Workload& workload, const BlockSize& block) {
  const Verify& options = workload.verify;
  const auto divides = [&](std::uint64_t bytes) { return bytes % options.interval == 0; };
  const bool all =
      options.interval == 0 ||
      (divides(block.min) && divides(block.max) &&
       std::all_of(block.shares.begin(), block.shares.end(),
                   [&](const BlockSize::Share& share) { return divides(share.bytes); }));
  if (!all) {
    return Wrong(workload,
                 "verify_interval=" + Number(options.interval) + " does not divide the block size");
  }
  const std::uint64_t unit = options.interval == 0 ? block.min : options.interval;
  const std::uint64_t needs = options.offset + verify::HeaderBytes(options.checksum);
  if (options.checksum != Checksum::kPattern && unit < needs) {
    return Wrong(workload, "verify=" + std::string(verify::ToString(options.checksum)) + " needs " +
                               Number(needs) +
                               " bytes for its header, and a block or interval of " + Number(unit) +
                               " bytes does not hold it");
  }
  constexpr std::uint64_t kLongest = 0xFFFFFFFF;
  if (block.max <= kLongest) return absl::OkStatus();
  return Wrong(workload, "verified blocks have less than 4 GiB");
}

}  // namespace

absl::Status CheckVerify(const Workload& workload) {
  const Verify& options = workload.verify;
  if (!options.enabled()) return absl::OkStatus();
  if (workload.stamp_blocks || workload.check_stamps) {
    return Wrong(workload, "blocks are stamped or verified, not both");
  }
  if (workload.trims) return Wrong(workload, "what is trimmed cannot be verified");
  if (options.checksum == Checksum::kPattern) {
    if (absl::Status status = CheckPattern(workload); !status.ok()) return status;
  }
  if (options.only && workload.writes) {
    const bool known = workload.write_block.is_fixed() && workload.write_block.shares.empty();
    const bool by_headers = workload.zone_mode == ZoneMode::kZbd && options.interval != 0;
    if (!known && !by_headers && options.state_load.empty()) {
      return Wrong(workload,
                   "verify_only does not know where blocks of various sizes begin; "
                   "load the state of the run that wrote them (verify_state_load)");
    }
  }
  return CheckInterval(workload, workload.writes ? workload.write_block : workload.read_block);
}

absl::Status CheckStateFiles(std::span<const Workload> workloads) {
  std::set<std::string> files;
  for (const Workload& workload : workloads) {
    const std::string& file = workload.verify.state_save;
    if (!workload.verify.enabled() || file.empty() || files.insert(file).second) continue;
    return Wrong(workload, "its verify state would go to " + file + ", where another job's goes");
  }
  return absl::OkStatus();
}

Workload AsVerified(const Workload& asked) {
  Workload workload = asked;
  if (!asked.verify.enabled() || !asked.verify.only || !asked.writes) return workload;
  workload.reads = true;
  workload.writes = false;
  workload.time_based = false;
  workload.runtime = {};
  workload.loops = 1;
  workload.read_block = asked.write_block;
  if (asked.zone_mode == ZoneMode::kZbd) {
    // All there is, in order: which zones the writes went to is in the zones.
    workload.pattern = Pattern::kSequential;
    if (asked.verify.interval != 0) workload.read_block = BlockSize(asked.verify.interval);
    return workload;
  }
  // The offsets of the writes, drawn again.
  workload.seed = ~asked.seed;
  workload.block_align[0] = asked.block_align[1];
  workload.distribution[0] = asked.distribution[1];
  workload.random_percent[0] = asked.random_percent[1];
  return workload;
}

}  // namespace zonal::engine
