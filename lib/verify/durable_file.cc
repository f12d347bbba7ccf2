// SPDX-License-Identifier: MIT
#include "verify/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/file_descriptor.h"

namespace zonal::verify {
namespace {

core::FileDescriptor Open(const std::string& path, int flags) {
  return core::FileDescriptor(::open(path.c_str(), flags | O_CLOEXEC, 0666));
}

absl::Status Failed(const std::string& path, const char* what) {
  return absl::UnavailableError(path + ": cannot be " + what + ": " + std::strerror(errno));
}

absl::Status WriteAll(const core::FileDescriptor& file, const std::string& path,
                      std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(file.get(), text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Failed(path, "written");
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return absl::OkStatus();
}

absl::Status SyncDirectory(const std::string& path) {
  const core::FileDescriptor directory = Open(path, O_RDONLY | O_DIRECTORY);
  if (!directory.valid()) return Failed(path, "opened");
  // Some file systems have no sync of directories, and say so.
  if (fsync(directory.get()) != 0 && errno != EINVAL) return Failed(path, "synced");
  return absl::OkStatus();
}

}  // namespace

absl::Status ReplaceFile(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new";
  {
    const core::FileDescriptor file = Open(fresh, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.valid()) return Failed(fresh, "written");
    const absl::Status written = WriteAll(file, fresh, text);
    if (!written.ok()) return written;
    if (fsync(file.get()) != 0) return Failed(fresh, "synced");
  }
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return Failed(path, "replaced");
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return SyncDirectory(directory.empty() ? "." : directory);
}

}  // namespace zonal::verify
