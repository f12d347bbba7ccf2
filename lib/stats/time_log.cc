// SPDX-License-Identifier: MIT
#include "stats/time_log.h"

#include <algorithm>

namespace zonal::stats {
namespace {

std::uint64_t Ns(nanoseconds time) noexcept {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count()));
}

std::uint64_t PerSecond(std::uint64_t amount, nanoseconds time) noexcept {
  if (time.count() <= 0) return 0;
  return static_cast<std::uint64_t>(
      static_cast<double>(amount) * 1e9 / static_cast<double>(time.count()) + 0.5);
}

bool Any(const TimeLogs& what) {
  return !what.bandwidth.empty() || !what.latency.empty() || !what.iops.empty();
}

}  // namespace

TimeLog::TimeLog(const TimeLogs& what, const TimeLogOptions& options)
    : interval_(what.average_over),
      histogram_interval_(what.histogram.empty() ? nanoseconds(0) : what.histogram_every),
      highest_(what.highest),
      logs_operations_(Any(what)),
      ramp_goes_on_(options.after_ramp),
      rows_(Any(what) ? options.rows : 1),
      histograms_(histogram_interval_.count() > 0 ? options.histograms : 1) {
  if (histogram_interval_.count() > 0) {
    counting_ = std::make_unique<std::array<LogHistogram, kDirections>>();
  }
}

void TimeLog::Start(Instant now) noexcept {
  if (started_) ramp_goes_on_ = false;
  if (!started_) zero_ = now;
  started_ = true;
  interval_start_ = histogram_start_ = now;
  now_ = {};
  if (counting_ != nullptr) *counting_ = {};
}

std::uint64_t TimeLog::MillisecondsAt(Instant when) const noexcept {
  return Ns(when - zero_) / 1'000'000;
}

void TimeLog::Record(const Operation& operation) noexcept {
  if (ramp_goes_on_) return;
  if (logs_operations_) {
    if (interval_.count() == 0)
      RecordOne(operation);
    else
      AddToInterval(operation);
  }
  if (counting_ != nullptr) AddToHistogram(operation);
}

void TimeLog::RecordOne(const Operation& operation) noexcept {
  LogRow row;
  row.at_ms = MillisecondsAt(operation.completed);
  row.direction = operation.direction;
  row.bytes = operation.bytes;
  row.offset = operation.offset;
  row.kib_per_second = PerSecond(operation.bytes, operation.completed - operation.submitted) / 1024;
  row.ios_per_second = 1;
  row.has_submission = operation.has_submission;
  row.submission_ns = Ns(operation.submitted - operation.drawn);
  row.completion_ns = Ns(operation.completed - operation.submitted);
  row.total_ns = Ns(operation.completed - operation.drawn);
  Keep(row);
}

void TimeLog::AddToInterval(const Operation& operation) noexcept {
  while (operation.completed - interval_start_ >= interval_) {
    EndInterval(interval_start_ + interval_, true);
  }
  Interval& interval = now_[static_cast<std::size_t>(operation.direction)];
  ever_[static_cast<std::size_t>(operation.direction)] = true;
  ++interval.ios;
  interval.bytes += operation.bytes;
  const auto take = [this](std::uint64_t& into, nanoseconds latency) {
    into = highest_ ? std::max(into, Ns(latency)) : into + Ns(latency);
  };
  interval.has_submission = operation.has_submission;
  take(interval.submission_ns, operation.submitted - operation.drawn);
  take(interval.completion_ns, operation.completed - operation.submitted);
  take(interval.total_ns, operation.completed - operation.drawn);
}

// A direction that moved nothing in it has its rates all the same, so that a stall
// shows.
void TimeLog::EndInterval(Instant end, bool has_rates) noexcept {
  const nanoseconds length = end - interval_start_;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (!ever_[i]) continue;
    const Interval& interval = now_[i];
    const std::uint64_t share = highest_ || interval.ios == 0 ? 1 : interval.ios;
    LogRow row;
    row.at_ms = MillisecondsAt(end);
    row.direction = static_cast<Direction>(i);
    row.has_rates = has_rates;
    row.has_completion = interval.ios != 0;
    row.has_submission = interval.has_submission;
    row.kib_per_second = PerSecond(interval.bytes, length) / 1024;
    row.ios_per_second = PerSecond(interval.ios, length);
    row.submission_ns = interval.submission_ns / share;
    row.completion_ns = interval.completion_ns / share;
    row.total_ns = interval.total_ns / share;
    Keep(row);
  }
  now_ = {};
  interval_start_ = end;
}

void TimeLog::AddToHistogram(const Operation& operation) noexcept {
  if (operation.completed - histogram_start_ >= histogram_interval_) {
    const std::int64_t whole =
        (operation.completed - histogram_start_).count() / histogram_interval_.count();
    EndHistograms(histogram_start_ + histogram_interval_);
    histogram_start_ = histogram_start_ + (whole - 1) * histogram_interval_;
  }
  LogHistogram& histogram = (*counting_)[static_cast<std::size_t>(operation.direction)];
  histogram.bytes = operation.bytes;
  ++histogram.counts[static_cast<std::size_t>(
      Histogram::BucketOf(Ns(operation.completed - operation.submitted)))];
}

void TimeLog::EndHistograms(Instant end) noexcept {
  for (std::size_t i = 0; i < counting_->size(); ++i) {
    LogHistogram& histogram = (*counting_)[i];
    if (histogram.bytes == 0) continue;
    histogram.at_ms = MillisecondsAt(end);
    histogram.direction = static_cast<Direction>(i);
    if (!histograms_.Push(histogram)) lost_.fetch_add(1, std::memory_order_relaxed);
    histogram = {};
  }
  histogram_start_ = end;
}

void TimeLog::Finish(Instant now) noexcept {
  if (!started_ || ramp_goes_on_) return;
  if (logs_operations_ && interval_.count() > 0) {
    while (now - interval_start_ >= interval_) EndInterval(interval_start_ + interval_, true);
    if (now > interval_start_) EndInterval(now, (now - interval_start_) * 2 >= interval_);
  }
  if (counting_ != nullptr) EndHistograms(now);
}

}  // namespace zonal::stats
