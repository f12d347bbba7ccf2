// SPDX-License-Identifier: MIT
// Who may open a real device, and what a refusal says.
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>

#include "core/file_descriptor.h"
#include "device/kernel_suite_support.h"
#include "support/catch.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;

bool Contains(const absl::Status& status, const std::string& text) {
  INFO(status.ToString());
  return status.message().find(text) != absl::string_view::npos;
}

void Run(const std::string& command) {
  CAPTURE(command);
  REQUIRE(std::system(command.c_str()) == 0);
}

}  // namespace

TEST_CASE("one writer at a time, readers always", "[zoned][ordinary]") {
  auto writer = OpenSuite();
  const absl::Status second = TryOpen(Access::kReadWrite).status();
  CHECK(absl::IsFailedPrecondition(second));
  CHECK(Contains(second, "has claimed it"));
  CHECK(TryOpen(Access::kReadOnly).ok());
  CHECK(TryOpen(Access::kReadWrite, true, true).ok());
  writer.reset();
  CHECK(TryOpen(Access::kReadWrite).ok());
}

TEST_CASE("a queue's file is free again soon after the queue was used", "[zoned][ordinary]") {
  for (int round = 0; round < 5; ++round) {
    auto device = OpenSuite();
    auto queue = SuiteQueue(*device, QueueKind::kIoUring, 8);
    std::array<Completion, 1> done;
    IoRequest flush;
    flush.op = IoOp::kFlush;
    REQUIRE(queue->Submit(std::span(&flush, 1)) == 1);
    REQUIRE(queue->Poll(done, 1, 10s) == 1);
  }
}

TEST_CASE("a user without rights is told which are missing", "[zoned][ordinary]") {
  REQUIRE(::geteuid() == 0);
  REQUIRE(::seteuid(65534) == 0);
  const absl::Status status = TryOpen(Access::kReadOnly).status();
  REQUIRE(::seteuid(0) == 0);
  CHECK(absl::IsPermissionDenied(status));
  CHECK(Contains(status, "the node's mode is 0"));
  CHECK(Contains(status, "runs as 65534"));
}

TEST_CASE("a host-managed device is not written through the page cache", "[zoned]") {
  if (OpenSuite(Access::kReadOnly)->info().model != ZoneModel::kHostManaged) return;
  const absl::Status status = TryOpen(Access::kReadWrite, false).status();
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Contains(status, "direct=1"));
  CHECK(TryOpen(Access::kReadOnly, false).ok());
}

TEST_CASE("an ordinary block device says why it has no zones", "[ordinary]") {
  auto device = OpenSuite(Access::kReadOnly);
  CHECK(device->info().backend == "block device");
  CHECK(device->info().model == ZoneModel::kNone);
  Zone zone;
  const absl::Status status = device->Report(ZoneId(0), std::span(&zone, 1)).status();
  CHECK(absl::IsUnimplemented(status));
  CHECK(Contains(status, "host-aware"));  // whichever of the two texts it is
}

TEST_CASE("a mounted device is not written", "[ordinary]") {
  const std::string folder = "/run/zonal-suite-mount";
  // The ring of the test before may have the device for a moment still.
  Run("for i in 1 2 3 4 5; do mkfs.ext4 -q -F " + SuiteDevice() + " && break; sleep 0.2; done");
  Run("mkdir -p " + folder + " && mount " + SuiteDevice() + " " + folder);
  const absl::Status status = TryOpen(Access::kReadWrite).status();
  const bool reads = TryOpen(Access::kReadOnly).ok();
  const bool insists = TryOpen(Access::kReadWrite, true, true).ok();
  Run("umount " + folder);
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Contains(status, "is mounted on " + folder));
  CHECK(reads);
  CHECK(insists);
  CHECK(TryOpen(Access::kReadWrite).ok());
}

TEST_CASE("a partitioned device is not written", "[ordinary]") {
  // As the kernel sees it after `sfdisk`, without leaving anything on the disk.
  const auto partition = [](int operation) {
    blkpg_partition where{};
    where.start = 1 << 20;
    where.length = 1 << 20;
    where.pno = 1;
    blkpg_ioctl_arg argument{operation, 0, sizeof where, &where};
    const core::FileDescriptor disk(::open(SuiteDevice().c_str(), O_RDWR | O_CLOEXEC));
    return ::ioctl(disk.get(), BLKPG, &argument);
  };
  REQUIRE(partition(BLKPG_ADD_PARTITION) == 0);
  const absl::Status status = TryOpen(Access::kReadWrite).status();
  const bool reads = TryOpen(Access::kReadOnly).ok();
  REQUIRE(partition(BLKPG_DEL_PARTITION) == 0);
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Contains(status, "it has partitions"));
  CHECK(reads);
  CHECK(TryOpen(Access::kReadWrite).ok());
}

}  // namespace zonal::test
