// SPDX-License-Identifier: MIT
// How large operations are.
#include <algorithm>

#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr Range kBlock{1, kMost32};

// Calls `set(block)` with the size of each direction that `value` names.
template <typename Set>
Status ForEachBlock(string_view value, Target target, const Set& set) {
  ZONAL_ASSIGN_OR_RETURN(const auto parts, SplitDirections(value));
  Workload& work = target.job.work;
  BlockSize* blocks[] = {&work.read_block, &work.write_block, &work.trim_block};
  for (std::size_t i = 0; i < kDirections; ++i) {
    if (!parts[i].empty()) ZONAL_RETURN_IF_ERROR(set(parts[i], *blocks[i]));
  }
  return OkStatus();
}

Status Fixed(string_view value, Target target) {
  return ForEachBlock(value, target, [&](string_view part, BlockSize& block) -> Status {
    ZONAL_ASSIGN_OR_RETURN(const std::uint64_t bytes, ParseBytes(part, kBlock, target.job.kb_base));
    block = BlockSize(bytes);
    return OkStatus();
  });
}

// fio separates ranges of directions by `,` or `/`.
Status Ranges(string_view value, Target target) {
  std::string commas(value);
  std::replace(commas.begin(), commas.end(), '/', ',');
  return ForEachBlock(commas, target, [&](string_view part, BlockSize& block) -> Status {
    ZONAL_ASSIGN_OR_RETURN(const auto range, ParseByteRange(part, kBlock, target.job.kb_base));
    block = BlockSize(range.first, range.second);
    return OkStatus();
  });
}

Status Split(string_view value, Target target) {
  return ForEachBlock(value, target, [&](string_view part, BlockSize& block) -> Status {
    ZONAL_ASSIGN_OR_RETURN(block, ParseBlockMix(part, kBlock, target.job.kb_base));
    return OkStatus();
  });
}

constexpr Option kRows[] = {
    Value("bs", "SIZE[,SIZE][,SIZE]", "4k",
          "Bytes per operation, of reads, writes and trims; one size for all. An empty place keeps "
          "what was there.",
          Fixed)
        .Also("blocksize"),
    Value("bsrange", "SIZE-SIZE[,SIZE-SIZE][,SIZE-SIZE]", "",
          "Sizes drawn from a range, in multiples of its lower end.", Ranges)
        .Also("blocksize_range"),
    Value("bssplit", "SIZE/PERCENT:...[,...][,...]", "",
          "A mix of sizes; what has no percentage shares what is left.", Split),
    Switch("bs_unaligned", "0", "Sizes of a bsrange may be any number of bytes.",
           Flag<&Workload::unaligned_blocks>)
        .Also("blocksize_unaligned"),
    Value("ba", "SIZE[,SIZE][,SIZE]", "the least block size", "Random offsets are multiples of it.",
          Counts<&Workload::block_align, 1, kMost32>)
        .Also("blockalign"),
};

}  // namespace

std::span<const Option> BlocksOptions() { return kRows; }

}  // namespace zonal::fio
