// SPDX-License-Identifier: MIT
// The zone facts of a drive's file: what never changes about a zone, as runs of
// equal zones (docs/emulated-drive-file.md, "Zone facts"). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "zonal/emulated.h"
#include "zonal/zone.h"

namespace zonal::emulated {

// `count` zones from `first` on that are alike.
struct FactsRun {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint64_t capacity = 0;  // bytes
  ZoneType type = ZoneType::kSequentialRequired;
  ZoneCondition initial = ZoneCondition::kEmpty;  // of a drive never written
  friend bool operator==(const FactsRun&, const FactsRun&) = default;
};

// The runs that cover the drive's zones in order. REQUIRES: valid options.
std::vector<FactsRun> FactsOf(const EmulatedOptions& options);

// The region's bytes without padding; 24 for each run.
std::vector<std::byte> EncodeFacts(std::span<const FactsRun> runs);

// Puts the lists of read-only and offline zones into `options`, which has
// everything else from the header. DataLoss if the runs do not describe the
// zones of such a drive.
absl::Status DecodeFacts(std::span<const std::byte> bytes, EmulatedOptions& options);

}  // namespace zonal::emulated
