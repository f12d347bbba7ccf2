// SPDX-License-Identifier: MIT
// The subcommands of `zonal`, and what they share: reading arguments, and errors
// on standard error. Each parses its arguments, calls the library, prints what
// it answered, and returns an exit code (exit_codes.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "zonal/limit.h"

namespace CLI {
class App;
}

namespace zonal::cli {

using Arguments = std::vector<std::string>;  // after the subcommand's name

int Create(const Arguments& arguments);
int Info(const Arguments& arguments);
int Report(const Arguments& arguments);
int ManageZones(const Arguments& arguments);
int RunWorkloads(const Arguments& arguments);
// The same for a program called `fio`: messages and exit codes are fio's.
int RunAsFio(const Arguments& arguments);

// Parses into what `app` was told. Nothing if the command goes on; else its exit
// code: help was printed (0), or an error that names the command (1).
struct ParseOutcome {
  bool go_on = true;
  int exit_code = 0;
};
ParseOutcome Parse(CLI::App& app, const Arguments& arguments);

// Prints "zonal COMMAND: message" on standard error and returns `exit_code`.
int Fail(std::string_view command, std::string_view message, int exit_code);
// The same for a Status of a call that did nothing: 70 for kInternal, else 1.
int Refuse(std::string_view command, const absl::Status& status);

// "7" or "unlimited".
absl::StatusOr<Limit> ParseLimit(std::string_view text);
std::string FormatLimit(Limit limit);  // "7", "unlimited", "unknown"
// "3", "3-5", "1,4,7-9", in the order given. InvalidArgument names the part.
absl::StatusOr<std::vector<std::uint32_t>> ParseZoneList(std::string_view text);

}  // namespace zonal::cli
