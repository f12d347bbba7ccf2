// SPDX-License-Identifier: MIT
// Random offsets and the numbers they come from.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

// Parts of one direction may hold no comma of their own, so the list splits at
// commas as other lists do.
Status Distribution(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const auto parts, SplitDirections(value));
  for (std::size_t i = 0; i < kDirections; ++i) {
    if (parts[i].empty()) continue;
    ZONAL_ASSIGN_OR_RETURN(target.job.work.distribution[i],
                           ParseDistribution(parts[i], target.job.kb_base));
  }
  return OkStatus();
}

Status NoRandomMap(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.norandommap, ParseBool(value));
  return OkStatus();
}

Status Randseed(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.randseed, ParseInteger(value, {}, target.job.kb_base));
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("random_distribution", "SHAPE[,SHAPE][,SHAPE]", "random",
          "Where random operations go, of reads, writes and trims: random, zipf:THETA[:CENTER], "
          "pareto:POWER[:CENTER], normal:DEVIATION[:CENTER], zoned:ACCESS%/SIZE%:..., "
          "zoned_abs:ACCESS%/SIZE:... .",
          Distribution),
    Value("percentage_random", "N[,N][,N]", "100",
          "Of a random job's operations, how many in a hundred are; the others go on where the "
          "last one ended.",
          Counts<&Workload::random_percent, 0, 100>),
    Switch("norandommap", "0", "Random offsets may repeat before the range is covered.",
           NoRandomMap),
    Value("randseed", "N", "1", "Seed of the random numbers; a run repeats with the same seed.",
          Randseed),
    Switch("randrepeat", "1", "0: a new seed each run, unless randseed is given.",
           Flag<&Job::randrepeat>),
    Switch("allrandrepeat", "0", "The same: every random number comes from the one seed.",
           Flag<&Job::randrepeat>),
    NoEffect("random_generator", "NAME", "There is one generator, of 64 bits."),
    NoEffect("softrandommap", "0|1", "There is always room for the map."),
    Refused("sprandom", "0|1", "Fill the drive with randwrite first.", "0"),
};

}  // namespace

std::span<const Option> RandomOptions() { return kRows; }

}  // namespace zonal::fio
