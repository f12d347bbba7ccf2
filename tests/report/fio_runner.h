// SPDX-License-Identifier: MIT
// Runs a job with the installed fio and with zonal, in a directory of its own, and
// reduces reports to their shape.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zonal/fio.h"

namespace zonal {

// Ends the test with exit code 77, visibly, if `program` is not installed.
void SkipWithout(const std::string& program);
std::string OutputOf(const std::string& command);

class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

// fio's standard output.
std::string RunFio(const std::vector<std::string>& arguments);

struct OurRun {
  FioInvocation invocation;
  RunResult result;
};
// Fails the test if the job is refused.
OurRun RunOurs(const std::vector<std::string>& arguments);

// What a line says before its first number: "   bw (  KiB/s): min".
std::string Head(const std::string& line);
// The heads of the first job's block up to the groups' lines, repeated ones once.
std::vector<std::string> BlockHeads(const std::string& text, const std::string& job);
std::vector<std::string> Split(const std::string& text, char separator);

}  // namespace zonal
