// SPDX-License-Identifier: MIT
// A file that is replaced as a whole: whenever the process or the host dies, it has
// the old text or the new.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace zonal::verify {

// When it returns OK, the new text survives the host: written under another name
// (PATH.new), synced, renamed, and the directory synced. Two syncs of the file system
// `path` is on. Unavailable, with what the system says.
absl::Status ReplaceFile(const std::string& path, std::string_view text);

}  // namespace zonal::verify
