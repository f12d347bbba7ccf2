// SPDX-License-Identifier: MIT
#include "verify/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace zonal::verify {
namespace {

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : fd_(open(path.c_str(), flags, 0666)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const noexcept { return fd_; }

 private:
  const int fd_;
};

absl::Status Failed(const std::string& path, const char* what) {
  return absl::UnavailableError(path + ": cannot be " + what + ": " + std::strerror(errno));
}

absl::Status WriteAll(const Descriptor& file, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(file.get(), text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Failed(path, "written");
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return absl::OkStatus();
}

absl::Status SyncDirectory(const std::string& path) {
  const Descriptor directory(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory.get() < 0) return Failed(path, "opened");
  // Some file systems have no sync of directories, and say so.
  if (fsync(directory.get()) != 0 && errno != EINVAL) return Failed(path, "synced");
  return absl::OkStatus();
}

}  // namespace

absl::Status ReplaceFile(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new";
  {
    const Descriptor file(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
    if (file.get() < 0) return Failed(fresh, "written");
    const absl::Status written = WriteAll(file, fresh, text);
    if (!written.ok()) return written;
    if (fsync(file.get()) != 0) return Failed(fresh, "synced");
  }
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return Failed(path, "replaced");
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return SyncDirectory(directory.empty() ? "." : directory);
}

}  // namespace zonal::verify
