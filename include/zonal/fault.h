// SPDX-License-Identifier: MIT
// A decorator that makes a device fail on purpose. Rules are plain data, tried
// in order; the first that fires decides.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "zonal/device.h"

namespace zonal {

enum class FaultKind : std::uint8_t {
  kBefore,   // fails, and the device never saw the command
  kAfter,    // the device did it, and the host is told it failed
  kPartial,  // the first `partial_bytes` of a write landed, and it is told it failed
};

struct FaultRule {
  // What it matches; an empty field matches everything.
  std::optional<IoOp> op;
  std::optional<ZoneOp> zone_op;  // only for op == kManage
  std::optional<ZoneId> zone;
  // Fires at the `nth` match, counted from 1 over all queues, and, if `every` is
  // not 0, at each `every`-th one after it.
  std::uint64_t nth = 1;
  std::uint64_t every = 0;

  FaultKind kind = FaultKind::kBefore;
  std::uint64_t partial_bytes = 0;  // rounded down to the write granularity
  Errc errc = Errc::kMediaError;
  Origin origin = Origin::kErrno;
  std::uint32_t raw = 5;  // EIO
};

// `under` must outlive the result. Applies to queues and to Manage and Report.
std::unique_ptr<Device> NewFaultDevice(std::shared_ptr<Device> under, std::vector<FaultRule> rules);

}  // namespace zonal
