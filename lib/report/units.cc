// SPDX-License-Identifier: MIT
#include "report/units.h"

namespace zonal::report {

Units UnitsOf(const WorkerView& view, const ReportOptions& options) {
  return {options.significant_figures, view.kb_base == 1000 ? 1000 : 1024, view.rates_in_bits};
}

std::string SizeText(std::uint64_t bytes, const Units& units) {
  return FormatNumber(bytes, units.figures, units.kb_base, true);
}

std::string SizeInBoth(std::uint64_t bytes, const Units& units) {
  return SizeText(bytes, units) + " (" +
         FormatNumber(bytes, units.figures, units.other_base(), true) + ")";
}

std::string RateText(std::uint64_t bytes_per_second, int base, const Units& units) {
  if (!units.rates_in_bits) return FormatNumber(bytes_per_second, units.figures, base, true) + "/s";
  return FormatNumber(bytes_per_second * 8, units.figures, base, false) + "bit/s";
}

std::string RateInBoth(std::uint64_t bytes_per_second, const Units& units) {
  return RateText(bytes_per_second, units.kb_base, units) + " (" +
         RateText(bytes_per_second, units.other_base(), units) + ")";
}

}  // namespace zonal::report
