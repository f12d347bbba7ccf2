// SPDX-License-Identifier: MIT
#include "core/units.h"

#include <charconv>
#include <system_error>

namespace zonal::core {
namespace {

struct Unit {
  char letter;
  int shift;
};
constexpr Unit kUnits[] = {{'k', 10}, {'m', 20}, {'g', 30}, {'t', 40}};

constexpr char Lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) noexcept {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (Lower(text[i]) != lower[i]) return false;
  }
  return true;
}

// The power of two a suffix stands for, or -1.
int ShiftOf(std::string_view suffix) noexcept {
  if (suffix.empty() || EqualsIgnoringCase(suffix, "b")) return 0;
  for (const Unit unit : kUnits) {
    if (Lower(suffix[0]) != unit.letter) continue;
    const std::string_view rest = suffix.substr(1);
    if (rest.empty() || EqualsIgnoringCase(rest, "b") || EqualsIgnoringCase(rest, "ib")) {
      return unit.shift;
    }
  }
  return -1;
}

absl::Status Bad(std::string_view text, std::string_view why) {
  return absl::InvalidArgumentError("'" + std::string(text) + "' " + std::string(why));
}

struct Digits {
  std::uint64_t value = 0;
  std::string_view rest;
};

absl::StatusOr<Digits> ParseDigits(std::string_view text) {
  Digits digits;
  const char* end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, digits.value);
  if (read.ec == std::errc::result_out_of_range) return Bad(text, "is too large");
  if (read.ec != std::errc()) return Bad(text, "does not begin with a number");
  digits.rest = std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr));
  return digits;
}

}  // namespace

absl::StatusOr<std::uint64_t> ParseBytes(std::string_view text) {
  const absl::StatusOr<Digits> digits = ParseDigits(text);
  if (!digits.ok()) return digits.status();
  const int shift = ShiftOf(digits->rest);
  if (shift < 0) {
    return Bad(text, "is not a size: write bytes, or a whole number of KiB, MiB, GiB or TiB");
  }
  if (digits->value > UINT64_MAX >> shift) return Bad(text, "is too large");
  return digits->value << shift;
}

absl::StatusOr<std::uint64_t> ParseCount(std::string_view text) {
  const absl::StatusOr<Digits> digits = ParseDigits(text);
  if (!digits.ok()) return digits.status();
  if (!digits->rest.empty()) return Bad(text, "is not a whole number");
  return digits->value;
}

std::string FormatBytes(std::uint64_t bytes) {
  constexpr std::string_view kNames[] = {"TiB", "GiB", "MiB", "KiB"};
  int shift = 40;
  for (const std::string_view name : kNames) {
    if (bytes != 0 && bytes % (1ull << shift) == 0) {
      return std::to_string(bytes >> shift) + std::string(name);
    }
    shift -= 10;
  }
  return std::to_string(bytes);
}

}  // namespace zonal::core
