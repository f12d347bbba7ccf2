// SPDX-License-Identifier: MIT
// Zones laid over a plain file, through the file's own queues.
#include <unistd.h>

#include <array>
#include <string>

#include "device/drive_file.h"
#include "device/kernel/kernel_device.h"
#include "device/one_request.h"
#include "support/catch.h"
#include "support/queue_conformance.h"
#include "zonal/emulated.h"

namespace zonal {
namespace {

using test::Hand;
using test::TempDir;

constexpr std::uint64_t kZone = 1 << 20;

std::shared_ptr<Device> PlainFile(const TempDir& dir, std::uint64_t bytes,
                                  Access access = Access::kReadWrite) {
  OpenOptions options;
  options.access = access;
  options.create_size = bytes;
  options.direct = false;  // the temporary directory may be a tmpfs
  absl::StatusOr<std::unique_ptr<Device>> device = OpenKernelDevice(dir.Path("plain"), options);
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  return *std::move(device);
}

std::unique_ptr<Device> Lay(std::shared_ptr<Device> under, std::uint64_t size,
                            std::uint64_t capacity) {
  auto device = NewZonedOverlay(std::move(under), size, capacity, MonotonicClock());
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  return *std::move(device);
}

TEST_CASE("zones over a file follow the rules, and the bytes are the file's", "[overlay]") {
  const TempDir dir;
  const auto device = Lay(PlainFile(dir, 4 * kZone), kZone, kZone / 2);
  const DeviceInfo& info = device->info();
  CHECK(info.spec == dir.Path("plain"));
  CHECK(info.backend == "zones laid over file");
  CHECK(info.model == ZoneModel::kHostManaged);
  CHECK(info.geometry.zone_count == 4);
  CHECK(info.max_open.is_unlimited());
  CHECK(info.max_active.is_unlimited());
  CHECK_FALSE(info.direct_io);

  Hand hand(*device);
  for (std::uint32_t zone = 0; zone < 4; ++zone) {
    CHECK(hand.Report(zone).condition == ZoneCondition::kEmpty);
    CHECK(hand.Report(zone).capacity == kZone / 2);
  }
  CHECK(hand.Write(2 * kZone, 8192, 'a').ok());
  CHECK(hand.Write(2 * kZone, 4096, 'x').errc == Errc::kNotAtWritePointer);
  CHECK(hand.Write(2 * kZone + 8192, 4096, 'b').ok());
  CHECK(hand.Written(2) == 12288);
  CHECK(hand.Read(2 * kZone, 16384) ==
        std::string(8192, 'a') + std::string(4096, 'b') + std::string(4096, '\0'));
  CHECK(hand.Flush().ok());
  CHECK(device->Flush().ok());
  CHECK(test::ReadAll(dir.Path("plain"), 2 * kZone, 12288) ==
        std::string(8192, 'a') + std::string(4096, 'b'));

  CHECK(hand.Manage(ZoneOp::kReset, 2));
  CHECK(hand.Written(2) == 0);
  // A reset is ours alone: the file keeps its bytes until they are written again,
  // and reads above the pointer are reads of the file.
  CHECK(hand.Read(2 * kZone, 8192) == std::string(8192, 'a'));
  CHECK(test::ReadAll(dir.Path("plain"), 2 * kZone, 4096) == std::string(4096, 'a'));
  CHECK(hand.Write(2 * kZone, 4096, 'c').ok());
  CHECK(hand.Read(2 * kZone, 8192) == std::string(4096, 'c') + std::string(4096, 'a'));
}

TEST_CASE("the queue under the zones is of the kind asked for, by its own name", "[overlay]") {
  const TempDir dir;
  const auto device = Lay(PlainFile(dir, 4 * kZone), kZone, 0);
  struct Row {
    QueueKind kind;
    const char* name;
  };
  for (const Row& row : {Row{QueueKind::kSync, "psync"}, Row{QueueKind::kLibaio, "libaio"},
                         Row{QueueKind::kIoUring, "io_uring"}}) {
    CAPTURE(row.name);
    QueueOptions options;
    options.kind = row.kind;
    if (!device->NewQueue(options).ok()) {
      WARN("skipped: no " << row.name << " here");
      continue;
    }
    CHECK(Hand(*device, row.kind).queue().name() == row.name);
    test::CheckQueueConformance({*device, row.kind, 0, [&] {
                                   REQUIRE(device->Manage(ZoneOp::kReset, {ZoneId(0), 4}, {}).ok());
                                 }});
  }
}

TEST_CASE("many writes of one zone in flight land in order over an asynchronous queue",
          "[overlay]") {
  const TempDir dir;
  const auto device = Lay(PlainFile(dir, 4 * kZone), kZone, 0);
  QueueOptions options;
  options.depth = 32;
  const auto queue = *device->NewQueue(options);
  constexpr std::size_t kWrites = 256;
  std::vector<test::AlignedBuffer> buffers;
  for (std::size_t i = 0; i < kWrites; ++i) {
    buffers.emplace_back(4096);
    std::memset(buffers.back().data(), static_cast<int>(i), 4096);
  }
  std::size_t submitted = 0, done = 0, failed = 0;
  while (done < kWrites) {
    while (submitted < kWrites) {
      IoRequest request;
      request.op = IoOp::kWrite;
      request.offset = kZone + submitted * 4096;
      request.bytes = 4096;
      request.buffer = buffers[submitted].data();
      if (queue->Submit(std::span(&request, 1)) == 0) break;
      ++submitted;
    }
    std::array<Completion, 16> out;
    const std::size_t count = queue->Poll(out, 1, std::chrono::seconds(10));
    REQUIRE(count > 0);
    for (std::size_t i = 0; i < count; ++i) failed += out[i].result.ok() ? 0 : 1;
    done += count;
  }
  CHECK(failed == 0);
  Hand hand(*device);
  CHECK(hand.Report(1).condition == ZoneCondition::kFull);
  for (std::size_t i = 0; i < kWrites; i += 37) {
    CHECK(hand.Read(kZone + i * 4096, 4096) == std::string(4096, static_cast<char>(i)));
  }
}

TEST_CASE("bytes after the last whole zone are a short last zone that can be written",
          "[overlay]") {
  const TempDir dir;
  const auto under = PlainFile(dir, 2 * kZone + 12288 + 100);
  const std::uint32_t block = under->info().geometry.block_size;
  const auto device = Lay(under, kZone, 0);
  CHECK(device->info().geometry.zone_count == 3);
  const std::uint64_t last = device->info().geometry.size_bytes - 2 * kZone;
  CHECK(last == (12288 + 100) / block * block);
  Hand hand(*device);
  CHECK(hand.Report(2).size == last);
  CHECK(hand.Report(2).capacity == last);
  CHECK(hand.Write(2 * kZone, last, 'l').ok());
  CHECK(hand.Report(2).condition == ZoneCondition::kFull);
  CHECK(hand.Read(2 * kZone, last) == std::string(last, 'l'));
}

TEST_CASE("sizes that make no zones are refused with the reason", "[overlay]") {
  const TempDir dir;
  const auto under = PlainFile(dir, 4 * kZone);
  struct Row {
    std::uint64_t size, capacity;
    const char* says;
  };
  const Row rows[] = {
      {0, 0, "need a zone size"},
      {256, 0, "below 512"},
      {kZone, 2 * kZone, "capacity"},
      {kZone + 100, 0, "multiples of the device's block"},
      {kZone, 4196, "multiples of the device's block"},
      {8 * kZone, 0, "larger than the device"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.size, row.capacity);
    const absl::Status status =
        NewZonedOverlay(under, row.size, row.capacity, MonotonicClock()).status();
    CHECK(absl::IsInvalidArgument(status));
    CHECK(std::string(status.message()).find(row.says) != std::string::npos);
  }
  const std::shared_ptr<Device> zoned = Lay(under, kZone, 0);
  CHECK(absl::IsInvalidArgument(NewZonedOverlay(zoned, kZone, 0, MonotonicClock()).status()));
}

TEST_CASE("a failing device under the zones is a media error, and moves no pointer", "[overlay]") {
  const TempDir dir;
  const auto device = Lay(PlainFile(dir, 4 * kZone), kZone, 0);
  Hand hand(*device);
  CHECK(hand.Write(kZone, 4096, 'a').ok());
  REQUIRE(truncate(dir.Path("plain").c_str(), 0) == 0);  // reads now end early
  const test::AlignedBuffer buffer(4096);
  IoRequest request;
  request.offset = kZone;
  request.bytes = buffer.size();
  request.buffer = buffer.data();
  CHECK(test::RunOne(hand.queue(), request).errc == Errc::kMediaError);
}

}  // namespace
}  // namespace zonal
