// SPDX-License-Identifier: MIT
// What a worker counts while it runs. Plain fields of one thread; the hot calls
// are inlined.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "stats/rate_sampler.h"
#include "stats/time_log.h"
#include "zonal/run.h"

namespace zonal::engine {

class WorkerStatistics {
 public:
  WorkerStatistics(bool keep_latencies, bool synchronous)
      : keep_latencies_(keep_latencies), synchronous_(synchronous) {}

  // Before Start(). Each completed I/O goes to `log` as well, which outlives this.
  void KeepLog(stats::TimeLog* log) noexcept { log_ = log; }

  bool log_is_half_full() const noexcept { return log_ != nullptr && log_->half_full(); }

  // Counting begins, or begins again when the ramp is over.
  void Start(Instant now) noexcept;
  void End(Instant now) noexcept {
    if (log_ != nullptr) log_->Finish(now);
  }

  void Io(Direction direction, std::uint64_t offset, std::uint64_t bytes, bool is_short,
          Instant drawn, Instant submitted, Instant completed) noexcept {
    DirectionResult& d = directions_[static_cast<std::size_t>(direction)];
    ++d.ios;
    d.bytes += bytes;
    d.short_ios += is_short ? 1 : 0;
    // Completions may come out of order, or from just before counting began.
    Instant& last = last_[static_cast<std::size_t>(direction)];
    last = std::max(last, completed);
    if (log_ != nullptr) {
      log_->Record({direction, bytes, offset, drawn, submitted, completed, !synchronous_});
    }
    if (!keep_latencies_) return;
    // A sampler of the start of a batch may be later than a virtual completion.
    d.completion.Record(Ns(completed - submitted));
    d.total.Record(Ns(completed - drawn));
    if (!synchronous_) d.submission.Record(Ns(submitted - drawn));
  }
  void FromDue(Direction direction, nanoseconds took) noexcept {
    if (keep_latencies_) directions_[static_cast<std::size_t>(direction)].from_due.Record(Ns(took));
  }
  void Operation(OpClass op, nanoseconds took) noexcept {
    operations_[static_cast<std::size_t>(op)].Record(Ns(took));
  }
  void Reset() noexcept { ++zone_resets_; }
  void Finish() noexcept { ++zone_finishes_; }
  // Another block is read in its place: it was not issued, as far as totals go.
  void StaleRead() noexcept {
    ++stale_reads_;
    --issued_[static_cast<std::size_t>(Direction::kRead)];
  }

  void Issued(Direction direction) noexcept { ++issued_[static_cast<std::size_t>(direction)]; }
  void Failed(Direction direction) noexcept { ++failed_[static_cast<std::size_t>(direction)]; }

  // `in_flight`: with the request that is being submitted.
  void Submitted(std::uint32_t in_flight) noexcept {
    ++depth_levels_[static_cast<std::size_t>(
        std::min(6, static_cast<int>(std::bit_width(in_flight)) - 1))];
  }
  void SubmitBatch(std::size_t count) noexcept { ++submit_batches_[BatchLevel(count)]; }
  void CompleteBatch(std::size_t count) noexcept { ++complete_batches_[BatchLevel(count)]; }

  void Sample(Instant now) noexcept {
    for (std::size_t i = 0; i < samplers_.size(); ++i) {
      samplers_[i].Update(now, directions_[i].bytes, directions_[i].ios);
    }
  }

  std::uint64_t ios(Direction d) const noexcept {
    return directions_[static_cast<std::size_t>(d)].ios;
  }
  std::uint64_t bytes(Direction d) const noexcept {
    return directions_[static_cast<std::size_t>(d)].bytes;
  }

  void WriteTo(WorkerResult& result) const;

 private:
  static std::uint64_t Ns(nanoseconds d) noexcept {
    return d.count() > 0 ? static_cast<std::uint64_t>(d.count()) : 0;
  }
  // 1 is level 0; [2^(i-1)+1 .. 2^i] is level i; 65 and more are level 7.
  static std::size_t BatchLevel(std::size_t count) noexcept {
    return std::min<std::size_t>(7, static_cast<std::size_t>(std::bit_width(count - 1)));
  }

  const bool keep_latencies_;
  const bool synchronous_;
  stats::TimeLog* log_ = nullptr;
  Instant since_;
  std::array<DirectionResult, kDirections> directions_;
  std::array<Instant, kDirections> last_{};
  std::array<std::uint64_t, kDirections> issued_{}, failed_{};
  std::array<Histogram, kOpClasses> operations_;
  std::array<stats::RateSampler, kDirections> samplers_;
  std::array<std::uint64_t, 8> depth_levels_{}, submit_batches_{}, complete_batches_{};
  std::uint64_t zone_resets_ = 0, zone_finishes_ = 0, stale_reads_ = 0;
};

}  // namespace zonal::engine
