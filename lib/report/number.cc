// SPDX-License-Identifier: MIT
// fio's number style: as many digits as fit, the decimal point costs one place.
#include <algorithm>
#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "zonal/report.h"

namespace zonal {
namespace {

int Digits(std::uint64_t value) {
  int digits = 1;
  for (; value >= 10; value /= 10) ++digits;
  return digits;
}

constexpr std::array<std::string_view, 7> kDecimal = {"", "k", "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinary = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

}  // namespace

std::string FormatNumber(std::uint64_t value, int significant_figures, int base,
                         bool with_byte_unit) {
  const int limit = std::clamp(significant_figures, 1, 10);
  const auto divisor = static_cast<std::uint64_t>(base == 1024 ? 1024 : 1000);
  std::uint64_t whole = value;
  std::uint64_t remainder = 0;
  std::size_t prefix = 0;
  while (Digits(whole) > limit && prefix + 1 < kDecimal.size()) {
    remainder = whole % divisor;
    whole /= divisor;
    ++prefix;
  }
  const int decimals = prefix == 0 ? 0 : limit - Digits(whole) - 1;
  std::string text;
  if (decimals > 0) {
    const double fraction = static_cast<double>(remainder) / static_cast<double>(divisor);
    // Below 10^9 with at most nine digits in all: a double holds it.
    text = absl::StrFormat("%.*f", decimals, static_cast<double>(whole) + fraction);
  } else {
    text = absl::StrCat(remainder >= divisor / 2 && prefix != 0 ? whole + 1 : whole);
  }
  absl::StrAppend(&text, std::string(base == 1024 ? kBinary[prefix] : kDecimal[prefix]),
                  with_byte_unit ? "B" : "");
  return text;
}

}  // namespace zonal
