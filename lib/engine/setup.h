// SPDX-License-Identifier: MIT
// What Prepare() hands to the workers: open targets shared between them, and
// for each worker its workload with everything resolved.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/append_zones.h"
#include "engine/range.h"
#include "engine/reset_claims.h"
#include "engine/unverified_zones.h"
#include "zonal/device.h"
#include "zonal/limit.h"
#include "zonal/service.h"
#include "zonal/workload.h"
#include "zonal/zone_manager.h"

namespace zonal::engine {

// What workers of one device tell each other besides who runs (run_order.h).
// Written per reset, and per batch only for what a reset threshold needs.
struct alignas(64) Coordination {
  // Bytes written in write-pointer zones of the writers' common range; kept only
  // with a reset threshold.
  std::atomic<std::int64_t> bytes_held{0};
  // The range of those bytes.
  std::uint64_t counted_begin = 0, counted_end = 0;
  ResetClaims resets;
  // Of appending workers, if there is a limit on zones written at once.
  AppendZones append_zones;
  // Created if some worker in zone mode writes and verifies.
  UnverifiedZones unverified;

  // A zone that held so much is reset by somebody who does not count.
  void Dropped(std::uint64_t zone_start, std::uint64_t bytes) noexcept {
    if (zone_start < counted_begin || zone_start >= counted_end) return;
    bytes_held.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }
};

struct Target {
  std::string spec;
  std::shared_ptr<Device> device;
  bool zones_laid_over = false;  // zones of ours over a device without any
  // Null unless some worker uses zone mode.
  std::unique_ptr<ZoneManager> manager;
  std::unique_ptr<Service> service;
  Limit write_targets = Limit::Unlimited();  // the target set's size, if it has a count
  std::uint32_t zone_writers = 0;            // that may write at the same time
  Coordination coordination;
};

class RunOrder;
struct FlowGroup;

struct WorkerSetup {
  Workload workload;
  std::uint32_t index = 0;  // in the plan
  RunOrder* order = nullptr;
  FlowGroup* flow = nullptr;  // null: takes no part in one
  Target* target = nullptr;
  WorkRange range;
  bool has_conventional = false;    // the range holds conventional zones
  bool has_write_pointers = false;  // the range holds write-pointer zones
  bool partly_written = false;      // some of them held data before the run, and are not full
  // What a sequential writer writes in one pass over the range if its zones are
  // empty or full, in whole blocks.
  std::uint64_t pass_bytes = 0;
  std::uint64_t run_seed = 0;
  bool keep_latencies = true;

  // Bytes skipped behind each zone (kZbd, sequential) or window (kStrided).
  std::uint64_t zone_skip = 0;

  // Bytes per operation: what was asked for, within what the device transfers at
  // once. The largest, and the least.
  std::uint64_t read_block() const noexcept { return Block(workload.read_block.max); }
  std::uint64_t write_block() const noexcept { return WriteBlock(workload.write_block.max); }
  std::uint64_t least_read() const noexcept { return Block(workload.read_block.min); }
  std::uint64_t least_write() const noexcept { return WriteBlock(workload.write_block.min); }
  std::uint64_t transfer_limit() const noexcept {
    const Geometry& geometry = target->device->info().geometry;
    return geometry.max_transfer - geometry.max_transfer % geometry.write_granularity;
  }
  // The same of writes, which may be appends.
  std::uint64_t write_limit() const noexcept {
    const std::uint64_t limit = transfer_limit();
    if (!appends()) return limit;
    const Geometry& geometry = target->device->info().geometry;
    const std::uint64_t most =
        geometry.max_append - geometry.max_append % geometry.write_granularity;
    return limit == 0 ? most : std::min(limit, most);
  }

  // What it really does: a mix of 0 or 100 percent reads is no mix.
  bool reads() const noexcept {
    return workload.reads && (!(workload.writes || workload.trims) || workload.read_percent > 0);
  }
  bool writes() const noexcept { return DoesWrite(workload); }
  static bool DoesWrite(const Workload& workload) noexcept {
    return workload.writes && (!workload.reads || workload.read_percent < 100);
  }

  bool appends() const noexcept { return workload.appends && writes(); }
  bool trims() const noexcept { return workload.trims; }
  // Each block is trimmed, then written.
  bool trims_first() const noexcept { return workload.trims && workload.writes; }

  bool uses_targets() const noexcept {
    return workload.zone_mode == ZoneMode::kZbd && target->write_targets.has_count();
  }

 private:
  static std::uint64_t Cut(std::uint64_t asked, std::uint64_t most) noexcept {
    return most == 0 ? asked : std::min(asked, most);
  }
  std::uint64_t Block(std::uint64_t asked) const noexcept { return Cut(asked, transfer_limit()); }
  std::uint64_t WriteBlock(std::uint64_t asked) const noexcept { return Cut(asked, write_limit()); }
};

}  // namespace zonal::engine
