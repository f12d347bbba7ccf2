// SPDX-License-Identifier: MIT
// Names of a job's files.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "fio/plan_builder.h"

namespace zonal::fio {
namespace {

bool IsMemorySpec(const std::string& name) {
  return name == "emu" || absl::StartsWith(name, "emu,");
}

std::string InDirectory(const std::string& directory, const std::string& name) {
  if (directory.empty() || name.front() == '/' || IsMemorySpec(name)) return name;
  return absl::StrCat(directory, directory.back() == '/' ? "" : "/", name);
}

}  // namespace

// Named files lie in the first directory; made ones of each clone in its own.
std::vector<std::string> FilesOf(const Job& job, std::uint32_t clone) {
  const std::vector<std::string>& directories = job.files.directories;
  std::vector<std::string> files;
  for (const std::string& name : job.files.names) {
    files.push_back(InDirectory(directories.empty() ? "" : directories.front(), name));
  }
  if (!HasMadeNames(job)) return files;
  const std::string directory = directories.empty() ? "" : directories[clone % directories.size()];
  for (std::uint32_t file = 0; file < job.files.count; ++file) {
    const std::string name =
        absl::StrReplaceAll(job.files.format, {{"$jobname", job.name},
                                               {"$jobnum", absl::StrCat(clone)},
                                               {"$filenum", absl::StrCat(file)},
                                               {"$clientuid", "localhost"}});
    files.push_back(InDirectory(directory, name.empty() ? job.name : name));
  }
  return files;
}

}  // namespace zonal::fio
