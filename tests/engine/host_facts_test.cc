// SPDX-License-Identifier: MIT
// The block layer's counts, read from a made-up /sys.
#include "engine/host_facts.h"

#include <sys/sysmacros.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/catch.h"

using namespace zonal;
using namespace zonal::engine;

namespace {

namespace fs = std::filesystem;

class FakeSysfs {
 public:
  FakeSysfs() {
    std::string name = (fs::temp_directory_path() / "zonal-stat-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root_ = name;
    fs::create_directories(root_ / "dev" / "block" / "8:16");
  }
  ~FakeSysfs() { fs::remove_all(root_); }

  std::optional<DiskUse> Read(const std::string& stat) const {
    std::ofstream(root_ / "dev" / "block" / "8:16" / "stat") << stat;
    return CountsOfDisk(makedev(8, 16), root_.string());
  }

 private:
  fs::path root_;
};

}  // namespace

TEST_CASE("a disk's counts are the fields of its stat file", "[engine]") {
  const FakeSysfs sysfs;
  // Seventeen fields since 5.5, eleven before 4.18.
  const std::string fields = "    1    2    3    4    5    6    7    8    9   10   11";
  for (const char* more : {"\n", "   12   13   14   15   16   17\n"}) {
    const std::optional<DiskUse> use = sysfs.Read(fields + more);
    REQUIRE(use);
    CHECK(*use == DiskUse{1, 2, 3, 4, 5, 6, 7, 8, 10, 11});
  }
}

TEST_CASE("a disk without counts has none", "[engine]") {
  const FakeSysfs sysfs;
  CHECK_FALSE(sysfs.Read("1 2 3 4 5\n"));
  CHECK_FALSE(sysfs.Read(""));
  CHECK_FALSE(CountsOfDisk(makedev(8, 16), "/nonexistent"));
  CHECK_FALSE(CountsOfDisk(0));
  CHECK_FALSE(Between(DiskUse{}, std::nullopt));
  CHECK_FALSE(Between(std::nullopt, DiskUse{}));
}

TEST_CASE("a run's use is what was counted meanwhile, over the wrap of the times", "[engine]") {
  const DiskUse before{10, 20, 30, 4294967290, 50, 60, 70, 80, 4294967295, 100};
  const DiskUse after{11, 22, 33, 4, 55, 66, 77, 88, 0, 110};
  CHECK(*Between(before, after) == DiskUse{1, 2, 3, 10, 5, 6, 7, 8, 1, 10});
}
