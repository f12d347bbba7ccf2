// SPDX-License-Identifier: MIT
// ZoneQueue: requests admitted by the Writer, carried by an IoQueue, completed
// back into the Writer. Slow zone work goes natively through the queue where it
// can, else to the Service, else blocks in Submit.
#include "zonal/zone_queue.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/status_macros.h"
#include "manager/manager_core.h"
#include "manager/writer.h"

namespace zonal {
namespace manager {
namespace {

// Outcomes of the service, delivered from its thread. Shared with the callbacks,
// which may outlive the queue.
struct Mailbox {
  struct Item {
    std::uint32_t ticket;
    IoResult result;
    Zone zone;
  };
  std::mutex mutex;
  std::vector<Item> items;
  std::atomic<bool> filled{false};
  IoQueue* io = nullptr;  // null once the queue is gone

  void Put(const Item& item) {
    const std::lock_guard lock(mutex);
    items.push_back(item);
    filled.store(true, std::memory_order_release);
    if (io != nullptr) io->Wake();
  }
  std::vector<Item> TakeAll() {
    const std::lock_guard lock(mutex);
    filled.store(false, std::memory_order_relaxed);
    return std::exchange(items, {});
  }
};

class ZoneQueueImpl final : public ZoneQueue {
 public:
  ZoneQueueImpl(ManagerCore& core, QueueEntry& entry, std::unique_ptr<IoQueue> io, Service* service,
                std::uint32_t depth)
      : core_(core),
        geometry_(core.geometry()),
        entry_(entry),
        io_(std::move(io)),
        service_(service),
        depth_(depth),
        writer_(core, entry, depth, io_->features().write_depth_per_zone),
        tickets_(std::size_t{depth} + 1),
        mailbox_(std::make_shared<Mailbox>()) {
    mailbox_->io = io_.get();
    free_tickets_.reserve(depth);
    for (std::uint32_t i = depth; i-- > 0;) free_tickets_.push_back(i);
    prepared_.reserve(tickets_.size());
    ready_.reserve(depth);
    waiting_.reserve(depth);
    blocking_.reserve(tickets_.size());
  }
  ~ZoneQueueImpl() override;

  std::uint32_t id() const noexcept override { return entry_.id; }
  IoQueue& io_queue() noexcept override { return *io_; }
  std::uint32_t depth() const noexcept override { return depth_; }
  std::uint32_t in_flight() const noexcept override {
    return depth_ - static_cast<std::uint32_t>(free_tickets_.size());
  }

  Admission Write(ZoneId zone, void* buffer, std::uint64_t bytes, std::uint64_t user_data,
                  const WriteOptions& options) noexcept override;
  Admission Append(ZoneId zone, void* buffer, std::uint64_t bytes,
                   std::uint64_t user_data) noexcept override;
  Admission WriteAt(std::uint64_t offset, void* buffer, std::uint64_t bytes,
                    std::uint64_t user_data, const WriteOptions& options) noexcept override;
  Admission Read(std::uint64_t offset, void* buffer, std::uint64_t bytes, std::uint64_t user_data,
                 std::int16_t registered_buffer) noexcept override;
  Admission Manage(ZoneId zone, ZoneOp op, std::uint64_t user_data) noexcept override;
  Admission Flush(std::uint64_t user_data) noexcept override;
  std::size_t Submit() noexcept override;
  std::size_t Poll(std::span<ZoneCompletion> out, std::size_t min,
                   nanoseconds wait) noexcept override;
  bool Park(WaitKey key) noexcept override { return writer_.Park(key); }
  void Wake() noexcept override { io_->Wake(); }

  Admission Acquire(ZoneId zone) noexcept override {
    return Inside(zone) ? writer_.Acquire(zone) : Refuse(Errc::kBadRange);
  }
  Admission AcquireAny(ZoneRange range, std::uint64_t min_bytes) noexcept override {
    if (!Inside(range.first)) return Refuse(Errc::kBadRange);
    range.count = std::min(range.count, geometry_.zone_count - range.first.value());
    return writer_.AcquireAny(range, min_bytes);
  }
  void Release(ZoneId zone) noexcept override {
    if (Inside(zone)) writer_.Release(zone);
  }
  std::span<const ZoneId> Targets() const noexcept override { return writer_.targets(); }
  void SetTargetCap(std::uint32_t cap) noexcept override { writer_.set_target_cap(cap); }
  Admission ClaimTarget(ZoneId zone) noexcept override {
    return Inside(zone) ? writer_.ClaimTarget(zone) : Refuse(Errc::kBadRange);
  }
  std::optional<ZoneId> ClaimUnclaimed(ZoneRange range) noexcept override {
    return writer_.ClaimUnclaimed(range);
  }
  void ReleaseTargets() noexcept override { writer_.ReleaseTargets(); }

 private:
  // What a request in flight means to us. The last ticket is our own: the report
  // of a suspect zone.
  struct Ticket {
    std::uint64_t user_data = 0;
    std::uint64_t bytes = 0;
    Instant submitted_at;
    ZoneId zone;
    std::uint32_t record = Writer::kNoRecord;
    std::uint32_t epoch = 0;
    IoOp op = IoOp::kRead;
    ZoneOp zone_op = ZoneOp::kReset;
  };
  static constexpr std::size_t kPollBatch = 64;

  static Admission Refuse(Errc errc, WaitKey::Kind kind = WaitKey::Kind::kNone,
                          ZoneId zone = ZoneId()) noexcept {
    return {errc, {kind, zone}, 0, 0};
  }
  bool Inside(ZoneId zone) const noexcept { return zone.value() < geometry_.zone_count; }
  bool InsideDevice(std::uint64_t offset, std::uint64_t bytes) const noexcept {
    return bytes != 0 && offset < geometry_.size_bytes && bytes <= geometry_.size_bytes - offset;
  }
  Admission CheckRoom() const noexcept {
    return free_tickets_.empty() ? Refuse(Errc::kZoneBusy, WaitKey::Kind::kOwnIo) : Admission{};
  }
  std::uint32_t TakeTicket(IoOp op, ZoneId zone, std::uint64_t bytes,
                           std::uint64_t user_data) noexcept;
  IoRequest& Prepare(IoOp op, std::uint32_t ticket, std::uint64_t offset,
                     std::uint64_t bytes) noexcept;
  bool Deliver(const Completion& completion, ZoneCompletion& out) noexcept;
  bool Finish(std::uint32_t ticket, IoResult result, Instant completed_at, const Zone& reported,
              ZoneCompletion& out) noexcept;
  std::size_t TakeReady(std::span<ZoneCompletion> out) noexcept;
  std::size_t TakeMail(std::span<ZoneCompletion> out) noexcept;
  void Progress() noexcept;
  void StartWaitingOperations() noexcept;
  void StartResync() noexcept;
  void SlowWork(std::uint32_t ticket) noexcept;
  void RunBlocking(std::uint32_t ticket) noexcept;
  void DropUnsubmitted() noexcept;

  ManagerCore& core_;
  const Geometry geometry_;
  QueueEntry& entry_;
  std::unique_ptr<IoQueue> io_;
  Service* const service_;
  const std::uint32_t depth_;
  Writer writer_;
  std::vector<Ticket> tickets_;
  std::vector<std::uint32_t> free_tickets_;
  std::vector<IoRequest> prepared_;
  std::vector<ZoneCompletion> ready_;     // ended without the device
  std::vector<std::uint32_t> waiting_;    // operations whose zone is not ours yet
  std::vector<std::uint32_t> blocking_;   // slow work for Submit to do
  std::array<Completion, kPollBatch> polled_;
  std::shared_ptr<Mailbox> mailbox_;
  std::uint32_t in_service_ = 0;
  Zone reported_;
  bool resyncing_ = false;
  Instant now_;
};

std::uint32_t ZoneQueueImpl::TakeTicket(IoOp op, ZoneId zone, std::uint64_t bytes,
                                        std::uint64_t user_data) noexcept {
  const std::uint32_t index = free_tickets_.back();
  free_tickets_.pop_back();
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
  if (geometry_.max_transfer != 0 && bytes > geometry_.max_transfer) {
    if (least > geometry_.max_transfer) return Refuse(Errc::kTooLarge);
    bytes = geometry_.max_transfer;
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
    Progress();
    Submit();
    count += TakeReady(out.subspan(count));
    const std::size_t room = std::min(out.size() - count, polled_.size());
    std::size_t asked = 0;
    nanoseconds left{0};
    if (count < min) {
      asked = std::clamp<std::size_t>(min - count, 1, std::max(1u, io_->in_flight()));
      asked = std::min(asked, room);
      left = timed ? std::max(nanoseconds(0), deadline - core_.clock().Now()) : wait;
      if (left.count() != 0) writer_.Sweep(now_, true);
    }
    const std::size_t got = room == 0 ? 0 : io_->Poll({polled_.data(), room}, asked, left);
    bool recovered = false;
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
    Progress();
    Submit();
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
  free_tickets_.push_back(index);
  return true;
}

std::size_t ZoneQueueImpl::TakeReady(std::span<ZoneCompletion> out) noexcept {
  const std::size_t count = std::min(out.size(), ready_.size());
  std::copy_n(ready_.begin(), count, out.begin());
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(count));
  return count;
}

std::size_t ZoneQueueImpl::TakeMail(std::span<ZoneCompletion> out) noexcept {
  const Instant now = core_.clock().Now();
  for (const Mailbox::Item& item : mailbox_->TakeAll()) {
    --in_service_;
    ZoneCompletion completion;
    if (Finish(item.ticket, item.result, now, item.zone, completion)) ready_.push_back(completion);
  }
  return TakeReady(out);
}

void ZoneQueueImpl::Progress() noexcept {
  if (!waiting_.empty()) StartWaitingOperations();
  if (!resyncing_ && writer_.has_suspects()) StartResync();
}

void ZoneQueueImpl::StartWaitingOperations() noexcept {
  for (std::size_t i = 0; i < waiting_.size();) {
    const std::uint32_t index = waiting_[i];
    Ticket& ticket = tickets_[index];
    const Errc started = writer_.StartOperation(ticket.zone, ticket.zone_op);
    if (started == Errc::kZoneBusy) {
      ++i;
      continue;
    }
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    if (started == Errc::kOk) {
      SlowWork(index);
      continue;
    }
    IoResult result;
    result.offset = geometry_.StartOf(ticket.zone);
    result.errc = started;
    const Instant now = core_.clock().Now();
    ready_.push_back({ticket.user_data, IoOp::kManage, ticket.zone_op, ticket.zone, result, now, now});
    free_tickets_.push_back(index);
  }
}

void ZoneQueueImpl::StartResync() noexcept {
  Ticket& ticket = tickets_[depth_];
  ticket.zone = writer_.TakeSuspect();
  ticket.op = IoOp::kReport;
  ticket.record = Writer::kNoRecord;
  resyncing_ = true;
  SlowWork(depth_);
}

// An operation or a report: native, by the service, or blocking in Submit.
void ZoneQueueImpl::SlowWork(std::uint32_t index) noexcept {
  Ticket& ticket = tickets_[index];
  const bool report = ticket.op == IoOp::kReport;
  if (report ? io_->features().report : io_->features().manage) {
    IoRequest& request = Prepare(ticket.op, index, geometry_.StartOf(ticket.zone), 0);
    request.zone_op = ticket.zone_op;
    request.zone = &reported_;
    return;
  }
  if (service_ == nullptr) {
    blocking_.push_back(index);
    return;
  }
  ticket.submitted_at = core_.clock().Now();
  ++in_service_;
  service_->Add({report, ticket.zone_op, ticket.zone,
                 [mailbox = mailbox_, index](const IoResult& result, const Zone& zone) {
                   mailbox->Put({index, result, zone});
                 }});
}

void ZoneQueueImpl::RunBlocking(std::uint32_t index) noexcept {
  Ticket& ticket = tickets_[index];
  const std::unique_ptr<Service> own = Service::Create(core_.device());
  Mailbox::Item item{index, {}, {}};
  own->Add({ticket.op == IoOp::kReport, ticket.zone_op, ticket.zone,
            [&item](const IoResult& result, const Zone& zone) {
              item.result = result;
              item.zone = zone;
            }});
  own->Step();
  ZoneCompletion completion;
  if (Finish(index, item.result, core_.clock().Now(), item.zone, completion)) {
    ready_.push_back(completion);
  }
}

// Takes back what was prepared and never handed over, newest first.
void ZoneQueueImpl::DropUnsubmitted() noexcept {
  while (!prepared_.empty()) {
    const auto index = static_cast<std::uint32_t>(prepared_.back().user_data);
    prepared_.pop_back();
    Ticket& ticket = tickets_[index];
    if (ticket.record != Writer::kNoRecord) {
      writer_.Unreserve(ticket.record);
    } else if (ticket.op == IoOp::kAppend) {
      writer_.UnreserveAppend(ticket.zone, ticket.bytes);
    } else if (ticket.op == IoOp::kManage) {
      IoResult never;
      never.errc = Errc::kCancelled;
      writer_.FinishOperation(ticket.zone, ticket.zone_op, never);
    }
    if (index < depth_) free_tickets_.push_back(index);
  }
}

ZoneQueueImpl::~ZoneQueueImpl() {
  writer_.StopWaiting();
  for (const std::uint32_t index : waiting_) {
    writer_.CancelOperation(tickets_[index].zone);
    free_tickets_.push_back(index);
  }
  waiting_.clear();
  DropUnsubmitted();
  ZoneCompletion ended;
  while (io_->in_flight() != 0 || in_service_ != 0 || writer_.has_suspects() || resyncing_) {
    if (in_service_ != 0) service_->Step();
    // Short waits: a service thread may be at work on one of ours.
    Poll({&ended, 1}, 1, std::chrono::milliseconds(10));
  }
  {
    const std::lock_guard lock(mailbox_->mutex);
    mailbox_->io = nullptr;
  }
  writer_.End();
  core_.queues().Remove(entry_.id);
}

}  // namespace
}  // namespace manager

absl::StatusOr<std::unique_ptr<ZoneQueue>> ZoneQueue::Create(ZoneManager& manager,
                                                             const ZoneQueueOptions& options) {
  auto& core = static_cast<manager::ManagerCore&>(manager);
  QueueOptions queue = options.queue;
  if (queue.depth == 0 || queue.depth > 65534) {
    return absl::InvalidArgumentError("queue depth " + std::to_string(queue.depth) +
                                      ": 1 to 65534 are possible");
  }
  if (queue.clock == nullptr) queue.clock = &core.clock();
  ++queue.depth;  // one more for our own report of a suspect zone
  ZONAL_ASSIGN_OR_RETURN(std::unique_ptr<IoQueue> io, core.device().NewQueue(queue));
  ZONAL_ASSIGN_OR_RETURN(manager::QueueEntry * entry, core.queues().Add(*io));
  return std::unique_ptr<ZoneQueue>(std::make_unique<manager::ZoneQueueImpl>(
      core, *entry, std::move(io), options.service, options.queue.depth));
}

}  // namespace zonal
