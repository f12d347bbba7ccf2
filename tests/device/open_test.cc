// SPDX-License-Identifier: MIT
#include "zonal/open.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "device/drive_file.h"
#include "device/emulated/file_format.h"
#include "device/emulated/file_io.h"
#include "device/one_request.h"
#include "device/open_devices.h"
#include "support/catch.h"
#include "zonal/emulated.h"
#include "zonal/forwarding.h"

namespace zonal {
namespace {

using test::SmallDrive;
using test::TempDir;

OpenOptions With(Access access, std::optional<ZoneOverlay> overlay = std::nullopt) {
  OpenOptions options;
  options.access = access;
  options.direct = false;
  options.overlay = overlay;
  return options;
}

std::shared_ptr<Device> MustOpen(const std::string& spec, const OpenOptions& options) {
  absl::StatusOr<std::shared_ptr<Device>> device = Open(spec, options);
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  return *std::move(device);
}

bool Says(const absl::Status& status, const std::string& text) {
  return std::string(status.message()).find(text) != std::string::npos;
}

TEST_CASE("emu,... is a drive in memory, another one each time", "[open]") {
  const std::string spec = "emu,zones=4,zone_size=1MiB";
  const auto one = MustOpen(spec, With(Access::kReadWrite));
  const auto two = MustOpen(spec, With(Access::kReadWrite));
  CHECK(one != two);
  CHECK(one->info().geometry.zone_count == 4);
  CHECK(absl::IsInvalidArgument(Open("emu,zone=4", With(Access::kReadWrite)).status()));
  OpenOptions adopting = With(Access::kReadWrite);
  adopting.fd = 0;
  CHECK(absl::IsInvalidArgument(Open(spec, adopting).status()));
  CHECK(absl::IsInvalidArgument(
      Open(spec, With(Access::kReadWrite, ZoneOverlay{1 << 20, 0})).status()));
  CHECK(absl::IsInvalidArgument(Open("", With(Access::kReadOnly)).status()));
}

TEST_CASE("a drive's file is recognised by its header", "[open]") {
  const TempDir dir;
  REQUIRE(CreateEmulatedFile(dir.Path("drive"), SmallDrive(), false).ok());
  {
    const auto device = MustOpen(dir.Path("drive"), With(Access::kReadWrite));
    CHECK(device->info().is_emulated);
    CHECK(device->info().backend == "emulated");
    CHECK(device->info().geometry.zone_count == 8);
  }
  CHECK(absl::IsInvalidArgument(
      Open(dir.Path("drive"), With(Access::kReadWrite, ZoneOverlay{1 << 20, 0})).status()));
}

TEST_CASE("a plain file has no zones until some are laid over it", "[open]") {
  const TempDir dir;
  CHECK(absl::IsNotFound(Open(dir.Path("plain"), With(Access::kReadOnly)).status()));
  OpenOptions creating = With(Access::kReadWrite, ZoneOverlay{1 << 20, 512 << 10});
  creating.create_size = 4 << 20;
  {
    const auto zoned = MustOpen(dir.Path("plain"), creating);
    CHECK(zoned->info().geometry.zone_count == 4);
    CHECK(zoned->info().backend == "zones laid over file");
    // It did not exist before, and is known nevertheless.
    CHECK(MustOpen(dir.Path("plain"), creating) == zoned);
    const absl::Status other = Open(dir.Path("plain"), With(Access::kReadWrite)).status();
    CHECK(absl::IsFailedPrecondition(other));
    CHECK(Says(other, "zones laid over it"));
  }
  CHECK_FALSE(MustOpen(dir.Path("plain"), With(Access::kReadWrite))->info().geometry.is_zoned());
}

TEST_CASE("opens of one device share one Device, by whatever name", "[open]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  REQUIRE(link(path.c_str(), dir.Path("hard").c_str()) == 0);
  REQUIRE(symlink("drive", dir.Path("soft").c_str()) == 0);
  auto device = MustOpen(path, With(Access::kReadWrite));
  CHECK(MustOpen(dir.Path("hard"), With(Access::kReadWrite)) == device);
  CHECK(MustOpen(dir.Path("soft"), With(Access::kReadWrite)) == device);
  const absl::Status reader = Open(path, With(Access::kReadOnly)).status();
  CHECK(absl::IsFailedPrecondition(reader));
  CHECK(Says(reader, "for writing"));
  device.reset();
  device = MustOpen(path, With(Access::kReadOnly));
  CHECK(MustOpen(path, With(Access::kReadOnly)) == device);
  CHECK(absl::IsFailedPrecondition(Open(path, With(Access::kReadWrite)).status()));
}

// A device whose destruction takes until the gate opens.
struct Gate {
  std::atomic<bool> entered{false};
  std::atomic<bool> open{false};
};
class SlowToClose final : public ForwardingDevice {
 public:
  explicit SlowToClose(Gate& gate)
      : ForwardingDevice(*Open("emu,zones=1,zone_size=1MiB", {})), gate_(gate) {}
  ~SlowToClose() override {
    gate_.entered = true;
    gate_.entered.notify_all();
    gate_.open.wait(false);
  }

 private:
  Gate& gate_;
};

TEST_CASE("an open waits while another thread closes the device, and only that open", "[open]") {
  const TempDir dir;
  for (const char* name : {"one", "two"}) std::ofstream(dir.Path(name)) << 'x';
  Gate gate;
  Gate at_once;
  at_once.open = true;
  const OpenOptions options = With(Access::kReadWrite);
  const auto share = [&](const char* name, Gate& with, nanoseconds patience) {
    return OpenShared(
        dir.Path(name), name, options,
        [&]() -> absl::StatusOr<std::shared_ptr<Device>> {
          return std::make_shared<SlowToClose>(with);
        },
        patience);
  };
  constexpr std::chrono::seconds kLong{60};
  std::shared_ptr<Device> device = *share("one", gate, kLong);
  std::thread closer([&] { device.reset(); });
  gate.entered.wait(false);
  CHECK(share("two", at_once, kLong).ok());  // another device is not held up
  const absl::Status refused = share("one", at_once, std::chrono::milliseconds(20)).status();
  CHECK(absl::IsFailedPrecondition(refused));
  CHECK(Says(refused, "still closing"));
  std::atomic<bool> opened{false};
  absl::Status status;
  std::thread opener([&] {
    status = share("one", at_once, kLong).status();
    opened = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_FALSE(opened);
  gate.open = true;
  gate.open.notify_all();
  closer.join();
  opener.join();
  CHECK(status.ok());
}

TEST_CASE("threads that open, share and drop one drive are never refused", "[open][threads]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  constexpr std::size_t kThreads = 3;
  std::vector<absl::Status> refusals(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 100 && refusals[i].ok(); ++round) {
        refusals[i] = Open(path, With(Access::kReadWrite)).status();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& refusal : refusals) CHECK(refusal.ToString() == "OK");
}

TEST_CASE("a descriptor is adopted on success and left alone on failure", "[open]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  const auto is_open = [](int fd) { return fcntl(fd, F_GETFD) >= 0; };
  OpenOptions options = With(Access::kReadWrite);
  options.fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  const int adopted = options.fd;
  auto device = MustOpen(path, options);
  CHECK(device->info().spec == path);
  CHECK(test::Hand(*device).Write(64 << 10, 4096, 'a').ok());

  // Known already: shared, and the second descriptor is not needed.
  options.fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  const int second = options.fd;
  CHECK(MustOpen(path, options) == device);
  CHECK_FALSE(is_open(second));
  device.reset();
  CHECK_FALSE(is_open(adopted));

  test::FlipBit(path, 80, 1);
  test::FlipBit(path, 4096 + 80, 1);
  options.fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  CHECK(absl::IsDataLoss(Open(path, options).status()));
  CHECK(is_open(options.fd));
  close(options.fd);
}

std::size_t OpenDescriptors() {
  const auto entries = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

// Opens, uses every kind of queue, and lets go; or fails.
void UseOnce(const std::string& spec, const OpenOptions& options) {
  const auto device = Open(spec, options);
  if (!device.ok()) return;
  for (const QueueKind kind : {QueueKind::kIoUring, QueueKind::kLibaio, QueueKind::kSync}) {
    test::Hand hand(**device, kind);
    static_cast<void>(hand.Read(0, 4096));
  }
}

TEST_CASE("no descriptor is left behind, whether opening works or not", "[open]") {
  const TempDir dir;
  for (const char* name : {"drive", "locked", "damaged"}) {
    REQUIRE(CreateEmulatedFile(dir.Path(name), SmallDrive(), false).ok());
  }
  const auto lock = emulated::OpenLockedFile(dir.Path("locked"));
  REQUIRE(lock.ok());
  for (const std::uint64_t copy : {std::uint64_t{0}, emulated::kPageBytes}) {
    test::FlipBit(dir.Path("damaged"), copy + 80, 1);
  }
  const std::size_t before = OpenDescriptors();
  for (int round = 0; round < 20; ++round) {
    for (const char* name : {"drive", "locked", "damaged", "missing", "."}) {
      UseOnce(dir.Path(name), With(Access::kReadOnly));
      UseOnce(dir.Path(name), With(Access::kReadWrite));
      static_cast<void>(CreateEmulatedFile(dir.Path(name), SmallDrive(), false));
      static_cast<void>(IsEmulatedFile(dir.Path(name)));
    }
    static_cast<void>(CreateEmulatedFile(dir.Path("locked"), SmallDrive(), true));
    REQUIRE(unlink(dir.Path("missing").c_str()) == 0);
    OpenOptions plain = With(Access::kReadWrite, ZoneOverlay{1 << 20, 0});
    plain.create_size = 4 << 20;
    UseOnce(dir.Path("plain"), plain);
    plain.overlay->zone_size = 8 << 20;  // larger than the file
    UseOnce(dir.Path("plain"), plain);
  }
  CHECK(OpenDescriptors() == before);
}

}  // namespace
}  // namespace zonal
