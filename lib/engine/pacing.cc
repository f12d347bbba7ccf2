// SPDX-License-Identifier: MIT
#include "engine/pacing.h"

#include <algorithm>
#include <cerrno>

namespace zonal::engine {
namespace {

// With flow_sleep=0 a worker that is ahead looks again so soon.
constexpr nanoseconds kGiveWay{10'000};

using Limits = PerDirection<std::uint64_t>;

std::string Number(std::uint64_t value) { return std::to_string(value); }

absl::Status Wrong(const Workload& workload, const std::string& what) {
  return absl::InvalidArgumentError(workload.name + ": " + what);
}

constexpr const char* kNames[] = {"reads", "writes", "trims"};

}  // namespace

absl::Status CheckPace(const Workload& workload) {
  const Pace& pace = workload.pace;
  if (pace.think_time.count() == 0 &&
      (pace.think_spin.count() != 0 || pace.think_io_time.count() != 0)) {
    return Wrong(workload, "thinktime_spin and thinktime_iotime do nothing without thinktime");
  }
  if (pace.think_time.count() != 0 && pace.think_blocks == 0) {
    return Wrong(workload, "thinktime_blocks=0: at least 1 is accepted");
  }
  if ((pace.least_bytes_per_second != Limits{} || pace.least_ios_per_second != Limits{}) &&
      pace.least_window.count() <= 0) {
    return Wrong(workload, "rate_min and rate_iops_min need a rate_cycle above 0");
  }
  if (pace.latency_target.count() != 0 && pace.latency_window.count() <= 0) {
    return Wrong(workload, "latency_target needs a latency_window to be measured over");
  }
  if (pace.latency_percentile < 0.0 || pace.latency_percentile > 100.0) {
    return Wrong(workload, "latency_percentile=" + std::to_string(pace.latency_percentile) +
                               ": 0 to 100 is accepted");
  }
  return absl::OkStatus();
}

std::unique_ptr<Pacing> Pacing::Create(const WorkerSetup& setup, bool is_real_time) {
  if (setup.workload.pace == Pace{}) return nullptr;
  return std::unique_ptr<Pacing>(new Pacing(setup, is_real_time));
}

Pacing::Pacing(const WorkerSetup& setup, bool is_real_time)
    : pace_(setup.workload.pace),
      is_real_time_(is_real_time),
      reads_(setup.reads()),
      writes_(setup.writes()),
      trims_(setup.workload.trims),
      has_least_rates_(pace_.least_bytes_per_second != Limits{} ||
                       pace_.least_ios_per_second != Limits{}),
      think_(pace_),
      flow_(setup.flow, pace_.flow),
      depth_(pace_, setup.workload.depth),
      gaps_(setup.workload.seed ^ 0x9A9) {
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    rates_[i] = RateSchedule(pace_.bytes_per_second[i], pace_.ios_per_second[i]);
    has_rates_ = has_rates_ || rates_[i].limits();
  }
}

void Pacing::Start(Instant now) noexcept {
  for (RateSchedule& rate : rates_) rate.Start(now);
  think_.Start(now);
  depth_.Start(now);
  window_began_ = now;
  if (flow_.on()) flow_.Join();
}

std::optional<Direction> Pacing::Other(Direction direction) const noexcept {
  // Blocks that are trimmed and then written take turns.
  if (!reads_ || (!writes_ && !trims_)) return std::nullopt;
  if (direction != Direction::kRead) return Direction::kRead;
  return trims_ ? Direction::kTrim : Direction::kWrite;
}

Pause Pacing::Before(Direction& direction, Instant now, std::uint32_t in_flight) noexcept {
  if (think_.on() && think_.Stalls(now, in_flight)) return Thinking(now);
  if (flow_.on() && flow_.ahead()) {
    return {Pause::Kind::kUntil, now + std::max(pace_.flow_sleep, kGiveWay)};
  }
  return has_rates_ ? ForRates(direction, now) : Pause{};
}

Pause Pacing::Thinking(Instant now) noexcept {
  if (!think_.thinking()) return {Pause::Kind::kDrain, {}};
  // Asked for the first time: what the stall takes is not to be caught up.
  if (pace_.ignore_think_time && think_.StallBegins()) {
    for (RateSchedule& rate : rates_) rate.Postpone(think_.length());
  }
  if (is_real_time_ && now < think_.spin_until()) {
    return {Pause::Kind::kSpinUntil, think_.spin_until()};
  }
  return {Pause::Kind::kUntil, think_.until()};
}

Pause Pacing::ForRates(Direction& direction, Instant now) noexcept {
  const RateSchedule& rate = rates_[static_cast<std::size_t>(direction)];
  if (!rate.limits() || rate.due() <= now) return {};
  Instant until = rate.due();
  if (const std::optional<Direction> other = Other(direction)) {
    const RateSchedule& of_other = rates_[static_cast<std::size_t>(*other)];
    if (of_other.limits()) {
      if (of_other.due() <= now) {
        direction = *other;
        return {};
      }
      until = std::min(until, of_other.due());
    }
  }
  return {Pause::Kind::kUntil, until};
}

Instant Pacing::Issued(Direction direction, std::uint64_t bytes, Instant now) noexcept {
  if (think_.on()) think_.Issued();
  if (flow_.on()) flow_.Issued();
  RateSchedule& rate = rates_[static_cast<std::size_t>(direction)];
  if (!rate.limits()) return now;
  return rate.Issued(bytes, now, pace_.poisson ? ExponentialStretch(gaps_) : 1.0);
}

void Pacing::Completed(Direction direction, std::uint64_t bytes, nanoseconds latency) noexcept {
  if (think_.on()) think_.Completed();
  if (depth_.on()) depth_.Completed(latency);
  slowest_ = std::max(slowest_, latency);
  window_bytes_[static_cast<std::size_t>(direction)] += bytes;
  ++window_operations_[static_cast<std::size_t>(direction)];
}

std::optional<Pacing::Complaint> Pacing::Check(Instant now) {
  if (std::optional<Complaint> complaint = CheckLatency()) return complaint;
  return has_least_rates_ ? CheckRates(now) : std::nullopt;
}

std::optional<Pacing::Complaint> Pacing::CheckLatency() const {
  if (pace_.max_latency.count() == 0 || slowest_ <= pace_.max_latency) return std::nullopt;
  return Complaint{"an operation took " + Number(static_cast<std::uint64_t>(slowest_.count())) +
                       " ns; max_latency allows " +
                       Number(static_cast<std::uint64_t>(pace_.max_latency.count())) + " ns",
                   ETIMEDOUT};
}

std::optional<Pacing::Complaint> Pacing::CheckRates(Instant now) {
  const nanoseconds elapsed = now - window_began_;
  if (elapsed < pace_.least_window) return std::nullopt;
  const auto per_second = [&](std::uint64_t count) {
    return static_cast<double>(count) * 1e9 / static_cast<double>(elapsed.count());
  };
  for (std::size_t i = 0; i < window_bytes_.size(); ++i) {
    struct Row {
      const char* option;
      const char* unit;
      std::uint64_t least, moved;
    };
    for (const Row& row :
         {Row{"rate_min", " bytes/s", pace_.least_bytes_per_second[i], window_bytes_[i]},
          Row{"rate_iops_min", " operations/s", pace_.least_ios_per_second[i],
              window_operations_[i]}}) {
      if (per_second(row.moved) >= static_cast<double>(row.least)) continue;
      return Complaint{std::string(row.option) + "=" + Number(row.least) + row.unit + " for " +
                           kNames[i] +
                           " not met: " + Number(static_cast<std::uint64_t>(per_second(row.moved))),
                       EIO};
    }
  }
  window_began_ = now;
  window_bytes_ = window_operations_ = {};
  return std::nullopt;
}

}  // namespace zonal::engine
