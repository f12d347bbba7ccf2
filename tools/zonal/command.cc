// SPDX-License-Identifier: MIT
#include "command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "core/units.h"
#include "exit_codes.h"

namespace zonal::cli {

ParseOutcome Parse(CLI::App& app, const Arguments& arguments) {
  // CLI11 takes a vector from its end.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
    return {};
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return {false, app.exit(error)};  // --help
    return {false,
            Fail(app.get_name().substr(sizeof("zonal ") - 1),
                 std::string(error.what()) + "; see `" + app.get_name() + " --help`", kRefused)};
  }
}

int Fail(std::string_view command, std::string_view message, int exit_code) {
  std::fflush(stdout);
  std::cerr << "zonal";
  if (!command.empty()) std::cerr << ' ' << command;
  std::cerr << ": " << message << '\n';
  return exit_code;
}

int Refuse(std::string_view command, const absl::Status& status) {
  return Fail(command, std::string_view(status.message().data(), status.message().size()),
              status.code() == absl::StatusCode::kInternal ? kInternal : kRefused);
}

absl::StatusOr<Limit> ParseLimit(std::string_view text) {
  if (text == "unlimited") return Limit::Unlimited();
  const absl::StatusOr<std::uint64_t> count = core::ParseCount(text);
  if (!count.ok() || *count == 0 || *count > UINT32_MAX) {
    return absl::InvalidArgumentError("\"" + std::string(text) +
                                      "\" is no limit: give a number above 0, or \"unlimited\"");
  }
  return Limit::Of(static_cast<std::uint32_t>(*count));
}

std::string FormatLimit(Limit limit) {
  if (limit.has_count()) return std::to_string(*limit.count());
  return limit.is_unlimited() ? "unlimited" : "unknown";
}

namespace {

// "3" or "3-5".
absl::StatusOr<std::pair<std::uint64_t, std::uint64_t>> ParseZoneRange(std::string_view part) {
  const std::size_t dash = part.find('-');
  const absl::StatusOr<std::uint64_t> first = core::ParseCount(part.substr(0, dash));
  const absl::StatusOr<std::uint64_t> last =
      dash == std::string_view::npos ? first : core::ParseCount(part.substr(dash + 1));
  // A million zones is more than any drive has; the bound keeps a typing error small.
  if (!first.ok() || !last.ok() || *last < *first || *last - *first >= 1'000'000 ||
      *last > UINT32_MAX) {
    return absl::InvalidArgumentError("\"" + std::string(part) +
                                      "\" names no zones: give a number, or first-last");
  }
  return std::pair(*first, *last);
}

}  // namespace

absl::StatusOr<std::vector<std::uint32_t>> ParseZoneList(std::string_view text) {
  std::vector<std::uint32_t> zones;
  while (true) {
    const std::size_t comma = text.find(',');
    const auto range = ParseZoneRange(text.substr(0, comma));
    if (!range.ok()) return range.status();
    for (std::uint64_t zone = range->first; zone <= range->second; ++zone) {
      zones.push_back(static_cast<std::uint32_t>(zone));
    }
    if (comma == std::string_view::npos) return zones;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace zonal::cli
