// SPDX-License-Identifier: MIT
// Where random operations go when not everywhere alike: numbers of [0, count) with
// the frequencies that a RandomDistribution (zonal/workload.h) asks for. What is
// worked out beforehand takes no time that grows with `count`; drawing allocates
// nothing and locks nothing.
//
// Zipf: rejection-inversion (W. Hörmann, G. Derflinger, "Rejection-inversion to
// generate variates from monotone discrete distributions", ACM TOMACS 6(3), 1996):
// exact for every theta > 0, without the sum over all ranks that inversion needs.
// Pareto: rank = count * u^k with k = log(h) / log(1 - h), by which a share h of
// the blocks gets 1 - h of the operations.
// Ranks of both lie scattered over the range, the same for every run of a seed, or
// around `center` where one is given.
// Normal: a normal variable around `center` (0.5), drawn again if outside.
// Tested by tests/workload/distribution_test.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/block_permutation.h"
#include "zonal/rng.h"
#include "zonal/workload.h"

namespace zonal::workload {

class Distribution {
 public:
  // REQUIRES: count > 0; `asked` has passed CheckDistribution. `block` is what one
  // number stands for, for parts sized in bytes. `center` and `scatter` follow from
  // `seed` alone.
  Distribution(const RandomDistribution& asked, std::uint64_t count, std::uint64_t block,
               std::uint64_t seed);

  std::uint64_t Next() noexcept;

 private:
  using Kind = RandomDistribution::Kind;
  // A part of the range, and the hundredths of the operations up to its end.
  struct Part {
    std::uint32_t percent_up_to = 0;
    std::uint64_t begin = 0, count = 0;
  };

  void MakeParts(const RandomDistribution& asked, std::uint64_t block);
  std::uint64_t ZipfRank() noexcept;  // 0: the most frequent
  std::uint64_t ParetoRank() noexcept;
  std::uint64_t NormalIndex() noexcept;
  std::uint64_t IndexInParts() noexcept;
  std::uint64_t IndexOfRank(std::uint64_t rank) const noexcept;
  double Integral(double x) const noexcept;
  double IntegralInverse(double x) const noexcept;
  double Unit() noexcept;  // [0, 1)

  const Kind kind_;
  const std::uint64_t count_;
  const double parameter_;
  const bool centered_;
  const double center_;  // as an index
  Rng rng_;
  BlockPermutation scatter_;
  double first_integral_ = 0, last_integral_ = 0, shortcut_ = 0;  // zipf
  double power_ = 1;                                              // pareto
  double deviation_ = 0;                                          // normal, in numbers
  std::vector<Part> parts_;
};

}  // namespace zonal::workload
