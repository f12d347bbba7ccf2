// SPDX-License-Identifier: MIT
// What a command line and job files come to before options get their meaning:
// sections of options, in order. Plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fio/option_table.h"

namespace zonal::fio {

struct TypedOption {
  const Option* option = nullptr;
  std::string value;
  // "jobs.fio:12: " in front of what goes wrong with it; empty: from the command
  // line, and shown with two dashes.
  std::string where;
};

enum class SectionKind : std::uint8_t {
  kDefaults,  // hold for the jobs that follow, in this source
  kJob,
  kSource,  // a job file starts here: defaults are again those of the command line
};

struct Section {
  SectionKind kind = SectionKind::kDefaults;
  std::string name;
  std::string where;
  std::vector<TypedOption> options;
};

// What is on the command line besides the jobs: paths of job files, in order, and
// options of the command, wherever they stood.
struct CommandLine {
  std::vector<Section> sections;
  std::vector<TypedOption> command;
  std::vector<std::string> job_files;
};

// command_line.cc
absl::StatusOr<CommandLine> ReadCommandLine(std::span<const std::string> words);

// job_file.cc: appends the sections of the text of a job file. Errors start with
// "path:line: ".
absl::Status ReadJobFile(const std::string& path, const std::string& text,
                         const FioParseOptions& options, std::vector<Section>& sections);

// What an option and its value look like where they were typed: "--bs=4k", "bs=4k".
std::string ShowTyped(const TypedOption& typed);

}  // namespace zonal::fio
