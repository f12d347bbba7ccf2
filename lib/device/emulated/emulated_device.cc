// SPDX-License-Identifier: MIT
#include <utility>

#include "core/status_macros.h"
#include "device/emulated/drive_memory.h"
#include "zonal/emulated.h"

namespace zonal {

absl::StatusOr<std::unique_ptr<Device>> NewEmulatedDevice(const EmulatedOptions& options,
                                                          const Clock& clock) {
  ZONAL_RETURN_IF_ERROR(Validate(options));
  absl::StatusOr<emulated::DriveMemory> memory = emulated::NewAnonymousMemory(options);
  if (!memory.ok()) return memory.status();
  emulated::DriveIdentity identity;
  identity.spec = FormatEmulatedSpec(options);
  return emulated::NewDrive(options, std::move(identity), *std::move(memory), clock);
}

}  // namespace zonal
