// SPDX-License-Identifier: MIT
#include "fio_runner.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "support/catch.h"

namespace zonal {

void SkipWithout(const std::string& program) {
  if (std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0) return;
  std::printf("skipped: %s is not installed\n", program.c_str());
  std::exit(77);
}

std::string OutputOf(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), n);
  }
  pclose(pipe);
  return text;
}

TemporaryDirectory::TemporaryDirectory() {
  static int count = 0;
  path_ = std::filesystem::temp_directory_path() /
          ("zonal-fio-" + std::to_string(getpid()) + "-" + std::to_string(++count));
  std::filesystem::create_directories(path_);
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string RunFio(const std::vector<std::string>& arguments) {
  SkipWithout("fio");
  std::string command = "fio --eta=never";
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  return OutputOf(command + " 2>/dev/null");
}

OurRun RunOurs(const std::vector<std::string>& arguments) {
  OurRun run;
  absl::StatusOr<FioInvocation> invocation = ParseFioArguments(arguments);
  INFO(invocation.status());
  REQUIRE(invocation.ok());
  run.invocation = *invocation;
  run.invocation.report.version = "fio-3.33";
  RunControl control;
  absl::StatusOr<RunResult> result = Run(run.invocation.plan, control);
  INFO(result.status());
  REQUIRE(result.ok());
  run.result = *result;
  return run;
}

std::string Head(const std::string& line) {
  if (line.rfind("     |", 0) == 0) return "     |";  // percentiles
  std::string head = line.substr(0, line.find_first_of("=0123456789["));
  // Units depend on how fast it was.
  for (const auto& [unit, name] :
       {std::pair{"nsec", "UNIT"}, std::pair{"usec", "UNIT"}, std::pair{"msec", "UNIT"},
        std::pair{"MiB/s", "KiB/s"}, std::pair{" MB/s", " kB/s"}}) {
    const std::size_t at = head.find(unit);
    if (at != std::string::npos) head.replace(at, std::string(unit).size(), name);
  }
  return head;
}

std::vector<std::string> BlockHeads(const std::string& text, const std::string& job) {
  std::vector<std::string> heads;
  bool inside = false;
  for (const std::string& line : Split(text, '\n')) {
    if (line.rfind(job + ": (groupid=", 0) == 0)
      inside = true;
    else if (line.rfind("Disk stats", 0) == 0 || line.rfind("Zonal:", 0) == 0)
      break;
    if (!inside || (!heads.empty() && heads.back() == Head(line))) continue;
    heads.push_back(Head(line));
  }
  return heads;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace zonal
