// SPDX-License-Identifier: MIT
#include "device/emulated/file_io.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace zonal::emulated {
namespace {

constexpr std::size_t kMaxVectors = 16;

// Runs preadv or pwritev until nothing is left, going on after short transfers.
template <typename Transfer>
int TransferAll(Transfer transfer, std::uint64_t offset, std::span<const iovec> data) noexcept {
  std::array<iovec, kMaxVectors> copy;
  while (!data.empty()) {
    const std::size_t count = std::min(data.size(), copy.size());
    std::copy_n(data.begin(), count, copy.begin());
    std::span<iovec> rest(copy.data(), count);
    while (!rest.empty()) {
      if (rest.front().iov_len == 0) {
        rest = rest.subspan(1);
        continue;
      }
      const ssize_t done =
          transfer(rest.data(), static_cast<int>(rest.size()), static_cast<off_t>(offset));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return errno;
      if (done == 0) return EIO;
      offset += static_cast<std::uint64_t>(done);
      std::size_t left = static_cast<std::size_t>(done);
      while (left > 0) {
        iovec& front = rest.front();
        const std::size_t step = std::min(left, front.iov_len);
        front.iov_base = static_cast<std::byte*>(front.iov_base) + step;
        front.iov_len -= step;
        left -= step;
        if (front.iov_len == 0) rest = rest.subspan(1);
      }
    }
    data = data.subspan(count);
  }
  return 0;
}

}  // namespace

absl::Status FileError(int error, const std::string& path, const char* what) {
  return absl::ErrnoToStatus(error, absl::StrCat(path, ": ", what));
}

int WriteVectors(int fd, std::uint64_t offset, std::span<const iovec> data) noexcept {
  return TransferAll(
      [fd](const iovec* v, int n, off_t at) noexcept { return pwritev(fd, v, n, at); }, offset,
      data);
}

int ReadVectors(int fd, std::uint64_t offset, std::span<const iovec> data) noexcept {
  return TransferAll(
      [fd](const iovec* v, int n, off_t at) noexcept { return preadv(fd, v, n, at); }, offset,
      data);
}

File::File(File&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

File::~File() {
  if (fd_ >= 0) close(fd_);
}

absl::Status File::Read(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got =
        pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError(errno, path_, "reading failed");
    if (got == 0) return absl::OutOfRangeError(absl::StrCat(path_, ": the file is too short"));
    done += static_cast<std::size_t>(got);
  }
  return absl::OkStatus();
}

absl::Status File::Write(std::uint64_t offset, std::span<const std::byte> bytes) const {
  const iovec vector{const_cast<std::byte*>(bytes.data()), bytes.size()};
  const int error = WriteVectors(fd_, offset, std::span(&vector, 1));
  return error == 0 ? absl::OkStatus() : FileError(error, path_, "writing failed");
}

absl::Status File::DataSync() const {
  return fdatasync(fd_) == 0 ? absl::OkStatus() : FileError(errno, path_, "fdatasync failed");
}

absl::StatusOr<std::uint64_t> File::Size() const {
  struct stat status {};
  if (fstat(fd_, &status) != 0) return FileError(errno, path_, "stat failed");
  return static_cast<std::uint64_t>(status.st_size);
}

absl::Status File::Allocate(std::uint64_t offset, std::uint64_t bytes) const {
  const int error = posix_fallocate(fd_, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  return error == 0 ? absl::OkStatus()
                    : FileError(error, path_, "allocating space for the zone table failed");
}

absl::Status File::LockForWriting() const {
  // An open file description lock: it belongs to this open, not to the process,
  // so two opens in one process exclude each other too.
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0;
  lock.l_len = 1;
  if (fcntl(fd_, F_OFD_SETLK, &lock) == 0) return absl::OkStatus();
  if (errno == EAGAIN || errno == EACCES) {
    return absl::FailedPreconditionError(
        absl::StrCat(path_,
                     ": another process or open has this emulated drive open for writing; close it "
                     "first, or open the drive read-only"));
  }
  return FileError(errno, path_, "locking failed");
}

absl::StatusOr<File> OpenFile(const std::string& path, bool writable) {
  const int fd = open(path.c_str(), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (fd < 0) return FileError(errno, path, writable ? "opening for writing" : "opening");
  return File(fd, path);
}

absl::StatusOr<File> OpenLockedFile(const std::string& path) {
  for (;;) {
    ZONAL_ASSIGN_OR_RETURN(File file, OpenFile(path, true));
    ZONAL_RETURN_IF_ERROR(file.LockForWriting());
    struct stat opened {
    }, named{};
    if (fstat(file.fd(), &opened) != 0) return FileError(errno, path, "stat failed");
    if (stat(path.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
        named.st_ino == opened.st_ino) {
      return file;
    }
  }
}

absl::Status CheckFileSizeLimit(const std::string& path, std::uint64_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      bytes <= limit.rlim_cur) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      path, ": the drive's file has ", bytes, " bytes, and this process may write files of ",
      std::uint64_t{limit.rlim_cur}, " bytes at most; raise the limit (ulimit -f)"));
}

absl::StatusOr<SharedMapping> SharedMapping::Map(const File& file, std::uint64_t offset,
                                                 std::uint64_t bytes, bool writable) {
  void* at = mmap(nullptr, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
                  file.fd(), static_cast<off_t>(offset));
  if (at == MAP_FAILED) return FileError(errno, file.path(), "mapping failed");
  SharedMapping mapping;
  mapping.data_ = static_cast<std::byte*>(at);
  mapping.size_ = bytes;
  return mapping;
}

SharedMapping& SharedMapping::operator=(SharedMapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedMapping::~SharedMapping() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace zonal::emulated
