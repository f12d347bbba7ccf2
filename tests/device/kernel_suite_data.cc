// SPDX-License-Identifier: MIT
// Data on a real device: written in zones with as many writes in flight as the
// ordering table allows, read back, and counted by the kernel itself.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "device/kernel_suite_support.h"
#include "support/aligned_buffer.h"
#include "support/catch.h"
#include "support/queue_conformance.h"

namespace zonal::test {
namespace {

using namespace std::chrono_literals;

constexpr std::array kKinds = {QueueKind::kIoUring, QueueKind::kLibaio, QueueKind::kSync};
constexpr std::uint64_t kPiece = 64 * 1024;
constexpr std::uint32_t kPiecesPerZone = 24;  // 1.5 MiB
constexpr std::uint32_t kZones = 8;

struct Sectors {
  std::uint64_t read = 0, written = 0;
};
// Documentation/block/stat: fields 3 and 7 are sectors of 512 bytes.
Sectors KernelCount() {
  std::istringstream fields(SuiteSysfs("stat"));
  std::array<std::uint64_t, 7> values{};
  for (std::uint64_t& value : values) fields >> value;
  return {values[2], values[6]};
}

// Every piece says where it belongs and who wrote it.
void Stamp(std::span<std::byte> piece, std::uint64_t offset, std::uint64_t round) {
  for (std::size_t at = 0; at < piece.size(); at += 512) {
    const std::uint64_t words[2] = {offset + at, round};
    std::memset(&piece[at], static_cast<int>(round & 0xFF), 512);
    std::memcpy(&piece[at], words, sizeof words);
  }
}

struct Target {
  std::uint64_t start = 0;
  std::uint32_t submitted = 0, in_flight = 0;
};

// Moves all pieces of all targets through the queue, in order within each, at
// most `per_target` (0: any number) of one in flight. `memory` has a place per
// piece. Returns how many failed.
std::uint32_t Transfer(IoQueue& queue, IoOp op, std::vector<Target> targets,
                       std::uint32_t per_target, std::span<std::byte> memory,
                       std::uint32_t& most_of_one) {
  std::uint32_t failed = 0;
  std::size_t left = targets.size() * kPiecesPerZone;
  std::array<Completion, 64> done;
  const auto place = [&](std::size_t target, std::uint32_t piece) {
    return memory.subspan((target * kPiecesPerZone + piece) * kPiece, kPiece);
  };
  const auto submit_next = [&](std::size_t i) {
    Target& target = targets[i];
    if (target.submitted == kPiecesPerZone) return false;
    if (per_target != 0 && target.in_flight >= per_target) return false;
    IoRequest request;
    request.op = op;
    request.offset = target.start + target.submitted * kPiece;
    request.bytes = kPiece;
    request.buffer = place(i, target.submitted).data();
    request.user_data = i;
    if (queue.Submit(std::span(&request, 1)) == 0) return false;
    ++target.submitted;
    most_of_one = std::max(most_of_one, ++target.in_flight);
    return true;
  };
  while (left > 0) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      while (submit_next(i)) {
      }
    }
    const std::size_t count = queue.Poll(done, 1, 30s);
    if (count == 0) return failed + 1;  // hangs
    for (const Completion& completion : std::span(done).first(count)) {
      --targets[completion.user_data].in_flight;
      if (!completion.result.ok() || completion.result.bytes != kPiece) ++failed;
      --left;
    }
  }
  return failed;
}

std::vector<Target> Targets(Device& device, std::uint32_t zones) {
  std::vector<Target> targets(zones);
  const std::uint32_t first = FirstSequential(device).value();
  for (std::uint32_t i = 0; i < zones; ++i) {
    targets[i].start = device.info().geometry.StartOf(ZoneId(first + i));
  }
  return targets;
}

// Writes, reads and compares at one depth; the kernel must have moved exactly
// these bytes. Returns the most writes of one zone that were in flight.
std::uint32_t WriteReadVerify(Device& device, QueueKind kind, std::uint32_t depth,
                              std::uint32_t zones) {
  CAPTURE(ToString(kind), depth, zones);
  ResetAll(device);
  auto queue = SuiteQueue(device, kind, depth);
  const std::vector<Target> targets = Targets(device, zones);
  const std::uint64_t bytes = zones * kPiecesPerZone * kPiece;
  AlignedBuffer written(bytes);
  AlignedBuffer read(bytes);
  for (std::uint64_t at = 0; at < bytes; at += kPiece) {
    const std::uint64_t zone = at / (kPiecesPerZone * kPiece);
    Stamp(written.span().subspan(at, kPiece), targets[zone].start + at % (kPiecesPerZone * kPiece),
          depth * 16 + static_cast<std::uint64_t>(kind));
  }
  std::memset(read.data(), 0, bytes);
  const Sectors before = KernelCount();
  std::uint32_t most = 0, most_reads = 0;
  CHECK(Transfer(*queue, IoOp::kWrite, targets, queue->features().write_depth_per_zone,
                 written.span(), most) == 0);
  CHECK(Transfer(*queue, IoOp::kRead, targets, 0, read.span(), most_reads) == 0);
  const Sectors after = KernelCount();
  CHECK(after.written - before.written == bytes / 512);
  CHECK(after.read - before.read == bytes / 512);
  CHECK(std::memcmp(written.data(), read.data(), bytes) == 0);
  for (const Target& target : targets) {
    const Zone zone = ReportOne(device, device.info().geometry.ZoneOf(target.start));
    CHECK(zone.write_pointer == target.start + kPiecesPerZone * kPiece);
  }
  CHECK(most_reads == std::min(queue->depth(), kPiecesPerZone));
  CHECK(queue->Close(10s).ok());
  return most;
}

}  // namespace

TEST_CASE("what is written through each queue is read back and counted", "[zoned]") {
  auto device = OpenSuite();
  const std::uint32_t zones = WritableZones(*device, kZones);
  for (const QueueKind kind : kKinds) {
    for (const std::uint32_t depth : {1u, 32u}) WriteReadVerify(*device, kind, depth, zones);
  }
  ResetAll(*device);
}

TEST_CASE("libaio writes one zone as deeply as the ordering table allows", "[zoned]") {
  auto device = OpenSuite();
  auto queue = SuiteQueue(*device, QueueKind::kLibaio, 32);
  const std::uint32_t allowed = queue->features().write_depth_per_zone;
  queue.reset();
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    const std::uint32_t most = WriteReadVerify(*device, QueueKind::kLibaio, 32, 1);
    CHECK(most == (allowed == 0 ? kPiecesPerZone : allowed));
  }
  ResetAll(*device);
}

TEST_CASE("before 6.10 another scheduler than mq-deadline means one write per zone", "[zoned]") {
  const std::string schedulers = SuiteSysfs("queue/scheduler");
  const std::size_t open = schedulers.find('[');
  if (open == std::string::npos || schedulers.find("none") == std::string::npos) return;
  const std::string active = schedulers.substr(open + 1, schedulers.find(']') - open - 1);
  WriteSuiteSysfs("queue/scheduler", "none");
  auto device = OpenSuite();
  auto queue = SuiteQueue(*device, QueueKind::kLibaio, 8);
  CHECK(device->info().scheduler == "none");
  const bool old =
      std::stoi(device->info().kernel) == 6 && std::stoi(device->info().kernel.substr(2)) < 10;
  CHECK(queue->features().write_depth_per_zone == (old ? 1u : 0u));
  if (old) {
    CHECK(queue->features().write_depth_reason.find("mq-deadline") != std::string_view::npos);
  }
  queue.reset();
  WriteReadVerify(*device, QueueKind::kLibaio, 8, WritableZones(*device, kZones));
  ResetAll(*device);
  device.reset();
  WriteSuiteSysfs("queue/scheduler", active);
}

TEST_CASE("a write that is not at the pointer fails and moves nothing", "[zoned]") {
  auto device = OpenSuite();
  if (device->info().model != ZoneModel::kHostManaged) return;  // legal on host-aware
  ResetAll(*device);
  const ZoneId zone = FirstSequential(*device);
  const std::uint64_t start = device->info().geometry.StartOf(zone);
  const IoResult result = WriteAt(*device, start + kPiece, kPiece);
  CAPTURE(ToString(result.errc), result.raw);
  CHECK_FALSE(result.ok());
  CHECK(result.origin == Origin::kErrno);
  CHECK(result.raw != 0);
  CHECK(result.bytes == 0);
  CHECK(ReportOne(*device, zone).write_pointer == start);
  // From 6.13 on the zone takes no write until a report or a reset: we report.
  CHECK(WriteAt(*device, start, kPiece).ok());
  ResetAll(*device);
}

TEST_CASE("the queues keep their contract in zones", "[zoned]") {
  auto device = OpenSuite();
  ResetAll(*device);
  const ZoneId sequential = FirstSequential(*device);
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    const std::uint32_t depth = SuiteQueue(*device, kind, 8)->features().write_depth_per_zone;
    // The suite keeps several writes of one place in flight.
    if (depth == 0 || kind == QueueKind::kSync) {
      CheckQueueConformance({*device, kind, device->info().geometry.StartOf(sequential),
                             [&] { ManageOne(*device, ZoneOp::kReset, sequential); }});
    }
    if (HasConventional(*device)) CheckQueueConformance({*device, kind, 0});
  }
  ResetAll(*device);
}

TEST_CASE("the queues keep their contract on an ordinary block device", "[ordinary]") {
  auto device = OpenSuite();
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    CHECK(SuiteQueue(*device, kind, 8)->features().write_depth_per_zone == 0);
    CheckQueueConformance({*device, kind, 0});
  }
}

}  // namespace zonal::test
