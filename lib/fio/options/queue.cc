// SPDX-License-Identifier: MIT
// How requests reach the device, and how many at once.
#include "fio/documents.h"
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

Status Engine(string_view value, Target target) {
  if (!IsEngine(value)) {
    const string_view instead = InsteadOfEngine(value);
    if (!instead.empty()) {
      return InvalidArgumentError(absl::StrCat("not available here: ", std::string(instead)));
    }
    return InvalidArgumentError(
        "expected io_uring, libaio or psync (sync, vsync, pvsync and pvsync2 run as psync, sg as "
        "libaio)");
  }
  target.job.ioengine = value;
  target.job.ioengine_typed = true;
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("ioengine", "ENGINE", "psync",
          "How requests reach a kernel device: io_uring, libaio or psync. An emulated drive has a "
          "queue of its own.",
          Engine),
    Value("iodepth", "1..65535", "1",
          "Requests in flight per job, one less at most with zonemode=zbd; psync runs at 1, "
          "except on an emulated drive.",
          Count<&Workload::depth, 1, 65535>),
    Value("iodepth_batch", "N", "all", "At most so many requests submitted at once; 0: all.",
          Count<&Batching::submit, 0, 65535>)
        .Also("iodepth_batch_submit"),
    Value("iodepth_batch_complete_min", "N", "1", "Waits for so many completions at a time.",
          Count<&Batching::complete_min, 0, 65535>)
        .Also("iodepth_batch_complete"),
    Value("iodepth_batch_complete_max", "N", "all", "Takes at most so many completions at a time.",
          Count<&Batching::complete_max, 0, 65535>),
    Value("iodepth_low", "N", "iodepth", "Refills the queue only when it is below this depth.",
          Count<&Batching::low_depth, 0, 65535>),
    Switch("direct", "0", "Bypasses the page cache; host-managed drives insist on it for writes.",
           Flag<&Workload::direct>),
    Switch("buffered", "1", "The opposite of direct.", InverseFlag<&Workload::direct>),
    NoEffect("io_submit_mode", "inline|offload", "A worker submits its own requests."),
    Refused("serialize_overlap", "0|1", "Use iodepth=1, or one job per range.", "0"),
    Refused("atomic", "0|1", "Atomic writes are not passed on.", "0"),
};

}  // namespace

std::span<const Option> QueueOptions() { return kRows; }

}  // namespace zonal::fio
