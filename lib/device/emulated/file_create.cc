// SPDX-License-Identifier: MIT
// Making the file of an emulated drive, and recognising one.
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "device/emulated/file_crc32c.h"
#include "device/emulated/file_facts.h"
#include "device/emulated/file_format.h"
#include "device/emulated/file_header.h"
#include "device/emulated/file_io.h"
#include "device/emulated/file_words.h"
#include "zonal/emulated.h"

namespace zonal {
namespace emulated {
namespace {

absl::StatusOr<Uuid> NewUuid() {
  Uuid uuid;
  if (getrandom(uuid.data(), uuid.size(), 0) != static_cast<ssize_t>(uuid.size())) {
    return absl::ErrnoToStatus(errno, "getrandom");
  }
  uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0F) | 0x40);  // RFC 4122: version 4, random
  uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3F) | 0x80);
  return uuid;
}

absl::Status SetLength(const File& file, std::uint64_t bytes) {
  ZONAL_RETURN_IF_ERROR(CheckFileSizeLimit(file.path(), bytes));
  if (ftruncate(file.fd(), static_cast<off_t>(bytes)) == 0) return absl::OkStatus();
  if (errno != EFBIG && errno != EINVAL) {
    return FileError(errno, file.path(), "setting the file's length");
  }
  return absl::OutOfRangeError(absl::StrCat(
      file.path(), ": the drive needs a file of ", bytes,
      " bytes, more than the largest file "
      "this file system allows; make a smaller drive, or use another file system (ext4 ends at "
      "16 TiB, XFS does not)"));
}

// Everything but the headers, which make the file a drive and come last.
absl::Status WriteRegions(const File& file, const FileLayout& layout,
                          const std::vector<std::byte>& facts, const EmulatedOptions& options) {
  ZONAL_RETURN_IF_ERROR(SetLength(file, layout.file_bytes()));
  ZONAL_RETURN_IF_ERROR(file.Allocate(0, layout.data));
  ZONAL_RETURN_IF_ERROR(file.Write(layout.facts, facts));
  ZONAL_RETURN_IF_ERROR(file.Write(layout.facts + layout.facts_bytes, facts));
  const std::vector<std::uint64_t> words = InitialWords(options);
  return file.Write(layout.table, std::as_bytes(std::span(words)));
}

absl::Status WriteDrive(const File& file, const EmulatedOptions& options) {
  const std::vector<FactsRun> runs = FactsOf(options);
  const std::vector<std::byte> facts = EncodeFacts(runs);
  FileHeader header;
  header.generation = 1;
  header.clean = true;
  ZONAL_ASSIGN_OR_RETURN(header.uuid, NewUuid());
  header.options = options;
  header.facts_runs = static_cast<std::uint32_t>(runs.size());
  header.facts_crc = Crc32c(facts);
  ZONAL_RETURN_IF_ERROR(WriteRegions(file, LayoutOf(options, header.facts_runs), facts, options));
  ZONAL_RETURN_IF_ERROR(file.DataSync());
  const Page page = EncodeHeader(header);
  ZONAL_RETURN_IF_ERROR(file.Write(0, page));
  ZONAL_RETURN_IF_ERROR(file.Write(kPageBytes, page));
  return file.DataSync();
}

// Makes the file at `path`, which must not exist; leaves none behind on failure.
absl::Status CreateAt(const std::string& path, const EmulatedOptions& options) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST) {
    return absl::AlreadyExistsError(absl::StrCat(path, ": exists already"));
  }
  if (fd < 0) return FileError(errno, path, "creating the drive's file");
  const File file(fd, path);
  const absl::Status status = WriteDrive(file, options);
  if (!status.ok()) unlink(path.c_str());
  return status;
}

// The file to be replaced, locked so that nobody begins to write it meanwhile;
// none if there is nothing at `path`. Refuses what is no regular file, and a
// drive that is in use.
absl::StatusOr<std::optional<File>> LockToReplace(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::optional<File>();
    return FileError(errno, path, "stat failed");
  }
  if (!S_ISREG(status.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": not a regular file; a drive is not created in its place"));
  }
  ZONAL_ASSIGN_OR_RETURN(File file, OpenLockedFile(path));
  return std::optional<File>(std::move(file));
}

// Beside the old one and over it at the end: a reader of the old drive keeps its
// file, and a failure keeps the old drive.
absl::Status Replace(const std::string& path, const EmulatedOptions& options) {
  ZONAL_ASSIGN_OR_RETURN(const std::optional<File> old, LockToReplace(path));
  const std::string temporary = absl::StrCat(path, ".new-", getpid());
  ZONAL_RETURN_IF_ERROR(CreateAt(temporary, options));
  if (rename(temporary.c_str(), path.c_str()) == 0) return absl::OkStatus();
  const absl::Status status = FileError(errno, path, "replacing the drive's file");
  unlink(temporary.c_str());
  return status;
}

// What a symbolic link leads to is what is replaced, not the link.
std::string Resolved(const std::string& path) {
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::canonical(path, error);
  return error ? path : resolved.string();
}

}  // namespace
}  // namespace emulated

absl::Status CreateEmulatedFile(const std::string& path, const EmulatedOptions& options,
                                bool replace) {
  ZONAL_RETURN_IF_ERROR(Validate(options));
  if (!emulated::FitsOffsets(options)) {
    return absl::OutOfRangeError(
        absl::StrCat(path, ": the drive is larger than any file can be; make it smaller"));
  }
  return replace ? emulated::Replace(emulated::Resolved(path), options)
                 : emulated::CreateAt(path, options);
}

bool IsEmulatedFile(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const absl::StatusOr<emulated::File> file = emulated::OpenFile(path, false);
  if (!file.ok()) return false;
  for (const std::uint64_t copy : {std::uint64_t{0}, emulated::kPageBytes}) {
    std::array<std::byte, 8> magic{};
    if (file->Read(copy, magic).ok() && emulated::HasMagic(magic)) return true;
  }
  return false;
}

}  // namespace zonal
