// SPDX-License-Identifier: MIT
// Start, reading and refreshing; the rest of ManagerCore is in ownership.cc and
// parking.cc.
#include "manager/manager_core.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/status_macros.h"

namespace zonal {

absl::StatusOr<std::unique_ptr<ZoneManager>> ZoneManager::Create(std::shared_ptr<Device> device,
                                                                 const ManagerOptions& options) {
  const Geometry& geometry = device->info().geometry;
  if (!geometry.is_zoned()) {
    return absl::FailedPreconditionError(
        device->info().spec + " has no zones: open it with an overlay (zone size) to lay some");
  }
  if (options.writers == 0) return absl::InvalidArgumentError("ManagerOptions: writers is 0");
  ZONAL_ASSIGN_OR_RETURN(manager::ZoneTable table, manager::ZoneTable::Create(geometry.zone_count));
  ManagerOptions complete = options;
  if (complete.clock == nullptr) complete.clock = &MonotonicClock();
  auto core = std::make_unique<manager::ManagerCore>(std::move(device), complete, std::move(table));
  ZONAL_RETURN_IF_ERROR(core->Load());
  return std::unique_ptr<ZoneManager>(std::move(core));
}

}  // namespace zonal

namespace zonal::manager {
namespace {

constexpr std::size_t kReportChunk = 4096;

}  // namespace

ManagerCore::ManagerCore(std::shared_ptr<Device> device, const ManagerOptions& options,
                         ZoneTable table)
    : device_(std::move(device)),
      geometry_(device_->info().geometry),
      counts_implicit_foreign_(!device_->info().closes_implicit_on_demand),
      options_(options),
      table_(std::move(table)),
      slots_(Tighter(device_->info().max_open, options.max_open),
             Tighter(device_->info().max_active, options.max_active)),
      targets_(options.write_targets) {}

ManagerCore::~ManagerCore() {
  ZONAL_CHECK(queues_.empty(), "every ZoneQueue is destroyed before its manager");
}

std::uint32_t ManagerCore::target_share() const noexcept {
  return (options_.write_targets + options_.writers - 1) / options_.writers;
}

absl::Status ManagerCore::Load() {
  std::vector<Zone> zones(std::min<std::size_t>(kReportChunk, geometry_.zone_count));
  bool have_capacity = false;
  for (std::uint32_t first = 0; first < geometry_.zone_count;) {
    ZONAL_ASSIGN_OR_RETURN(const std::size_t count, device_->Report(ZoneId(first), zones));
    if (count == 0) {
      return absl::DataLossError(device_->info().spec + ": the zone report ends at zone " +
                                 std::to_string(first) + " of " +
                                 std::to_string(geometry_.zone_count));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!have_capacity && zones[i].type != ZoneType::kConventional) {
        table_.set_default_capacity(zones[i].capacity);
        have_capacity = true;
        // Zones before this one were conventional: restate theirs.
        for (std::uint32_t z = 0; z < first + i; ++z) {
          table_.SetCapacity(ZoneId(z), geometry_.SizeOf(ZoneId(z)));
        }
      }
      LoadZone(ZoneId(first + static_cast<std::uint32_t>(i)), zones[i]);
    }
    first += static_cast<std::uint32_t>(count);
  }
  return absl::OkStatus();
}

void ManagerCore::LoadZone(ZoneId id, const Zone& zone) noexcept {
  table_.SetCapacity(id, zone.capacity);
  if (zone.type == ZoneType::kSequentialRequired && zone.condition == ZoneCondition::kEmpty) return;
  Adopt(id, zone);
  ZoneCell& cell = table_[id];
  if (IsActive(zone.condition)) {
    cell.slots.store(
        static_cast<std::uint8_t>(cell.slots.load(std::memory_order_relaxed) | kForeign),
        std::memory_order_relaxed);
  }
}

// The caller owns the zone, or nobody else can know it yet.
void ManagerCore::Adopt(ZoneId id, const Zone& zone) noexcept {
  ZoneCell& cell = table_[id];
  cell.set_type(zone.type);
  cell.set_condition(zone.condition);
  table_.SetCapacity(id, zone.capacity);
  const std::uint64_t written = zone.type == ZoneType::kConventional ? 0 : zone.written();
  cell.committed.store(written, std::memory_order_release);
  cell.reserved.store(written, std::memory_order_relaxed);
  // An implicitly open zone of somebody else holds no open slot of ours: the
  // drive closes it when it needs the room.
  const std::uint8_t held = cell.slots.load(std::memory_order_relaxed);
  const bool open = zone.condition == ZoneCondition::kExplicitOpen ||
                    (zone.condition == ZoneCondition::kImplicitOpen &&
                     (counts_implicit_foreign_ || (held & kHoldsOpen) != 0));
  const bool active = IsActive(zone.condition);
  slots_.Force({open && (held & kHoldsOpen) == 0, active && (held & kHoldsActive) == 0});
  DropSlots(cell, {open, active});
  cell.slots.store(static_cast<std::uint8_t>((open ? kHoldsOpen : 0) | (active ? kHoldsActive : 0)),
                   std::memory_order_relaxed);
}

Zone ManagerCore::Get(ZoneId id) const noexcept {
  const ZoneCell& cell = table_[id];
  Zone zone;
  zone.start = geometry_.StartOf(id);
  zone.size = geometry_.SizeOf(id);
  zone.capacity = table_.CapacityOf(id);
  zone.type = cell.type();
  zone.condition = cell.condition();
  zone.write_pointer = zone.start + cell.committed.load(std::memory_order_acquire);
  return zone;
}

std::string ManagerCore::ExplainForeignZones() const {
  std::string names;
  std::uint32_t count = 0;
  for (std::uint32_t z = 0; z < table_.size(); ++z) {
    if ((table_[ZoneId(z)].slots.load(std::memory_order_relaxed) & kForeign) == 0) continue;
    if (++count <= 8) names += (count == 1 ? "" : ", ") + std::to_string(z);
  }
  if (count == 0) return {};
  if (count > 8) names += ", ... (" + std::to_string(count) + " in all)";
  return "zones " + names +
         " were left open or closed by somebody else and hold slots; "
         "`zonal zone finish` or `zonal zone reset` frees them (reset loses their data), e.g. "
         "`zonal zone finish " +
         device_->info().spec + " --zone N`";
}

absl::Status ManagerCore::CheckRange(ZoneRange range) const {
  const std::uint64_t end = std::uint64_t{range.first.value()} + range.count;
  if (end <= geometry_.zone_count) return absl::OkStatus();
  return absl::OutOfRangeError(
      device_->info().spec + ": zones " + std::to_string(range.first.value()) + " to " +
      std::to_string(end) + " (exclusive): the device has " + std::to_string(geometry_.zone_count));
}

absl::Status ManagerCore::SeedTargets(ZoneRange range) {
  ZONAL_RETURN_IF_ERROR(CheckRange(range));
  if (!targets_.enabled()) return absl::OkStatus();
  const bool closed_count = slots_.Use().max_active.has_count();
  std::vector<ZoneId> open;
  for (std::uint32_t z = range.first.value(); z < range.first.value() + range.count; ++z) {
    const ZoneCell& cell = table_[ZoneId(z)];
    if ((cell.word.load(std::memory_order_relaxed) & kTarget) != 0) continue;
    const ZoneCondition c = cell.condition();
    if (IsOpen(c) || (closed_count && c == ZoneCondition::kClosed)) open.emplace_back(z);
  }
  const std::size_t members = targets_.Members().size();
  if (members + open.size() > targets_.places()) {
    return absl::ResourceExhaustedError(
        "Number of open zones exceeds max_open_zones limit: " +
        std::to_string(members + open.size()) + " zones are open in the range, " +
        std::to_string(targets_.places()) +
        " may be; finish or reset some (`zonal zone finish`), or raise the limit");
  }
  for (const ZoneId zone : open) {
    if (TryOwn(zone, kManager) != Errc::kOk) continue;
    AddTarget(zone);
    GiveBack(zone);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::uint32_t> ManagerCore::Refresh(ZoneRange range) {
  ZONAL_RETURN_IF_ERROR(CheckRange(range));
  std::uint32_t left_alone = 0;
  std::vector<Zone> reported(1);
  for (std::uint32_t z = range.first.value(); z < range.first.value() + range.count; ++z) {
    const ZoneId zone(z);
    ZoneCell& cell = table_[zone];
    const Errc taken = TryOwn(zone, kManager, true);
    if (taken != Errc::kOk) {
      ++left_alone;
      continue;
    }
    const auto count = device_->Report(zone, reported);
    if (!count.ok() || *count != 1) {
      GiveBack(zone);
      if (!count.ok()) return count.status();
      return absl::DataLossError("the device reports nothing for zone " + std::to_string(z));
    }
    const std::uint64_t before = cell.committed.load(std::memory_order_relaxed);
    cell.word.fetch_add(kEpochOne);  // odd: readers who started before will see the change
    Adopt(zone, reported[0]);
    const bool lowered = cell.committed.load(std::memory_order_relaxed) < before;
    if (lowered) {
      cell.word.fetch_add(kEpochOne);
    } else {
      cell.word.fetch_sub(kEpochOne);
    }
    cell.word.fetch_and(~kSuspect);
    if (!IsActive(reported[0].condition)) RemoveTarget(zone);
    WakeReaders(zone);
    GiveBack(zone);
  }
  return left_alone;
}

std::vector<ZoneManager::StalledOwner> ManagerCore::StalledOwners(nanoseconds older_than) const {
  std::vector<StalledOwner> stalled;
  const std::int64_t now = clock().Now().ns;
  for (WaitTable::Bucket& bucket : waits_.all()) {
    const std::lock_guard lock(bucket.mutex);
    for (const Waiter& waiter : bucket.waiters) {
      if (waiter.key.kind != WaitKey::Kind::kZone) continue;
      const OwnerId owner = OwnerOf(table_[waiter.key.zone].word.load(std::memory_order_relaxed));
      const auto last = queues_.LastPoll(owner);
      if (!last.has_value() || now - *last < older_than.count()) continue;
      stalled.push_back({waiter.key.zone, owner, nanoseconds(now - *last)});
    }
  }
  return stalled;
}

}  // namespace zonal::manager
