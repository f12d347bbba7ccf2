// SPDX-License-Identifier: MIT
// Opens or adopts the file behind a kernel device: direct I/O verified, users
// of a block device respected, and every refusal with its cause.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "core/file_descriptor.h"
#include "device/kernel/environment.h"
#include "device/kernel/sysfs.h"
#include "zonal/open.h"

namespace zonal::kernel {

struct OpenedFile {
  core::FileDescriptor file;
  struct stat status {};
  std::optional<BlockFacts> facts;  // of a block device
};

absl::StatusOr<OpenedFile> OpenFile(const Environment& environment, const std::string& path,
                                    const OpenOptions& options);

// Ok if a block device with these facts may be opened so; else why not.
absl::Status CheckBlockDevice(const std::string& path, const BlockFacts& facts,
                              const OpenOptions& options);

// Who may open a node and who asks: "the node's mode is 0660, owner 0:6, and this
// process runs as 1000:1000". For permission errors.
std::string ExplainPermission(const struct stat& status, bool writing);

}  // namespace zonal::kernel
