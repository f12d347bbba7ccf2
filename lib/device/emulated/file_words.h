// SPDX-License-Identifier: MIT
// The words of a drive's zone table: those of a new drive, and whether words
// read from a file can be those of this drive. Pure.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "zonal/emulated.h"

namespace zonal::emulated {

// Empty zones are zero, and so are conventional ones; read-only and offline
// zones have their condition.
std::vector<std::uint64_t> InitialWords(const EmulatedOptions& options);

// DataLoss names the first zone whose word is impossible. `path` for messages.
// How many zones are open or active is not checked: a process killed between
// two stores may leave one more than the limit.
absl::Status CheckWords(const std::string& path, const EmulatedOptions& options,
                        std::span<const std::atomic<std::uint64_t>> words);

}  // namespace zonal::emulated
