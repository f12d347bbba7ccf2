// SPDX-License-Identifier: MIT
#include "fio/lookup.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace zonal::fio {
namespace {

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Levenshtein's distance, one row at a time.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// The option whose name is nearest; empty if none is near enough to be meant.
std::string_view NearestName(std::string_view typed) {
  std::string_view nearest;
  // In a short word one slip is likely, two make it any other word.
  std::size_t best = (typed.size() <= 3 ? 1 : std::max<std::size_t>(2, typed.size() / 3)) + 1;
  for (const Option& option : Options()) {
    for (const std::string_view name : {option.name, option.alias}) {
      const std::size_t distance = name.empty() ? best : EditDistance(typed, name);
      if (distance >= best) continue;
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

absl::Status Unknown(std::string_view typed) {
  const std::string_view nearest = typed.size() > 64 ? std::string_view() : NearestName(typed);
  std::string message = absl::StrCat("unknown option --", std::string(typed));
  if (!nearest.empty())
    absl::StrAppend(&message, ": did you mean --", std::string(nearest), "?");
  else
    absl::StrAppend(&message, ": --help lists the options of this version");
  return absl::InvalidArgumentError(message);
}

absl::Status Ambiguous(std::string_view typed, const std::vector<const Option*>& candidates) {
  std::string message = absl::StrCat("option --", std::string(typed), " is ambiguous:");
  for (const Option* option : candidates) {
    absl::StrAppend(&message, option == candidates.front() ? " --" : ", --",
                    std::string(option->name));
  }
  return absl::InvalidArgumentError(message);
}

}  // namespace

absl::StatusOr<const Option*> FindOption(std::string_view typed) {
  std::vector<const Option*> candidates;
  if (typed.empty()) return Unknown(typed);
  for (const Option& option : Options()) {
    if (typed == option.name || typed == option.alias) return &option;
    if (StartsWith(option.name, typed) || StartsWith(option.alias, typed)) {
      candidates.push_back(&option);
    }
  }
  if (candidates.empty()) return Unknown(typed);
  if (candidates.size() > 1) return Ambiguous(typed, candidates);
  return candidates.front();
}

}  // namespace zonal::fio
