// SPDX-License-Identifier: MIT
// Positions of random operations of one direction inside [begin, end): uniform
// (each block once a pass, or independently), or after a Distribution; and what a
// workload may mix into that: runs of consecutive offsets, one offset several
// times, a share of operations that go on where the last one ended. No allocation
// once constructed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "workload/distribution.h"
#include "workload/offsets.h"
#include "zonal/rng.h"
#include "zonal/workload.h"

namespace zonal::workload {

class RandomStream {
 public:
  struct Options {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t block = 4096;  // the least an operation has; REQUIRES: end - begin >= block
    std::uint64_t align = 0;     // offsets are `begin` plus multiples of it; 0: of `block`
    bool may_repeat = false;
    std::uint64_t seed = 1;
    std::uint32_t run_length = 1;
    bool repeats_offset = false;  // run_length operations at one offset
    std::uint32_t random_percent = 100;
  };
  RandomStream(const Options& options, const RandomDistribution& distribution)
      : begin_(options.begin),
        end_(options.end),
        unit_(options.align == 0 ? options.block : options.align),
        starts_((options.end - options.begin - options.block) / unit_ + 1),
        uniform_(begin_, begin_ + starts_ * unit_, unit_, options.may_repeat, options.seed),
        run_length_(options.run_length),
        repeats_(options.repeats_offset),
        random_percent_(options.random_percent),
        goes_on_(run_length_ > 1 || random_percent_ < 100),
        last_end_(begin_),
        rng_(options.seed ^ 0x5EC0) {
    if (distribution.kind != RandomDistribution::Kind::kUniform) {
      distribution_.emplace(distribution, starts_, unit_, options.seed);
    }
  }

  // Where an operation of `bytes` goes; it may have to be cut at `end`.
  std::uint64_t Next(std::uint64_t bytes) noexcept {
    if (!goes_on_) return Draw();
    if (!GoesOn(bytes)) {
      last_ = Draw();
      run_left_ = run_length_;
    } else if (!repeated_) {
      last_ = last_end_ < end_ ? last_end_ : begin_;
    }
    last_end_ = last_ + bytes;
    return last_;
  }
  std::uint64_t unit() const noexcept { return unit_; }

 private:
  std::uint64_t Draw() noexcept {
    return distribution_ ? begin_ + distribution_->Next() * unit_ : uniform_.Next();
  }
  bool GoesOn(std::uint64_t bytes) noexcept {
    repeated_ = false;
    if (random_percent_ == 0) return true;  // a sequential stream, round and round
    const bool fits = last_end_ < end_ && bytes <= end_ - last_end_;
    if (run_left_ > 1) {
      --run_left_;
      repeated_ = repeats_;
      return repeats_ || fits;
    }
    return random_percent_ < 100 && !rng_.Chance(random_percent_, 100) && fits;
  }

  const std::uint64_t begin_, end_, unit_;
  const std::uint64_t starts_;  // how many offsets there are
  RandomOffsets uniform_;
  std::optional<Distribution> distribution_;
  const std::uint32_t run_length_;
  const bool repeats_;
  const std::uint32_t random_percent_;
  const bool goes_on_;
  bool repeated_ = false;
  std::uint32_t run_left_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t last_end_;  // before the first operation: where a stream begins
  Rng rng_;
};

}  // namespace zonal::workload
