// SPDX-License-Identifier: MIT
#include "device/kernel/kernel_device.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "device/kernel/describe.h"
#include "device/kernel/environment.h"
#include "device/kernel/kernel_queue.h"
#include "device/kernel/open_file.h"
#include "device/kernel/write_depth.h"
#include "device/kernel/zone_ioctl.h"
#include "zonal/errc.h"

namespace zonal {
namespace kernel {
namespace {

class KernelDevice final : public Device {
 public:
  KernelDevice(DeviceInfo info, core::FileDescriptor file, std::optional<BlockFacts> facts,
               const Clock& clock)
      : info_(std::move(info)),
        file_(std::make_shared<const core::FileDescriptor>(std::move(file))),
        facts_(std::move(facts)),
        clock_(clock),
        about_scheduler_(facts_ ? AboutWrongScheduler(info_.scheduler, facts_->scheduler_disk)
                                : std::string()),
        zones_(IoctlOn(file_->get()), info_.geometry, info_.spec) {}

  const DeviceInfo& info() const noexcept override { return info_; }

  absl::StatusOr<std::size_t> Report(ZoneId first, std::span<Zone> out) override {
    ZONAL_RETURN_IF_ERROR(CheckZoned());
    return zones_.Report(first, out);
  }
  absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) override {
    ZONAL_RETURN_IF_ERROR(CheckZoned());
    ZONAL_RETURN_IF_ERROR(CheckWritable(op));
    return zones_.Manage(op, range, timeout);
  }
  absl::StatusOr<ManageResult> ManageAll(ZoneOp op, nanoseconds) override {
    ZONAL_RETURN_IF_ERROR(CheckZoned());
    ZONAL_RETURN_IF_ERROR(CheckWritable(op));
    return zones_.ManageAll(op);
  }

  absl::Status Flush() override {
    if (info_.read_only || ::fdatasync(file_->get()) == 0) return absl::OkStatus();
    const int error = errno;
    return MakeStatus(FromErrno(error),
                      absl::StrCat(info_.spec, ": flush fails: ", std::strerror(error)));
  }

  absl::StatusOr<std::unique_ptr<IoQueue>> NewQueue(const QueueOptions& options) override;

 private:
  absl::Status CheckZoned() const {
    return info_.geometry.is_zoned() ? absl::OkStatus()
                                     : absl::UnimplementedError(WhyNotZoned(info_.spec, facts_));
  }
  absl::Status CheckWritable(ZoneOp op) const {
    if (!info_.read_only) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(
        info_.spec, ": zone ", std::string(ToString(op)), " wants the device opened for writing"));
  }
  QueueConfig ConfigFor(QueueKind kind, const QueueOptions& options) const;

  const DeviceInfo info_;
  const std::shared_ptr<const core::FileDescriptor> file_;
  const std::optional<BlockFacts> facts_;
  const Clock& clock_;
  const std::string about_scheduler_;  // outlives the queues, which show it
  const ZoneIoctls zones_;
};

QueueConfig KernelDevice::ConfigFor(QueueKind kind, const QueueOptions& options) const {
  WritePath path;
  path.kernel_release = info_.kernel;
  path.scheduler = info_.scheduler;
  path.queue = kind;
  path.zoned = info_.geometry.is_zoned();
  const WriteDepth depth = WriteDepthRule(path);
  QueueConfig config;
  config.file = file_;
  config.depth = options.depth;
  config.clock = options.clock != nullptr ? options.clock : &clock_;
  config.write_depth_per_zone = depth.per_zone;
  config.write_depth_reason = depth.wrong_scheduler ? about_scheduler_ : depth.reason;
  return config;
}

absl::StatusOr<std::unique_ptr<IoQueue>> KernelDevice::NewQueue(const QueueOptions& options) {
  if (options.depth < 1 || options.depth > kMaxQueueDepth) {
    return absl::InvalidArgumentError(absl::StrCat(info_.spec, ": a queue's depth is 1..",
                                                   kMaxQueueDepth, ", not ", options.depth));
  }
  switch (options.kind) {
    case QueueKind::kIoUring:
      return NewIoUringQueue(ConfigFor(QueueKind::kIoUring, options));
    case QueueKind::kLibaio:
      return NewLibaioQueue(ConfigFor(QueueKind::kLibaio, options));
    case QueueKind::kSync:
      return NewSyncQueue(ConfigFor(QueueKind::kSync, options));
    case QueueKind::kDefault:
      break;
  }
  // Where io_uring is switched off, name() of the queue says what it is instead.
  auto ring = NewIoUringQueue(ConfigFor(QueueKind::kIoUring, options));
  if (ring.ok() || !absl::IsUnavailable(ring.status())) return ring;
  return NewLibaioQueue(ConfigFor(QueueKind::kLibaio, options));
}

}  // namespace
}  // namespace kernel

absl::StatusOr<std::unique_ptr<Device>> OpenKernelDevice(const std::string& path,
                                                         const OpenOptions& options) {
  const kernel::Environment environment = kernel::SystemEnvironment();
  ZONAL_ASSIGN_OR_RETURN(kernel::OpenedFile opened, kernel::OpenFile(environment, path, options));
  absl::StatusOr<DeviceInfo> info =
      kernel::Describe(environment, path, options, opened, kernel::IoctlOn(opened.file.get()));
  if (!info.ok()) {
    if (options.fd >= 0) opened.file.Release();  // stays the caller's
    return info.status();
  }
  const Clock& clock = options.clock != nullptr ? *options.clock : MonotonicClock();
  return std::make_unique<kernel::KernelDevice>(*std::move(info), std::move(opened.file),
                                                std::move(opened.facts), clock);
}

}  // namespace zonal
