// SPDX-License-Identifier: MIT
// What admission costs: reserve, submit and complete one write through ZoneQueue
// on the emulated drive that discards data, on 12 zones shared by all threads,
// with two clock readings for each I/O (depth 1: nothing is amortised).
// Goals: at least 5 M cycles/s per thread; two threads at least 1.7 times one.
// Not a goal: batching, a real device, or the engine's own cost.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>

#include "zonal/emulated.h"
#include "zonal/rng.h"
#include "zonal/zone_queue.h"

namespace zonal {
namespace {

constexpr std::uint32_t kZones = 12;
constexpr std::uint64_t kBlock = 4096;

struct Shared {
  std::shared_ptr<Device> device;
  std::unique_ptr<ZoneManager> manager;
};

Shared Make(std::uint32_t threads) {
  EmulatedOptions options;
  options.zones = kZones;
  options.zone_size = 1ull << 40;  // never full: admission only
  options.max_open = Limit::Of(kZones);
  options.max_active = Limit::Of(kZones);
  options.data = DataPolicy::kDiscard;
  Shared shared;
  shared.device = NewEmulatedDevice(options, MonotonicClock()).value();
  ManagerOptions manager;
  manager.write_targets = kZones;
  manager.writers = threads;
  shared.manager = ZoneManager::Create(shared.device, manager).value();
  return shared;
}

Shared& State() {
  static Shared shared;
  return shared;
}

void SetUp(const benchmark::State& state) {
  State() = Make(static_cast<std::uint32_t>(state.threads()));
}
void TearDown(const benchmark::State&) { State() = Shared{}; }

void Cycle(benchmark::State& state) {
  auto queue =
      ZoneQueue::Create(*State().manager, {{QueueKind::kDefault, 1, nullptr}, nullptr}).value();
  Rng rng(static_cast<std::uint64_t>(state.thread_index()) + 1);
  for (std::uint32_t i = 0; i < kZones; ++i) {
    (void)queue->ClaimTarget(ZoneId(static_cast<std::uint32_t>(rng.Below(kZones))));
  }
  for (std::uint32_t z = 0; z < kZones; ++z) (void)queue->ClaimTarget(ZoneId(z));
  alignas(4096) static std::byte buffer[kBlock];
  WriteOptions options;
  options.keep = true;
  std::uint64_t hash = 0;
  std::uint64_t refused = 0;
  for (auto _ : state) {
    const auto targets = queue->Targets();
    const ZoneId zone = targets[rng.Below(targets.size())];
    if (!queue->Write(zone, buffer, kBlock, 0, options).ok()) ++refused;
    ZoneCompletion done;
    queue->Poll({&done, 1}, 1, nanoseconds(-1));  // submits: one reading before, one after
    hash = hash * 31 + done.result.offset;
  }
  if (refused != 0) state.SkipWithError("a write was refused");
  benchmark::DoNotOptimize(hash);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK(Cycle)->Setup(SetUp)->Teardown(TearDown)->Threads(1)->UseRealTime();
BENCHMARK(Cycle)->Setup(SetUp)->Teardown(TearDown)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace zonal

BENCHMARK_MAIN();
