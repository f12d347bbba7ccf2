// SPDX-License-Identifier: MIT
// The fio dialect: options and job files as fio's users type them -> a plan for
// the engine. One option table parses, documents and completes. Pure: opens no
// device, and files only through `read_file`.
// fio's manual is the source of the rules; docs/fio-differences.md lists where
// we do something else on purpose.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "zonal/report.h"
#include "zonal/run.h"

namespace zonal {

enum class FioAction : std::uint8_t {
  kRun,
  kCheck,        // --parse-only: all is well, nothing is run
  kPrint,        // --cmdhelp, --enghelp: `text` is the answer
  kShowCommand,  // --showcmd: `text` goes behind the program's name
  kVersion,      // --version: the caller knows its name
};

struct FioInvocation {
  FioAction action = FioAction::kRun;
  std::string text;
  RunPlan plan;
  ReportOptions report;
  std::vector<ReportFormat> formats = {ReportFormat::kNormal};
  std::string output_path;                // empty: standard output
  std::string eta = "auto";               // live line: auto (on a terminal), always, never
  nanoseconds eta_interval{0};            // 0: the program's own
  nanoseconds eta_newline{0};             // a new line for the live line so often; 0: never
  nanoseconds status_interval{0};         // a whole report so often; 0: at the end only
  std::vector<std::string> unlink_after;  // files to remove when the run is over (unlink=1)
  std::vector<std::string> notices;       // accepted but without effect, and why
};

// What $pagesize, $mb_memory and $ncpus stand for.
struct FioHostFacts {
  std::uint64_t page_size = 4096;
  std::uint64_t memory_mib = 1024;
  std::uint64_t cpus = 1;
};

struct FioParseOptions {
  std::uint64_t entropy = 1;  // seeds jobs with randrepeat=0; from the caller's random source
  FioHostFacts host;
  // Job files (`-`: standard input), what they include, and patterns in files.
  // Where it is missing these are refused.
  std::function<absl::StatusOr<std::string>(const std::string& path)> read_file;
  // ${NAME} in job files; where it is missing all are empty.
  std::function<std::string(const std::string& name)> environment;
};

// Arguments after the program and subcommand names: options, and paths of job
// files. Options before the first --name are defaults for all jobs, those of job
// files included; the last one of a name wins; a prefix that fits one option only
// is that option. InvalidArgument names the option, the value and what is
// accepted, and file and line where there are any.
absl::StatusOr<FioInvocation> ParseFioArguments(std::span<const std::string> arguments,
                                                const FioParseOptions& options = {});

// Text for --help: every option with its form, default and meaning.
std::string FioOptionHelp();

}  // namespace zonal
