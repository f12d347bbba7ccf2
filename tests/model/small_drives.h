// SPDX-License-Identifier: MIT
// The drives of three tiny zones whose every state the exhaustive test visits,
// and every step it tries in each of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/step.h"
#include "zonal/emulated.h"

namespace zonal::model {

struct SmallDrive {
  std::string name;
  EmulatedOptions options;
};

// Both dialects, all limit pairs 1..3, eviction on and off; and a number of
// special shapes: conventional, read-only and offline zones, short last zones,
// no limits, no append, a write granularity above the block.
std::vector<SmallDrive> SmallDrives();

// Every step, right or wrong: reads, writes and appends of each small length at
// each block, odd offsets and lengths, each operation on each zone, through the
// queue and through the Device, on ranges, and in its ALL form.
std::vector<Step> EveryStep(const EmulatedOptions& options);

}  // namespace zonal::model
