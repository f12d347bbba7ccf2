// SPDX-License-Identifier: MIT
// The two header copies of a drive's file: reading the newest good one, and
// replacing both so that one is good at every moment. Not thread-safe.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "device/emulated/file_format.h"
#include "device/emulated/file_io.h"

namespace zonal::emulated {

class HeaderCopies {
 public:
  // Reads both and takes the good one of the higher generation. InvalidArgument
  // if neither copy is a drive's header; DataLoss if both are damaged, and how.
  // A writer in another process may be replacing them meanwhile.
  static absl::StatusOr<HeaderCopies> Read(const File& file);

  const FileHeader& current() const noexcept { return current_; }

  // Writes `next` as the following generation: over the older copy, made
  // durable, then over the other. REQUIRES: the newer copy is durable, as after
  // a DataSync, for the older one may be torn by a crash here.
  absl::Status Replace(const File& file, FileHeader next);

 private:
  FileHeader current_;
  int newest_ = 0;  // which copy holds `current_`
};

}  // namespace zonal::emulated
