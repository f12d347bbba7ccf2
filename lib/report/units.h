// SPDX-License-Identifier: MIT
// Sizes and rates as the report writes them: to base 1024 and 1000, in bytes or
// bits. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "zonal/report.h"

namespace zonal::report {

struct Units {
  int figures = 4;
  int kb_base = 1024;  // of the form that stands first
  bool rates_in_bits = false;

  int other_base() const noexcept { return kb_base == 1024 ? 1000 : 1024; }
};
Units UnitsOf(const WorkerView& view, const ReportOptions& options);

// "15.6MiB": in the first base.
std::string SizeText(std::uint64_t bytes, const Units& units);
// "15.6MiB (16.4MB)".
std::string SizeInBoth(std::uint64_t bytes, const Units& units);
// "4262MiB/s", "15.6Mibit/s".
std::string RateText(std::uint64_t bytes_per_second, int base, const Units& units);
// "4262MiB/s (4469MB/s)".
std::string RateInBoth(std::uint64_t bytes_per_second, const Units& units);

}  // namespace zonal::report
