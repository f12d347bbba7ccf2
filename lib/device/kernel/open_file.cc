// SPDX-License-Identifier: MIT
#include "device/kernel/open_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "zonal/errc.h"

namespace zonal::kernel {
namespace {

bool Writes(const OpenOptions& options) { return options.access == Access::kReadWrite; }

absl::Status NoDirectIo(const std::string& path) {
  return absl::FailedPreconditionError(absl::StrCat(
      path, ": the file system does not do direct I/O (O_DIRECT); open it with direct=0"));
}

absl::Status OpenError(const std::string& path, const struct stat& status,
                       const OpenOptions& options, int error) {
  const std::string what =
      absl::StrCat(path, ": cannot be opened for ", Writes(options) ? "writing" : "reading", ": ");
  switch (error) {
    case EACCES:
    case EPERM:
      return MakeStatus(Errc::kPermission,
                        absl::StrCat(what, ExplainPermission(status, Writes(options))));
    case EROFS:
      return absl::FailedPreconditionError(
          absl::StrCat(what, "it is read-only (the drive's write protection, or the mount)"));
    case EBUSY:
      return absl::FailedPreconditionError(absl::StrCat(
          what,
          "another program or the kernel has claimed it (mount, RAID, device mapper, or a "
          "program that opened it with O_EXCL)"));
    case EINVAL:
      if (options.direct) return NoDirectIo(path);
      break;
    case ENXIO:
    case ENODEV:
    case ENOMEDIUM:
      return MakeStatus(Errc::kDeviceGone, absl::StrCat(what, "no device answers at this node"));
    default:
      break;
  }
  return MakeStatus(FromErrno(error), absl::StrCat(what, std::strerror(error)));
}

// A ring of an earlier queue gives its file back a little after it was closed,
// so a claim may be refused for a moment although nobody has the device.
int OpenPatiently(const std::string& path, int flags) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  int fd = ::open(path.c_str(), flags, 0644);
  while (fd < 0 && errno == EBUSY && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    fd = ::open(path.c_str(), flags, 0644);
  }
  return fd;
}

// `F_GETFL` decides: some file systems drop the flag silently.
absl::Status VerifyDirect(const std::string& path, int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_DIRECT) != 0 ? absl::OkStatus() : NoDirectIo(path);
}

absl::Status CheckKind(const std::string& path, const struct stat& status) {
  if (S_ISBLK(status.st_mode) || S_ISREG(status.st_mode)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": is neither a block device nor a plain file",
      S_ISCHR(status.st_mode) ? "; for a drive's character node, give its block device" : ""));
}

absl::Status CheckAdopted(const std::string& path, int fd, const OpenOptions& options) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", fd, " is no open descriptor"));
  }
  const int mode = flags & O_ACCMODE;
  if (Writes(options) ? mode != O_RDWR : mode == O_WRONLY) {
    return MakeStatus(Errc::kPermission,
                      absl::StrCat(path, ": the descriptor handed over is not open for ",
                                   Writes(options) ? "reading and writing" : "reading"));
  }
  if (!options.direct || (flags & O_DIRECT) != 0) return absl::OkStatus();
  return ::fcntl(fd, F_SETFL, flags | O_DIRECT) == 0 ? absl::OkStatus() : NoDirectIo(path);
}

absl::Status Create(const std::string& path, const OpenOptions& options) {
  if (options.create_size == 0 || !Writes(options)) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no such file or device"));
  }
  const core::FileDescriptor file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (file.valid() && ::ftruncate(file.get(), static_cast<off_t>(options.create_size)) == 0) {
    return absl::OkStatus();
  }
  const int error = errno;
  if (file.valid()) ::unlink(path.c_str());
  return MakeStatus(FromErrno(error),
                    absl::StrCat(path, ": cannot be created with ", options.create_size,
                                 " bytes: ", std::strerror(error)));
}

absl::Status ReadFacts(const Environment& environment, const std::string& path,
                       const OpenOptions& options, OpenedFile& opened) {
  ZONAL_RETURN_IF_ERROR(CheckKind(path, opened.status));
  if (!S_ISBLK(opened.status.st_mode)) return absl::OkStatus();
  opened.facts = ReadBlockFacts(environment, opened.status.st_rdev);
  ZONAL_RETURN_IF_ERROR(CheckBlockDevice(path, *opened.facts, options));
  if (!Writes(options) || options.even_if_in_use) return absl::OkStatus();
  if (const auto user = WhoUses(environment, opened.status.st_rdev)) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": refused for writing: ", *user, "; stop that use first"));
  }
  return absl::OkStatus();
}

}  // namespace

std::string ExplainPermission(const struct stat& status, bool writing) {
  char mode[8];
  std::snprintf(mode, sizeof mode, "%04o", status.st_mode & 07777u);
  return absl::StrCat("permission denied: the node's mode is ", mode, ", owner ", status.st_uid,
                      ":", status.st_gid, ", and this process runs as ", ::geteuid(), ":",
                      ::getegid(), "; run it as root or as a member of the node's group",
                      writing ? " (a read-only open may be allowed)" : "");
}

absl::Status CheckBlockDevice(const std::string& path, const BlockFacts& facts,
                              const OpenOptions& options) {
  if (facts.model != ZoneModel::kHostManaged) return absl::OkStatus();
  if (facts.is_partition) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": is a partition of a host-managed zoned device; open the whole device"));
  }
  if (Writes(options) && !options.direct) {
    return absl::FailedPreconditionError(absl::StrCat(
        path,
        ": Using direct I/O is mandatory for writing to ZBD drives, because the page cache "
        "does not keep the order of writes; use direct=1"));
  }
  return absl::OkStatus();
}

absl::StatusOr<OpenedFile> OpenFile(const Environment& environment, const std::string& path,
                                    const OpenOptions& options) {
  OpenedFile opened;
  if (options.fd >= 0) {
    ZONAL_RETURN_IF_ERROR(CheckAdopted(path, options.fd, options));
    if (::fstat(options.fd, &opened.status) != 0) return OpenError(path, {}, options, errno);
    ZONAL_RETURN_IF_ERROR(ReadFacts(environment, path, options, opened));
    if (options.direct) ZONAL_RETURN_IF_ERROR(VerifyDirect(path, options.fd));
    opened.file = core::FileDescriptor(options.fd);
    return opened;
  }
  if (::stat(path.c_str(), &opened.status) != 0) {
    if (errno != ENOENT) return OpenError(path, opened.status, options, errno);
    ZONAL_RETURN_IF_ERROR(Create(path, options));
    if (::stat(path.c_str(), &opened.status) != 0) return OpenError(path, {}, options, errno);
  }
  ZONAL_RETURN_IF_ERROR(ReadFacts(environment, path, options, opened));
  const bool claim = opened.facts && Writes(options) && !options.even_if_in_use;
  const int flags = O_CLOEXEC | (Writes(options) ? O_RDWR : O_RDONLY) |
                    (options.direct ? O_DIRECT : 0) | (claim ? O_EXCL : 0);
  opened.file = core::FileDescriptor(OpenPatiently(path, flags));
  if (!opened.file.valid()) return OpenError(path, opened.status, options, errno);
  const dev_t expected = opened.status.st_rdev;
  if (::fstat(opened.file.get(), &opened.status) != 0 || opened.status.st_rdev != expected) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": changed while it was opened"));
  }
  if (options.direct) ZONAL_RETURN_IF_ERROR(VerifyDirect(path, opened.file.get()));
  return opened;
}

}  // namespace zonal::kernel
