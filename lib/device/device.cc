// SPDX-License-Identifier: MIT
// The defaults of the device interfaces: what a backend need not have.
#include "zonal/device.h"

namespace zonal {

absl::Status IoQueue::RegisterBuffers(std::span<const iovec>) {
  return absl::UnimplementedError("this queue does not register buffers");
}

absl::StatusOr<ManageResult> Device::ManageAll(ZoneOp, nanoseconds) {
  return absl::UnimplementedError("this device has no command for all zones at once");
}

absl::StatusOr<DriveCounters> Device::Counters() {
  return absl::UnimplementedError("this device keeps no counters");
}

}  // namespace zonal
