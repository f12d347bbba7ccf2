// SPDX-License-Identifier: MIT
// How many plain writes to one zone may be in flight so that they reach the
// device in order: the ordering table. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "zonal/device.h"

namespace zonal::kernel {

struct KernelVersion {
  int major = 0;
  int minor = 0;
  friend constexpr auto operator<=>(KernelVersion, KernelVersion) noexcept = default;
};
// "6.1.0-49-amd64" -> 6.1; nullopt if it does not begin like a release.
std::optional<KernelVersion> ParseKernelRelease(std::string_view release) noexcept;

struct WriteDepth {
  std::uint32_t per_zone = 1;    // 0: any number
  std::string_view reason;       // static storage
  bool wrong_scheduler = false;  // another scheduler would allow more
};

struct WritePath {
  std::string_view kernel_release;
  std::string_view scheduler;  // the active one; of every member of a stacked device
  QueueKind queue = QueueKind::kIoUring;
  bool zoned = true;
};
WriteDepth WriteDepthRule(const WritePath& path) noexcept;

// What is said of a wrong scheduler: whose it is, and the command that changes it.
std::string AboutWrongScheduler(std::string_view scheduler, std::string_view disk);

}  // namespace zonal::kernel
