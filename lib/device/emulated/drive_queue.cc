// SPDX-License-Identifier: MIT
#include "device/emulated/drive_queue.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace zonal::emulated {
namespace {

using core::CommandKind;
using core::Outcome;

constexpr std::size_t kMaxVectors = 16;
constexpr nanoseconds kDrainOnDestruction{10'000'000'000};

// The queue's own slot: no other thread writes it.
void Add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

// Zeros everything from byte `from` of the vectors on, and cuts them there.
// Returns how many of them still hold bytes, or lie before one that does.
std::size_t ZeroFrom(std::span<iovec> vectors, std::uint64_t from) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    iovec& part = vectors[i];
    const std::uint64_t keep = std::min<std::uint64_t>(from, part.iov_len);
    if (part.iov_base != nullptr && keep < part.iov_len) {
      std::memset(static_cast<std::byte*>(part.iov_base) + keep, 0, part.iov_len - keep);
    }
    part.iov_len = keep;
    from -= keep;
    if (keep > 0) kept = i + 1;
  }
  return kept;
}

}  // namespace

DriveQueue::DriveQueue(Drive& drive, const DriveQueueConfig& config,
                       std::unique_ptr<StoreQueue> store, CounterSlot* counters,
                       std::size_t counter_slot, const Clock& clock)
    : drive_(drive),
      zones_(drive.zones()),
      config_(config),
      store_(std::move(store)),
      counters_(counters != nullptr ? counters : &unshared_),
      counter_slot_(counter_slot),
      clock_(clock),
      ready_(config.depth, config.order, config.seed),
      slots_(config.depth),
      free_(config.depth) {
  features_.append = zones_.geometry().max_append != 0;
  features_.manage = true;
  features_.report = true;
  features_.write_depth_per_zone = 0;
  features_.write_depth_reason = "the emulated drive lands writes in the order of their submission";
  waiting_.reserve(config.depth);
  if (!config.store_answers_at_once || zones_.prepares()) {
    vectors_.resize(config.depth * kMaxVectors);
  }
}

DriveQueue::~DriveQueue() {
  // A write that never takes its turn would keep its zone from being reset.
  (void)Close(kDrainOnDestruction);
  Disarm();
  if (both_events_ >= 0) ::close(both_events_);
  drive_.QueueGone(counter_slot_);
}

std::size_t DriveQueue::Submit(std::span<const IoRequest> requests) noexcept {
  if (closing_) return 0;
  const std::size_t count = std::min<std::size_t>(requests.size(), config_.depth - in_flight());
  for (const IoRequest& request : requests.first(count)) Start(request);
  // Most likely something is ready; and if not, the caller arms once more.
  if (armed_ && count > 0) event_.Signal();
  return count;
}

void DriveQueue::Start(const IoRequest& request) noexcept {
  if (config_.read_only &&
      (request.op == IoOp::kWrite || request.op == IoOp::kAppend || request.op == IoOp::kManage)) {
    return RefuseCaller(request, Errc::kPermission, EROFS);
  }
  switch (request.op) {
    case IoOp::kWrite:
    case IoOp::kAppend:
      return StartWrite(request);
    case IoOp::kRead:
      return StartRead(request);
    case IoOp::kFlush:
      return StartFlush(request);
    case IoOp::kManage:
      return StartManage(request);
    case IoOp::kReport:
      return StartReport(request);
    case IoOp::kDiscard:
      break;
  }
  RefuseCaller(request, Errc::kNotSupported, EOPNOTSUPP);
}

int DriveQueue::CheckBuffer(const IoRequest& request) const noexcept {
  if (request.registered_buffer >= 0) return EOPNOTSUPP;
  if (request.iovec_count == 0) {
    return request.buffer == nullptr && config_.keeps_data && request.bytes != 0 ? EFAULT : 0;
  }
  if (request.iovec_count > kMaxVectors || request.iovecs == nullptr) return EINVAL;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < request.iovec_count; ++i) {
    const iovec& part = request.iovecs[i];
    if (part.iov_base == nullptr && config_.keeps_data && part.iov_len != 0) return EFAULT;
    bytes += part.iov_len;
  }
  return bytes == request.bytes ? 0 : EINVAL;
}

std::span<const iovec> DriveQueue::DataOf(const IoRequest& request, iovec& single) const noexcept {
  if (request.iovec_count != 0) return {request.iovecs, request.iovec_count};
  single = {request.buffer, request.bytes};
  return {&single, 1};
}

std::span<iovec> DriveQueue::VectorsOf(const Slot& slot) noexcept {
  const std::size_t index = static_cast<std::size_t>(&slot - slots_.data());
  return {&vectors_[index * kMaxVectors], kMaxVectors};
}

// A read, or a write to conventional zones: one that crosses from one into the
// next is legal, and is decided zone by zone.
Outcome DriveQueue::DecideOnLanded(std::uint64_t offset, std::uint64_t bytes, CommandKind kind,
                                   std::uint64_t& data_bytes) const noexcept {
  const Geometry& geometry = zones_.geometry();
  data_bytes = 0;
  for (;;) {
    const ZoneId zone = geometry.ZoneOf(offset);
    const std::uint64_t start = geometry.StartOf(zone);
    const std::uint64_t rest = geometry.EndOf(zone) - offset;
    const bool goes_on = bytes > rest && zones_.IsConventional(zone.value()) &&
                         zones_.IsConventional(zone.value() + 1);
    const std::uint64_t piece = goes_on ? rest : bytes;
    const Outcome outcome = zones_.DecideOnLanded(zone.value(), {kind, offset - start, piece});
    if (!outcome.ok()) return outcome;
    data_bytes += outcome.data_bytes;
    if (!goes_on) return outcome;
    offset += piece;
    bytes -= piece;
  }
}

void DriveQueue::StartRead(const IoRequest& request) noexcept {
  if (const int error = CheckBuffer(request)) return RefuseBuffer(request, error);
  if (!InRange(request.offset, request.bytes)) return Refuse(request, OutOfRange());
  std::uint64_t data_bytes = 0;
  const Outcome outcome =
      DecideOnLanded(request.offset, request.bytes, CommandKind::kRead, data_bytes);
  if (!outcome.ok()) return Refuse(request, outcome);
  if (config_.store_has_bytes_above_pointers) data_bytes = request.bytes;

  Slot local = NewSlot(request);
  local.result.bytes = request.bytes;
  Slot& slot = config_.store_answers_at_once ? local : Keep(local);
  iovec single;
  std::array<iovec, kMaxVectors> on_stack;
  const std::span<iovec> vectors =
      config_.store_answers_at_once ? std::span<iovec>(on_stack) : VectorsOf(slot);
  const std::span<const iovec> data = DataOf(request, single);
  std::copy(data.begin(), data.end(), vectors.begin());
  const std::size_t kept = ZeroFrom(vectors.first(data.size()), data_bytes);
  Handed(slot, data_bytes == 0 ? StoreAnswer{}
                               : store_->Read(request.offset, vectors.first(kept), Cookie(slot)));
}

// The common case of AdmitWrite, which decides where this answers false.
bool DriveQueue::ExtendsOpenZone(const IoRequest& request, Slot& slot) noexcept {
  if (!InRange(request.offset, request.bytes)) return false;
  const ZoneId zone = zones_.geometry().ZoneOf(request.offset);
  if (zones_.IsConventional(zone.value())) return false;
  const std::uint64_t start = zones_.geometry().StartOf(zone);
  const CommandKind kind = request.op == IoOp::kAppend ? CommandKind::kAppend : CommandKind::kWrite;
  const core::ZoneCommand command{kind, request.offset - start, request.bytes};
  if (!zones_.TryExtend(zone.value(), command, slot.ticket)) return false;
  slot.sequential = true;
  slot.result.offset = start + zones_.OffsetOf(slot.ticket);
  return true;
}

bool DriveQueue::AdmitWrite(const IoRequest& request, Slot& slot, Outcome& refusal) noexcept {
  const Geometry& geometry = zones_.geometry();
  const bool append = request.op == IoOp::kAppend;
  const CommandKind kind = append ? CommandKind::kAppend : CommandKind::kWrite;
  if (append && !core::Knows(zones_.rules(), kind)) {
    refusal = InvalidOpcode();
    return false;
  }
  if (!InRange(request.offset, append ? 0 : request.bytes)) {
    refusal = OutOfRange();
    return false;
  }
  const ZoneId zone = geometry.ZoneOf(request.offset);
  if (zones_.IsConventional(zone.value())) {
    std::uint64_t unused = 0;
    refusal = append ? zones_.DecideOnLanded(zone.value(), {kind, 0, request.bytes})
                     : DecideOnLanded(request.offset, request.bytes, kind, unused);
    return refusal.ok();
  }
  const std::uint64_t start = geometry.StartOf(zone);
  const core::ZoneCommand command{kind, request.offset - start, request.bytes};
  slot.sequential = true;
  const Admission admission = zones_.AdmitWrite(zone.value(), command);
  if (!admission.outcome.ok()) {
    refusal = admission.outcome;
    return false;
  }
  slot.ticket = admission.ticket;
  slot.result.offset = start + zones_.OffsetOf(slot.ticket);
  return true;
}

void DriveQueue::StartWrite(const IoRequest& request) noexcept {
  if (const int error = CheckBuffer(request)) return RefuseBuffer(request, error);
  Slot local = NewSlot(request);
  if (!ExtendsOpenZone(request, local)) {
    Outcome refusal;
    if (!AdmitWrite(request, local, refusal)) return Refuse(request, refusal);
  }
  local.result.bytes = request.bytes;

  iovec single;
  const std::span<const iovec> data = DataOf(request, single);
  const bool prepared = !local.sequential || !zones_.MustPrepare(local.ticket.zone);
  if (config_.store_answers_at_once && prepared) {
    return Handed(local, store_->Write(local.result.offset, data, request.fua, 0));
  }
  Slot& slot = Keep(local);
  const std::span<iovec> vectors = VectorsOf(slot);
  std::copy(data.begin(), data.end(), vectors.begin());
  if (!prepared) {
    slot.stage = Stage::kPreparing;
    slot.vector_count = static_cast<std::uint16_t>(data.size());
    return;
  }
  Handed(slot,
         store_->Write(slot.result.offset, vectors.first(data.size()), request.fua, Cookie(slot)));
}

void DriveQueue::StartFlush(const IoRequest& request) noexcept {
  Slot slot = NewSlot(request);
  slot.result.offset = 0;
  if (!config_.flushes_through_device) {
    Slot& kept = Keep(slot);
    return Handed(kept, store_->Flush(Cookie(kept)));
  }
  // It blocks: done by Poll, not by Submit.
  slot.stage = Stage::kFlushing;
  Keep(slot);
}

void DriveQueue::StartManage(const IoRequest& request) noexcept {
  if (!core::Knows(zones_.rules(), KindOf(request.zone_op))) {
    return Refuse(request, InvalidOpcode());
  }
  if (!InRange(request.offset, 0)) return Refuse(request, OutOfRange());
  const Geometry& geometry = zones_.geometry();
  const ZoneId zone = geometry.ZoneOf(request.offset);
  if (geometry.StartOf(zone) != request.offset) {
    return Refuse(request, core::Refuse({}, Errc::kBadRange, zones_.rules().dialect,
                                        nvme::kInvalidField, scsi::kInvalidFieldInCdb));
  }
  Slot slot = NewSlot(request);
  slot.stage = Stage::kManaging;
  slot.ticket.zone = zone.value();
  if (!Advance(slot)) Keep(slot);
}

void DriveQueue::StartReport(const IoRequest& request) noexcept {
  if (request.zone == nullptr) return RefuseCaller(request, Errc::kBadRange, EFAULT);
  if (!InRange(request.offset, 0)) return Refuse(request, OutOfRange());
  *request.zone = zones_.Describe(zones_.geometry().ZoneOf(request.offset).value());
  Slot slot = NewSlot(request);
  slot.stage = Stage::kStored;
  Advance(slot);
}

// The store has the request, or is done with it already.
void DriveQueue::Handed(Slot& slot, StoreAnswer answer) noexcept {
  slot.stored = answer.error == 0;
  slot.stage = answer.pending ? Stage::kStoring : Stage::kStored;
  if (answer.pending) {
    ++storing_;
    return;
  }
  // A kept slot completes in its place among the waiting, in Poll.
  if (config_.store_answers_at_once && !TryLand(slot)) Keep(slot);
}

bool DriveQueue::PrepareAndStore(Slot& slot) noexcept {
  const std::uint32_t zone = slot.ticket.zone;
  StoreAnswer answer{false, EIO};
  if (!zones_.MustPrepare(zone) || zones_.Prepare(zone)) {
    answer = store_->Write(slot.result.offset, VectorsOf(slot).first(slot.vector_count), slot.fua,
                           Cookie(slot));
  }
  slot.stored = answer.error == 0;
  slot.stage = answer.pending ? Stage::kStoring : Stage::kStored;
  if (answer.pending) ++storing_;
  return Advance(slot);
}

bool DriveQueue::Advance(Slot& slot) noexcept {
  switch (slot.stage) {
    case Stage::kPreparing:
      return PrepareAndStore(slot);
    case Stage::kStoring:
      return false;
    case Stage::kManaging:
      return TryManage(slot);
    case Stage::kStored:
      return TryLand(slot);
    case Stage::kFlushing:
      slot.stored = drive_.MakeDurable().ok();
      return Finish(slot);
  }
  return false;
}

bool DriveQueue::TryLand(Slot& slot) noexcept {
  if (slot.sequential) {
    switch (zones_.Land(slot.ticket, slot.stored)) {
      case Landing::kNotYet:
        return false;
      case Landing::kLost:
        slot.stored = false;
        break;
      case Landing::kLanded:
        break;
    }
    drive_.landing_bell().Ring();
  }
  if (slot.stored && slot.fua && config_.flushes_through_device) {
    slot.stage = Stage::kFlushing;
    return false;
  }
  return Finish(slot);
}

bool DriveQueue::TryManage(Slot& slot) noexcept {
  const ManageOutcome done = zones_.Manage(slot.ticket.zone, KindOf(slot.zone_op));
  if (done.not_yet) return false;
  ready_.Push(slot.user_data, ToResult(done.outcome, slot.result.offset, 0));
  return true;
}

bool DriveQueue::Finish(Slot& slot) noexcept {
  if (slot.stored) {
    Count(slot);
    ready_.Push(slot.user_data, slot.result);
  } else {
    const Outcome fault = slot.op == IoOp::kRead ? zones_.ReadFault() : zones_.WriteFault();
    ready_.Push(slot.user_data, ToResult(fault, slot.result.offset, 0));
  }
  return true;
}

void DriveQueue::Count(const Slot& slot) noexcept {
  switch (slot.op) {
    case IoOp::kAppend:
      Add(counters_->appends, 1);
      [[fallthrough]];
    case IoOp::kWrite:
      Add(counters_->writes, 1);
      Add(counters_->bytes_written, slot.result.bytes);
      break;
    case IoOp::kRead:
      Add(counters_->reads, 1);
      Add(counters_->bytes_read, slot.result.bytes);
      break;
    case IoOp::kFlush:
      Add(counters_->flushes, 1);
      break;
    default:
      break;
  }
}

DriveQueue::Slot DriveQueue::NewSlot(const IoRequest& request) const noexcept {
  Slot slot;
  slot.op = request.op;
  slot.zone_op = request.zone_op;
  slot.fua = request.fua && request.op == IoOp::kWrite;
  slot.user_data = request.user_data;
  slot.result.offset = request.offset;
  return slot;
}

DriveQueue::Slot& DriveQueue::Keep(const Slot& slot) noexcept {
  const std::uint32_t index = free_.Take();
  waiting_.push_back(index);
  slots_[index] = slot;
  return slots_[index];
}

std::uint64_t DriveQueue::Cookie(const Slot& slot) const noexcept {
  return config_.store_answers_at_once ? 0 : static_cast<std::uint64_t>(&slot - slots_.data());
}

bool DriveQueue::InRange(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  const std::uint64_t size = zones_.geometry().size_bytes;
  return offset < size && bytes <= size - offset;
}

Outcome DriveQueue::OutOfRange() const noexcept {
  return core::Refuse({}, Errc::kBadRange, zones_.rules().dialect, nvme::kLbaOutOfRange,
                      scsi::kLbaOutOfRange);
}

Outcome DriveQueue::InvalidOpcode() const noexcept {
  return core::Refuse({}, Errc::kNotSupported, zones_.rules().dialect, nvme::kInvalidOpcode,
                      scsi::kInvalidOpcode);
}

void DriveQueue::Refuse(const IoRequest& request, const Outcome& outcome) noexcept {
  if (outcome.errc != Errc::kMediaError) Add(counters_->rule_violations, 1);
  ready_.Push(request.user_data, ToResult(outcome, request.offset, 0));
}

void DriveQueue::RefuseBuffer(const IoRequest& request, int error) noexcept {
  RefuseCaller(request, error == EOPNOTSUPP ? Errc::kNotSupported : Errc::kBadRange, error);
}

void DriveQueue::RefuseCaller(const IoRequest& request, Errc errc, int error) noexcept {
  IoResult result;
  result.offset = request.offset;
  result.errc = errc;
  result.origin = Origin::kErrno;
  result.raw = static_cast<std::uint32_t>(error);
  ready_.Push(request.user_data, result);
}

}  // namespace zonal::emulated
