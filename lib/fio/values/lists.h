// SPDX-License-Identifier: MIT
// Values in lists: by direction ("8k,32k," for reads, writes, trims), ranges,
// mixes of block sizes, distributions of offsets, CPUs, errnos. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fio/values/numbers.h"
#include "zonal/workload.h"

namespace zonal::fio {

// The parts of a list by direction; an empty part keeps what was there. A list
// that does not end in a comma goes on with its last part: "8k,32k" is 32k for
// trims, "8k,32k," leaves them. InvalidArgument: more than three, or none.
absl::StatusOr<PerDirection<std::string_view>> SplitDirections(std::string_view text,
                                                               char separator = ',');

// "4k-64k" or "4k:64k", in either order; a single value is a range of one.
absl::StatusOr<std::pair<std::uint64_t, std::uint64_t>> ParseByteRange(std::string_view text,
                                                                       Range range, KbBase base);
absl::StatusOr<std::pair<nanoseconds, nanoseconds>> ParseTimeRange(std::string_view text);

// "4k/10:64k/50:32k": what has no percentage shares what is left.
absl::StatusOr<BlockSize> ParseBlockMix(std::string_view text, Range range, KbBase base);

// "random", "zipf:1.2[:0.25]", "pareto:.3", "normal:20", "zoned:60/10:40/90",
// "zoned_abs:60/20g:40/100g".
absl::StatusOr<RandomDistribution> ParseDistribution(std::string_view text, KbBase base);

// "0,5,8-15" -> 0 5 8 9 ... 15.
absl::StatusOr<std::vector<std::uint32_t>> ParseCpuList(std::string_view text);

// "EIO:61": names or numbers of errnos.
absl::StatusOr<std::vector<int>> ParseErrnoList(std::string_view text);

}  // namespace zonal::fio
