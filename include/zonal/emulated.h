// SPDX-License-Identifier: MIT
// The emulated drive: one implementation of the zone rules of NVMe ZNS and
// ZBC, in memory, in a file, or laid over another device. Creating files and
// drives; the drive itself is a Device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "zonal/clock.h"
#include "zonal/device.h"
#include "zonal/dialect.h"
#include "zonal/limit.h"

namespace zonal {

enum class DataPolicy : std::uint8_t { kKeep, kDiscard };
// In what order completions that are ready together leave a queue.
enum class CompletionOrder : std::uint8_t { kSubmission, kSeeded, kReverse };
// What survives what: kProcess, a killed process; kHost, a crash of the host too.
enum class Durability : std::uint8_t { kProcess, kHost };

// Many times the zones of any drive known. Opening a drive walks over its table;
// in a file that table and the checkpoint take 24 bytes a zone, allocated.
inline constexpr std::uint32_t kMaxEmulatedZones = 1u << 24;

struct EmulatedOptions {
  Dialect dialect = Dialect::kZns;
  std::uint32_t zones = 64;               // all, conventional included; 1..kMaxEmulatedZones
  std::uint64_t zone_size = 64ull << 20;  // bytes; any multiple of `block`
  std::uint64_t zone_capacity = 0;        // 0: zone_size; zbc: must equal it
  std::uint64_t last_zone_size = 0;       // 0: zone_size; else a short last zone
  std::uint32_t conventional = 0;         // at the front
  std::uint32_t block = 4096;             // logical block, bytes
  std::uint32_t write_granularity = 0;    // 0: block; else a multiple of it (512e disks)
  Limit max_open = Limit::Of(14);
  Limit max_active = Limit::Of(14);       // zbc: always Unlimited
  std::uint64_t max_append = 128 * 1024;  // 0: no append
  std::vector<std::uint32_t> read_only_zones;
  std::vector<std::uint32_t> offline_zones;
  // Close the oldest implicitly open zone when the open limit is hit.
  bool auto_close = true;
  // Reads at or past the write pointer: zeros (zns), or an error (zbc).
  bool read_past_write_pointer_fails = false;
  DataPolicy data = DataPolicy::kKeep;
  CompletionOrder order = CompletionOrder::kSubmission;
  std::uint64_t seed = 1;
  Durability durability = Durability::kProcess;  // files only
};

// Parses "emu,zones=128,zone_size=64MiB,...". Unless given, dialect=zbc has
// block=512, max_open=128, max_active=unlimited, max_append=0 and fails reads
// past the write pointer. InvalidArgument names the key and says which there are.
absl::StatusOr<EmulatedOptions> ParseEmulatedSpec(std::string_view spec);
// The spec that parses back to `options`.
std::string FormatEmulatedSpec(const EmulatedOptions& options);
// InvalidArgument: the first thing that makes `options` impossible, and why.
absl::Status Validate(const EmulatedOptions& options);

// Named geometries: "smr-15tb", "zns-small", ... NotFound lists the names.
absl::StatusOr<EmulatedOptions> EmulatedPreset(std::string_view name);
std::vector<std::string_view> EmulatedPresetNames();

// A drive in memory. `clock` must outlive it.
absl::StatusOr<std::unique_ptr<Device>> NewEmulatedDevice(const EmulatedOptions& options,
                                                          const Clock& clock);

// Creates the file of a drive; AlreadyExists unless `replace`. A drive larger
// than the file system's largest file is refused with that reason.
absl::Status CreateEmulatedFile(const std::string& path, const EmulatedOptions& options,
                                bool replace);
// Opens one. Writers exclude each other by a lock; readers do not need it and
// see the drive as it is while a writer runs.
absl::StatusOr<std::unique_ptr<Device>> OpenEmulatedFile(const std::string& path, bool writable,
                                                         const Clock& clock);
// True if the file begins with a drive's header.
bool IsEmulatedFile(const std::string& path);

// Zones laid over `under`, which must outlive the result and is written through
// its own queues. Zones are all empty at start; nothing is persisted; no limits.
// A read above a write pointer, or above the capacity, is a read of `under`.
absl::StatusOr<std::unique_ptr<Device>> NewZonedOverlay(std::shared_ptr<Device> under,
                                                        std::uint64_t zone_size,
                                                        std::uint64_t zone_capacity,
                                                        const Clock& clock);

}  // namespace zonal
