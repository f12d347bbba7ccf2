// SPDX-License-Identifier: MIT
// Short ways to parse a command line in a test.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "zonal/fio.h"

namespace zonal {

// Words split at blanks.
inline std::vector<std::string> Words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

inline absl::StatusOr<FioInvocation> Parse(const std::string& line,
                                           const FioParseOptions& options = {}) {
  return ParseFioArguments(Words(line), options);
}

// One complete job with `options` added.
inline absl::StatusOr<FioInvocation> ParseJob(const std::string& options) {
  return Parse("--name=j --filename=f " + options);
}

}  // namespace zonal
