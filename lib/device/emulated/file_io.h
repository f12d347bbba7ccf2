// SPDX-License-Identifier: MIT
// The few system calls a drive's file needs, with their errors named: whole
// reads and writes, a shared mapping, the writer's lock.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace zonal::emulated {

// An open file; closes it. `path` is for messages.
class File {
 public:
  File(int fd, std::string path) noexcept : fd_(fd), path_(std::move(path)) {}
  File(File&& other) noexcept;
  File& operator=(File&&) = delete;
  ~File();

  int fd() const noexcept { return fd_; }
  const std::string& path() const noexcept { return path_; }

  // OutOfRange if the file ends before.
  absl::Status Read(std::uint64_t offset, std::span<std::byte> out) const;
  absl::Status Write(std::uint64_t offset, std::span<const std::byte> bytes) const;
  absl::Status DataSync() const;
  absl::StatusOr<std::uint64_t> Size() const;
  // Gives the range disk blocks, so that a mapped store never meets a full disk.
  absl::Status Allocate(std::uint64_t offset, std::uint64_t bytes) const;
  // FailedPrecondition if another opener, of this process or another, has it.
  // Readers take no lock. Gone with the descriptor, so with the process.
  absl::Status LockForWriting() const;

 private:
  int fd_;
  std::string path_;
};

// NotFound, PermissionDenied, ... as errno says; the message names the path.
absl::StatusOr<File> OpenFile(const std::string& path, bool writable);
// For writing, with the writer's lock, and still at `path` once that is held: a
// drive made in its place meanwhile would leave the caller a file without name.
absl::StatusOr<File> OpenLockedFile(const std::string& path);

// FailedPrecondition if the process may not have a file of so many bytes (ulimit
// -f): writing past that limit is a deadly signal, not an error.
absl::Status CheckFileSizeLimit(const std::string& path, std::uint64_t bytes);

// An absl::Status for errno `error`: "PATH: WHAT: strerror".
absl::Status FileError(int error, const std::string& path, const char* what);

// Transfers every byte of `data` at `offset`. Returns 0 or an errno; a file that
// ends early gives EIO (read). Up to 16 iovecs (io_queue.h). No allocation.
int WriteVectors(int fd, std::uint64_t offset, std::span<const iovec> data) noexcept;
int ReadVectors(int fd, std::uint64_t offset, std::span<const iovec> data) noexcept;

// Pages of a file, shared with whoever else maps them.
class SharedMapping {
 public:
  static absl::StatusOr<SharedMapping> Map(const File& file, std::uint64_t offset,
                                           std::uint64_t bytes, bool writable);
  SharedMapping() noexcept = default;
  SharedMapping(SharedMapping&& other) noexcept { *this = std::move(other); }
  SharedMapping& operator=(SharedMapping&& other) noexcept;
  ~SharedMapping();

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace zonal::emulated
