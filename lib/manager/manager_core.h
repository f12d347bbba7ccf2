// SPDX-License-Identifier: MIT
// The manager behind ZoneManager and ZoneQueue: the zone table, the limits, the
// target set, and the passing of zones from owner to owner.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "manager/event_log.h"
#include "manager/queue_registry.h"
#include "manager/slot_count.h"
#include "manager/target_set.h"
#include "manager/wait_table.h"
#include "manager/zone_table.h"
#include "zonal/zone_manager.h"

namespace zonal::manager {

class ManagerCore final : public ZoneManager {
 public:
  ManagerCore(std::shared_ptr<Device> device, const ManagerOptions& options, ZoneTable table);
  ~ManagerCore() override;

  Device& device() noexcept override { return *device_; }
  const Geometry& geometry() const noexcept override { return geometry_; }
  Zone Get(ZoneId zone) const noexcept override;
  ZoneType TypeOf(ZoneId zone) const noexcept override { return table_[zone].type(); }
  ZoneCondition ConditionOf(ZoneId zone) const noexcept override {
    return table_[zone].condition();
  }
  std::uint64_t CapacityOf(ZoneId zone) const noexcept override { return table_.CapacityOf(zone); }
  std::uint64_t CommittedOf(ZoneId zone) const noexcept override {
    return table_[zone].committed.load(std::memory_order_acquire);
  }
  std::uint64_t ReservedOf(ZoneId zone) const noexcept override {
    return table_[zone].reserved.load(std::memory_order_relaxed);
  }
  std::uint32_t EpochOf(ZoneId zone) const noexcept override {
    return manager::EpochOf(table_[zone].word.load(std::memory_order_acquire));
  }
  LimitUse Limits() const noexcept override { return slots_.Use(); }
  std::string ExplainForeignZones() const override;
  absl::Status SeedTargets(ZoneRange range) override;
  std::vector<ZoneId> TargetZones() const override { return targets_.Members(); }
  absl::StatusOr<std::uint32_t> Refresh(ZoneRange range) override;
  std::size_t DrainEvents(std::span<ZoneEvent> out) override { return events_.Drain(out); }
  std::uint64_t events_dropped() const noexcept override { return events_.dropped(); }
  std::vector<StalledOwner> StalledOwners(nanoseconds older_than) const override;

  // ---- For the queues. ----

  // kOk: `me` owns the zone. kZoneBusy: somebody else does, or an operation
  // waits for it. kZoneSuspect: nobody could read its pointer since it failed.
  Errc TryOwn(ZoneId zone, OwnerId me, bool for_operation = false) noexcept;
  // The owner, with nothing in flight, gives the zone to the next waiter, or to
  // nobody. Clears the lease.
  void GiveBack(ZoneId zone) noexcept;
  // Leaves append mode exclusively: true if the caller now holds the zone as
  // kClosing, with nothing in flight and `committed` settled.
  bool TryClose(ZoneId zone) noexcept;

  // Takes the open (and active) slot a write to `zone` needs; the caller owns it.
  bool TakeSlotsFor(ZoneCell& cell) noexcept;
  Slots NeededFor(const ZoneCell& cell) const noexcept;
  // Gives back what the zone holds, except `keep`; wakes waiters.
  void DropSlots(ZoneCell& cell, Slots keep) noexcept;

  // Owner: makes the zone a target, or no longer one.
  bool AddTarget(ZoneId zone) noexcept;
  void RemoveTarget(ZoneId zone) noexcept;
  void WakeTargetWaiters() noexcept;

  // Owner: the zone is full, empty after a reset, or as the report says.
  void BecomeFull(ZoneId zone) noexcept;
  void BecomeEmpty(ZoneId zone) noexcept;
  void Adopt(ZoneId zone, const Zone& reported) noexcept;

  // See ZoneQueue::Park. `range`: zones of use to a kTargets waiter.
  bool Park(WaitKey key, OwnerId me, bool for_operation, ZoneRange range) noexcept;
  bool anybody_waits() const noexcept { return waits_.anybody(); }
  // Forgets every wait of a queue that ends.
  void Unpark(OwnerId me) noexcept;
  // An operation has its zone, and waits for it no more.
  void StopAsking(ZoneId zone, OwnerId me) noexcept;
  // After a reset, or when it will not be: readers may start.
  void WakeReaders(ZoneId zone) noexcept;
  // True if the zone's word says who waits, as it must whenever nobody holds the
  // bucket's mutex. For tests.
  bool WaitersAreShown(ZoneId zone) const noexcept;

  ZoneTable& table() noexcept { return table_; }
  TargetSet& targets() noexcept { return targets_; }
  EventLog& events() noexcept { return events_; }
  QueueRegistry& queues() noexcept { return queues_; }
  const ManagerOptions& options() const noexcept { return options_; }
  const Clock& clock() const noexcept { return *options_.clock; }
  std::uint32_t target_share() const noexcept;

  // Reads the whole device's report into the fresh table.
  absl::Status Load();

 private:
  bool ParkOnZone(WaitKey key, OwnerId me, bool for_operation) noexcept;
  bool ParkOnReset(WaitKey key, OwnerId me) noexcept;
  bool ParkOnTargets(OwnerId me, ZoneRange range) noexcept;
  std::uint64_t ShowWaiters(WaitTable::Bucket& bucket, ZoneId zone) noexcept;
  void HandToWaiter(ZoneId zone) noexcept;
  void OfferToTargetWaiter(ZoneId zone) noexcept;
  void WakeSlotWaiters() noexcept;
  void LoadZone(ZoneId id, const Zone& zone) noexcept;
  absl::Status CheckRange(ZoneRange range) const;

  std::shared_ptr<Device> device_;
  const Geometry geometry_;
  const bool counts_implicit_foreign_;
  ManagerOptions options_;
  ZoneTable table_;
  SlotCount slots_;
  TargetSet targets_;
  mutable WaitTable waits_;
  mutable QueueRegistry queues_;
  EventLog events_;
};

}  // namespace zonal::manager
