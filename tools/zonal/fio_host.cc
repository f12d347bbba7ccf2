// SPDX-License-Identifier: MIT
#include "fio_host.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>

namespace zonal::cli {
namespace {

// Longer ones are no job files: a device named in place of one is noticed soon.
constexpr std::size_t kLongestFile = std::size_t{16} << 20;

absl::StatusOr<std::string> ReadAll(std::istream& stream, const std::string& path) {
  std::string text;
  char buffer[1 << 16];
  while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kLongestFile) {
      return absl::InvalidArgumentError(path + ": longer than 16 MiB");
    }
  }
  if (stream.bad()) return absl::UnavailableError(path + ": " + std::strerror(errno));
  return text;
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "-") return ReadAll(std::cin, "standard input");
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
    return absl::InvalidArgumentError(path + ": not a file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return absl::NotFoundError(path + ": " + std::strerror(errno));
  return ReadAll(file, path);
}

std::uint64_t Positive(long value, std::uint64_t otherwise) {
  return value > 0 ? static_cast<std::uint64_t>(value) : otherwise;
}

}  // namespace

FioParseOptions HostOptions() {
  FioParseOptions options;
  options.entropy = (std::uint64_t{std::random_device()()} << 32) | std::random_device()();
  options.host.page_size = Positive(sysconf(_SC_PAGESIZE), 4096);
  options.host.cpus = Positive(sysconf(_SC_NPROCESSORS_ONLN), 1);
  options.host.memory_mib =
      Positive(sysconf(_SC_PHYS_PAGES), 1) * options.host.page_size / (std::uint64_t{1} << 20);
  options.read_file = ReadFile;
  options.environment = [](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return std::string(value == nullptr ? "" : value);
  };
  return options;
}

int RunShell(const std::string& command) {
  std::cout.flush();
  const int status = std::system(("{ " + command + "\n} 1>&2").c_str());
  if (status == -1) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void RemoveFiles(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    struct stat status {};
    if (lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) unlink(path.c_str());
  }
}

}  // namespace zonal::cli
