// SPDX-License-Identifier: MIT
// When a worker stops sending: bytes moved, operations sent, loops done, time
// passed, whichever comes first. Bytes count within a loop, the others in all.
// Also tells when the ramp is over. Pure; fed with clock readings.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/range.h"
#include "zonal/clock.h"
#include "zonal/workload.h"

namespace zonal::engine {

class StopRule {
 public:
  StopRule(const Workload& workload, const WorkRange& range) noexcept
      : runtime_(workload.runtime),
        ramp_(workload.ramp_time),
        bytes_(workload.time_based ? std::numeric_limits<std::uint64_t>::max()
                                   : range.bytes_to_move),
        operations_(workload.most_operations == 0 ? std::numeric_limits<std::uint64_t>::max()
                                                  : workload.most_operations),
        loops_(workload.loops),
        one_pass_(range.single_pass && !workload.time_based) {}

  void Start(Instant now) noexcept { started_ = now; }

  // Bytes that may still be issued in this loop; time_based goes on until time is up.
  std::uint64_t BytesLeft(std::uint64_t issued) const noexcept {
    return issued < bytes_ ? bytes_ - issued : 0;
  }
  bool MayIssue(std::uint64_t operations_issued) const noexcept {
    return operations_issued < operations_;
  }
  std::uint32_t loops() const noexcept { return loops_; }
  // A sequential stream that came to its end, and had the range to itself, is done.
  bool one_pass() const noexcept { return one_pass_; }
  bool watches_time() const noexcept { return runtime_.count() != 0 || ramp_.count() != 0; }
  // The ramp lengthens the run: runtime counts from its end.
  bool TimeIsUp(Instant now) const noexcept {
    return runtime_.count() != 0 && now - started_ >= runtime_ + ramp_;
  }
  // True once: counts are to be cleared now.
  bool RampEnds(Instant now) noexcept {
    if (ramped_ || ramp_.count() == 0 || now - started_ < ramp_) return false;
    ramped_ = true;
    return true;
  }

 private:
  const nanoseconds runtime_;
  const nanoseconds ramp_;
  const std::uint64_t bytes_;
  const std::uint64_t operations_;
  const std::uint32_t loops_;
  const bool one_pass_;
  bool ramped_ = false;
  Instant started_;
};

}  // namespace zonal::engine
