// SPDX-License-Identifier: MIT
// The devices this process has open, by what they are: opens of one device
// share one Device (zonal/open.h). The one mutable global of the library: two
// openers who know nothing of each other must meet somewhere, or they would
// write one drive through two zone managers. It holds nothing alive.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "zonal/open.h"

namespace zonal {

// How long an open waits for another thread that is closing the same device: a
// clean close syncs a disk.
inline constexpr std::chrono::seconds kClosingPatience{60};

// The open device behind `path`, or what `open` returns. FailedPrecondition if it
// is open already with another access or overlay. While its last reference is
// being destroyed by another thread the device is neither open nor free: then
// this waits, and after `patience` answers FailedPrecondition. `name` is for
// messages. Thread-safe; opens of different devices wait for each other, but not
// for each other's closing.
absl::StatusOr<std::shared_ptr<Device>> OpenShared(
    const std::string& path, const std::string& name, const OpenOptions& options,
    const std::function<absl::StatusOr<std::shared_ptr<Device>>()>& open,
    nanoseconds patience = kClosingPatience);

}  // namespace zonal
