// SPDX-License-Identifier: MIT
// The drive in a file, as its users see it.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "device/drive_file.h"
#include "device/emulated/file_drive.h"
#include "device/emulated/file_io.h"
#include "device/one_request.h"
#include "support/catch.h"
#include "support/queue_conformance.h"
#include "zonal/emulated.h"

namespace zonal {
namespace {

using test::Hand;
using test::SmallDrive;
using test::TempDir;

constexpr std::uint64_t kZone = 64 << 10;
constexpr std::uint64_t kCapacity = 48 << 10;

std::unique_ptr<Device> Open(const std::string& path, bool writable) {
  absl::StatusOr<std::unique_ptr<Device>> device =
      OpenEmulatedFile(path, writable, MonotonicClock());
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  return *std::move(device);
}

std::unique_ptr<Device> OpenAt(const std::string& path, bool writable, emulated::Uuid boot) {
  absl::StatusOr<emulated::File> file = emulated::OpenFile(path, writable);
  REQUIRE(file.ok());
  emulated::FileOpenOptions options;
  options.writable = writable;
  options.boot_id = boot;
  absl::StatusOr<std::unique_ptr<Device>> device =
      emulated::NewFileDevice(*std::move(file), options, MonotonicClock());
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  return *std::move(device);
}

bool Says(const absl::Status& status, const std::string& text) {
  return std::string(status.message()).find(text) != std::string::npos;
}

TEST_CASE("a drive's file keeps zones, bytes and counts; open zones come back closed", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  CHECK(IsEmulatedFile(path));
  std::string identity;
  {
    const auto device = Open(path, true);
    identity = device->info().identity;
    CHECK(device->info().spec == path);
    CHECK(device->info().is_emulated);
    CHECK(device->info().geometry.zone_count == 8);
    Hand hand(*device);
    CHECK(hand.Write(0, 8192, 'c').ok());  // conventional
    CHECK(hand.Write(2 * kZone, 8192, 'a').ok());
    CHECK(hand.Write(3 * kZone, kCapacity, 'b').ok());
    CHECK(hand.Manage(ZoneOp::kOpen, 4));
    CHECK(hand.Write(5 * kZone, 4096, 'd').ok());
    CHECK(hand.Manage(ZoneOp::kFinish, 5));
    CHECK(hand.Report(2).condition == ZoneCondition::kImplicitOpen);
  }
  {
    // Nobody has it open for writing: it is as it was left.
    const auto device = Open(path, false);
    Hand hand(*device);
    CHECK(hand.Report(2).condition == ZoneCondition::kImplicitOpen);
    CHECK(device->Counters()->writes == 4);
    CHECK(device->Counters()->open_high_water >= 2);
    CHECK(device->info().read_only);
    CHECK(hand.Read(2 * kZone, 8192) == std::string(8192, 'a'));
  }
  const auto device = Open(path, true);
  CHECK(device->info().identity == identity);
  Hand hand(*device);
  CHECK(hand.Report(2).condition == ZoneCondition::kClosed);
  CHECK(hand.Written(2) == 8192);
  CHECK(hand.Report(3).condition == ZoneCondition::kFull);
  CHECK(hand.Report(5).condition == ZoneCondition::kFull);
  CHECK(hand.Read(0, 8192) == std::string(8192, 'c'));
  CHECK(hand.Read(2 * kZone, 12288) == std::string(8192, 'a') + std::string(4096, '\0'));
  CHECK(hand.Read(5 * kZone, 8192) == std::string(4096, 'd') + std::string(4096, '\0'));
  CHECK(device->Counters()->writes == 4);           // counts go on
  CHECK(device->Counters()->open_high_water == 0);  // marks restart
}

TEST_CASE("a file drive's queue keeps the queue contract", "[file]") {
  const TempDir dir;
  EmulatedOptions options;
  options.zones = 4;
  options.zone_size = 4 << 20;
  for (const Durability durability : {Durability::kProcess, Durability::kHost}) {
    options.durability = durability;
    REQUIRE(CreateEmulatedFile(dir.Path("drive"), options, true).ok());
    const auto device = Open(dir.Path("drive"), true);
    test::CheckQueueConformance({*device, QueueKind::kDefault, 0, [&] {
                                   REQUIRE(device->Manage(ZoneOp::kReset, {ZoneId(0), 1}, {}).ok());
                                 }});
  }
}

TEST_CASE("a reader sees the drive live, and changes nothing", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  const auto writer = Open(path, true);
  const auto reader = Open(path, false);
  Hand writing(*writer);
  Hand reading(*reader);
  CHECK(writing.Write(2 * kZone, 8192, 'a').ok());
  CHECK(reading.Written(2) == 8192);
  CHECK(reading.Read(2 * kZone, 8192) == std::string(8192, 'a'));
  CHECK(reader->Counters()->writes == 1);
  CHECK(reader->Counters()->reads == 0);
  CHECK(reader->Counters()->open_high_water == 1);
  CHECK(reading.Write(3 * kZone, 4096, 'x').errc == Errc::kPermission);
  CHECK(absl::IsFailedPrecondition(
      reader->Manage(ZoneOp::kReset, {ZoneId(2), 1}, nanoseconds(0)).status()));
  CHECK(reader->Flush().ok());
  const absl::Status second = OpenEmulatedFile(path, true, MonotonicClock()).status();
  CHECK(absl::IsFailedPrecondition(second));
  CHECK(Says(second, "open for writing"));
}

TEST_CASE("a 15 TB SMR drive is made and opened in a moment and takes little disk", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("smr");
  const absl::StatusOr<EmulatedOptions> options = EmulatedPreset("smr-15tb");
  REQUIRE(options.ok());
  const auto start = std::chrono::steady_clock::now();
  const absl::Status created = CreateEmulatedFile(path, *options, false);
  if (absl::IsOutOfRange(created)) {
    WARN("skipped: " << created.message());
    return;
  }
  INFO(created.ToString());
  REQUIRE(created.ok());
  const auto device = Open(path, true);
  const auto took = std::chrono::steady_clock::now() - start;
  CHECK(device->info().geometry.zone_count == 55880);
  CHECK(device->info().geometry.size_bytes == 55880ull * (256 << 20));
  CHECK(took < std::chrono::seconds(1));
  CHECK(test::DiskBytes(path) < 8 << 20);
  Hand hand(*device);
  const std::uint64_t last = 55879ull * (256 << 20);
  CHECK(hand.Write(last, 512, 'z').ok());
  CHECK(hand.Read(last, 512) == std::string(512, 'z'));
}

// Until it goes: a file of this process may not grow beyond `bytes`.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uint64_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST_CASE("a drive larger than any file here is refused with that reason", "[file]") {
  const TempDir dir;
  const FileSizeLimit limit(1 << 20);
  const absl::Status status = CreateEmulatedFile(dir.Path("drive"), SmallDrive(), false);
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Says(status, "ulimit -f"));
  CHECK_FALSE(std::filesystem::exists(dir.Path("drive")));

  EmulatedOptions huge = SmallDrive();
  huge.zone_size = std::uint64_t{1} << 60;
  huge.zone_capacity = huge.zone_size;
  CHECK_FALSE(CreateEmulatedFile(dir.Path("drive"), huge, false).ok());
}

TEST_CASE("the process's file size limit is an error and no deadly signal", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  const pid_t child = fork();
  if (child == 0) {
    const FileSizeLimit limit(1 << 20);
    signal(SIGXFSZ, SIG_DFL);
    const bool made = CreateEmulatedFile(dir.Path("other"), SmallDrive(), false).ok();
    const absl::Status writes = OpenEmulatedFile(path, true, MonotonicClock()).status();
    const bool reads = OpenEmulatedFile(path, false, MonotonicClock()).ok();
    _exit((made ? 1 : 0) + (absl::IsFailedPrecondition(writes) ? 0 : 2) + (reads ? 0 : 4));
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a write the file system refuses is a media error, and moves no pointer", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  const auto device = Open(path, true);
  Hand hand(*device);
  CHECK(hand.Write(2 * kZone, 4096, 'a').ok());
  {
    const FileSizeLimit limit((1 << 20) + 2 * kZone + 4096);
    CHECK(hand.Write(2 * kZone + 4096, 4096, 'b').errc == Errc::kMediaError);
    CHECK(hand.Write(3 * kZone, 4096, 'b').errc == Errc::kMediaError);
  }
  CHECK(hand.Written(2) == 4096);
  CHECK(hand.Written(3) == 0);
  CHECK(hand.Write(2 * kZone + 4096, 4096, 'c').ok());
  CHECK(hand.Read(2 * kZone, 8192) == std::string(4096, 'a') + std::string(4096, 'c'));
}

TEST_CASE("creating does not overwrite, and replaces only what nobody writes", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  CHECK(absl::IsAlreadyExists(CreateEmulatedFile(path, SmallDrive(), false)));
  std::string first;
  {
    const auto device = Open(path, true);
    first = device->info().identity;
    CHECK(absl::IsFailedPrecondition(CreateEmulatedFile(path, SmallDrive(), true)));
  }
  CHECK(CreateEmulatedFile(path, SmallDrive(), true).ok());
  CHECK(Open(path, false)->info().identity != first);
  CHECK(absl::IsFailedPrecondition(CreateEmulatedFile(dir.Path("."), SmallDrive(), true)));
  CHECK(absl::IsNotFound(CreateEmulatedFile(dir.Path("no/where"), SmallDrive(), false)));
  EmulatedOptions impossible = SmallDrive();
  impossible.zones = 0;
  CHECK(absl::IsInvalidArgument(CreateEmulatedFile(dir.Path("x"), impossible, false)));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(dir.Path("."))) {
    ++files;
  }
  CHECK(files == 1);  // no temporary one is left
}

TEST_CASE("creating over a symbolic link makes the drive where the link leads", "[file]") {
  const TempDir dir;
  const std::string target = dir.Path("target");
  REQUIRE(CreateEmulatedFile(target, SmallDrive(), false).ok());
  const std::string first = Open(target, false)->info().identity;
  std::filesystem::create_symlink("target", dir.Path("link"));
  CHECK(absl::IsAlreadyExists(CreateEmulatedFile(dir.Path("link"), SmallDrive(), false)));
  REQUIRE(CreateEmulatedFile(dir.Path("link"), SmallDrive(), true).ok());
  CHECK(std::filesystem::is_symlink(dir.Path("link")));
  CHECK(Open(target, false)->info().identity != first);
}

// `create --force` used to look for a writer, let go and then put the new drive
// in place: who opened the old one in between wrote a file without a name.
TEST_CASE("a writer never has a drive that was replaced under it", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  std::atomic<bool> stop{false};
  std::size_t opened = 0;
  std::size_t nameless = 0;
  std::thread writer([&] {
    while (!stop.load()) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      const auto file = emulated::OpenLockedFile(path);
      if (!file.ok()) continue;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      struct stat status {};
      nameless += fstat(file->fd(), &status) != 0 || status.st_nlink == 0;
      ++opened;
    }
  });
  std::size_t replaced = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (replaced < 20 && std::chrono::steady_clock::now() < end) {
    replaced += CreateEmulatedFile(path, SmallDrive(), true).ok();
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  stop = true;
  writer.join();
  CHECK(opened > 0);
  CHECK(replaced > 0);
  CHECK(nameless == 0);
}

TEST_CASE("what is no drive's file is told apart", "[file]") {
  const TempDir dir;
  CHECK_FALSE(IsEmulatedFile(dir.Path("missing")));
  CHECK_FALSE(IsEmulatedFile(dir.Path(".")));
  CHECK_FALSE(IsEmulatedFile("/dev/null"));
  std::ofstream(dir.Path("text")) << "ZONAL is not a drive";
  CHECK_FALSE(IsEmulatedFile(dir.Path("text")));
  CHECK(absl::IsNotFound(OpenEmulatedFile(dir.Path("missing"), false, MonotonicClock()).status()));
  const absl::Status text = OpenEmulatedFile(dir.Path("text"), false, MonotonicClock()).status();
  CHECK(absl::IsInvalidArgument(text));
  CHECK(Says(text, "zonal create"));
  REQUIRE(CreateEmulatedFile(dir.Path("drive"), SmallDrive(), false).ok());
  test::FlipBit(dir.Path("drive"), 0, 1);
  CHECK(IsEmulatedFile(dir.Path("drive")));  // by its second header
}

TEST_CASE("a file without write permission opens for reading only", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(), false).ok());
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  std::filesystem::permissions(dir.Path("."), std::filesystem::perms(0755));
  const pid_t child = fork();
  if (child == 0) {
    // Root may write anything: be somebody else.
    if (geteuid() == 0 && setuid(65534) != 0) _exit(9);
    const bool reads = OpenEmulatedFile(path, false, MonotonicClock()).ok();
    const absl::Status writes = OpenEmulatedFile(path, true, MonotonicClock()).status();
    _exit((reads ? 0 : 1) + (absl::IsPermissionDenied(writes) ? 0 : 2));
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("read-only and offline zones, a short last zone and other blocks are kept", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  EmulatedOptions options = SmallDrive();
  options.block = 512;
  options.last_zone_size = 8192;
  options.read_only_zones = {2, 3};
  options.offline_zones = {5};
  REQUIRE(CreateEmulatedFile(path, options, false).ok());
  const auto device = Open(path, true);
  CHECK(device->info().geometry.size_bytes == 7 * kZone + 8192);
  Hand hand(*device);
  CHECK(hand.Report(2).condition == ZoneCondition::kReadOnly);
  CHECK(hand.Report(3).condition == ZoneCondition::kReadOnly);
  CHECK(hand.Report(5).condition == ZoneCondition::kOffline);
  CHECK(hand.Report(7).capacity == 8192);
  CHECK(hand.Write(7 * kZone, 512, 'l').ok());
  CHECK(hand.Write(2 * kZone, 512, 'l').errc == Errc::kZoneReadOnly);
}

TEST_CASE("a drive that discards its data is small and keeps its zones", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  EmulatedOptions options = SmallDrive();
  options.data = DataPolicy::kDiscard;
  REQUIRE(CreateEmulatedFile(path, options, false).ok());
  CHECK(std::filesystem::file_size(path) == 1 << 20);
  { CHECK(Hand(*Open(path, true)).queue().depth() == 8); }
  {
    const auto device = Open(path, true);
    Hand hand(*device);
    CHECK(hand.Write(2 * kZone, 8192, 'a').ok());
    CHECK(hand.Manage(ZoneOp::kReset, 2));
    CHECK(hand.Write(2 * kZone, 4096, 'a').ok());
  }
  CHECK(Hand(*Open(path, true)).Written(2) == 4096);
}

TEST_CASE("durability=host: a crash goes back to the last flush, bytes and all", "[file]") {
  const TempDir dir;
  const std::string path = dir.Path("drive");
  const std::string crashed = dir.Path("crashed");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(Durability::kHost), false).ok());
  const auto device = OpenAt(path, true, test::kBoot1);
  Hand hand(*device);
  CHECK(hand.Write(2 * kZone, 8192, 'a').ok());
  CHECK(hand.Flush().ok());
  CHECK(hand.Write(2 * kZone + 8192, 8192, 'b').ok());
  CHECK(hand.Write(3 * kZone, 4096, 'c', true).ok());  // fua: durable when it completes

  SECTION("unflushed writes are undone, fua is not") {
    // The fua write's flush took zone 2 along, as a flush does.
    CHECK(hand.Write(4 * kZone, 4096, 'd').ok());
    test::CopyFile(path, crashed);
    const auto after = OpenAt(crashed, true, test::kBoot2);
    Hand again(*after);
    CHECK(again.Written(2) == 16384);
    CHECK(again.Read(3 * kZone, 4096) == std::string(4096, 'c'));
    CHECK(again.Report(4).condition == ZoneCondition::kEmpty);
    CHECK(again.Write(4 * kZone, 4096, 'e').ok());
  }
  SECTION("a zone that was reset and written again never has its old pointer") {
    CHECK(hand.Manage(ZoneOp::kReset, 2));
    CHECK(hand.Write(2 * kZone, 4096, 'n').ok());
    test::CopyFile(path, crashed);
    const auto after = OpenAt(crashed, true, test::kBoot2);
    Hand again(*after);
    CHECK(again.Report(2).condition == ZoneCondition::kEmpty);
  }
  SECTION("the record is lowered before the bytes go, and by Poll, not by Submit") {
    CHECK(hand.Manage(ZoneOp::kReset, 2));
    const test::AlignedBuffer buffer(4096);
    std::memset(buffer.data(), 'n', buffer.size());
    IoRequest request;
    request.op = IoOp::kWrite;
    request.offset = 2 * kZone;
    request.bytes = buffer.size();
    request.buffer = buffer.data();
    REQUIRE(hand.queue().Submit({&request, 1}) == 1);
    test::CopyFile(path, crashed);
    {
      const auto before = OpenAt(crashed, false, test::kBoot2);
      Hand again(*before);
      CHECK(again.Written(2) == 16384);
      CHECK(again.Read(2 * kZone, 16384) == std::string(8192, 'a') + std::string(8192, 'b'));
    }
    Completion completion;
    REQUIRE(hand.queue().Poll({&completion, 1}, 1, std::chrono::seconds(10)) == 1);
    CHECK(completion.result.ok());
    CHECK(hand.Read(2 * kZone, 4096) == std::string(4096, 'n'));
    test::CopyFile(path, crashed);
    CHECK(Hand(*OpenAt(crashed, true, test::kBoot2)).Written(2) == 0);
  }
  SECTION("a zone opened and closed unwritten is still to be prepared after a kill") {
    CHECK(hand.Manage(ZoneOp::kReset, 2));
    CHECK(hand.Manage(ZoneOp::kOpen, 2));
    CHECK(hand.Manage(ZoneOp::kClose, 2));
    const std::string killed = dir.Path("killed");
    test::CopyFile(path, killed);
    const auto alive = OpenAt(killed, true, test::kBoot1);
    Hand again(*alive);
    REQUIRE(again.Report(2).condition == ZoneCondition::kClosed);
    CHECK(again.Write(2 * kZone, 4096, 'n').ok());
    test::CopyFile(killed, crashed);
    CHECK(Hand(*OpenAt(crashed, true, test::kBoot2)).Written(2) == 0);
  }
  SECTION("a zone that was reset and not flushed comes back whole") {
    CHECK(hand.Manage(ZoneOp::kReset, 2));
    test::CopyFile(path, crashed);
    const auto after = OpenAt(crashed, true, test::kBoot2);
    Hand again(*after);
    CHECK(again.Written(2) == 16384);
    CHECK(again.Read(2 * kZone, 16384) == std::string(8192, 'a') + std::string(8192, 'b'));
  }
}

TEST_CASE("reset zones give their disk space back at flush and close", "[file]") {
  for (const Durability durability : {Durability::kProcess, Durability::kHost}) {
    const TempDir dir;
    const std::string path = dir.Path("drive");
    REQUIRE(CreateEmulatedFile(path, SmallDrive(durability), false).ok());
    auto device = Open(path, true);
    const std::uint64_t empty = test::DiskBytes(path);
    {
      Hand hand(*device);
      for (std::uint32_t zone = 1; zone < 8; ++zone) {
        CHECK(hand.Write(zone * kZone, kCapacity, 'a').ok());
      }
      REQUIRE(device->Flush().ok());
      CHECK(test::DiskBytes(path) >= empty + 7 * kCapacity);
      for (const std::uint32_t zone : {1u, 2u, 3u, 4u}) CHECK(hand.Manage(ZoneOp::kReset, zone));
      CHECK(hand.Write(2 * kZone, 4096, 'b').ok());
      REQUIRE(device->Flush().ok());
      CHECK(hand.Read(2 * kZone, 4096) == std::string(4096, 'b'));
      CHECK(test::DiskBytes(path) <= empty + 5 * kCapacity);
      for (const std::uint32_t zone : {5u, 6u, 7u}) CHECK(hand.Manage(ZoneOp::kReset, zone));
    }
    device.reset();
    CHECK(test::DiskBytes(path) <= empty + 2 * kCapacity);
    const auto again = Open(path, true);
    CHECK(Hand(*again).Read(2 * kZone, 4096) == std::string(4096, 'b'));
  }
}

}  // namespace
}  // namespace zonal
