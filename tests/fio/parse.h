// SPDX-License-Identifier: MIT
// Short ways to parse command lines and job files in a test.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
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

// Files that exist while a test parses, by path.
using TestFiles = std::map<std::string, std::string>;
inline FioParseOptions WithFiles(const TestFiles& files) {
  FioParseOptions options;
  options.read_file = [files](const std::string& path) -> absl::StatusOr<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return absl::NotFoundError(path + ": no such file");
    return found->second;
  };
  return options;
}

inline absl::StatusOr<FioInvocation> ParseJobFile(const std::string& text) {
  return ParseFioArguments(std::vector<std::string>{"jobs.fio"}, WithFiles({{"jobs.fio", text}}));
}

inline std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

inline bool Mentions(const std::vector<std::string>& notices, const std::string& text) {
  for (const std::string& notice : notices) {
    if (notice.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace zonal
