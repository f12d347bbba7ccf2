// SPDX-License-Identifier: MIT
// Facts and users of block devices, read from a made-up /sys and /proc.
#include <sys/sysmacros.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "device/kernel/describe.h"
#include "device/kernel/open_file.h"
#include "device/kernel/sysfs.h"
#include "support/catch.h"

namespace zonal::kernel {
namespace {

namespace fs = std::filesystem;
using Attributes = std::initializer_list<std::pair<const char*, const char*>>;

// A sysfs tree with disks below devices/ and links in dev/block, as the kernel
// lays them out.
class FakeSystem {
 public:
  FakeSystem() {
    std::string name = (fs::temp_directory_path() / "zonal-sysfs-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root_ = name;
    fs::create_directories(root_ / "sys" / "dev" / "block");
    Write("proc/self/mountinfo", "20 1 254:0 / / rw - ext4 /dev/vda rw\n");
    Write("proc/swaps", "Filename Type Size Used Priority\n");
  }
  ~FakeSystem() { fs::remove_all(root_); }

  Environment environment() const {
    return {(root_ / "sys").string(), (root_ / "proc").string(), "6.1.0-test"};
  }
  // `path` below sys/devices, e.g. "sda" or "sda/sda1".
  void AddDisk(const std::string& path, const std::string& number, Attributes attributes) {
    const fs::path folder = root_ / "sys" / "devices" / path;
    fs::create_directories(folder);
    fs::create_directory_symlink(folder, root_ / "sys" / "dev" / "block" / number);
    Write("sys/devices/" + path + "/dev", number + "\n");
    for (const auto& [name, text] : attributes) {
      Write("sys/devices/" + path + "/" + name, std::string(text) + "\n");
    }
  }
  void Write(const fs::path& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << text;
  }
  void Link(const std::string& from, const std::string& to) {
    fs::create_directories((root_ / from).parent_path());
    fs::create_directory_symlink(root_ / to, root_ / from);
  }

 private:
  fs::path root_;
};

const dev_t kDisk = makedev(8, 0);

void AddSmrDisk(FakeSystem& system) {
  system.AddDisk("sda", "8:0",
                 {{"size", "262144"},
                  {"device/model", "SMR14TB  "},
                  {"device/wwid", "naa.5000"},
                  {"queue/zoned", "host-managed"},
                  {"queue/chunk_sectors", "8192"},
                  {"queue/nr_zones", "32"},
                  {"queue/max_open_zones", "6"},
                  {"queue/max_active_zones", "0"},
                  {"queue/logical_block_size", "512"},
                  {"queue/physical_block_size", "4096"},
                  {"queue/zone_write_granularity", "4096"},
                  {"queue/max_sectors_kb", "512"},
                  {"queue/rotational", "1"},
                  {"queue/scheduler", "none [mq-deadline] kyber"}});
}

}  // namespace

TEST_CASE("the facts of a host-managed disk come from its queue folder", "[kernel]") {
  FakeSystem system;
  AddSmrDisk(system);
  const BlockFacts facts = ReadBlockFacts(system.environment(), kDisk);
  CHECK(facts.name == "sda");
  CHECK(facts.identity == "SMR14TB naa.5000");
  CHECK(facts.model == ZoneModel::kHostManaged);
  CHECK_FALSE(facts.is_partition);
  CHECK(facts.size_bytes == 262144u * 512);
  CHECK(facts.zone_size == 4u << 20);
  CHECK(facts.zone_count == 32);
  CHECK(facts.block_size == 512);
  CHECK(facts.write_granularity == 4096);
  CHECK(facts.max_open == Limit::Of(6));
  CHECK(facts.max_active == Limit::Unknown());  // 0: none, or not known
  CHECK(facts.rotational);
  CHECK(facts.scheduler == "mq-deadline");
  CHECK(facts.scheduler_disk == "sda");
}

TEST_CASE("before zone_write_granularity the physical block is the unit of writes", "[kernel]") {
  FakeSystem system;
  system.AddDisk("sda", "8:0",
                 {{"queue/zoned", "host-managed"},
                  {"queue/logical_block_size", "512"},
                  {"queue/physical_block_size", "4096"}});
  CHECK(ReadBlockFacts(system.environment(), kDisk).write_granularity == 4096);
}

TEST_CASE("chunk_sectors of a disk without zones is no zone size", "[kernel]") {
  FakeSystem system;
  system.AddDisk("md0", "8:0", {{"queue/zoned", "none"}, {"queue/chunk_sectors", "1024"}});
  const BlockFacts facts = ReadBlockFacts(system.environment(), kDisk);
  CHECK(facts.model == ZoneModel::kNone);
  CHECK(facts.zone_size == 0);
  CHECK(facts.max_open == Limit::Unknown());
}

TEST_CASE("a device nobody knows has no zones and harmless defaults", "[kernel]") {
  const FakeSystem system;
  const BlockFacts facts = ReadBlockFacts(system.environment(), makedev(7, 7));
  CHECK(facts.model == ZoneModel::kNone);
  CHECK(facts.block_size == 512);
  CHECK_FALSE(WhoUses(system.environment(), makedev(7, 7)).has_value());
}

TEST_CASE("a host-aware disk on a kernel that hides its zones is recognised", "[kernel]") {
  FakeSystem system;
  system.AddDisk("sda", "8:0", {{"queue/zoned", "none"}});
  system.Write("sys/devices/sda/device/vpd_pgb1", std::string("\0\xB1\0\x3C\0\0\0\0\x10\0", 10));
  const BlockFacts facts = ReadBlockFacts(system.environment(), kDisk);
  CHECK(facts.host_aware_unseen);
  CHECK(WhyNotZoned("/dev/sda", facts).find("host-aware SMR disk") != std::string::npos);

  FakeSystem ordinary;
  ordinary.AddDisk("sda", "8:0", {{"queue/zoned", "none"}});
  ordinary.Write("sys/devices/sda/device/vpd_pgb1", std::string("\0\xB1\0\x3C\0\0\0\0\0\0", 10));
  const BlockFacts others = ReadBlockFacts(ordinary.environment(), kDisk);
  CHECK_FALSE(others.host_aware_unseen);
  CHECK(WhyNotZoned("/dev/sda", others).find("not a zoned block device") != std::string::npos);
}

TEST_CASE("one wrong scheduler below a stacked device is the stacked device's", "[kernel]") {
  FakeSystem system;
  system.AddDisk("dm-0", "8:0", {{"queue/zoned", "host-managed"}});
  system.AddDisk("sdb", "8:16", {{"queue/scheduler", "[mq-deadline] none"}});
  system.AddDisk("sdc", "8:32", {{"queue/scheduler", "mq-deadline [none]"}});
  system.Link("sys/devices/dm-0/slaves/sdb", "sys/devices/sdb");
  CHECK(ReadBlockFacts(system.environment(), kDisk).scheduler == "mq-deadline");
  system.Link("sys/devices/dm-0/slaves/sdc", "sys/devices/sdc");
  const BlockFacts facts = ReadBlockFacts(system.environment(), kDisk);
  CHECK(facts.scheduler == "none");
  CHECK(facts.scheduler_disk == "sdc");
}

TEST_CASE("the active scheduler is the one in brackets", "[kernel]") {
  CHECK(ActiveScheduler("none [mq-deadline] bfq") == "mq-deadline");
  CHECK(ActiveScheduler("[none]") == "none");
  CHECK(ActiveScheduler("none") == "none");
  CHECK(ActiveScheduler("") == "");
  CHECK(ActiveScheduler("]broken[") == "]broken[");
}

TEST_CASE("a partition takes its queue from the disk it is on", "[kernel]") {
  FakeSystem system;
  AddSmrDisk(system);
  system.AddDisk("sda/sda1", "8:1", {{"partition", "1"}, {"size", "2048"}});
  const BlockFacts facts = ReadBlockFacts(system.environment(), makedev(8, 1));
  CHECK(facts.is_partition);
  CHECK(facts.size_bytes == 1u << 20);
  CHECK(facts.model == ZoneModel::kHostManaged);
  CHECK(facts.write_granularity == 4096);
  const absl::Status status = CheckBlockDevice("/dev/sda1", facts, {});
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(status.message().find("whole device") != absl::string_view::npos);
}

TEST_CASE("host-managed devices are written with direct I/O only", "[kernel]") {
  FakeSystem system;
  AddSmrDisk(system);
  const BlockFacts facts = ReadBlockFacts(system.environment(), kDisk);
  OpenOptions options;
  options.direct = false;
  CHECK(CheckBlockDevice("/dev/sda", facts, options).ok());  // read only
  options.access = Access::kReadWrite;
  const absl::Status status = CheckBlockDevice("/dev/sda", facts, options);
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(status.message().find("direct=1") != absl::string_view::npos);
  options.direct = true;
  CHECK(CheckBlockDevice("/dev/sda", facts, options).ok());
}

TEST_CASE("a device in use is named with its user", "[kernel]") {
  struct Row {
    const char* name;
    const char* mountinfo;
    const char* holder;     // a folder below sys/devices, or null
    const char* partition;  // its number, or null
    const char* expected;   // null: nobody
  };
  const Row rows[] = {
      {"free", "20 1 254:0 / / rw - ext4 /dev/vda rw\n", nullptr, nullptr, nullptr},
      {"mounted", "21 1 8:0 / /mnt/data rw - f2fs /dev/sda rw\n", nullptr, nullptr,
       "/dev/sda is mounted on /mnt/data"},
      {"held", "", "sda/holders/dm-3", nullptr, "/dev/sda is held by dm-3"},
      {"partitioned", "", nullptr, "8:1", "it has partitions (/dev/sda1)"},
      {"partition mounted", "21 1 8:1 / /home rw - ext4 /dev/sda1 rw\n", nullptr, "8:1",
       "/dev/sda1 is mounted on /home"},
      {"partition held", "", "sda/sda1/holders/md0", "8:1", "/dev/sda1 is held by md0"},
      {"another with the same minor", "21 1 18:0 / /x rw - ext4 /dev/y rw\n", nullptr, nullptr,
       nullptr},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FakeSystem system;
    AddSmrDisk(system);
    system.Write("proc/self/mountinfo", row.mountinfo);
    if (row.partition != nullptr) {
      system.AddDisk("sda/sda1", row.partition, {{"partition", "1"}});
    }
    if (row.holder != nullptr) {
      system.Write(std::string("sys/devices/") + row.holder + "/dev", "253:3\n");
    }
    const auto user = WhoUses(system.environment(), kDisk);
    CHECK(user.has_value() == (row.expected != nullptr));
    if (user && row.expected != nullptr) CHECK(*user == row.expected);
  }
}

}  // namespace zonal::kernel
