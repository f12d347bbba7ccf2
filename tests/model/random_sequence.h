// SPDX-License-Identifier: MIT
// A long random sequence on one drive: the emulated drive against the naive
// model, step by step and in batches, with power cycles where asked for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/naive_zone.h"
#include "zonal/device.h"
#include "zonal/rng.h"

namespace zonal::model {

// 1 .. count; or the one that ZONAL_SEED names.
std::vector<std::uint64_t> Seeds(std::uint64_t count);

struct Plan {
  int steps = 0;
  // The drive is closed and opened again after each so many steps; 0: never.
  int power_cycle_every = 0;
};

using OpenDrive = std::function<absl::StatusOr<std::unique_ptr<Device>>()>;

// What differs first, and where; empty if nothing does.
std::string RunSequence(const OpenDrive& open, NaiveDrive model, Plan plan, Rng& rng);

}  // namespace zonal::model
