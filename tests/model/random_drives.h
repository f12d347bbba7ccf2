// SPDX-License-Identifier: MIT
// Random drives of awkward shapes, and random steps that mostly make sense for
// the state a drive is in. Everything follows from the Rng.
#pragma once

#include "model/naive_zone.h"
#include "model/step.h"
#include "zonal/emulated.h"
#include "zonal/rng.h"

namespace zonal::model {

// 8 to 16 zones; sizes that are no power of two; by chance a capacity below the
// size, a short last zone, a write granularity above the block, conventional,
// read-only and offline zones, limits, any completion order.
EmulatedOptions RandomDrive(Dialect dialect, Rng& rng);

// Any step: a write at a zone's pointer most often, a wrong one sometimes.
Step RandomStep(const NaiveDrive& drive, Rng& rng);

// A write or an append, most often one that will succeed.
Step RandomWrite(const NaiveDrive& drive, Rng& rng);

}  // namespace zonal::model
