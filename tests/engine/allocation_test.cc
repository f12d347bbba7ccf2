// SPDX-License-Identifier: MIT
// Nothing is allocated per I/O. The program's own operator new counts: of two runs
// that differ in nothing but their length, the longer must not allocate more.
#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/drive_fixture.h"

namespace {

std::atomic<std::uint64_t> allocations{0};

void* Allocate(std::size_t bytes, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  return alignment <= alignof(std::max_align_t) ? std::malloc(bytes == 0 ? 1 : bytes)
                                                : std::aligned_alloc(alignment, whole);
}

void* MustAllocate(std::size_t bytes, std::size_t alignment = 1) {
  if (void* memory = Allocate(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return MustAllocate(bytes); }
void* operator new[](std::size_t bytes) { return MustAllocate(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return MustAllocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return MustAllocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return Allocate(bytes, 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

using namespace zonal;
using namespace zonal::testing;

namespace {

// The drive tells its store of resets by so many bytes at once (256 MiB): the list it
// keeps till then has its full length after 32 passes, of mixes 64.
constexpr std::uint64_t kLargeBlock = 64 * 1024;
constexpr std::uint64_t kLargeZone = 16 * kLargeBlock;
constexpr std::uint32_t kZones = 8;
constexpr std::uint32_t kWarm = 36, kWarmMixed = 72;

struct Row {
  const char* rw;
  std::uint32_t max_open = 0;
  bool verifies = false;
  bool appends = false;
  std::uint64_t backlog = 0;
  bool is_mixed = false;
};

struct Cost {
  std::uint64_t allocations = 0;
  std::uint64_t ios = 0;
};

// `passes` over a drive that holds data everywhere.
Cost RunPasses(const Row& row, DriverKind driver, std::uint32_t depth, std::uint32_t passes) {
  EmulatedOptions options = SmallDrive(kZones);
  options.zone_size = kLargeZone;
  options.data = row.verifies ? DataPolicy::kKeep : DataPolicy::kDiscard;
  const auto drive = MakeDrive(options);
  Workload job = Job(row.rw, 0, kZones);
  job.size = kZones * kLargeZone;
  job.read_block = job.write_block = kLargeBlock;
  job.depth = depth;
  job.max_open_zones = row.max_open;
  job.appends = row.appends;
  if (row.verifies) job.verify.checksum = Checksum::kCrc32c;
  job.verify.backlog = row.backlog;
  Workload fill = job;
  fill.reads = false;
  fill.writes = true;
  MustRun(Simulated({fill}), drive);
  job.loops = passes;
  const std::uint64_t before = allocations.load();
  const RunResult result = MustRun(Driven(driver, {job}), drive);
  Cost cost;
  cost.allocations = allocations.load() - before;
  const WorkerResult& worker = result.workers[0];
  CAPTURE(worker.detail);
  REQUIRE(worker.reason == EndReason::kDone);
  cost.ios = Reads(worker).ios + Writes(worker).ios;
  return cost;
}

}  // namespace

TEST_CASE("a longer run allocates no more than a short one", "[allocation]") {
  const Row rows[] = {
      {"write"},
      {"randwrite"},
      {"randwrite", 2},
      {"read"},
      {"randread"},
      {"rw", 0, false, false, 0, true},
      {"randrw", 0, false, false, 0, true},
      {"write", 0, true},
      {"randwrite", 2, true},
      {"randwrite", 0, true, false, 7},
      {"read", 0, true},
      {"randread", 0, true},
      {"write", 0, false, true},
      {"randwrite", 0, false, true},
      {"randwrite", 2, false, true},
      {"write", 0, true, true},
      {"randwrite", 2, true, true, 9},
  };
  for (const Row& row : rows) {
    for (const DriverKind driver : kBoth) {
      for (const std::uint32_t depth : {1u, 16u}) {
        CAPTURE(row.rw, row.max_open, row.verifies, row.appends, row.backlog);
        CAPTURE(static_cast<int>(driver), depth);
        if (row.verifies && depth == 1) continue;  // takes long, and is the same
        const std::uint32_t passes = row.is_mixed ? kWarmMixed : kWarm;
        const Cost brief = RunPasses(row, driver, depth, passes);
        const Cost extended = RunPasses(row, driver, depth, 2 * passes);
        REQUIRE(extended.ios >= brief.ios + passes * 16 * kZones);
        CHECK(brief.allocations != 0);  // they are counted
        CHECK(extended.allocations == brief.allocations);
      }
    }
  }
}
