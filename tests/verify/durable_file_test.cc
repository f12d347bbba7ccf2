// SPDX-License-Identifier: MIT
// A state outlives the host: what it is made of is synced in the right order. The
// program's own fsync and rename stand in front of the C library's and keep notes.
#include "verify/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/catch.h"
#include "verify/state_file.h"

namespace {

std::vector<std::string> calls;
int sync_error = 0;  // what the next sync comes to

std::string KindOf(int fd) {
  struct stat facts {};
  if (fstat(fd, &facts) != 0) return "nothing";
  if (S_ISDIR(facts.st_mode)) return "directory";
  return "file of " + std::to_string(facts.st_size);
}

}  // namespace

extern "C" int fsync(int fd) {
  calls.push_back("sync " + KindOf(fd));
  if (sync_error != 0) {
    errno = sync_error;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fsync, fd));
}

extern "C" int rename(const char* from, const char* to) noexcept {
  calls.push_back("rename");
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace zonal::verify {
namespace {

using Calls = std::vector<std::string>;

class Directory {
 public:
  Directory() {
    path_ = std::filesystem::temp_directory_path() / ("zonal-durable-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
    calls.clear();
    sync_error = 0;
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST_CASE("a file is synced before it takes its name, and its directory after", "[verify]") {
  const Directory directory;
  const std::string path = directory.file("state");
  for (const std::string& text : {std::string("one"), std::string(100'000, 'x')}) {
    calls.clear();
    CHECK(ReplaceFile(path, text).ok());
    CHECK(calls ==
          Calls{"sync file of " + std::to_string(text.size()), "rename", "sync directory"});
    CHECK(TextOf(path) == text);
    CHECK_FALSE(std::filesystem::exists(path + ".new"));
  }
}

TEST_CASE("a file that could not be synced does not take its name", "[verify]") {
  const Directory directory;
  const std::string path = directory.file("state");
  REQUIRE(ReplaceFile(path, "old").ok());
  calls.clear();
  sync_error = EIO;
  const absl::Status status = ReplaceFile(path, "new");
  CHECK(status.code() == absl::StatusCode::kUnavailable);
  CHECK(status.message().find("cannot be synced") != std::string::npos);
  CHECK(calls == Calls{"sync file of 3"});
  CHECK(TextOf(path) == "old");
}

TEST_CASE("a state is saved durably, and says so when it cannot be", "[verify]") {
  const Directory directory;
  State state;
  state.run_id = 0xA1B2;
  state.checksum = Checksum::kCrc32c;
  const std::string path = directory.file("state");
  REQUIRE(SaveState(path, state).ok());
  CHECK(calls.size() == 3);
  CHECK(calls.back() == "sync directory");
  const auto loaded = LoadState(path);
  REQUIRE(loaded.ok());
  CHECK(*loaded == state);
  const absl::Status status = SaveState(directory.file("no/state"), state);
  CHECK(status.message().find("verify state ") == 0);
  CHECK(status.message().find("cannot be written") != std::string::npos);
}

TEST_CASE("a file in the working directory has that directory synced", "[verify]") {
  const Directory directory;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory.file(""));
  const absl::Status status = ReplaceFile("state", "text");
  std::filesystem::current_path(before);
  CHECK(status.ok());
  CHECK(calls == Calls{"sync file of 4", "rename", "sync directory"});
}

}  // namespace
}  // namespace zonal::verify
