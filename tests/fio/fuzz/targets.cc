// SPDX-License-Identifier: MIT
#include "targets.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "fio/shell_words.h"
#include "fio/values/expression.h"
#include "fio/values/lists.h"
#include "fio/values/numbers.h"
#include "fio/values/pattern.h"
#include "zonal/fio.h"

namespace zonal::fio::fuzz {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// The line of --showcmd makes the same plan.
void CheckShown(std::vector<std::string> words, const FioParseOptions& options,
                const std::vector<Workload>& workers) {
  words.push_back("--showcmd");
  const auto shown = ParseFioArguments(words, options);
  Require(shown.ok() && shown->action == FioAction::kShowCommand);
  const auto again = ParseFioArguments(ShellWords(shown->text), options);
  Require(again.ok() && again->plan.workers == workers);
}

// Refused with a message, or a plan that is whole; and the same way twice.
void CheckParse(const std::vector<std::string>& words, const FioParseOptions& options) {
  const auto once = ParseFioArguments(words, options);
  const auto twice = ParseFioArguments(words, options);
  Require(once.status() == twice.status());
  if (!once.ok()) {
    Require(once.status().code() == absl::StatusCode::kInvalidArgument);
    Require(!once.status().message().empty());
    return;
  }
  const std::vector<Workload>& workers = once->plan.workers;
  Require(workers == twice->plan.workers);
  Require(once->action != FioAction::kRun || !workers.empty());
  Require(once->report.views.size() == workers.size());
  Require(once->report.job_options.size() == workers.size());
  for (std::size_t i = 0; i < workers.size(); ++i) {
    Require(workers[i].reads || workers[i].writes || workers[i].trims);
    Require(!workers[i].target.empty() && !workers[i].name.empty());
    Require(workers[i].depth >= 1 && workers[i].read_percent <= 100);
    for (const BlockSize* block :
         {&workers[i].read_block, &workers[i].write_block, &workers[i].trim_block}) {
      Require(block->min >= 1 && block->min <= block->max);
    }
    for (const std::uint32_t other : workers[i].schedule.after) Require(other < i);
  }
  if (once->action == FioAction::kRun) CheckShown(words, options, workers);
}

template <typename T>
void CheckAnswer(const absl::StatusOr<T>& answer) {
  Require(answer.ok() || (answer.status().code() == absl::StatusCode::kInvalidArgument &&
                          !answer.status().message().empty()));
}

// Files of the corpus end in a newline that is not part of the input.
std::string_view WithoutLastNewline(std::string_view bytes) {
  if (!bytes.empty() && bytes.back() == '\n') bytes.remove_suffix(1);
  return bytes;
}

FioParseOptions OptionsWith(const std::string& main, const std::string& included) {
  FioParseOptions options;
  options.read_file = [main, included](const std::string& path) -> absl::StatusOr<std::string> {
    if (path == "m") return main;
    if (path == "i") return included;
    return absl::NotFoundError(path + ": no such file");
  };
  options.environment = [](const std::string& name) { return name; };
  return options;
}

}  // namespace

void JobFile(std::string_view bytes) {
  const std::size_t middle = bytes.find("\n%%\n");
  const std::string main(bytes.substr(0, middle));
  const std::string included(middle == std::string_view::npos ? "" : bytes.substr(middle + 4));
  CheckParse({"m"}, OptionsWith(main, included));
}

void CommandLine(std::string_view bytes) {
  bytes = WithoutLastNewline(bytes);
  std::vector<std::string> words;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    words.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  CheckParse(words, OptionsWith("[x]\nfilename=f\n", ""));
}

void Values(std::string_view bytes) {
  bytes = WithoutLastNewline(bytes);
  if (bytes.empty()) return;
  const std::string_view text = bytes.substr(1);
  const auto read_file = [](const std::string&) -> absl::StatusOr<std::string> {
    return std::string("ab");
  };
  switch (static_cast<unsigned char>(bytes[0]) % 14) {
    case 0:
      return CheckAnswer(ParseBytes(text, {1, 1 << 30}, KbBase::k1000));
    case 1:
      return CheckAnswer(ParseExtent(text));
    case 2:
      return CheckAnswer(ParseTime(text, std::chrono::microseconds(1)));
    case 3:
      return CheckAnswer(ParseFloatList(text, {0, 100}, 3));
    case 4:
      return CheckAnswer(ParseSigned(text, -20, 19));
    case 5:
      return CheckAnswer(SplitDirections(text));
    case 6:
      return CheckAnswer(ParseByteRange(text, {1}, KbBase::k1024));
    case 7:
      return CheckAnswer(ParseTimeRange(text));
    case 8:
      return CheckAnswer(ParseDistribution(text, KbBase::k1024));
    case 9:
      return CheckAnswer(ParseCpuList(text));
    case 10:
      return CheckAnswer(ParseErrnoList(text));
    case 11:
      return CheckAnswer(ParsePattern(text, true, read_file));
    case 12:
      return CheckAnswer(ExpandValue(text, {}));
    default: {
      const auto mix = ParseBlockMix(text, {1}, KbBase::k1024);
      CheckAnswer(mix);
      if (!mix.ok()) return;
      std::uint32_t sum = 0;
      for (const BlockSize::Share& share : mix->shares) sum += share.percent;
      Require(sum == 100 && mix->min <= mix->max);
    }
  }
}

}  // namespace zonal::fio::fuzz
