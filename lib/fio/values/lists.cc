// SPDX-License-Identifier: MIT
#include "fio/values/lists.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::StrCat;

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t stop = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, stop - at));
    at = stop + 1;
  }
  return parts;
}

struct ErrnoName {
  std::string_view name;
  int number;
};
constexpr ErrnoName kErrnos[] = {
    {"EPERM", EPERM},
    {"ENOENT", ENOENT},
    {"EINTR", EINTR},
    {"EIO", EIO},
    {"ENXIO", ENXIO},
    {"E2BIG", E2BIG},
    {"EBADF", EBADF},
    {"EAGAIN", EAGAIN},
    {"ENOMEM", ENOMEM},
    {"EACCES", EACCES},
    {"EFAULT", EFAULT},
    {"EBUSY", EBUSY},
    {"EEXIST", EEXIST},
    {"EXDEV", EXDEV},
    {"ENODEV", ENODEV},
    {"EINVAL", EINVAL},
    {"ENFILE", ENFILE},
    {"EMFILE", EMFILE},
    {"ENOTTY", ENOTTY},
    {"EFBIG", EFBIG},
    {"ENOSPC", ENOSPC},
    {"ESPIPE", ESPIPE},
    {"EROFS", EROFS},
    {"EPIPE", EPIPE},
    {"EDOM", EDOM},
    {"ERANGE", ERANGE},
    {"ENODATA", ENODATA},
    {"ETIME", ETIME},
    {"EREMOTEIO", EREMOTEIO},
    {"EILSEQ", EILSEQ},
    {"EOVERFLOW", EOVERFLOW},
    {"ETIMEDOUT", ETIMEDOUT},
    {"EOPNOTSUPP", EOPNOTSUPP},
    {"ENOTSUP", ENOTSUP},
    {"EDQUOT", EDQUOT},
    {"ETOOMANYREFS", ETOOMANYREFS},
};

absl::StatusOr<int> ParseErrno(std::string_view text) {
  for (const ErrnoName& known : kErrnos) {
    if (text == known.name) return known.number;
  }
  const absl::StatusOr<std::int64_t> number = ParseSigned(text, 1, 4095);
  if (number.ok()) return static_cast<int>(*number);
  return InvalidArgumentError(
      StrCat("\"", std::string(text), "\": expected an error's name, as EIO, or its number"));
}

// Percentages of what has none: equal parts of what is left of 100, the first
// ones taking what does not divide.
absl::Status FillBlanks(std::vector<BlockSize::Share>& shares, std::size_t blanks,
                        const std::vector<bool>& is_blank) {
  std::uint32_t given = 0;
  for (const BlockSize::Share& share : shares) given += share.percent;
  if (given > 100) return InvalidArgumentError(StrCat("the percentages add up to ", given));
  if (blanks == 0 && given != 100) {
    return InvalidArgumentError(StrCat("the percentages add up to ", given, ", not to 100"));
  }
  const auto count = static_cast<std::uint32_t>(blanks);
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!is_blank[i]) continue;
    shares[i].percent = (100 - given) / count + (seen < (100 - given) % count ? 1 : 0);
    ++seen;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> Parameters(std::string_view text, FloatRange first) {
  const std::size_t colon = text.find(':');
  ZONAL_ASSIGN_OR_RETURN(const double value, ParseFloat(text.substr(0, colon), first));
  std::vector<double> values = {value};
  if (colon == std::string_view::npos) return values;
  ZONAL_ASSIGN_OR_RETURN(const double center, ParseFloat(text.substr(colon + 1), {0, 1}));
  values.push_back(center);
  return values;
}

constexpr std::size_t kMostZones = 256;

absl::StatusOr<RandomDistribution> ParseZones(std::string_view text, bool absolute, KbBase base) {
  RandomDistribution result;
  result.kind =
      absolute ? RandomDistribution::Kind::kZonesAbsolute : RandomDistribution::Kind::kZones;
  std::uint64_t access = 0, size = 0;
  for (const std::string_view part : Split(text, ':')) {
    const std::size_t slash = part.find('/');
    if (slash == std::string_view::npos) {
      return InvalidArgumentError("expected ACCESS%/SIZE:..., as in 60/10:40/90");
    }
    RandomDistribution::Share share;
    ZONAL_ASSIGN_OR_RETURN(const std::uint64_t percent,
                           ParseInteger(part.substr(0, slash), {0, 100}));
    share.access_percent = static_cast<std::uint32_t>(percent);
    const Range sizes = absolute ? Range{1} : Range{0, 100};
    ZONAL_ASSIGN_OR_RETURN(share.size, ParseBytes(part.substr(slash + 1), sizes, base));
    access += percent;
    size += absolute ? 0 : share.size;
    result.shares.push_back(share);
  }
  if (result.shares.size() > kMostZones) return InvalidArgumentError("more than 256 parts");
  if (access != 100) {
    return InvalidArgumentError(StrCat("the access percentages add up to ", access, ", not 100"));
  }
  if (!absolute && size != 100) {
    return InvalidArgumentError(StrCat("the size percentages add up to ", size, ", not 100"));
  }
  return result;
}

struct Shape {
  std::string_view name;
  RandomDistribution::Kind kind;
  double standard;  // the parameter where none is given
  FloatRange range;
};
constexpr Shape kShapes[] = {
    {"zipf", RandomDistribution::Kind::kZipf, 1.1, {0, 100}},
    {"pareto", RandomDistribution::Kind::kPareto, 0.2, {0, 1}},
    {"normal", RandomDistribution::Kind::kNormal, 0, {0, 100}},
    {"gauss", RandomDistribution::Kind::kNormal, 0, {0, 100}},
};

absl::StatusOr<RandomDistribution> ParseShape(const Shape& shape, std::string_view parameters) {
  RandomDistribution result;
  result.kind = shape.kind;
  result.parameter = shape.standard;
  if (parameters.empty()) {
    if (shape.standard == 0) return InvalidArgumentError("expected normal:DEVIATION, 0 to 100");
    return result;
  }
  ZONAL_ASSIGN_OR_RETURN(const std::vector<double> values, Parameters(parameters, shape.range));
  result.parameter = values[0];
  if (values.size() > 1) result.center = values[1];
  if (shape.kind == RandomDistribution::Kind::kZipf && result.parameter == 1.0) {
    return InvalidArgumentError("zipf's theta must differ from 1.0");
  }
  return result;
}

}  // namespace

absl::StatusOr<PerDirection<std::string_view>> SplitDirections(std::string_view text,
                                                               char separator) {
  const std::vector<std::string_view> parts = Split(text, separator);
  if (parts.size() > kDirections) {
    return InvalidArgumentError("at most three values: for reads, writes and trims");
  }
  PerDirection<std::string_view> result;
  for (std::size_t i = 0; i < kDirections; ++i) {
    result[i] = i < parts.size() ? parts[i] : parts.back();
  }
  if (std::all_of(parts.begin(), parts.end(), [](std::string_view p) { return p.empty(); })) {
    return InvalidArgumentError("expected a value");
  }
  return result;
}

absl::StatusOr<std::pair<std::uint64_t, std::uint64_t>> ParseByteRange(std::string_view text,
                                                                       Range range, KbBase base) {
  const std::size_t middle = text.find_first_of("-:");
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t low, ParseBytes(text.substr(0, middle), range, base));
  if (middle == std::string_view::npos) return std::pair(low, low);
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t high,
                         ParseBytes(text.substr(middle + 1), range, base));
  return std::pair(std::min(low, high), std::max(low, high));
}

absl::StatusOr<std::pair<nanoseconds, nanoseconds>> ParseTimeRange(std::string_view text) {
  const std::size_t middle = text.find_first_of("-:");
  ZONAL_ASSIGN_OR_RETURN(const nanoseconds low, ParseTime(text.substr(0, middle)));
  if (middle == std::string_view::npos) return std::pair(low, low);
  ZONAL_ASSIGN_OR_RETURN(const nanoseconds high, ParseTime(text.substr(middle + 1)));
  return std::pair(std::min(low, high), std::max(low, high));
}

absl::StatusOr<BlockSize> ParseBlockMix(std::string_view text, Range range, KbBase base) {
  constexpr std::size_t kMostSizes = 64;
  BlockSize result;
  std::vector<bool> is_blank;
  for (const std::string_view part : Split(text, ':')) {
    const std::size_t slash = part.find('/');
    BlockSize::Share share;
    ZONAL_ASSIGN_OR_RETURN(share.bytes, ParseBytes(part.substr(0, slash), range, base));
    const bool blank = slash == std::string_view::npos || slash + 1 == part.size();
    if (!blank) {
      ZONAL_ASSIGN_OR_RETURN(const std::uint64_t percent,
                             ParseInteger(part.substr(slash + 1), {0, 100}));
      share.percent = static_cast<std::uint32_t>(percent);
    }
    is_blank.push_back(blank);
    result.shares.push_back(share);
  }
  if (result.shares.size() > kMostSizes) return InvalidArgumentError("more than 64 sizes");
  const auto blanks = static_cast<std::size_t>(std::count(is_blank.begin(), is_blank.end(), true));
  ZONAL_RETURN_IF_ERROR(FillBlanks(result.shares, blanks, is_blank));
  const auto [least, most] =
      std::minmax_element(result.shares.begin(), result.shares.end(),
                          [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  result.min = least->bytes;
  result.max = most->bytes;
  return result;
}

absl::StatusOr<RandomDistribution> ParseDistribution(std::string_view text, KbBase base) {
  // fio's manual has `zoned_abs=60/20G` in one place; the parser takes both.
  const std::size_t end = text.find_first_of(":=");
  const std::string_view name = text.substr(0, end);
  const std::string_view parameters =
      end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  if (name == "random" && parameters.empty()) return RandomDistribution();
  if (name == "zoned" || name == "zoned_abs") {
    return ParseZones(parameters, name == "zoned_abs", base);
  }
  for (const Shape& shape : kShapes) {
    if (name == shape.name) return ParseShape(shape, parameters);
  }
  return InvalidArgumentError(
      "expected random, zipf:THETA, pareto:POWER, normal:DEVIATION, zoned:ACCESS%/SIZE%:... or "
      "zoned_abs:ACCESS%/SIZE:...");
}

absl::StatusOr<std::vector<std::uint32_t>> ParseCpuList(std::string_view text) {
  constexpr std::uint64_t kMostCpu = 4095;
  std::vector<bool> chosen(kMostCpu + 1);  // however often a list names a CPU
  for (const std::string_view part : Split(text, ',')) {
    const std::size_t dash = part.find('-');
    ZONAL_ASSIGN_OR_RETURN(const std::uint64_t first,
                           ParseInteger(part.substr(0, dash), {0, kMostCpu}));
    std::uint64_t last = first;
    if (dash != std::string_view::npos) {
      ZONAL_ASSIGN_OR_RETURN(last, ParseInteger(part.substr(dash + 1), {first, kMostCpu}));
    }
    for (std::uint64_t cpu = first; cpu <= last; ++cpu) chosen[cpu] = true;
  }
  std::vector<std::uint32_t> cpus;
  for (std::uint32_t cpu = 0; cpu <= kMostCpu; ++cpu) {
    if (chosen[cpu]) cpus.push_back(cpu);
  }
  return cpus;
}

absl::StatusOr<std::vector<int>> ParseErrnoList(std::string_view text) {
  std::vector<int> errnos;
  if (text.empty()) return errnos;
  for (const std::string_view part : Split(text, ':')) {
    ZONAL_ASSIGN_OR_RETURN(const int number, ParseErrno(part));
    errnos.push_back(number);
  }
  return errnos;
}

}  // namespace zonal::fio
