// SPDX-License-Identifier: MIT
// A rate sampled every 500 ms: the "bw" and "iops" lines of a report. A value type.
#pragma once

#include <cstdint>

namespace zonal {

struct RateSamples {
  std::uint64_t count = 0;
  double min = 0, max = 0, mean = 0, stdev = 0;
};

}  // namespace zonal
