// SPDX-License-Identifier: MIT
// When data must be on the medium.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr Choice<bool> kSyncs[] = {
    {"none", false}, {"0", false}, {"sync", true}, {"1", true}, {"dsync", true}};
Status Sync(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.work.forced_writes, Choose(value, kSyncs));
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("fsync", "N", "0", "A flush after every so many writes; 0: never.",
          Count<&Workload::flush_every, 0, kMost32>),
    Value("fdatasync", "N", "0", "The same: a flush is of data and what is needed to find it.",
          Count<&Workload::flush_every, 0, kMost32>),
    Switch("end_fsync", "0", "A flush at the end of the job.", Flag<&Workload::flush_at_end>),
    Switch("fsync_on_close", "0", "The same: files are closed at the end.",
           Flag<&Workload::flush_at_end>),
    Value("sync", "none|sync|dsync", "none", "Each write is durable when it completes.", Sync),
    Refused("write_barrier", "N", "Use fsync.", "0"),
    Refused("sync_file_range", "HOW:N", "Use fdatasync."),
};

}  // namespace

std::span<const Option> DurabilityOptions() { return kRows; }

}  // namespace zonal::fio
