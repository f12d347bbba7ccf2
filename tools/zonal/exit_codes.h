// SPDX-License-Identifier: MIT
// What the exit status of `zonal` says.
#pragma once

namespace zonal::cli {

enum ExitCode : int {
  kDone = 0,           // did what was asked
  kRefused = 1,        // wrong usage, or refused before anything was sent to a device
  kIoFailed = 2,       // an I/O or a zone operation failed; the message says which
  kDidLess = 3,        // nothing failed, yet a job did less than asked; the report says why
  kInternal = 70,      // an error of our own
  kInterrupted = 128,  // stopped by SIGINT or SIGTERM; the report covers what was done
};

// One paragraph for --help.
inline constexpr char kExitCodeHelp[] =
    "Exit codes: 0 done; 1 wrong usage, or refused before any I/O; 2 an I/O or zone\n"
    "operation failed; 3 a job did less than asked; 128 interrupted; 70 internal error.";

}  // namespace zonal::cli
