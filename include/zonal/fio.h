// SPDX-License-Identifier: MIT
// The fio dialect: options as fio's users type them -> a plan for the engine.
// One option table parses, documents and completes. Pure: opens no device.
// fio's manual is the source of the rules; docs/fio-differences.md lists where
// we do something else on purpose.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "zonal/report.h"
#include "zonal/run.h"

namespace zonal {

struct FioInvocation {
  RunPlan plan;
  ReportOptions report;
  std::string output_format = "normal";  // normal, json
  std::string output_path;               // empty: standard output
  std::string eta = "auto";              // live line: auto (on a terminal), always, never
  std::vector<std::string> notices;      // accepted but without effect, and why
};

struct FioParseOptions {
  std::uint64_t entropy = 1;  // seeds jobs with randrepeat=0; from the caller's random source
};

// Arguments after the program and subcommand names. Options before the first
// --name are defaults for all jobs; the last one of a name wins; a prefix that
// fits one option only is that option. InvalidArgument names the option, the
// value and what is accepted.
absl::StatusOr<FioInvocation> ParseFioArguments(std::span<const std::string> arguments,
                                                const FioParseOptions& options = {});

// Text for --help: every option with its form, default and meaning.
std::string FioOptionHelp();

}  // namespace zonal
