// SPDX-License-Identifier: MIT
#include "device/kernel/write_depth.h"
#include "support/catch.h"

namespace zonal::kernel {

TEST_CASE("kernel releases parse by their first two numbers", "[kernel]") {
  CHECK(ParseKernelRelease("6.1.0-49-amd64") == KernelVersion{6, 1});
  CHECK(ParseKernelRelease("6.10") == KernelVersion{6, 10});
  CHECK(ParseKernelRelease("7.0-rc1") == KernelVersion{7, 0});
  for (const char* bad : {"", "6", "6.", "linux-6.1", ".1"}) {
    CAPTURE(bad);
    CHECK_FALSE(ParseKernelRelease(bad).has_value());
  }
}

TEST_CASE("the ordering table allows as many writes per zone as stay in order", "[kernel]") {
  constexpr auto kUring = QueueKind::kIoUring;
  constexpr auto kAio = QueueKind::kLibaio;
  constexpr auto kSync = QueueKind::kSync;
  struct Row {
    std::string_view release, scheduler;
    QueueKind queue;
    bool zoned;
    std::uint32_t per_zone;
    std::string_view reason_has;
  };
  const Row rows[] = {
      {"6.1.0", "none", kUring, false, 0, "no zones"},
      {"6.1.0", "none", kSync, false, 0, "no zones"},
      {"6.1.0", "mq-deadline", kUring, true, 1, "io_uring"},
      {"7.3.0", "none", kUring, true, 1, "io_uring"},
      {"7.3.0", "none", QueueKind::kDefault, true, 1, "io_uring"},
      {"6.1.0", "mq-deadline", kSync, true, 1, "psync"},
      {"5.10.0", "mq-deadline", kAio, true, 0, "mq-deadline"},
      {"6.1.0", "mq-deadline", kAio, true, 0, "mq-deadline"},
      {"6.9.12", "mq-deadline", kAio, true, 0, "mq-deadline"},
      {"6.1.0", "none", kAio, true, 1, "mq-deadline"},
      {"6.9.12", "bfq", kAio, true, 1, "mq-deadline"},
      {"6.1.0", "", kAio, true, 1, "mq-deadline"},
      {"6.10.0", "mq-deadline", kAio, true, 1, "6.10 to 6.12"},
      {"6.12.38", "none", kAio, true, 1, "6.10 to 6.12"},
      {"6.13.0", "none", kAio, true, 0, "plugging"},
      {"7.3.1-amd64", "mq-deadline", kAio, true, 0, "plugging"},
      {"", "mq-deadline", kAio, true, 1, "not known"},
      {"unknown", "mq-deadline", kAio, true, 1, "not known"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.release, row.scheduler, ToString(row.queue), row.zoned);
    WritePath path;
    path.kernel_release = row.release;
    path.scheduler = row.scheduler;
    path.queue = row.queue;
    path.zoned = row.zoned;
    const WriteDepth depth = WriteDepthRule(path);
    CHECK(depth.per_zone == row.per_zone);
    CHECK(depth.reason.find(row.reason_has) != std::string_view::npos);
    CHECK(depth.wrong_scheduler == (row.reason_has == "mq-deadline" && row.per_zone == 1));
  }
}

TEST_CASE("a wrong scheduler is named with the command that changes it", "[kernel]") {
  CHECK(AboutWrongScheduler("none", "sdb") ==
        "before kernel 6.10 only the mq-deadline scheduler keeps order, and "
        "/sys/block/sdb/queue/scheduler says none; for more: "
        "echo mq-deadline > /sys/block/sdb/queue/scheduler");
  CHECK(AboutWrongScheduler("", "sdb") ==
        "before kernel 6.10 only the mq-deadline scheduler keeps order, and sdb has none");
}

}  // namespace zonal::kernel
