// SPDX-License-Identifier: MIT
// What single engines of fio have besides.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr string_view kNoPolling = "Completions are waited for, not polled for.";
constexpr string_view kNoPriority = "All operations have one priority: use ionice.";
constexpr string_view kNoPassthrough = "Use a block device: its zones are handled there.";
constexpr string_view kNoPlacement = "Data placement directives are not passed on.";

Status WriteMode(string_view value, Target target) {
  for (const string_view other : {"uncor", "zeroes", "verify"}) {
    if (value == other) {
      return InvalidArgumentError("not available here: write and zone_append are accepted");
    }
  }
  constexpr Choice<bool> kModes[] = {{"write", false}, {"zone_append", true}};
  ZONAL_ASSIGN_OR_RETURN(target.job.work.appends, Choose(value, kModes));
  return OkStatus();
}

constexpr Option kRows[] = {
    NoEffect("fixedbufs", "0|1", "Buffers are registered where the queue can."),
    NoEffect("registerfiles", "0|1", "Files are registered where the queue can."),
    NoEffect("nonvectored", "0|1", "Requests have one buffer."),
    NoEffect("userspace_reap", "0|1", "Completions are taken as the kernel gives them."),
    NoEffect("force_async", "N", "The kernel decides."),
    Refused("hipri", "0|1", kNoPolling, "0"),
    Refused("hipri_percentage", "0..100", kNoPolling, "0"),
    Refused("sqthread_poll", "0|1", kNoPolling, "0"),
    Refused("sqthread_poll_cpu", "CPU", kNoPolling),
    Refused("cmdprio_percentage", "0..100", kNoPriority, "0"),
    Refused("cmdprio_class", "0..3", kNoPriority, "0"),
    Refused("cmdprio_hint", "N", kNoPriority, "0"),
    Refused("cmdprio", "0..7", kNoPriority, "0"),
    Refused("cmdprio_bssplit", "SPLIT", kNoPriority),
    Refused("uncached", "0|1", "Use direct=1.", "0"),
    Refused("nowait", "0|1", "Requests wait.", "0"),
    Refused("cmd_type", "nvme", kNoPassthrough),
    Value("write_mode", "write|zone_append", "write",
          "zone_append: the device picks the place in the zone; needs zonemode=zbd and a device "
          "whose queue appends (an emulated drive of the zns dialect).",
          WriteMode),
    Refused("verify_mode", "MODE", kNoPassthrough, "read"),
    Refused("readfua", "0|1", "Reads are never forced.", "0"),
    Refused("writefua", "0|1", "Use sync=1.", "0"),
    Refused("sg_write_mode", "MODE", kNoPassthrough, "write"),
    Refused("md_per_io_size", "SIZE", "Metadata is not passed on.", "0"),
    Refused("pi_act", "0|1", "Protection information is not passed on."),
    Refused("pi_chk", "CHECKS", "Protection information is not passed on."),
    Refused("apptag", "N", "Protection information is not passed on."),
    Refused("apptag_mask", "N", "Protection information is not passed on."),
    Refused("deac", "0|1", "Deallocate hints are not passed on.", "0"),
    Refused("fdp", "0|1", kNoPlacement, "0"),
    Refused("dataplacement", "KIND", kNoPlacement, "none"),
    Refused("fdp_pli", "LIST", kNoPlacement),
    Refused("plids", "LIST", kNoPlacement),
    Refused("fdp_pli_select", "HOW", kNoPlacement),
    Refused("plid_select", "HOW", kNoPlacement),
    Refused("dp_scheme", "FILE", kNoPlacement),
    Refused("stat_type", "KIND", "There is no engine for it."),
    Refused("cpuload", "PERCENT", "There is no engine for it: use stress-ng."),
    Refused("cpuchunks", "TIME", "There is no engine for it: use stress-ng."),
    Refused("cpumode", "MODE", "There is no engine for it: use stress-ng."),
    Refused("exit_on_io_done", "0|1", "There is no engine for it: use exitall.", "0"),
};

}  // namespace

std::span<const Option> EnginesOptions() { return kRows; }

}  // namespace zonal::fio
