// SPDX-License-Identifier: MIT
#include "fio/values/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace zonal::fio {
namespace {

// A number and what follows it.
struct Prefix {
  std::uint64_t value = 0;
  std::string_view rest;  // in the text itself
};

absl::StatusOr<Prefix> SplitNumber(std::string_view text) {
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char* begin = text.data() + (hex ? 2 : 0);
  const char* end = text.data() + text.size();
  Prefix result;
  const auto [stop, error] = std::from_chars(begin, end, result.value, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) {
    return absl::InvalidArgumentError("the number does not fit into 64 bits");
  }
  if (error != std::errc()) return absl::InvalidArgumentError("expected a whole number");
  result.rest = text.substr(static_cast<std::size_t>(stop - text.data()));
  if (!result.rest.empty() && result.rest[0] == '.') {
    return absl::InvalidArgumentError("expected a whole number, without decimals");
  }
  return result;
}

std::string Lower(std::string_view text) {
  return absl::AsciiStrToLower({text.data(), text.size()});
}

// The factor of a size suffix in lower case; 0 if there is no such suffix.
std::uint64_t SizeFactor(std::string_view suffix, KbBase kb_base) {
  constexpr std::string_view kLetters = "kmgtp";
  if (suffix.empty() || suffix == "b") return 1;
  const std::size_t power = kLetters.find(suffix[0]);
  if (power == std::string_view::npos) return 0;
  const bool traditional = kb_base == KbBase::k1024;
  const std::string_view tail = suffix.substr(1);
  std::uint64_t base = 0;
  if (tail.empty() || tail == "b") base = traditional ? 1024 : 1000;
  if (tail == "i" || tail == "ib") base = traditional ? 1000 : 1024;
  std::uint64_t factor = base;
  for (std::size_t i = 0; i < power; ++i) factor *= base;
  return factor;
}

absl::Status OutOfRange(Range range) {
  if (range.high == std::numeric_limits<std::uint64_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("value out of range: must be at least ", range.low));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("value out of range: must be ", range.low, " to ", range.high));
}

absl::StatusOr<std::uint64_t> Scaled(std::string_view text, Range range, KbBase base) {
  ZONAL_ASSIGN_OR_RETURN(const Prefix number, SplitNumber(text));
  if (number.rest == "z") {
    return absl::InvalidArgumentError("the 'z' suffix isn't applicable here: give bytes");
  }
  const std::uint64_t factor = SizeFactor(Lower(number.rest), base);
  if (factor == 0) {
    return absl::InvalidArgumentError(absl::StrCat("unknown suffix \"", std::string(number.rest),
                                                   "\": expected k, m, g, t or p"));
  }
  if (number.value > std::numeric_limits<std::uint64_t>::max() / factor) {
    return absl::InvalidArgumentError("the number does not fit into 64 bits");
  }
  const std::uint64_t value = number.value * factor;
  if (value < range.low || value > range.high) return OutOfRange(range);
  return value;
}

struct TimeUnit {
  std::string_view suffix;
  std::int64_t ns;
};
constexpr TimeUnit kTimeUnits[] = {
    {"s", 1'000'000'000},      {"sec", 1'000'000'000},
    {"m", 60'000'000'000},     {"h", 3'600'000'000'000},
    {"d", 86'400'000'000'000}, {"ms", 1'000'000},
    {"msec", 1'000'000},       {"us", 1'000},
    {"usec", 1'000},
};

// 0 if there is no such unit.
std::int64_t NanosecondsOf(const std::string& suffix, nanoseconds bare) {
  if (suffix.empty()) return bare.count();
  for (const TimeUnit& unit : kTimeUnits) {
    if (suffix == unit.suffix) return unit.ns;
  }
  return 0;
}

}  // namespace

absl::StatusOr<std::uint64_t> ParseBytes(std::string_view text, Range range, KbBase base) {
  return Scaled(text, range, base);
}

absl::StatusOr<std::uint64_t> ParseInteger(std::string_view text, Range range, KbBase base) {
  return Scaled(text, range, base);
}

absl::StatusOr<std::int64_t> ParseSigned(std::string_view text, std::int64_t low,
                                         std::int64_t high) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    return absl::InvalidArgumentError("expected a whole number");
  }
  if (value < low || value > high) {
    return absl::InvalidArgumentError(
        absl::StrCat("value out of range: must be ", low, " to ", high));
  }
  return value;
}

bool HasDecimalIecSuffix(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(",/:-"), text.size());
    const absl::StatusOr<Prefix> number = SplitNumber(text.substr(0, end));
    const std::string suffix = number.ok() ? Lower(number->rest) : "";
    if (suffix.size() >= 2 && suffix[1] == 'i' && SizeFactor(suffix, KbBase::k1024) != 0) {
      return true;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

absl::StatusOr<Extent> ParseExtent(std::string_view text, KbBase base) {
  ZONAL_ASSIGN_OR_RETURN(const Prefix number, SplitNumber(text));
  if (number.rest == "%") {
    if (number.value > 100) return OutOfRange({0, 100});
    return Extent{0, RelativeExtent{number.value, ExtentUnit::kPercent}};
  }
  if (number.rest == "z") return Extent{0, RelativeExtent{number.value, ExtentUnit::kZones}};
  if (number.rest == "Z") {
    return absl::InvalidArgumentError(
        "unknown suffix \"Z\": zones are counted with a lower-case z");
  }
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t bytes, ParseBytes(text, {}, base));
  return Extent{bytes, std::nullopt};
}

absl::StatusOr<nanoseconds> ParseTime(std::string_view text, nanoseconds unit) {
  ZONAL_ASSIGN_OR_RETURN(const Prefix number, SplitNumber(text));
  const std::int64_t ns = NanosecondsOf(Lower(number.rest), unit);
  if (ns == 0) {
    return absl::InvalidArgumentError(absl::StrCat("unknown time unit \"", std::string(number.rest),
                                                   "\": expected d, h, m, s, ms or us"));
  }
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / ns);
  if (number.value > most) return absl::InvalidArgumentError("the time is too long");
  return nanoseconds(static_cast<std::int64_t>(number.value) * ns);
}

absl::StatusOr<double> ParseFloat(std::string_view text, FloatRange range) {
  ZONAL_ASSIGN_OR_RETURN(const std::vector<double> values, ParseFloatList(text, range, 1));
  return values.front();
}

absl::StatusOr<std::vector<double>> ParseFloatList(std::string_view text, FloatRange range,
                                                   std::size_t most) {
  std::vector<double> values;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t stop = std::min(text.find_first_of(":,", at), text.size());
    if (values.size() == most) {
      return absl::InvalidArgumentError(absl::StrCat("the list exceeding max length ", most,
                                                     ": give ",
                                                     most == 1 ? "one number" : "fewer numbers"));
    }
    double value = 0;
    const char* end = text.data() + stop;
    const auto [past, error] = std::from_chars(text.data() + at, end, value);
    if (error != std::errc() || past != end || !std::isfinite(value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected a number from ", range.low, " to ", range.high));
    }
    if (value < range.low || value > range.high) {
      return absl::InvalidArgumentError(
          absl::StrCat("value out of range: must be ", range.low, " to ", range.high));
    }
    values.push_back(value);
    at = stop + 1;
  }
  return values;
}

absl::StatusOr<bool> ParseBool(std::string_view text) {
  if (text == "1" || text == "0") return text == "1";
  return absl::InvalidArgumentError("expected 0 or 1, or no value (which means 1)");
}

}  // namespace zonal::fio
