// SPDX-License-Identifier: MIT
#include "device/kernel/kernel_queue.h"

#include <algorithm>
#include <array>
#include <string>

#include "absl/strings/str_cat.h"

namespace zonal::kernel {

KernelQueue::KernelQueue(const QueueConfig& config)
    : slots_(config.depth), file_(config.file), clock_(*config.clock), admitted_(config.depth) {
  features_.write_depth_per_zone = config.write_depth_per_zone;
  features_.write_depth_reason = config.write_depth_reason;
}

std::size_t KernelQueue::Submit(std::span<const IoRequest> requests) noexcept {
  if (closing_) return 0;
  const std::size_t count = std::min<std::size_t>(requests.size(), slots_.free_count());
  std::size_t to_issue = 0;
  for (const IoRequest& request : requests.first(count)) {
    const std::uint32_t index = slots_.Admit(request);
    if (slots_[index].in_kernel) admitted_[to_issue++] = index;
  }
  if (to_issue > 0) Issue(std::span(admitted_).first(to_issue));
  // What failed on the spot, or is still to be issued, has no answer that would tell.
  if (armed_ && (slots_.ready_count() > 0 || !all_issued())) wake_.Raise();
  return count;
}

std::size_t KernelQueue::Poll(std::span<Completion> out, std::size_t min,
                              nanoseconds wait) noexcept {
  const std::size_t wanted = std::min(min, out.size());
  if (armed_) UnwatchKernel();
  armed_ = false;
  Reap();
  if (slots_.ready_count() < wanted && wait.count() != 0) {
    const Deadline deadline(wait);
    while (slots_.ready_count() < wanted && !wake_.signalled() && !deadline.Passed()) {
      Sleep(deadline);
      Reap();
    }
  }
  wake_.Consume();
  if (slots_.ready_count() == 0) return 0;
  return slots_.Collect(out, clock_.Now());
}

bool KernelQueue::Arm() noexcept {
  // Emptied before anything is looked at: what comes later makes it readable anew.
  wake_.Drain();
  const bool watched = WatchKernel();
  Reap();
  armed_ = watched && slots_.ready_count() == 0 && !wake_.signalled();
  if (!armed_) UnwatchKernel();
  return armed_;
}

absl::Status KernelQueue::Close(nanoseconds deadline) {
  closing_ = true;
  const Deadline end(deadline);
  std::array<Completion, 64> dropped;
  while (in_flight() > 0) {
    const std::optional<nanoseconds> left = end.Left();
    Poll(dropped, 1, left.value_or(nanoseconds(-1)));
    if (in_flight() > 0 && end.Passed()) {
      return absl::DeadlineExceededError(
          absl::StrCat(std::string(name()), " queue: ", in_flight(),
                       " requests are still in flight; their buffers must stay valid"));
    }
  }
  return absl::OkStatus();
}

}  // namespace zonal::kernel
