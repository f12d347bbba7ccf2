// SPDX-License-Identifier: MIT
#include "fio/show_command.h"

#include "absl/strings/str_cat.h"

namespace zonal::fio {
namespace {

// Words of letters, digits and a few marks need no quotes.
std::string Quoted(const std::string& word) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/%+@^";
  if (word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace

std::string ShowCommand(const std::vector<Job>& jobs) {
  std::string line;
  for (const Job& job : jobs) {
    absl::StrAppend(&line, line.empty() ? "" : " ", Quoted(absl::StrCat("--name=", job.name)));
    for (const auto& [name, value] : job.applied) {
      if (name != "name") {
        absl::StrAppend(&line, " ", Quoted(absl::StrCat("--", name, "=", value)));
      }
    }
  }
  return line;
}

}  // namespace zonal::fio
