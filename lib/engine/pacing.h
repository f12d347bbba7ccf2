// SPDX-License-Identifier: MIT
// All that holds a worker back on request (Pace), and what it promised in return: rates
// per direction, stalls, flow, a depth that keeps a latency; a least rate and a greatest
// latency. A worker that runs as fast as it can has no Pacing. Belongs to its thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "engine/depth_search.h"
#include "engine/flow.h"
#include "engine/rate_schedule.h"
#include "engine/setup.h"
#include "engine/think_timer.h"

namespace zonal::engine {

// Pace values that contradict each other or say nothing.
absl::Status CheckPace(const Workload& workload);

// Why nothing may be sent now.
struct Pause {
  enum class Kind : std::uint8_t {
    kNone,
    kUntil,      // `until`
    kSpinUntil,  // the same, busily
    kDrain,      // what is in flight comes back first
  };
  Kind kind = Kind::kNone;
  Instant until;
};

class Pacing {
 public:
  // Null if nothing is asked for. `is_real_time`: stalls may spin.
  static std::unique_ptr<Pacing> Create(const WorkerSetup& setup, bool is_real_time);

  void Start(Instant now) noexcept;
  void End() noexcept { flow_.Leave(); }

  // Before an operation of `direction`. If that is not due and the other direction
  // of a mixed workload is, changes `direction` to it.
  Pause Before(Direction& direction, Instant now, std::uint32_t in_flight) noexcept;
  // Returns when it was due: `now` without a rate.
  Instant Issued(Direction direction, std::uint64_t bytes, Instant now) noexcept;
  bool has_rate(Direction direction) const noexcept {
    return rates_[static_cast<std::size_t>(direction)].limits();
  }
  // `latency`: from being drawn to its end.
  void Completed(Direction direction, std::uint64_t bytes, nanoseconds latency) noexcept;
  // Nothing in flight, and nothing to do before another does something.
  void Blocked() noexcept {
    if (flow_.on()) flow_.Leave();
  }

  // Once a step. What was promised and is not kept.
  struct Complaint {
    std::string text;
    int error;  // the errno that fio gives it
  };
  std::optional<Complaint> Check(Instant now);
  std::optional<Complaint> CheckLatency() const;
  DepthSearch::News LookAtDepth(Instant now) noexcept {
    return depth_.on() ? depth_.Look(now) : DepthSearch::News::kNone;
  }
  // Of the queue; all of it if none is sought.
  std::uint32_t most_in_flight() const noexcept {
    return depth_.on() ? depth_.depth() : ~std::uint32_t{0};
  }
  const DepthSearch& depth_search() const noexcept { return depth_; }

 private:
  Pacing(const WorkerSetup& setup, bool is_real_time);

  std::optional<Complaint> CheckRates(Instant now);
  Pause Thinking(Instant now) noexcept;
  Pause ForRates(Direction& direction, Instant now) noexcept;

  const Pace pace_;
  const bool is_real_time_;
  // Of a mixed workload, the direction that is not this one.
  std::optional<Direction> Other(Direction direction) const noexcept;
  const bool reads_, writes_, trims_;
  const bool has_least_rates_;
  std::array<RateSchedule, kDirections> rates_;
  bool has_rates_ = false;
  ThinkTimer think_;
  FlowMember flow_;
  DepthSearch depth_;
  Rng gaps_;

  nanoseconds slowest_{0};  // since the last check
  Instant window_began_;
  PerDirection<std::uint64_t> window_bytes_{}, window_operations_{};
};

}  // namespace zonal::engine
