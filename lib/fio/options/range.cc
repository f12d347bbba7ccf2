// SPDX-License-Identifier: MIT
// Which part of the device, and how much of it.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

constexpr Option kRows[] = {
    Value("size", "SIZE|N%|Nz", "to the end", "Length of the address range; z counts zones.",
          Position<&Job::size>),
    Value("io_size", "SIZE|N%|Nz", "size",
          "Bytes to move; more than size goes round again, less stops early.",
          Position<&Job::io_size>)
        .Also("io_limit"),
    Value("offset", "SIZE|N%|Nz", "0", "Where the address range starts.", Position<&Job::offset>)
        .Also("fileoffset"),
    Value("offset_increment", "SIZE|N%|Nz", "0", "Added to the offset for each copy of the job.",
          Position<&Job::offset_increment>),
    Refused("offset_align", "SIZE", "Give the offset in bytes.", "0"),
    Refused("num_range", "N", "Range trims are not available: give each range a job."),
};

}  // namespace

std::span<const Option> RangeOptions() { return kRows; }

}  // namespace zonal::fio
