// SPDX-License-Identifier: MIT
// Opening plain files as devices: facts, refusals, adopted descriptors.
#include "device/kernel/kernel_device.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "device/kernel/describe.h"
#include "support/catch.h"
#include "zonal/libzbd.h"

namespace zonal {
namespace {

namespace fs = std::filesystem;

class TempFolder {
 public:
  explicit TempFolder(const fs::path& parent = fs::current_path()) {
    std::string name = (parent / "zonal-device-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() { fs::remove_all(path_); }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

OpenOptions Writable(std::uint64_t create_size = 0) {
  OpenOptions options;
  options.access = Access::kReadWrite;
  options.create_size = create_size;
  return options;
}

bool Contains(const absl::Status& status, const char* text) {
  return status.message().find(text) != absl::string_view::npos;
}

}  // namespace

TEST_CASE("a plain file is a device without zones", "[kernel]") {
  const TempFolder folder;
  auto device = OpenKernelDevice(folder.file("a"), Writable(1 << 20));
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  const DeviceInfo& info = (*device)->info();
  CHECK(info.backend == "file");
  CHECK(info.model == ZoneModel::kNone);
  CHECK_FALSE(info.geometry.is_zoned());
  CHECK(info.geometry.size_bytes == 1u << 20);
  CHECK(info.geometry.block_size >= 512);
  CHECK(info.geometry.block_size <= 4096);
  CHECK(info.direct_io);
  CHECK_FALSE(info.read_only);
  CHECK_FALSE(info.kernel.empty());
  CHECK(info.block_device_number == 0);
  Zone zone;
  CHECK(absl::IsUnimplemented((*device)->Report(ZoneId(0), std::span(&zone, 1)).status()));
  CHECK(absl::IsUnimplemented(
      (*device)->Manage(ZoneOp::kReset, {ZoneId(0), 1}, nanoseconds(0)).status()));
}

TEST_CASE("a file is created once, and never by a reader", "[kernel]") {
  const TempFolder folder;
  OpenOptions reading;
  reading.create_size = 4096;
  CHECK(absl::IsNotFound(OpenKernelDevice(folder.file("a"), reading).status()));
  CHECK(absl::IsNotFound(OpenKernelDevice(folder.file("a"), Writable()).status()));
  REQUIRE(OpenKernelDevice(folder.file("a"), Writable(8192)).ok());
  auto again = OpenKernelDevice(folder.file("a"), Writable(1 << 20));
  REQUIRE(again.ok());
  CHECK((*again)->info().geometry.size_bytes == 8192);
}

TEST_CASE("what is no block device and no file is refused by name", "[kernel]") {
  CHECK(absl::IsInvalidArgument(OpenKernelDevice("/dev/null", {}).status()));
  CHECK(Contains(OpenKernelDevice("/dev/null", {}).status(), "character node"));
  CHECK(absl::IsInvalidArgument(OpenKernelDevice("/tmp", {}).status()));
}

TEST_CASE("an adopted descriptor is closed by the device, and kept on refusal", "[kernel]") {
  const TempFolder folder;
  const std::string path = folder.file("a");
  REQUIRE(OpenKernelDevice(path, Writable(4096)).ok());
  OpenOptions options = Writable();
  options.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const absl::Status refused = OpenKernelDevice(path, options).status();
  CHECK(absl::IsPermissionDenied(refused));
  CHECK(Contains(refused, "descriptor handed over is not open for reading and writing"));
  CHECK(::fcntl(options.fd, F_GETFD) >= 0);
  options.access = Access::kReadOnly;
  {
    auto device = OpenKernelDevice(path, options);
    REQUIRE(device.ok());
    CHECK((::fcntl(options.fd, F_GETFL) & O_DIRECT) != 0);
  }
  CHECK(::fcntl(options.fd, F_GETFD) < 0);
  options.fd = 999'999;
  CHECK(absl::IsInvalidArgument(OpenKernelDevice(path, options).status()));
}

TEST_CASE("permission errors name the node's mode and who asks", "[kernel]") {
  struct stat status {};
  status.st_mode = S_IFBLK | 0660;
  status.st_uid = 0;
  status.st_gid = 6;
  const std::string text = kernel::ExplainPermission(status, true);
  CHECK(text.find("0660") != std::string::npos);
  CHECK(text.find("owner 0:6") != std::string::npos);
  CHECK(text.find(std::to_string(::geteuid())) != std::string::npos);
}

TEST_CASE("two sources that disagree about the zones make the device unusable", "[kernel]") {
  kernel::OpenedFile opened;
  opened.facts.emplace();
  opened.facts->model = ZoneModel::kHostManaged;
  opened.facts->zone_size = 2 << 20;
  opened.facts->zone_count = 4;
  std::uint32_t sectors = 4096;
  // BLKGETSIZE64, BLKGETZONESZ and BLKGETNRZONES by the size of their answers.
  const kernel::Ioctl ioctl = [&sectors](unsigned long request, void* argument) {
    if (request >> 16 == 0x8008) *static_cast<std::uint64_t*>(argument) = 8 << 20;
    if (request == 0x80041284) *static_cast<std::uint32_t*>(argument) = sectors;
    if (request == 0x80041285) *static_cast<std::uint32_t*>(argument) = 4;
    return 0;
  };
  const kernel::Environment environment{"/nowhere", "/nowhere", "6.1.0"};
  auto info = kernel::Describe(environment, "/dev/x", Writable(), opened, ioctl);
  REQUIRE(info.ok());
  CHECK(info->geometry.zone_count == 4);
  CHECK(info->geometry.zone_size == 2u << 20);
  CHECK(info->geometry.size_bytes == 8u << 20);
  CHECK(info->model == ZoneModel::kHostManaged);
  // However little the device takes at once, the kernel sends more in pieces. Cut here,
  // blocks of 256 KiB became others that left a tail in each zone (suite 15, 24, 37).
  CHECK(info->geometry.max_transfer >= (1u << 30));
  sectors = 2048;
  info = kernel::Describe(environment, "/dev/x", Writable(), opened, ioctl);
  CHECK(ErrcOf(info.status()) == Errc::kDeviceMisbehaved);
}

TEST_CASE("libzbd refuses what is not zoned, or was not built in", "[kernel]") {
  const TempFolder folder;
  REQUIRE(OpenKernelDevice(folder.file("a"), Writable(4096)).ok());
  CHECK_FALSE(ReportWithLibzbd(folder.file("a")).ok());
  CHECK_FALSE(InfoWithLibzbd(folder.file("none")).ok());
}

}  // namespace zonal
