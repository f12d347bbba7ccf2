// SPDX-License-Identifier: MIT
// The table. io_uring gives a request that cannot be issued at once to a worker,
// which runs it after later ones (liburing issue 488, blktests zbd/012); libaio
// blocks in submit instead. Below the queue, order inside a zone is kept by
// - mq-deadline's zone write locking up to 6.9, and by no other scheduler;
// - zone write plugging from 6.10 on, with any scheduler; until 6.13 its error
//   recovery can deadlock with a queue freeze once writes wait behind a failed one.
// A wrong scheduler is no reason to refuse a device: one write per zone in flight
// is right with any of them. Only more than one is refused.
#include "device/kernel/write_depth.h"

#include <charconv>

#include "absl/strings/str_cat.h"

namespace zonal::kernel {
namespace {

constexpr KernelVersion kZoneWritePlugging{6, 10};
constexpr KernelVersion kPluggingWithoutRecoveryWorker{6, 13};
constexpr std::string_view kOnlyMqDeadline =
    "before kernel 6.10 only the mq-deadline scheduler keeps order";

}  // namespace

std::optional<KernelVersion> ParseKernelRelease(std::string_view release) noexcept {
  KernelVersion version;
  const char* const end = release.data() + release.size();
  const auto [dot, bad_major] = std::from_chars(release.data(), end, version.major);
  if (bad_major != std::errc() || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, bad_minor] = std::from_chars(dot + 1, end, version.minor);
  if (bad_minor != std::errc()) return std::nullopt;
  return version;
}

WriteDepth WriteDepthRule(const WritePath& path) noexcept {
  if (!path.zoned) return {0, "the device has no zones"};
  if (path.queue == QueueKind::kSync) return {1, "psync has one request in flight"};
  if (path.queue != QueueKind::kLibaio) return {1, "io_uring does not keep order"};
  const std::optional<KernelVersion> version = ParseKernelRelease(path.kernel_release);
  if (!version) return {1, "the kernel's release is not known"};
  if (*version >= kPluggingWithoutRecoveryWorker) {
    return {0, "libaio keeps order, and so does zone write plugging"};
  }
  if (*version >= kZoneWritePlugging) {
    return {1, "zone write plugging of kernels 6.10 to 6.12 can hang after a failed write"};
  }
  if (path.scheduler != "mq-deadline") {
    return {1, kOnlyMqDeadline, true};
  }
  return {0, "libaio keeps order, and so does mq-deadline"};
}

std::string AboutWrongScheduler(std::string_view scheduler, std::string_view disk) {
  if (scheduler.empty()) {
    return absl::StrCat(std::string(kOnlyMqDeadline), ", and ", std::string(disk), " has none");
  }
  const std::string file = absl::StrCat("/sys/block/", std::string(disk), "/queue/scheduler");
  return absl::StrCat(std::string(kOnlyMqDeadline), ", and ", file, " says ",
                      std::string(scheduler), "; for more: echo mq-deadline > ", file);
}

}  // namespace zonal::kernel
