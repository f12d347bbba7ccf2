// SPDX-License-Identifier: MIT
#include "device/emulated/drive.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>
#include <utility>

#include "core/check.h"
#include "core/deadline.h"
#include "device/emulated/drive_queue.h"

namespace zonal::emulated {
namespace {

using core::CommandKind;

// The device's own limit on how long a command waits for writes to land.
constexpr nanoseconds kDefaultTimeout{30'000'000'000};
constexpr nanoseconds kRetry{20'000};

DeviceInfo InfoOf(const EmulatedOptions& options, DriveIdentity identity) {
  DeviceInfo info;
  info.spec = std::move(identity.spec);
  info.backend = std::move(identity.backend);
  info.identity = std::move(identity.identity);
  info.model = ZoneModel::kHostManaged;
  info.geometry = GeometryOf(options);
  info.max_open = options.max_open;
  info.max_active = options.max_active;
  info.closes_implicit_on_demand = options.auto_close;
  info.read_only = identity.read_only;
  info.rotational = options.dialect == Dialect::kZbc;
  info.is_emulated = true;
  return info;
}

core::Outcome TimedOut() noexcept {
  core::Outcome outcome;
  outcome.errc = Errc::kTimeout;
  outcome.origin = Origin::kErrno;
  outcome.raw = ETIMEDOUT;
  return outcome;
}

}  // namespace

CommandKind KindOf(ZoneOp op) noexcept {
  switch (op) {
    case ZoneOp::kOpen:
      return CommandKind::kOpen;
    case ZoneOp::kClose:
      return CommandKind::kClose;
    case ZoneOp::kFinish:
      return CommandKind::kFinish;
    case ZoneOp::kReset:
      return CommandKind::kReset;
    case ZoneOp::kOffline:
      return CommandKind::kOffline;
  }
  return CommandKind::kOffline;
}

IoResult ToResult(const core::Outcome& outcome, std::uint64_t offset,
                  std::uint64_t bytes) noexcept {
  IoResult result;
  result.offset = offset;
  result.bytes = outcome.ok() ? bytes : 0;
  result.raw = outcome.raw;
  result.errc = outcome.errc;
  result.origin = outcome.origin;
  return result;
}

Drive::Drive(const EmulatedOptions& options, DriveIdentity identity, DriveMemory memory,
             const Clock& clock)
    : options_(options),
      clock_(clock),
      memory_(std::move(memory)),
      zones_(options_, memory_),
      pool_(memory_.counters.size()),
      info_(InfoOf(options_, std::move(identity))) {}

Drive::~Drive() {
  ZONAL_CHECK(queues_alive_.load() == 0, "queues are destroyed before their device");
  if (!info_.read_only) zones_.ForgetEmptied();
}

absl::Status Drive::PowerOn() { return info_.read_only ? absl::OkStatus() : zones_.PowerOn(); }

absl::Status Drive::CheckWritable() const {
  if (!info_.read_only) return absl::OkStatus();
  return absl::FailedPreconditionError(info_.spec + " is open for reading only");
}

absl::StatusOr<std::size_t> Drive::Report(ZoneId first, std::span<Zone> out) {
  const std::uint32_t zones = info_.geometry.zone_count;
  if (first.value() >= zones) {
    return absl::OutOfRangeError("zone " + std::to_string(first.value()) + " of " + info_.spec +
                                 ", which has " + std::to_string(zones) + " zones");
  }
  const std::size_t count = std::min<std::size_t>(out.size(), zones - first.value());
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = zones_.Describe(first.value() + static_cast<std::uint32_t>(i));
  }
  return count;
}

ManageOutcome Drive::ManageWaiting(std::uint32_t zone, CommandKind kind, nanoseconds timeout) {
  ManageOutcome done = zones_.Manage(zone, kind);
  if (!done.not_yet) return done;
  const core::Deadline deadline(timeout.count() == 0 ? kDefaultTimeout : timeout);
  while (done.not_yet) {
    if (deadline.Passed()) return {TimedOut(), true};
    std::this_thread::sleep_for(kRetry);
    done = zones_.Manage(zone, kind);
  }
  return done;
}

absl::StatusOr<ManageResult> Drive::Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) {
  if (const absl::Status status = CheckWritable(); !status.ok()) return status;
  const std::uint32_t zones = info_.geometry.zone_count;
  const std::uint32_t first = range.first.value();
  if (first >= zones || range.count > zones - first) {
    return absl::OutOfRangeError("zones " + std::to_string(first) + " to " +
                                 std::to_string(std::uint64_t{first} + range.count) + " of " +
                                 info_.spec + ", which has " + std::to_string(zones));
  }
  ManageResult result;
  for (std::uint32_t zone = first; zone < first + range.count; ++zone) {
    const ManageOutcome done = ManageWaiting(zone, KindOf(op), timeout);
    if (!done.outcome.ok()) {
      result.first_error = ToResult(done.outcome, info_.geometry.StartOf(ZoneId(zone)), 0);
      break;
    }
    ++result.completed;
  }
  return result;
}

std::vector<std::uint32_t> Drive::InOrderForAll(CommandKind kind) const {
  std::vector<std::uint32_t> order;
  for (std::uint32_t zone = 0; zone < info_.geometry.zone_count; ++zone) {
    if (zones_.AllTouches(zone, kind)) order.push_back(zone);
  }
  if (kind == CommandKind::kFinish) {
    std::stable_partition(order.begin(), order.end(), [this](std::uint32_t zone) {
      return IsOpen(zones_.Describe(zone).condition);
    });
  }
  return order;
}

absl::StatusOr<ManageResult> Drive::ManageAll(ZoneOp op, nanoseconds timeout) {
  if (const absl::Status status = CheckWritable(); !status.ok()) return status;
  ManageResult result;
  const CommandKind kind = KindOf(op);
  if (kind == CommandKind::kOpen) {
    result.first_error = ToResult(zones_.OpenAll(result.completed), 0, 0);
    return result;
  }
  if (kind == CommandKind::kOffline && options_.dialect == Dialect::kZbc) {
    result.first_error = ToResult(core::Refuse({}, Errc::kNotSupported, options_.dialect,
                                               nvme::kInvalidOpcode, scsi::kInvalidOpcode),
                                  0, 0);
    return result;
  }
  for (const std::uint32_t zone : InOrderForAll(kind)) {
    if (!zones_.AllTouches(zone, kind)) continue;
    const ManageOutcome done = ManageWaiting(zone, kind, timeout);
    if (!done.outcome.ok()) {
      result.first_error = ToResult(done.outcome, info_.geometry.StartOf(ZoneId(zone)), 0);
      break;
    }
    ++result.completed;
  }
  return result;
}

absl::Status Drive::MakeDurable() {
  if (info_.read_only) return absl::OkStatus();
  zones_.ForgetEmptied();
  return memory_.hooks != nullptr ? memory_.hooks->Flush() : memory_.store->Sync();
}

absl::Status Drive::Flush() {
  const absl::Status status = MakeDurable();
  if (status.ok() && !info_.read_only) zones_.CountFlush();
  return status;
}

absl::StatusOr<std::unique_ptr<IoQueue>> Drive::NewQueue(const QueueOptions& options) {
  if (options.depth == 0 || options.depth > kMaxQueueDepth) {
    return absl::InvalidArgumentError(info_.spec + ": a queue's depth is 1 to " +
                                      std::to_string(kMaxQueueDepth) + ", not " +
                                      std::to_string(options.depth));
  }
  absl::StatusOr<std::unique_ptr<StoreQueue>> store = memory_.store->NewQueueOfKind(options);
  if (!store.ok()) return store.status();
  const std::optional<std::size_t> slot = pool_.Take();
  if (!slot.has_value()) {
    return absl::ResourceExhaustedError(info_.spec + " serves at most " +
                                        std::to_string(memory_.counters.size() - 1) +
                                        " queues at once");
  }
  DriveQueueConfig config;
  config.depth = std::min(options.depth, (*store)->depth());
  config.order = options_.order;
  config.seed = options_.seed + queues_made_.fetch_add(1);
  config.read_only = info_.read_only;
  config.keeps_data = options_.data == DataPolicy::kKeep;
  config.store_answers_at_once = memory_.store->is_synchronous();
  config.store_has_bytes_above_pointers = memory_.store->has_bytes_above_pointers();
  config.flushes_through_device = memory_.hooks != nullptr || config.store_answers_at_once;
  queues_alive_.fetch_add(1);
  return std::make_unique<DriveQueue>(*this, config, *std::move(store),
                                      info_.read_only ? nullptr : &memory_.counters[*slot], *slot,
                                      options.clock != nullptr ? *options.clock : clock_);
}

void Drive::QueueGone(std::size_t slot) noexcept {
  pool_.GiveBack(slot);
  queues_alive_.fetch_sub(1);
}

absl::StatusOr<DriveCounters> Drive::Counters() {
  DriveCounters sum;
  for (const CounterSlot& slot : memory_.counters) {
    sum.reads += slot.reads.load(std::memory_order_relaxed);
    sum.bytes_read += slot.bytes_read.load(std::memory_order_relaxed);
    sum.writes += slot.writes.load(std::memory_order_relaxed);
    sum.bytes_written += slot.bytes_written.load(std::memory_order_relaxed);
    sum.appends += slot.appends.load(std::memory_order_relaxed);
    sum.resets += slot.resets.load(std::memory_order_relaxed);
    sum.finishes += slot.finishes.load(std::memory_order_relaxed);
    sum.opens += slot.opens.load(std::memory_order_relaxed);
    sum.closes += slot.closes.load(std::memory_order_relaxed);
    sum.flushes += slot.flushes.load(std::memory_order_relaxed);
    sum.rule_violations += slot.rule_violations.load(std::memory_order_relaxed);
    sum.implicit_closes += slot.implicit_closes.load(std::memory_order_relaxed);
  }
  const DriveGauges& gauges = *memory_.gauges;
  sum.open_now = gauges.open_now.load(std::memory_order_relaxed);
  sum.active_now = gauges.active_now.load(std::memory_order_relaxed);
  sum.open_high_water = gauges.open_high_water.load(std::memory_order_relaxed);
  sum.active_high_water = gauges.active_high_water.load(std::memory_order_relaxed);
  return sum;
}

absl::StatusOr<std::unique_ptr<Device>> NewDrive(const EmulatedOptions& options,
                                                 DriveIdentity identity, DriveMemory memory,
                                                 const Clock& clock) {
  auto drive =
      std::make_unique<Drive>(WithDefaults(options), std::move(identity), std::move(memory), clock);
  if (const absl::Status status = drive->PowerOn(); !status.ok()) return status;
  return drive;
}

}  // namespace zonal::emulated
