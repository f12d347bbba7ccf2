// SPDX-License-Identifier: MIT
// What the tests of a drive's file share: a temporary directory, small drives,
// and fingers in the file's bytes.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <span>
#include <string>

#include "device/emulated/file_drive.h"
#include "zonal/emulated.h"

namespace zonal::test {

class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "zonal-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::uint64_t SeedFromEnvironment() {
  const char* text = std::getenv("ZONAL_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 0) : std::random_device{}();
}

// 8 zones of 64 KiB, capacity 48 KiB, the first conventional.
inline EmulatedOptions SmallDrive(Durability durability = Durability::kProcess) {
  EmulatedOptions options;
  options.zones = 8;
  options.zone_size = 64 << 10;
  options.zone_capacity = 48 << 10;
  options.conventional = 1;
  options.max_open = Limit::Of(4);
  options.max_active = Limit::Of(6);
  options.durability = durability;
  return options;
}

inline constexpr emulated::Uuid kBoot1{1, 1, 1};
inline constexpr emulated::Uuid kBoot2{2, 2, 2};

inline absl::StatusOr<std::shared_ptr<emulated::FileDrive>> OpenDrive(const std::string& path,
                                                                      bool writable,
                                                                      emulated::Uuid boot) {
  absl::StatusOr<emulated::File> file = emulated::OpenFile(path, writable);
  if (!file.ok()) return file.status();
  emulated::FileOpenOptions options;
  options.writable = writable;
  options.boot_id = boot;
  return emulated::FileDrive::Open(*std::move(file), options);
}

inline std::string ReadAll(const std::string& path, std::uint64_t offset, std::size_t bytes) {
  std::string text(bytes, '\0');
  const int fd = open(path.c_str(), O_RDONLY);
  const ssize_t got = pread(fd, text.data(), bytes, static_cast<off_t>(offset));
  close(fd);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

inline void WriteAt(const std::string& path, std::uint64_t offset, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY);
  const ssize_t put = pwrite(fd, text.data(), text.size(), static_cast<off_t>(offset));
  static_cast<void>(put);
  close(fd);
}

inline void FlipBit(const std::string& path, std::uint64_t byte, unsigned bit) {
  std::string text = ReadAll(path, byte, 1);
  text[0] = static_cast<char>(static_cast<unsigned char>(text[0]) ^ (1u << bit));
  WriteAt(path, byte, text);
}

// What the file takes on disk.
inline std::uint64_t DiskBytes(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return 0;
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

// The file as a host that crashed now and lost nothing would find it: a copy,
// with the writer still at work on the original.
inline void CopyFile(const std::string& from, const std::string& to) {
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
}

}  // namespace zonal::test
