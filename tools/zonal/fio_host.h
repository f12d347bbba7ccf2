// SPDX-License-Identifier: MIT
// What the fio dialect needs of this machine: job files, variables, facts.
#pragma once

#include "zonal/fio.h"

namespace zonal::cli {

// Job files are read from the file system, `-` from standard input; a fresh
// entropy for each call.
FioParseOptions HostOptions();

// The hook for exec_prerun and exec_postrun: a shell, whose output goes to
// standard error, so that standard output parses. Returns the exit status.
int RunShell(const std::string& command);

// Removes plain files; leaves devices and drives alone.
void RemoveFiles(const std::vector<std::string>& paths);

}  // namespace zonal::cli
