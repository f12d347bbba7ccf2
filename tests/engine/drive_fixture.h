// SPDX-License-Identifier: MIT
// Emulated drives and plans for tests of Run(). Small zones, so that runs are
// short: 64 KiB of 4 KiB blocks.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.h"
#include "zonal/emulated.h"
#include "zonal/fault.h"
#include "zonal/rng.h"
#include "zonal/run.h"

namespace zonal::testing {

inline constexpr std::uint64_t kBlock = 4096;
inline constexpr std::uint64_t kZoneSize = 16 * kBlock;

inline EmulatedOptions SmallDrive(std::uint32_t zones = 8) {
  EmulatedOptions options;
  options.zones = zones;
  options.zone_size = kZoneSize;
  options.max_open = Limit::Of(4);
  options.max_active = Limit::Of(6);
  return options;
}

inline std::shared_ptr<Device> MakeDrive(const EmulatedOptions& options) {
  auto device = NewEmulatedDevice(options, MonotonicClock());
  REQUIRE(device.ok());
  return std::move(*device);
}

inline DeviceResolver Always(std::shared_ptr<Device> device) {
  return [device](const Workload&) -> absl::StatusOr<std::shared_ptr<Device>> { return device; };
}

// "write", "read", "randwrite", "randread", "rw", "randrw" over `zones` zones.
inline Workload Job(const std::string& rw, std::uint32_t first_zone, std::uint32_t zones) {
  Workload workload;
  workload.name = rw;
  workload.target = "emu";
  workload.pattern = rw.rfind("rand", 0) == 0 ? Pattern::kRandom : Pattern::kSequential;
  workload.reads = rw.find("read") != std::string::npos || rw.find("rw") != std::string::npos;
  workload.writes = rw.find("write") != std::string::npos || rw.find("rw") != std::string::npos;
  workload.direct = true;
  workload.zone_mode = ZoneMode::kZbd;
  workload.offset = first_zone * kZoneSize;
  workload.size = zones * kZoneSize;
  workload.depth = 4;
  return workload;
}

inline RunPlan Simulated(std::vector<Workload> workers, std::uint64_t seed = 1) {
  RunPlan plan;
  plan.workers = std::move(workers);
  plan.driver = DriverKind::kSimulation;
  plan.seed = seed;
  return plan;
}

inline RunPlan Threaded(std::vector<Workload> workers) {
  RunPlan plan;
  plan.workers = std::move(workers);
  return plan;
}

// For cases that hold under both drivers.
inline constexpr DriverKind kBoth[] = {DriverKind::kSimulation, DriverKind::kThreads};

inline RunPlan Driven(DriverKind driver, std::vector<Workload> workers, std::uint64_t seed = 1) {
  RunPlan plan = Simulated(std::move(workers), seed);
  plan.driver = driver;
  return plan;
}

// Hits the nth write to a zone; a partial one lands a block.
inline FaultRule OnWrite(std::uint32_t zone, std::uint64_t nth, FaultKind kind) {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.zone = ZoneId(zone);
  rule.nth = nth;
  rule.kind = kind;
  rule.partial_bytes = kBlock;
  return rule;
}

template <typename T, std::size_t n>
T OneOf(Rng& rng, const T (&values)[n]) {
  return values[rng.Below(n)];
}

inline RunResult MustRun(const RunPlan& plan, const std::shared_ptr<Device>& device) {
  RunControl control;
  auto result = Run(plan, control, Always(device));
  if (!result.ok()) FAIL(result.status().ToString());
  return *std::move(result);
}

inline const DirectionResult& Reads(const WorkerResult& worker) { return worker.directions[0]; }
inline const DirectionResult& Writes(const WorkerResult& worker) { return worker.directions[1]; }

inline DriveCounters CountersOf(Device& device) {
  auto counters = device.Counters();
  REQUIRE(counters.ok());
  return *counters;
}

inline std::vector<Zone> ZonesOf(Device& device) {
  std::vector<Zone> zones(device.info().geometry.zone_count);
  auto count = device.Report(ZoneId(0), zones);
  REQUIRE(count.ok());
  REQUIRE(*count == zones.size());
  return zones;
}

// From ZONAL_SEED, or `otherwise`.
inline std::uint64_t SeedOr(std::uint64_t otherwise) {
  const char* given = std::getenv("ZONAL_SEED");
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 0);
}

}  // namespace zonal::testing
