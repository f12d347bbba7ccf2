// SPDX-License-Identifier: MIT
// Arguments -> invocation: command line, job files, jobs, checks, plan.
#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "fio/plan_builder.h"
#include "fio/show_command.h"
#include "zonal/fio.h"

namespace zonal {
namespace fio {
namespace {

using absl::InvalidArgumentError;
using absl::StrCat;

absl::Status ApplyCommandOptions(const std::vector<TypedOption>& options,
                                 const FioParseOptions& host, Command& command) {
  Job unused;
  for (const TypedOption& typed : options) {
    const absl::Status applied =
        ApplyOption(*typed.option, typed.value, Target{unused, command, host});
    if (!applied.ok()) {
      return InvalidArgumentError(StrCat(ShowTyped(typed), ": ", std::string(applied.message())));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadJobFiles(const FioParseOptions& options, CommandLine& line) {
  for (const std::string& path : line.job_files) {
    if (!options.read_file) {
      return InvalidArgumentError(
          StrCat("\"", path, "\" would be a job file, and files cannot be read here"));
    }
    const absl::StatusOr<std::string> text = options.read_file(path);
    if (!text.ok()) {
      return InvalidArgumentError(
          StrCat(std::string(text.status().message()), ": \"", path,
                 "\" is taken for a job file. A value of an on/off option is given with '=', as in "
                 "--time_based=1"));
    }
    ZONAL_RETURN_IF_ERROR(ReadJobFile(path, *text, options, line.sections));
  }
  return absl::OkStatus();
}

// What was accepted and has no effect here, in one line.
void NoteWithoutEffect(const Command& command, std::vector<std::string>& notices) {
  std::vector<std::string> names;
  for (const std::string& name : command.without_effect) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return;
  std::string text = "accepted, without effect here: ";
  for (const std::string& name : names) {
    absl::StrAppend(&text, name == names.front() ? "" : ", ", name);
  }
  notices.push_back(text);
}

absl::StatusOr<FioInvocation> Finish(JobSet set, Command command, const FioParseOptions& options) {
  ZONAL_RETURN_IF_ERROR(CheckJobs(set, command));
  ZONAL_ASSIGN_OR_RETURN(FioInvocation result, BuildInvocation(set, command, options));
  if (command.warnings_fatal && !command.notices.empty()) {
    return InvalidArgumentError(command.notices.front());
  }
  result.notices = std::move(command.notices);
  NoteWithoutEffect(command, result.notices);
  if (command.parse_only) result.action = FioAction::kCheck;
  if (command.show_command) {
    result.action = FioAction::kShowCommand;
    result.text = ShowCommand(set.jobs);
  }
  return result;
}

}  // namespace
}  // namespace fio

absl::StatusOr<FioInvocation> ParseFioArguments(std::span<const std::string> arguments,
                                                const FioParseOptions& options) {
  ZONAL_ASSIGN_OR_RETURN(fio::CommandLine line, fio::ReadCommandLine(arguments));
  fio::Command command;
  ZONAL_RETURN_IF_ERROR(fio::ApplyCommandOptions(line.command, options, command));
  FioInvocation answer;
  if (command.version) {
    answer.action = FioAction::kVersion;
    return answer;
  }
  if (!command.help_text.empty()) {
    answer.action = FioAction::kPrint;
    answer.text = command.help_text;
    return answer;
  }
  ZONAL_RETURN_IF_ERROR(fio::ReadJobFiles(options, line));
  ZONAL_ASSIGN_OR_RETURN(fio::JobSet set, fio::BuildJobs(line.sections, options, command));
  if (set.jobs.empty()) {
    if (command.parse_only) {
      answer.action = FioAction::kCheck;
      return answer;
    }
    return absl::InvalidArgumentError(
        "no job: give at least --name=NAME, --filename=SPEC and --rw=..., or a job file");
  }
  return fio::Finish(std::move(set), std::move(command), options);
}

}  // namespace zonal
