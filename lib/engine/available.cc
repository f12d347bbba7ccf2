// SPDX-License-Identifier: MIT
#include "engine/available.h"

#include <string>

namespace zonal::engine {
namespace {

struct Missing {
  const char* what;
  bool (*asked)(const Workload&);
};

bool HasSpread(const Workload& w) {
  for (const BlockSize* block : {&w.read_block, &w.write_block}) {
    if (!block->is_fixed() || !block->shares.empty()) return true;
  }
  return false;
}

bool HasDistribution(const Workload& w) {
  for (const RandomDistribution& d : w.distribution) {
    if (d.kind != RandomDistribution::Kind::kUniform) return true;
  }
  return false;
}

constexpr Missing kMissing[] = {
    {"trims (rw=trim, randtrim, trimwrite)", [](const Workload& w) { return w.trims; }},
    {"block sizes that vary (bsrange, bssplit)", HasSpread},
    {"unaligned_blocks (bs_unaligned)", [](const Workload& w) { return w.unaligned_blocks; }},
    {"block_align (ba)",
     [](const Workload& w) { return w.block_align != decltype(w.block_align){}; }},
    {"random_distribution other than uniform", HasDistribution},
    {"random_percent (percentage_random)",
     [](const Workload& w) {
       return w.random_percent != PerDirection<std::uint32_t>{100, 100, 100};
     }},
    {"run_length (rw=...:N)", [](const Workload& w) { return w.run_length != 1; }},
    {"repeats_offset (rw_sequencer=identical)", [](const Workload& w) { return w.repeats_offset; }},
    {"sequential_skip (rw=...:SIZE)", [](const Workload& w) { return w.sequential_skip != 0; }},
    {"offset_increment",
     [](const Workload& w) { return w.offset_increment != 0 || w.relative_offset_increment; }},
    {"most_operations (number_ios)", [](const Workload& w) { return w.most_operations != 0; }},
    {"loops", [](const Workload& w) { return w.loops != 1; }},
    {"fills_device (fill_device)", [](const Workload& w) { return w.fills_device; }},
    {"may_create (allow_file_create=0)", [](const Workload& w) { return !w.may_create; }},
    {"fill (buffer patterns)", [](const Workload& w) { return w.fill != DataFill{}; }},
    {"verify", [](const Workload& w) { return w.verify != Verify{}; }},
    {"flush_every (fsync, fdatasync)", [](const Workload& w) { return w.flush_every != 0; }},
    {"flush_at_end (end_fsync)", [](const Workload& w) { return w.flush_at_end; }},
    {"forced_writes (sync)", [](const Workload& w) { return w.forced_writes; }},
    {"ignore_device_limits (ignore_zone_limits)",
     [](const Workload& w) { return w.ignore_device_limits; }},
    {"write_zone_remainder", [](const Workload& w) { return w.write_zone_remainder; }},
    {"recover_write_errors (recover_zbd_write_error)",
     [](const Workload& w) { return w.recover_write_errors; }},
    {"zone_mode kStrided", [](const Workload& w) { return w.zone_mode == ZoneMode::kStrided; }},
    {"zone_range, zone_skip (zonerange, zoneskip)",
     [](const Workload& w) {
       return w.zone_range != 0 || w.zone_skip != 0 || w.relative_zone_skip;
     }},
};

}  // namespace

absl::Status CheckAvailable(const Workload& workload) {
  for (const Missing& missing : kMissing) {
    if (!missing.asked(workload)) continue;
    return absl::UnimplementedError("job " + workload.name + ": " + missing.what +
                                    " is not available in this version");
  }
  return absl::OkStatus();
}

}  // namespace zonal::engine
