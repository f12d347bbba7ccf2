// SPDX-License-Identifier: MIT
// ZoneQueue: slow zone work, natively through the queue where it can, else by the
// Service, else blocking in Submit; recovery of suspect zones; the end of a queue.
#include <algorithm>
#include <utility>

#include "manager/zone_queue_impl.h"

namespace zonal::manager {

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

// Work done on the spot lets the next operation or report start: nobody else will
// say so.
bool ZoneQueueImpl::AdvanceSlowly() noexcept {
  bool worked = false;
  for (;;) {
    Progress();
    const bool on_the_spot = !blocking_.empty();
    Submit();
    if (!on_the_spot) return worked;
    worked = true;
  }
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
    ready_.push_back(
        {ticket.user_data, IoOp::kManage, ticket.zone_op, ticket.zone, result, now, now});
    free_tickets_.Give(index);
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
  const bool native = report ? io_->features().report : io_->features().manage;
  // At its end the queue asks the device itself: its IoQueue may be closed.
  if (native && !ending_) {
    IoRequest& request = Prepare(ticket.op, index, geometry_.StartOf(ticket.zone), 0);
    request.zone_op = ticket.zone_op;
    request.zone = &reported_;
    return;
  }
  if (service_ == nullptr || ending_) {
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
      writer_.AbandonOperation(ticket.zone, ticket.zone_op);
    }
    if (index < depth_) {
      free_tickets_.Give(index);
    } else {
      blocking_.push_back(index);
    }
  }
  std::erase_if(blocking_, [this](std::uint32_t index) {
    if (index == depth_) return false;  // the report of a suspect zone: needed to leave it
    writer_.AbandonOperation(tickets_[index].zone, tickets_[index].zone_op);
    free_tickets_.Give(index);
    return true;
  });
}

// Nothing is left that could still complete, and these have not: IoQueue::Close
// dropped their completions. Whether they reached the device, its report says.
void ZoneQueueImpl::EndDropped() noexcept {
  std::vector<bool> ended(depth_);
  for (const std::uint32_t index : free_tickets_.indices()) ended[index] = true;
  ZoneCompletion unseen;
  for (std::uint32_t index = 0; index < depth_; ++index) {
    if (ended[index]) continue;
    IoResult result;
    result.offset = geometry_.StartOf(tickets_[index].zone);
    result.errc = Errc::kCancelled;
    Finish(index, result, now_, {}, unseen);
  }
  if (resyncing_) blocking_.push_back(depth_);
}

ZoneQueueImpl::~ZoneQueueImpl() {
  ending_ = true;
  writer_.StopWaiting();
  for (const std::uint32_t index : waiting_) {
    writer_.CancelOperation(tickets_[index].zone);
    free_tickets_.Give(index);
  }
  waiting_.clear();
  DropUnsubmitted();
  ZoneCompletion ended;
  while (in_flight() != 0 || resyncing_ || writer_.has_suspects()) {
    if (in_service_ != 0) service_->Step();
    const bool others = io_->in_flight() != 0 || in_service_ != 0;
    if (!others && blocking_.empty()) EndDropped();
    // Short waits: a service thread may be at work on one of ours.
    Poll({&ended, 1}, 1, std::chrono::milliseconds(others ? 10 : 0));
  }
  {
    const std::lock_guard lock(mailbox_->mutex);
    mailbox_->io = nullptr;
  }
  writer_.End();
  core_.queues().Remove(entry_.id);
}

}  // namespace zonal::manager
