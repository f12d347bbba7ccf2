// SPDX-License-Identifier: MIT
// What must hold of a workload, alone and against its device, before anything is
// sent. Pure; each answer names the option, its value and what to do.
#pragma once

#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "zonal/device.h"
#include "zonal/limit.h"
#include "zonal/workload.h"

namespace zonal::engine {

// Wrong whatever the device.
absl::Status CheckWorkload(const Workload& workload);

// Of a workload that verifies: header, interval and pattern fit its blocks (checks_verify.cc).
// REQUIRES: CheckWorkload found nothing wrong.
absl::Status CheckVerify(const Workload& workload);

// Each worker saves its state to a file of its own.
absl::Status CheckStateFiles(std::span<const Workload> workloads);

// A workload with verify_only is one that reads what it would have written.
Workload AsVerified(const Workload& asked);

// Block sizes, zone size, direct I/O. `zones_laid_over`: the zones are ours, and
// the rule about direct I/O is not the device's.
absl::Status CheckAgainstDevice(const Workload& workload, const DeviceInfo& info,
                                bool zones_laid_over);

// On direct I/O the resolved range begins and ends with blocks of the device; it may
// also end with the device.
absl::Status CheckAlignment(const Workload& workload, const DeviceInfo& info, std::uint64_t begin,
                            std::uint64_t end);

// Distributions of random offsets over a range of so many bytes.
absl::Status CheckDistributions(const Workload& workload, std::uint64_t range_bytes);

// The windows of kStrided: each begins and ends with blocks of the device.
absl::Status CheckWindows(const Workload& workload, const DeviceInfo& info,
                          std::uint64_t zone_skip);

// A trim resets one zone: the block size is the zone's, and no zone of the range
// (`conventional`: some are) is without a write pointer.
absl::Status CheckTrims(const Workload& workload, const DeviceInfo& info, bool conventional);

// Of a worker that appends: nothing that needs to know the place beforehand, on a
// device whose queue appends; no conventional zone in its range; and whoever else
// writes the device appends, too (checks_append.cc).
absl::Status CheckAppend(const Workload& workload, const DeviceInfo& info);
absl::Status CheckAppendZones(const Workload& workload, bool conventional);
absl::Status CheckAllAppend(std::span<const Workload* const> workers);

// The smallest capacity of the write-pointer zones a worker writes must hold a
// block: else it could never write one.
absl::Status CheckCapacity(const Workload& workload, std::uint64_t smallest_capacity);

// All workers of one device: zone modes that exclude each other, limits they
// disagree on. Returns how many zones may be written at once.
absl::StatusOr<Limit> AgreeOnWriteTargets(std::span<const Workload* const> workers,
                                          const DeviceInfo& info);

}  // namespace zonal::engine
