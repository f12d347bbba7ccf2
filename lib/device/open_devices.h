// SPDX-License-Identifier: MIT
// The devices this process has open, by what they are: opens of one device
// share one Device (zonal/open.h). The one mutable global of the library: two
// openers who know nothing of each other must meet somewhere, or they would
// write one drive through two zone managers. It holds nothing alive.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "zonal/open.h"

namespace zonal {

// The open device behind `path`, or what `open` returns. FailedPrecondition if it
// is open already with another access or overlay. `name` is for messages.
// Thread-safe; opens of different devices wait for each other.
absl::StatusOr<std::shared_ptr<Device>> OpenShared(
    const std::string& path, const std::string& name, const OpenOptions& options,
    const std::function<absl::StatusOr<std::shared_ptr<Device>>()>& open);

}  // namespace zonal
