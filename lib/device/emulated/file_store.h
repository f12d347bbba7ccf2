// SPDX-License-Identifier: MIT
// The store of a drive in a file: bytes by pread and pwrite, never mapped, so
// that a full disk is an errno and not a signal.
#pragma once

#include <memory>

#include "device/emulated/file_drive.h"
#include "device/emulated/store.h"

namespace zonal::emulated {

// Answers at once. Sync is FileDrive::Flush.
std::unique_ptr<Store> NewFileStore(std::shared_ptr<FileDrive> drive);

}  // namespace zonal::emulated
