// SPDX-License-Identifier: MIT
#include "engine/worker_statistics.h"

namespace zonal::engine {

void WorkerStatistics::Start(Instant now) noexcept {
  since_ = now;
  if (log_ != nullptr) log_->Start(now);
  // What is in flight now will be counted when it completes: it stays issued.
  for (std::size_t i = 0; i < issued_.size(); ++i) issued_[i] -= directions_[i].ios + failed_[i];
  failed_ = {};
  for (DirectionResult& direction : directions_) direction = {};
  for (Histogram& histogram : operations_) histogram.Clear();
  for (stats::RateSampler& sampler : samplers_) sampler.Start(now, 0, 0);
  last_.fill(now);
  depth_levels_ = {};
  submit_batches_ = {};
  complete_batches_ = {};
  zone_resets_ = zone_finishes_ = stale_reads_ = 0;
}

void WorkerStatistics::WriteTo(WorkerResult& result) const {
  result.directions = directions_;
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    DirectionResult& direction = result.directions[i];
    direction.issued_ios = issued_[i];
    if (direction.ios == 0) continue;
    direction.runtime = last_[i] - since_;
    direction.bandwidth_kib = samplers_[i].bandwidth_kib();
    direction.iops = samplers_[i].iops();
  }
  result.operations = operations_;
  result.zone_resets = zone_resets_;
  result.zone_finishes = zone_finishes_;
  result.stale_reads = stale_reads_;
  result.depth_levels = depth_levels_;
  result.submit_batches = submit_batches_;
  result.complete_batches = complete_batches_;
}

}  // namespace zonal::engine
