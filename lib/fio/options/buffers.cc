// SPDX-License-Identifier: MIT
// What writes carry.
#include "fio/options/apply.h"
#include "fio/values/pattern.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

Status Pattern(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const BytePattern pattern,
                         ParsePattern(value, false, target.host.read_file));
  target.job.buffers.pattern = pattern.bytes;
  return OkStatus();
}

constexpr Option kRows[] = {
    Switch("zero_buffers", "0", "Writes zeros.", Flag<&Buffers::zero>),
    Switch("refill_buffers", "0", "Fresh random bytes for each write.", Flag<&Buffers::refill>),
    Switch("scramble_buffers", "1", "A few words of the random bytes change with each write.",
           Flag<&Buffers::scramble>),
    Value("buffer_pattern", "PATTERN", "",
          "Writes a pattern: any sequence of 0xHEX, \"text\", numbers and 'file'.", Pattern),
    Value("buffer_compress_percentage", "0..100", "",
          "How much of the data compresses away, approximately.",
          Count<&DataFill::compress_percent, 0, 100>),
    Value("buffer_compress_chunk", "SIZE", "512",
          "Over which compressible and random bytes alternate.",
          Count<&DataFill::compress_chunk, 0, kMost32>),
    Value("dedupe_percentage", "0..100", "", "How many blocks repeat an earlier one.",
          Count<&DataFill::dedupe_percent, 0, 100>),
    Refused("dedupe_mode", "repeat|working_set", "Blocks repeat an earlier one.", "repeat"),
    Refused("dedupe_working_set_percentage", "0..100", "Use dedupe_percentage.", "5"),
    Refused("dedupe_global", "0|1", "Each job repeats its own blocks.", "0"),
};

}  // namespace

std::span<const Option> BuffersOptions() { return kRows; }

}  // namespace zonal::fio
