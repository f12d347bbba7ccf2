// SPDX-License-Identifier: MIT
// ZoneQueue: admission, submission and completion, the hot path.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/status_macros.h"
#include "manager/zone_queue_impl.h"

namespace zonal {
namespace manager {

std::uint32_t ZoneQueueImpl::TakeTicket(IoOp op, ZoneId zone, std::uint64_t bytes,
                                        std::uint64_t user_data) noexcept {
  const std::uint32_t index = free_tickets_.Take();
  Ticket& ticket = tickets_[index];
  ticket.user_data = user_data;
  ticket.bytes = bytes;
  ticket.zone = zone;
  ticket.record = Writer::kNoRecord;
  ticket.op = op;
  return index;
}

IoRequest& ZoneQueueImpl::Prepare(IoOp op, std::uint32_t ticket, std::uint64_t offset,
                                  std::uint64_t bytes) noexcept {
  IoRequest& request = prepared_.emplace_back();
  request.op = op;
  request.offset = offset;
  request.bytes = bytes;
  request.user_data = ticket;
  return request;
}

Admission ZoneQueueImpl::Write(ZoneId zone, void* buffer, std::uint64_t bytes,
                               std::uint64_t user_data, const WriteOptions& options) noexcept {
  if (!Inside(zone) || bytes == 0) return Refuse(Errc::kBadRange);
  if (Admission full = CheckRoom(); !full.ok()) return full;
  const std::uint64_t least = options.min_bytes != 0 ? options.min_bytes : bytes;
  if (geometry_.max_transfer != 0 && least > geometry_.max_transfer) {
    return Refuse(Errc::kTooLarge);
  }
  const Writer::Reservation reserved = writer_.Reserve(zone, bytes, least, options.keep);
  if (!reserved.admission.ok()) return reserved.admission;
  const std::uint32_t ticket = TakeTicket(IoOp::kWrite, zone, reserved.admission.bytes, user_data);
  tickets_[ticket].record = reserved.record;
  IoRequest& request =
      Prepare(IoOp::kWrite, ticket, reserved.admission.offset, reserved.admission.bytes);
  request.buffer = buffer;
  request.fua = options.fua;
  request.registered_buffer = options.registered_buffer;
  return reserved.admission;
}

Admission ZoneQueueImpl::Append(ZoneId zone, void* buffer, std::uint64_t bytes,
                                std::uint64_t user_data) noexcept {
  if (!io_->features().append) return Refuse(Errc::kNotSupported);
  if (!Inside(zone) || bytes == 0) return Refuse(Errc::kBadRange);
  if (bytes > geometry_.max_append) return Refuse(Errc::kTooLarge);
  if (Admission full = CheckRoom(); !full.ok()) return full;
  const Admission admission = writer_.ReserveAppend(zone, bytes);
  if (!admission.ok()) return admission;
  const std::uint32_t ticket = TakeTicket(IoOp::kAppend, zone, bytes, user_data);
  Prepare(IoOp::kAppend, ticket, admission.offset, bytes).buffer = buffer;
  return admission;
}

Admission ZoneQueueImpl::WriteAt(std::uint64_t offset, void* buffer, std::uint64_t bytes,
                                 std::uint64_t user_data, const WriteOptions& options) noexcept {
  if (!InsideDevice(offset, bytes)) return Refuse(Errc::kBadRange);
  const ZoneId zone = geometry_.ZoneOf(offset);
  if (core_.TypeOf(zone) == ZoneType::kSequentialRequired ||
      core_.TypeOf(geometry_.ZoneOf(offset + bytes - 1)) == ZoneType::kSequentialRequired) {
    return Refuse(Errc::kBadZoneType);
  }
  if (geometry_.max_transfer != 0 && bytes > geometry_.max_transfer) return Refuse(Errc::kTooLarge);
  if (Admission full = CheckRoom(); !full.ok()) return full;
  const std::uint32_t ticket = TakeTicket(IoOp::kWrite, zone, bytes, user_data);
  IoRequest& request = Prepare(IoOp::kWrite, ticket, offset, bytes);
  request.buffer = buffer;
  request.fua = options.fua;
  request.registered_buffer = options.registered_buffer;
  return {Errc::kOk, {}, offset, bytes};
}

Admission ZoneQueueImpl::Read(std::uint64_t offset, void* buffer, std::uint64_t bytes,
                              std::uint64_t user_data, std::int16_t registered_buffer) noexcept {
  if (!InsideDevice(offset, bytes)) return Refuse(Errc::kBadRange);
  const ZoneId zone = geometry_.ZoneOf(offset);
  if (offset + bytes > geometry_.EndOf(zone)) return Refuse(Errc::kZoneBoundary);
  if (geometry_.max_transfer != 0 && bytes > geometry_.max_transfer) return Refuse(Errc::kTooLarge);
  if (Admission full = CheckRoom(); !full.ok()) return full;
  const std::uint32_t epoch = core_.EpochOf(zone);
  if (epoch % 2 != 0) return Refuse(Errc::kZoneBusy, WaitKey::Kind::kReset, zone);
  const std::uint32_t ticket = TakeTicket(IoOp::kRead, zone, bytes, user_data);
  tickets_[ticket].epoch = epoch;
  IoRequest& request = Prepare(IoOp::kRead, ticket, offset, bytes);
  request.buffer = buffer;
  request.registered_buffer = registered_buffer;
  return {Errc::kOk, {}, offset, bytes};
}

Admission ZoneQueueImpl::Manage(ZoneId zone, ZoneOp op, std::uint64_t user_data) noexcept {
  if (!Inside(zone)) return Refuse(Errc::kBadRange);
  if (core_.TypeOf(zone) == ZoneType::kConventional) return Refuse(Errc::kBadZoneType);
  const ZoneCondition condition = core_.ConditionOf(zone);
  if (condition == ZoneCondition::kOffline) return Refuse(Errc::kZoneOffline);
  if (condition == ZoneCondition::kReadOnly && op != ZoneOp::kOffline) {
    return Refuse(Errc::kZoneReadOnly);
  }
  if (Admission full = CheckRoom(); !full.ok()) return full;
  const std::uint32_t ticket = TakeTicket(IoOp::kManage, zone, 0, user_data);
  tickets_[ticket].zone_op = op;
  waiting_.push_back(ticket);
  StartWaitingOperations();
  return {Errc::kOk, {}, geometry_.StartOf(zone), 0};
}

Admission ZoneQueueImpl::Flush(std::uint64_t user_data) noexcept {
  if (Admission full = CheckRoom(); !full.ok()) return full;
  const std::uint32_t ticket = TakeTicket(IoOp::kFlush, ZoneId(), 0, user_data);
  Prepare(IoOp::kFlush, ticket, 0, 0);
  return {};
}

std::size_t ZoneQueueImpl::Submit() noexcept {
  if (!prepared_.empty() || !blocking_.empty()) now_ = core_.clock().Now();
  while (!blocking_.empty()) {
    const std::uint32_t ticket = blocking_.back();
    blocking_.pop_back();
    tickets_[ticket].submitted_at = now_;
    RunBlocking(ticket);
  }
  if (prepared_.empty()) return 0;
  for (const IoRequest& request : prepared_) tickets_[request.user_data].submitted_at = now_;
  const std::size_t taken = io_->Submit(prepared_);
  if (taken == prepared_.size()) {
    prepared_.clear();
  } else {
    prepared_.erase(prepared_.begin(), prepared_.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  return taken;
}

std::size_t ZoneQueueImpl::Poll(std::span<ZoneCompletion> out, std::size_t min,
                                nanoseconds wait) noexcept {
  min = std::min(min, out.size());
  const bool timed = wait.count() > 0 && min > 0;
  const Instant deadline = timed ? core_.clock().Now() + wait : Instant{};
  std::size_t count = 0;
  for (;;) {
    // What was done on the spot may be what the caller waits for: no sleep then.
    bool recovered = Advance();
    count += TakeReady(out.subspan(count));
    const std::size_t room = std::min(out.size() - count, polled_.size());
    std::size_t asked = 0;
    nanoseconds left{0};
    if (count < min && !recovered) {
      asked = std::clamp<std::size_t>(min - count, 1, std::max(1u, io_->in_flight()));
      asked = std::min(asked, room);
      left = timed ? std::max(nanoseconds(0), deadline - core_.clock().Now()) : wait;
      if (left.count() != 0) writer_.Sweep(now_, true);
    }
    const std::size_t got = room == 0 ? 0 : io_->Poll({polled_.data(), room}, asked, left);
    for (std::size_t i = 0; i < got; ++i) {
      if (Deliver(polled_[i], out[count])) {
        ++count;
      } else {
        recovered = true;
      }
    }
    if (mailbox_->filled.load(std::memory_order_acquire)) count += TakeMail(out.subspan(count));
    if (got != 0) {
      now_ = polled_[got - 1].completed_at;
    } else if (io_->in_flight() == 0) {
      now_ = core_.clock().Now();
    }
    writer_.Sweep(now_, false);
    // Fewer than asked: woken, or out of time. Either way the caller looks again,
    // as it must when a zone it waited for is usable again.
    if (count >= min || got < asked || recovered) break;
  }
  if (!waiting_.empty() || writer_.has_suspects()) {
    Advance();
    count += TakeReady(out.subspan(count));
  }
  return count;
}

bool ZoneQueueImpl::Deliver(const Completion& completion, ZoneCompletion& out) noexcept {
  return Finish(static_cast<std::uint32_t>(completion.user_data), completion.result,
                completion.completed_at, reported_, out);
}

// Applies a result. True if `out` is for the caller: our own reports are not.
bool ZoneQueueImpl::Finish(std::uint32_t index, IoResult result, Instant completed_at,
                           const Zone& reported, ZoneCompletion& out) noexcept {
  Ticket& ticket = tickets_[index];
  if (index == depth_) {
    resyncing_ = false;
    if (result.ok()) {
      writer_.Resync(ticket.zone, reported);
    } else {
      writer_.GiveUp(ticket.zone);
    }
    return false;
  }
  if (ticket.op == IoOp::kManage) {
    writer_.FinishOperation(ticket.zone, ticket.zone_op, result);
  } else if (result.ok() && result.bytes != ticket.bytes) {
    result.errc = Errc::kDeviceMisbehaved;  // a short transfer without cause
  }
  if (ticket.record != Writer::kNoRecord) {
    writer_.Complete(ticket.record, result);
  } else if (ticket.op == IoOp::kAppend) {
    writer_.CompleteAppend(ticket.zone, ticket.bytes, result);
  } else if (ticket.op == IoOp::kRead && core_.EpochOf(ticket.zone) != ticket.epoch) {
    result.errc = Errc::kStaleEpoch;
  }
  out.user_data = ticket.user_data;
  out.op = ticket.op;
  out.zone_op = ticket.zone_op;
  out.zone = ticket.zone;
  out.result = result;
  out.submitted_at = ticket.submitted_at;
  out.completed_at = completed_at;
  free_tickets_.Give(index);
  return true;
}

std::size_t ZoneQueueImpl::TakeReady(std::span<ZoneCompletion> out) noexcept {
  if (ready_.empty()) return 0;
  const std::size_t count = std::min(out.size(), ready_.size());
  std::copy_n(ready_.begin(), count, out.begin());
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(count));
  return count;
}

}  // namespace manager

absl::StatusOr<std::unique_ptr<ZoneQueue>> ZoneQueue::Create(ZoneManager& manager,
                                                             const ZoneQueueOptions& options) {
  auto& core = static_cast<manager::ManagerCore&>(manager);
  QueueOptions queue = options.queue;
  if (queue.depth == 0 || queue.depth > kMaxZoneQueueDepth) {
    return absl::InvalidArgumentError("queue depth " + std::to_string(queue.depth) + ": 1 to " +
                                      std::to_string(kMaxZoneQueueDepth) + " are possible");
  }
  if (queue.clock == nullptr) queue.clock = &core.clock();
  ++queue.depth;  // one more for our own report of a suspect zone
  ZONAL_ASSIGN_OR_RETURN(std::unique_ptr<IoQueue> io, core.device().NewQueue(queue));
  ZONAL_ASSIGN_OR_RETURN(manager::QueueEntry * entry, core.queues().Add(*io));
  return std::unique_ptr<ZoneQueue>(std::make_unique<manager::ZoneQueueImpl>(
      core, *entry, std::move(io), options.service, options.queue.depth));
}

}  // namespace zonal
