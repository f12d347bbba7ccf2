// SPDX-License-Identifier: MIT
// Which operations, in which pattern and mix.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

struct ReadWrite {
  string_view name;
  string_view shown;  // as the job line has it
  Pattern pattern;
  bool reads, writes, trims;
};
constexpr auto kSeq = Pattern::kSequential;
constexpr auto kRand = Pattern::kRandom;
constexpr ReadWrite kReadWrites[] = {
    {"read", "read", kSeq, true, false, false},
    {"write", "write", kSeq, false, true, false},
    {"trim", "trim", kSeq, false, false, true},
    {"randread", "randread", kRand, true, false, false},
    {"randwrite", "randwrite", kRand, false, true, false},
    {"randtrim", "randtrim", kRand, false, false, true},
    {"rw", "rw", kSeq, true, true, false},
    {"readwrite", "rw", kSeq, true, true, false},
    {"randrw", "randrw", kRand, true, true, false},
    {"trimwrite", "trimwrite", kSeq, false, true, true},
    {"randtrimwrite", "randtrimwrite", kRand, false, true, true},
};

// `rw=randread:8` draws anew after eight, `rw=write:8k` skips 8 KiB after each,
// `rw=read:-8k` goes back by as much.
Status Rw(string_view value, Target target) {
  const std::size_t colon = value.find(':');
  const string_view name = value.substr(0, colon);
  for (const ReadWrite& row : kReadWrites) {
    if (row.name != name) continue;
    Workload& work = target.job.work;
    work.pattern = row.pattern;
    work.reads = row.reads;
    work.writes = row.writes;
    work.trims = row.trims;
    work.run_length = 1;
    work.sequential_skip = 0;
    target.job.rw_name = row.shown;
    if (colon == string_view::npos) return OkStatus();
    const string_view modifier = value.substr(colon + 1);
    if (row.pattern == Pattern::kRandom) {
      return Count<&Workload::run_length, 1, kMost32>(modifier, target);
    }
    const bool backwards = modifier.substr(0, 1) == "-";
    ZONAL_ASSIGN_OR_RETURN(
        const std::uint64_t skip,
        ParseBytes(modifier.substr(backwards ? 1 : 0), {0, kMost64 >> 1}, target.job.kb_base));
    work.sequential_skip = static_cast<std::int64_t>(skip) * (backwards ? -1 : 1);
    return OkStatus();
  }
  return InvalidArgumentError(
      "expected read, write, trim, rw (readwrite), trimwrite, or one of them after rand");
}

constexpr Choice<bool> kSequencers[] = {{"sequential", false}, {"identical", true}};
Status Sequencer(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.work.repeats_offset, Choose(value, kSequencers));
  return OkStatus();
}

Status Mix(string_view value, Target target, bool of_reads) {
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t percent, ParseInteger(value, {0, 100}));
  target.job.work.read_percent = static_cast<std::uint32_t>(of_reads ? percent : 100 - percent);
  return OkStatus();
}
Status MixRead(string_view value, Target target) { return Mix(value, target, true); }
Status MixWrite(string_view value, Target target) { return Mix(value, target, false); }

Status UnifiedReporting(string_view value, Target target) {
  using Directions = WorkerView::Directions;
  constexpr Choice<Directions> kChoices[] = {
      {"none", Directions::kApart}, {"mixed", Directions::kMixed}, {"both", Directions::kBoth},
      {"0", Directions::kApart},    {"1", Directions::kMixed},     {"2", Directions::kBoth}};
  ZONAL_ASSIGN_OR_RETURN(target.job.view.directions, Choose(value, kChoices));
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("rw", "PATTERN[:N]", "read",
          "Direction and pattern: read, write, trim, rw, trimwrite, and randread, randwrite, "
          "randtrim, randrw, randtrimwrite. Trims of a zone with a write pointer reset it. :N "
          "draws a new random offset after N operations, or adds N bytes after each sequential "
          "one.",
          Rw)
        .Also("readwrite"),
    Value("rw_sequencer", "sequential|identical", "sequential",
          "What rw=...:N does to the offsets between: go on, or repeat the same.", Sequencer),
    Value("rwmixread", "0..100", "50",
          "Of a mixed job's operations, how many in a hundred are reads.", MixRead),
    Value("rwmixwrite", "0..100", "50", "The same for writes; the one given last counts.",
          MixWrite),
    Value("unified_rw_reporting", "none|mixed|both", "none",
          "Shows reads, writes and trims as one direction, or also as one.", UnifiedReporting),
    Switch("fill_device", "0", "Writes until there is no room.", Flag<&Workload::fills_device>)
        .Also("fill_fs"),
    Refused("bs_is_seq_rand", "0|1", "Give each pattern a job of its own.", "0"),
};

}  // namespace

std::span<const Option> DirectionOptions() { return kRows; }

}  // namespace zonal::fio
