// SPDX-License-Identifier: MIT
// Devices the kernel serves as files: zoned block devices, ordinary block
// devices and plain files. Data moves through io_uring, libaio or psync queues;
// zones are reported and managed by the block layer's ioctls.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "zonal/device.h"
#include "zonal/open.h"

namespace zonal {

// Opens `path`, or adopts `options.fd` (on failure the descriptor stays the
// caller's). Ordinary block devices and plain files come out with model kNone
// and no zones; `options.overlay` is the caller's business and ignored here. A
// plain file that does not exist is created with `options.create_size` bytes
// if that is not 0 and access is kReadWrite. Errors as zonal::Open says.
absl::StatusOr<std::unique_ptr<Device>> OpenKernelDevice(const std::string& path,
                                                         const OpenOptions& options);

}  // namespace zonal
