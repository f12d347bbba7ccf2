// SPDX-License-Identifier: MIT
#include "device/kernel/sysfs.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"

namespace zonal::kernel {
namespace {

namespace fs = std::filesystem;

// The first line, without blanks around it; empty if there is no such file.
std::string ReadLine(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(" \t") - first + 1);
}

template <typename Number>
std::optional<Number> ReadNumber(const fs::path& path) {
  const std::string text = ReadLine(path);
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// The names in a folder, sorted; none if it cannot be read.
std::vector<std::string> Names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string NumberOf(dev_t device) { return absl::StrCat(major(device), ":", minor(device)); }

// The device's folder under its bus; /sys/dev/block/M:N links to it.
fs::path FolderOf(const Environment& environment, dev_t device) {
  const fs::path link = fs::path(environment.sysfs) / "dev" / "block" / NumberOf(device);
  std::error_code error;
  const fs::path folder = fs::canonical(link, error);
  return error ? link : folder;
}

ZoneModel ParseModel(const std::string& text) {
  if (text == "host-managed") return ZoneModel::kHostManaged;
  if (text == "host-aware") return ZoneModel::kHostAware;
  return ZoneModel::kNone;
}

// sysfs prints 0 for "no limit" and "not known" alike.
Limit ReadLimit(const fs::path& path) {
  const std::optional<std::uint32_t> count = ReadNumber<std::uint32_t>(path);
  return count && *count > 0 ? Limit::Of(*count) : Limit::Unknown();
}

struct SchedulerOfDisk {
  std::string scheduler, disk;
};
SchedulerOfDisk ReadScheduler(const fs::path& folder) {
  SchedulerOfDisk result;
  for (const std::string& member : Names(folder / "slaves")) {
    result = ReadScheduler(folder / "slaves" / member);
    if (result.scheduler != "mq-deadline") return result;
  }
  if (!result.scheduler.empty()) return result;
  return {ActiveScheduler(ReadLine(folder / "queue" / "scheduler")), folder.filename().string()};
}

std::string ReadIdentity(const fs::path& folder) {
  std::string identity = ReadLine(folder / "device" / "model");
  for (const char* name : {"serial", "wwid"}) {
    const std::string unique = ReadLine(folder / "device" / name);
    if (!unique.empty()) return identity.empty() ? unique : identity.append(" ").append(unique);
  }
  return identity;
}

// Block device characteristics VPD page, ZONED field: 1 is host-aware (SBC-4).
bool SaysHostAware(const fs::path& folder) {
  std::ifstream file(folder / "device" / "vpd_pgb1", std::ios::binary);
  char page[9] = {};
  file.read(page, sizeof page);
  return file.gcount() == sizeof page && (static_cast<unsigned char>(page[8]) >> 4 & 3) == 1;
}

// Mount points in mountinfo are escaped (\040 is a blank): good enough to show.
std::optional<std::string> MountOf(const Environment& environment, const std::string& number) {
  std::ifstream file(fs::path(environment.proc) / "self" / "mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, root, mount_point;
    fields >> id >> parent >> device >> root >> mount_point;
    if (device == number) return mount_point;
  }
  return std::nullopt;
}

bool IsSwap(const Environment& environment, dev_t device) {
  std::ifstream file(fs::path(environment.proc) / "swaps");
  for (std::string line; std::getline(file, line);) {
    struct stat status {};
    const std::string path = line.substr(0, line.find_first_of(" \t"));
    if (::stat(path.c_str(), &status) == 0 && S_ISBLK(status.st_mode) && status.st_rdev == device) {
      return true;
    }
  }
  return false;
}

// Uses of a device itself, its partitions apart.
std::optional<std::string> DirectUse(const Environment& environment, const fs::path& folder) {
  const std::string name = "/dev/" + folder.filename().string();
  const std::string number = ReadLine(folder / "dev");
  if (const auto mount_point = MountOf(environment, number)) {
    return absl::StrCat(name, " is mounted on ", *mount_point);
  }
  const std::vector<std::string> holders = Names(folder / "holders");
  if (!holders.empty()) return absl::StrCat(name, " is held by ", holders.front());
  return std::nullopt;
}

}  // namespace

std::string ActiveScheduler(const std::string& line) {
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return line;
  return line.substr(open + 1, close - open - 1);
}

BlockFacts ReadBlockFacts(const Environment& environment, dev_t device) {
  const fs::path folder = FolderOf(environment, device);
  BlockFacts facts;
  facts.name = folder.filename().string();
  facts.is_partition = Exists(folder / "partition");
  // A partition has no queue of its own.
  const fs::path disk = facts.is_partition ? folder.parent_path() : folder;
  const fs::path queue = disk / "queue";
  facts.identity = ReadIdentity(disk);
  facts.size_bytes = ReadNumber<std::uint64_t>(folder / "size").value_or(0) * 512;
  facts.block_size = ReadNumber<std::uint32_t>(queue / "logical_block_size").value_or(512);
  facts.rotational = ReadLine(queue / "rotational") == "1";
  SchedulerOfDisk scheduler = ReadScheduler(disk);
  facts.scheduler = std::move(scheduler.scheduler);
  facts.scheduler_disk = std::move(scheduler.disk);
  facts.model = ParseModel(ReadLine(queue / "zoned"));
  facts.write_granularity = facts.block_size;
  if (facts.model == ZoneModel::kNone) {
    facts.host_aware_unseen = SaysHostAware(disk);
    return facts;
  }
  facts.zone_size = ReadNumber<std::uint64_t>(queue / "chunk_sectors").value_or(0) * 512;
  facts.zone_count = ReadNumber<std::uint32_t>(queue / "nr_zones").value_or(0);
  facts.max_open = ReadLimit(queue / "max_open_zones");
  facts.max_active = ReadLimit(queue / "max_active_zones");
  // Sequential zones are written in physical blocks (ZBC); kernels before 5.12
  // do not say so in zone_write_granularity.
  facts.write_granularity =
      ReadNumber<std::uint32_t>(queue / "zone_write_granularity")
          .value_or(
              ReadNumber<std::uint32_t>(queue / "physical_block_size").value_or(facts.block_size));
  if (facts.write_granularity < facts.block_size) facts.write_granularity = facts.block_size;
  return facts;
}

std::optional<std::string> WhoUses(const Environment& environment, dev_t device) {
  const fs::path folder = FolderOf(environment, device);
  if (auto use = DirectUse(environment, folder)) return use;
  if (IsSwap(environment, device)) {
    return absl::StrCat("/dev/", folder.filename().string(), " is swap space");
  }
  std::optional<std::string> partition;
  for (const std::string& name : Names(folder)) {
    if (!Exists(folder / name / "partition")) continue;
    if (auto use = DirectUse(environment, folder / name)) return use;
    if (!partition) partition = absl::StrCat("it has partitions (/dev/", name, ")");
  }
  return partition;
}

}  // namespace zonal::kernel
