// SPDX-License-Identifier: MIT
#include "device/emulated/drive_memory.h"

#include <utility>

#include "device/emulated/lazy_mapping.h"
#include "device/emulated/zone_word.h"

namespace zonal::emulated {
namespace {

struct AnonymousTables {
  LazyMapping landed;
  LazyMapping counters;
  DriveGauges gauges{};
};

void SetCondition(DriveMemory& memory, const std::vector<std::uint32_t>& zones,
                  ZoneCondition condition) {
  for (const std::uint32_t zone : zones) {
    memory.landed[zone].store(ZoneWord(condition, 0, 0).bits(), std::memory_order_relaxed);
  }
}

absl::StatusOr<std::unique_ptr<Store>> StoreFor(const EmulatedOptions& options) {
  if (options.data == DataPolicy::kDiscard) return NewDiscardStore();
  return NewMemoryStore(DriveBytes(options));
}

}  // namespace

absl::StatusOr<DriveMemory> NewAnonymousMemory(const EmulatedOptions& options,
                                               std::unique_ptr<Store> store) {
  auto tables = std::make_shared<AnonymousTables>();
  absl::StatusOr<LazyMapping> landed =
      LazyMapping::New(ZoneWords::BytesFor(options.zones), PageSize::kHuge);
  if (!landed.ok()) return landed.status();
  absl::StatusOr<LazyMapping> counters =
      LazyMapping::New(kCounterSlots * sizeof(CounterSlot), PageSize::kSmall);
  if (!counters.ok()) return counters.status();
  tables->landed = *std::move(landed);
  tables->counters = *std::move(counters);

  DriveMemory memory;
  memory.landed = ZoneWords::Over(tables->landed.As<AtomicWord>(), options.zones);
  memory.counters = tables->counters.As<CounterSlot>();
  memory.gauges = &tables->gauges;
  memory.mappings = std::move(tables);
  memory.store = std::move(store);
  SetCondition(memory, options.read_only_zones, ZoneCondition::kReadOnly);
  SetCondition(memory, options.offline_zones, ZoneCondition::kOffline);
  return memory;
}

absl::StatusOr<DriveMemory> NewAnonymousMemory(const EmulatedOptions& options) {
  absl::StatusOr<std::unique_ptr<Store>> store = StoreFor(options);
  if (!store.ok()) return store.status();
  return NewAnonymousMemory(options, *std::move(store));
}

}  // namespace zonal::emulated
