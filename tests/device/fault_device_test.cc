// SPDX-License-Identifier: MIT
// Planted faults: when they fire, and what the device saw of the command.
#include <cstring>
#include <memory>
#include <vector>

#include "support/aligned_buffer.h"
#include "support/catch.h"
#include "support/emulated.h"
#include "support/queue_conformance.h"
#include "zonal/fault.h"

namespace zonal::test {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr nanoseconds kOwnTimeout{0};

std::unique_ptr<Device> Faulty(std::vector<FaultRule> rules) {
  return NewFaultDevice(NewDevice("emu,zones=4,zone_size=1MiB"), std::move(rules));
}

FaultRule OnWrite(FaultKind kind) {
  FaultRule rule;
  rule.op = IoOp::kWrite;
  rule.kind = kind;
  return rule;
}

TEST_CASE("without rules a fault device is the device", "[fault]") {
  const auto device = Faulty({});
  ConformanceTarget target{*device};
  target.rewind = [&] {
    REQUIRE(device->Manage(ZoneOp::kReset, {ZoneId(0)}, kOwnTimeout)->first_error.ok());
  };
  CheckQueueConformance(target);
  CHECK(device->ManageAll(ZoneOp::kReset, kOwnTimeout)->completed == 1);
  CHECK(device->Flush().ok());
  CHECK(device->Counters().ok());
}

TEST_CASE("a fault before leaves the zone as it was", "[fault]") {
  const auto device = Faulty({OnWrite(FaultKind::kBefore)});
  const auto queue = NewQueueOf(device, 4);
  AlignedBuffer buffer(8192);
  IoRequest write = Request(IoOp::kWrite, 0, 8192, buffer.data());
  write.user_data = 99;
  const Completion failed = RunOne(*queue, write);
  CHECK(failed.user_data == 99);
  CHECK(failed.result == IoResult{0, 0, 5, Errc::kMediaError, Origin::kErrno});
  CHECK(ZoneAt(*device, 0).condition == ZoneCondition::kEmpty);
  CHECK(RunOne(*queue, write).result.ok());
}

TEST_CASE("a fault after leaves the bytes and tells of a failure", "[fault]") {
  FaultRule rule = OnWrite(FaultKind::kAfter);
  rule.errc = Errc::kTimeout;
  rule.origin = Origin::kNvme;
  rule.raw = 0x123;
  const auto device = Faulty({rule});
  const auto queue = NewQueueOf(device, 4);
  AlignedBuffer buffer(8192);
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 0, 8192, buffer.data())).result ==
        IoResult{0, 0, 0x123, Errc::kTimeout, Origin::kNvme});
  CHECK(ZoneAt(*device, 0).write_pointer == 8192);
}

TEST_CASE("a device's own error is not covered by a planted one", "[fault]") {
  const auto device = Faulty({OnWrite(FaultKind::kAfter)});
  const auto queue = NewQueueOf(device, 4);
  AlignedBuffer buffer(4096);
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 4096, 4096, buffer.data())).result.errc ==
        Errc::kNotAtWritePointer);
}

TEST_CASE("a partial fault lands whole write units from the front", "[fault]") {
  struct Row {
    std::uint64_t asked, landed;
  };
  for (const Row row : {Row{0, 0}, Row{4095, 0}, Row{4096, 4096}, Row{10000, 8192},
                        Row{12288, 12288}, Row{1 << 20, 12288}}) {
    CAPTURE(row.asked);
    for (const bool vectors : {false, true}) {
      FaultRule rule = OnWrite(FaultKind::kPartial);
      rule.partial_bytes = row.asked;
      const auto device = Faulty({rule});
      const auto queue = NewQueueOf(device, 4);
      AlignedBuffer buffer(12288);
      std::memset(buffer.data(), 0x42, buffer.size());
      IoRequest write = Request(IoOp::kWrite, kMiB, 12288, buffer.data());
      iovec parts[] = {{buffer.data(), 6144}, {buffer.data() + 6144, 6144}};
      if (vectors) {
        write.iovecs = parts;
        write.iovec_count = 2;
      }
      CHECK(RunOne(*queue, write).result ==
            IoResult{kMiB, 0, 5, Errc::kMediaError, Origin::kErrno});
      CHECK(ZoneAt(*device, 1).write_pointer == kMiB + row.landed);
      std::memset(buffer.data(), 0, buffer.size());
      REQUIRE(RunOne(*queue, Request(IoOp::kRead, kMiB, 12288, buffer.data())).result.ok());
      for (std::size_t i = 0; i < buffer.size(); ++i) {
        if (buffer.data()[i] != std::byte(i < row.landed ? 0x42 : 0)) FAIL("byte " << i);
      }
    }
  }
}

TEST_CASE("nth and every count matches over all queues", "[fault]") {
  FaultRule rule = OnWrite(FaultKind::kBefore);
  rule.nth = 3;
  rule.every = 2;
  const auto device = Faulty({rule});
  const auto first = NewQueueOf(device, 4);
  const auto second = NewQueueOf(device, 4);
  AlignedBuffer buffer(4096);
  std::vector<int> failed;
  std::uint64_t at = 0;
  for (int i = 1; i <= 9; ++i) {
    IoQueue& queue = i % 2 == 0 ? *first : *second;
    CHECK(RunOne(queue, Request(IoOp::kRead, 0, 4096, buffer.data())).result.ok());
    if (RunOne(queue, Request(IoOp::kWrite, at, 4096, buffer.data())).result.ok()) {
      at += 4096;
    } else {
      failed.push_back(i);
    }
  }
  CHECK(failed == std::vector<int>{3, 5, 7, 9});
}

TEST_CASE("a rule matches by operation, zone operation and zone", "[fault]") {
  FaultRule rule;
  rule.op = IoOp::kManage;
  rule.zone_op = ZoneOp::kFinish;
  rule.zone = ZoneId(2);
  const auto device = Faulty({rule});
  const auto queue = NewQueueOf(device, 4);
  CHECK(RunOne(*queue, Manage(ZoneOp::kFinish, kMiB)).result.ok());
  CHECK(RunOne(*queue, Manage(ZoneOp::kOpen, 2 * kMiB)).result.ok());
  CHECK(RunOne(*queue, Manage(ZoneOp::kFinish, 2 * kMiB)).result.errc == Errc::kMediaError);
  CHECK(ZoneAt(*device, 2).condition == ZoneCondition::kExplicitOpen);
  CHECK(RunOne(*queue, Manage(ZoneOp::kFinish, 2 * kMiB)).result.ok());
}

TEST_CASE("the first of several rules that fire decides, and all count", "[fault]") {
  FaultRule first = OnWrite(FaultKind::kBefore);
  first.raw = 1;
  FaultRule second = OnWrite(FaultKind::kBefore);
  second.raw = 2;
  second.every = 1;
  const auto device = Faulty({first, second});
  const auto queue = NewQueueOf(device, 4);
  AlignedBuffer buffer(4096);
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 0, 4096, buffer.data())).result.raw == 1);
  CHECK(RunOne(*queue, Request(IoOp::kWrite, 0, 4096, buffer.data())).result.raw == 2);
}

TEST_CASE("a range that is not there changes nothing and meets no fault", "[fault]") {
  FaultRule finish;
  finish.op = IoOp::kManage;
  const auto device = Faulty({finish});
  for (const ZoneRange range : {ZoneRange{ZoneId(2), 3}, ZoneRange{ZoneId(4), 1}}) {
    CHECK(absl::IsOutOfRange(device->Manage(ZoneOp::kFinish, range, kOwnTimeout).status()));
  }
  CHECK(ZoneAt(*device, 2).condition == ZoneCondition::kEmpty);
  CHECK(ZoneAt(*device, 3).condition == ZoneCondition::kEmpty);
  const auto first = device->Manage(ZoneOp::kFinish, {ZoneId(0), 1}, kOwnTimeout);
  REQUIRE(first.ok());
  CHECK_FALSE(first->first_error.ok());
}

TEST_CASE("the device's own calls meet faults too", "[fault]") {
  FaultRule manage;
  manage.op = IoOp::kManage;
  manage.zone = ZoneId(2);
  FaultRule report;
  report.op = IoOp::kReport;
  FaultRule flush;
  flush.op = IoOp::kFlush;
  for (const FaultKind kind : {FaultKind::kBefore, FaultKind::kAfter}) {
    manage.kind = kind;
    const auto device = Faulty({manage, report, flush});
    Zone zone;
    const auto refused = device->Report(ZoneId(0), {&zone, 1});
    CHECK(ErrcOf(refused.status()) == Errc::kMediaError);
    CHECK(ErrcOf(device->Flush()) == Errc::kMediaError);
    CHECK(device->Flush().ok());
    const auto result = device->Manage(ZoneOp::kFinish, {ZoneId(1), 3}, kOwnTimeout);
    REQUIRE(result.ok());
    CHECK(result->completed == 1);
    CHECK(result->first_error == IoResult{2 * kMiB, 0, 5, Errc::kMediaError, Origin::kErrno});
    CHECK(ZoneAt(*device, 1).condition == ZoneCondition::kFull);
    const bool done = kind == FaultKind::kAfter;
    CHECK(ZoneAt(*device, 2).condition == (done ? ZoneCondition::kFull : ZoneCondition::kEmpty));
    CHECK(ZoneAt(*device, 3).condition == ZoneCondition::kEmpty);
  }
}

}  // namespace
}  // namespace zonal::test
