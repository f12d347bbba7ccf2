// SPDX-License-Identifier: MIT
// The emulated drive: a Device over a ZoneTable and a Store. A command passes
// these stages: admit (ZoneTable::AdmitWrite, DecideOnLanded, Manage), schedule
// (ReadyList: the order in which completions leave), land (the store, then
// ZoneTable::Land), deliver (IoQueue::Poll). Faults are a decorator outside.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/emulated/counter_pool.h"
#include "device/emulated/drive_memory.h"
#include "device/emulated/ready_event.h"
#include "device/emulated/zone_table.h"
#include "zonal/clock.h"
#include "zonal/device.h"

namespace zonal::emulated {

class Drive final : public Device {
 public:
  // REQUIRES: `options` are valid and have their defaults.
  Drive(const EmulatedOptions& options, DriveIdentity identity, DriveMemory memory,
        const Clock& clock);
  ~Drive() override;

  absl::Status PowerOn();

  const DeviceInfo& info() const noexcept override { return info_; }
  absl::StatusOr<std::size_t> Report(ZoneId first, std::span<Zone> out) override;
  absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) override;
  absl::StatusOr<ManageResult> ManageAll(ZoneOp op, nanoseconds timeout) override;
  absl::Status Flush() override;
  absl::StatusOr<std::unique_ptr<IoQueue>> NewQueue(const QueueOptions& options) override;
  absl::StatusOr<DriveCounters> Counters() override;

  // For the drive's queues.
  ZoneTable& zones() noexcept { return zones_; }
  // What was landed before the call survives what the durability promises.
  absl::Status MakeDurable();
  void QueueGone(std::size_t slot) noexcept;
  LandingBell& landing_bell() noexcept { return landing_bell_; }

 private:
  absl::Status CheckWritable() const;
  // Repeats until the zone's admitted writes have landed, or `timeout` is over.
  ManageOutcome ManageWaiting(std::uint32_t zone, core::CommandKind kind, nanoseconds timeout);
  // Ascending; for finish the open zones first, whose slots are then there for
  // the closed ones (ZBC opens a zone on its way to full): FINISH ALL does not
  // fail for want of a slot.
  std::vector<std::uint32_t> InOrderForAll(core::CommandKind kind) const;

  const EmulatedOptions options_;
  const Clock& clock_;
  DriveMemory memory_;
  ZoneTable zones_;
  LandingBell landing_bell_;
  CounterPool pool_;
  DeviceInfo info_;
  std::atomic<std::uint64_t> queues_made_{0};
  std::atomic<std::uint32_t> queues_alive_{0};
};

core::CommandKind KindOf(ZoneOp op) noexcept;
IoResult ToResult(const core::Outcome& outcome, std::uint64_t offset, std::uint64_t bytes) noexcept;

}  // namespace zonal::emulated
