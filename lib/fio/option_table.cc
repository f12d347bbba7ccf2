// SPDX-License-Identifier: MIT
// The option table and how each option takes its value. What needs more than
// one option to judge is in plan_checks.cc.
#include "fio/option_table.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

template <auto Field>
Status Bytes(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.*Field, ParseBytes(value));
  return OkStatus();
}
template <auto Field>
Status Position(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.*Field, ParseExtent(value));
  return OkStatus();
}
template <auto Field>
Status Time(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.*Field, ParseTime(value));
  return OkStatus();
}
template <auto Field>
Status Flag(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.*Field, ParseBool(value));
  return OkStatus();
}
template <auto Field>
Status Fraction(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.*Field, ParseFraction(value));
  return OkStatus();
}
template <auto Field, std::uint64_t kLow, std::uint64_t kHigh>
Status Count(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t number, ParseInteger(value, {kLow, kHigh}));
  target.job.*Field = static_cast<std::uint32_t>(number);
  return OkStatus();
}

Status Name(string_view value, Target target) {
  if (value.empty()) return InvalidArgumentError("a job needs a name");
  target.job.name = value;
  return OkStatus();
}

// `:` separates files, `\:` is a colon in a name.
Status Filename(string_view value, Target target) {
  std::string name;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size() && value[i + 1] == ':')
      ++i;
    else if (value[i] == ':') {
      return InvalidArgumentError(
          "more than one file per job is not available in this version: give each file its own "
          "--name (write \\: for a colon in a file's name)");
    }
    name += value[i];
  }
  if (name.empty()) return InvalidArgumentError("expected a device, a file or emu,key=value,...");
  target.job.filename = name;
  return OkStatus();
}

constexpr ReadWrite kReadWrites[] = {
    {Pattern::kSequential, true, false, "read"},  {Pattern::kSequential, false, true, "write"},
    {Pattern::kSequential, true, true, "rw"},     {Pattern::kRandom, true, false, "randread"},
    {Pattern::kRandom, false, true, "randwrite"}, {Pattern::kRandom, true, true, "randrw"},
};

Status Rw(string_view value, Target target) {
  const string_view name = value == "readwrite" ? string_view("rw") : value;
  for (const ReadWrite& row : kReadWrites) {
    if (row.name != name) continue;
    target.job.rw = row;
    return OkStatus();
  }
  if (value.find("trim") != string_view::npos || value.find(':') != string_view::npos) {
    return InvalidArgumentError(
        "trims and ':' modifiers are not available in this version; expected read, write, "
        "randread, randwrite, rw (readwrite) or randrw");
  }
  return InvalidArgumentError(
      "expected read, write, randread, randwrite, rw (readwrite) or randrw");
}

// `4k` for all, `4k,8k` for reads and writes; an empty place keeps the default.
Status BlockSize(string_view value, Target target) {
  constexpr Range kRange{1, kMost32};
  const std::size_t comma = value.find(',');
  const string_view read = value.substr(0, comma);
  const string_view write = comma == string_view::npos ? read : value.substr(comma + 1);
  if (write.find(',') != string_view::npos) {
    return InvalidArgumentError(
        "the third size is for trims, which are not available in this version");
  }
  if (read.empty() && write.empty()) return InvalidArgumentError("expected a size");
  if (!read.empty()) {
    ZONAL_ASSIGN_OR_RETURN(target.job.read_block, ParseBytes(read, kRange));
  }
  if (!write.empty()) {
    ZONAL_ASSIGN_OR_RETURN(target.job.write_block, ParseBytes(write, kRange));
  }
  return OkStatus();
}

Status Engine(string_view value, Target target) {
  for (const string_view known : {"io_uring", "libaio", "psync", "sync", "pvsync"}) {
    if (value != known) continue;
    target.job.ioengine = value;
    target.job.ioengine_typed = true;
    return OkStatus();
  }
  return InvalidArgumentError("expected io_uring, libaio or psync (sync and pvsync run as psync)");
}

Status Zonemode(string_view value, Target target) {
  if (value == "strided") {
    return InvalidArgumentError("strided is not available in this version; expected none or zbd");
  }
  if (value != "none" && value != "zbd") return InvalidArgumentError("expected none or zbd");
  target.job.zone_mode = value == "zbd" ? ZoneMode::kZbd : ZoneMode::kNone;
  return OkStatus();
}

Status Mix(string_view value, Target target, bool of_reads) {
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t percent, ParseInteger(value, {0, 100}));
  target.job.read_percent = static_cast<std::uint32_t>(of_reads ? percent : 100 - percent);
  return OkStatus();
}
Status MixRead(string_view value, Target target) { return Mix(value, target, true); }
Status MixWrite(string_view value, Target target) { return Mix(value, target, false); }

Status Randseed(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.randseed, ParseInteger(value, {}));
  return OkStatus();
}

Status Thread(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const bool wanted, ParseBool(value));
  if (!wanted)
    target.command.notices.emplace_back("thread=0 has no effect: jobs are always threads");
  return OkStatus();
}

Status OutputFormat(string_view value, Target target) {
  if (value != "normal" && value != "json") {
    return InvalidArgumentError("expected normal or json (no other format in this version)");
  }
  target.command.output_format = value;
  return OkStatus();
}
Status Output(string_view value, Target target) {
  if (value.empty()) return InvalidArgumentError("expected a file name");
  target.command.output_path = value;
  return OkStatus();
}
Status Figures(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t figures, ParseInteger(value, {1, 10}));
  target.command.significant_figures = static_cast<int>(figures);
  return OkStatus();
}
Status Eta(string_view value, Target target) {
  if (value != "auto" && value != "always" && value != "never") {
    return InvalidArgumentError("expected auto, always or never");
  }
  target.command.eta = value;
  return OkStatus();
}

constexpr auto kFlag = ValueRule::kOptional;
constexpr auto kValue = ValueRule::kRequired;
constexpr auto kCommand = Scope::kCommand;
constexpr auto kJob = Scope::kJob;

constexpr Option kOptions[] = {
    {"name", "", "NAME", "",
     "Starts a job. Options before the first --name are defaults for all jobs.", kValue, kJob,
     Name},
    {"filename", "", "SPEC", "",
     "What to run on: a zoned block device, an emulated drive's file, a plain file, or "
     "emu,key=value,... in memory.",
     kValue, kJob, Filename},
    {"rw", "readwrite", "read|write|rw|randread|randwrite|randrw", "read", "Direction and pattern.",
     kValue, kJob, Rw},
    {"bs", "blocksize", "SIZE[,SIZE]", "4k",
     "Bytes per request; two sizes: for reads and for writes.", kValue, kJob, BlockSize},
    {"size", "", "SIZE|N%|Nz", "to the end", "Length of the address range; z counts zones.", kValue,
     kJob, Position<&Job::size>},
    {"io_size", "io_limit", "SIZE|N%|Nz", "size",
     "Bytes to move; more than size goes round again, less stops early.", kValue, kJob,
     Position<&Job::io_size>},
    {"offset", "", "SIZE|N%|Nz", "0", "Where the address range starts.", kValue, kJob,
     Position<&Job::offset>},
    {"iodepth", "", "1..65535", "1",
     "Requests in flight per job, one less at most with zonemode=zbd; psync runs at 1, except on "
     "an emulated drive.",
     kValue, kJob, Count<&Job::iodepth, 1, 65535>},
    {"numjobs", "", "1..4096", "1", "Copies of the job, each with its own random seed.", kValue,
     kJob, Count<&Job::numjobs, 1, 4096>},
    {"runtime", "timeout", "TIME", "no limit", "Stop after this long: 30, 30s, 5m, 100ms.", kValue,
     kJob, Time<&Job::runtime>},
    {"time_based", "", "[0|1]", "0", "Go round the range until runtime is over.", kFlag, kJob,
     Flag<&Job::time_based>},
    {"ramp_time", "", "TIME", "0", "Run this long before counting anything.", kValue, kJob,
     Time<&Job::ramp_time>},
    {"direct", "", "[0|1]", "0",
     "Bypass the page cache; host-managed drives insist on it for writes.", kFlag, kJob,
     Flag<&Job::direct>},
    {"ioengine", "", "io_uring|libaio|psync", "psync",
     "How requests reach a kernel device; an emulated drive has a queue of its own.", kValue, kJob,
     Engine},
    {"zonemode", "", "none|zbd", "none",
     "zbd: keep to the rules of zones, writing at write pointers and resetting full zones before "
     "writing them again.",
     kValue, kJob, Zonemode},
    {"zonesize", "", "SIZE", "the device's",
     "Zone size: required on a plain file or ordinary block device, else it must agree.", kValue,
     kJob, Bytes<&Job::zone_size>},
    {"zonecapacity", "", "SIZE", "zonesize",
     "Writable bytes per zone laid over a plain file or ordinary block device.", kValue, kJob,
     Bytes<&Job::zone_capacity>},
    {"max_open_zones", "", "N", "0",
     "Zones written at once by all jobs on a device; 0: the device's own limit.", kValue, kJob,
     Count<&Job::max_open_zones, 0, kMost32>},
    {"job_max_open_zones", "", "N", "0", "The same for each job alone.", kValue, kJob,
     Count<&Job::job_max_open_zones, 0, kMost32>},
    {"read_beyond_wp", "", "[0|1]", "0", "Let reads go past write pointers.", kFlag, kJob,
     Flag<&Job::read_beyond_wp>},
    {"zone_reset_threshold", "", "0..1", "",
     "Share of the range that must hold data before periodic resets begin; goes with "
     "zone_reset_frequency.",
     kValue, kJob, Fraction<&Job::zone_reset_threshold>},
    {"zone_reset_frequency", "", "0..1", "",
     "Past the threshold, every (1/f)-th write first resets the zone it goes to.", kValue, kJob,
     Fraction<&Job::zone_reset_frequency>},
    {"rwmixread", "", "0..100", "50", "Of a mixed job's requests, how many in a hundred are reads.",
     kValue, kJob, MixRead},
    {"rwmixwrite", "", "0..100", "50", "The same for writes; the one given last counts.", kValue,
     kJob, MixWrite},
    {"norandommap", "", "[0|1]", "0", "Random offsets may repeat before the range is covered.",
     kFlag, kJob, Flag<&Job::norandommap>},
    {"randseed", "", "N", "1", "Seed of the random numbers; a run repeats with the same seed.",
     kValue, kJob, Randseed},
    {"randrepeat", "", "[0|1]", "1", "0: a new seed each run, unless randseed is given.", kFlag,
     kJob, Flag<&Job::randrepeat>},
    {"group_reporting", "", "[0|1]", "0", "Report the jobs of a group together.", kFlag, kJob,
     Flag<&Job::group_reporting>},
    {"thread", "", "[0|1]", "1", "Accepted: jobs are always threads.", kFlag, kJob, Thread},
    {"output-format", "", "normal|json", "normal", "Form of the report.", kValue, kCommand,
     OutputFormat},
    {"output", "", "FILE", "standard output", "Where the report goes.", kValue, kCommand, Output},
    {"significant_figures", "", "1..10", "4",
     "Digits of the numbers in the normal report; 10 prints plain bytes.", kValue, kCommand,
     Figures},
    {"eta", "", "auto|always|never", "auto", "The live line: on a terminal, always, or never.",
     kValue, kCommand, Eta},
};

}  // namespace

std::span<const Option> Options() { return kOptions; }

}  // namespace zonal::fio
