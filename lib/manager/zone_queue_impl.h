// SPDX-License-Identifier: MIT
// ZoneQueue behind its interface: requests admitted by the Writer, carried by an
// IoQueue, completed back into the Writer. zone_queue.cc is the hot path,
// zone_queue_slow.cc operations, recovery and the end.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/free_indices.h"
#include "manager/manager_core.h"
#include "manager/writer.h"
#include "zonal/zone_queue.h"

namespace zonal::manager {

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
        free_tickets_(depth),
        mailbox_(std::make_shared<Mailbox>()) {
    mailbox_->io = io_.get();
    prepared_.reserve(tickets_.size());
    ready_.reserve(depth);
    waiting_.reserve(depth);
    blocking_.reserve(tickets_.size());
  }
  ~ZoneQueueImpl() override;

  std::uint32_t id() const noexcept override { return entry_.id; }
  IoQueue& io_queue() noexcept override { return *io_; }
  std::uint32_t depth() const noexcept override { return depth_; }
  std::uint32_t in_flight() const noexcept override { return depth_ - free_tickets_.count(); }

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
  // Submits, and starts what can start now. True if work was done on the spot.
  bool Advance() noexcept {
    if (!waiting_.empty() || !blocking_.empty() || writer_.has_suspects()) return AdvanceSlowly();
    Submit();
    return false;
  }
  bool AdvanceSlowly() noexcept;
  void StartWaitingOperations() noexcept;
  void StartResync() noexcept;
  void SlowWork(std::uint32_t ticket) noexcept;
  void RunBlocking(std::uint32_t ticket) noexcept;
  void DropUnsubmitted() noexcept;
  void EndDropped() noexcept;

  ManagerCore& core_;
  const Geometry geometry_;
  QueueEntry& entry_;
  std::unique_ptr<IoQueue> io_;
  Service* const service_;
  const std::uint32_t depth_;
  Writer writer_;
  std::vector<Ticket> tickets_;
  core::FreeIndices free_tickets_;
  std::vector<IoRequest> prepared_;
  std::vector<ZoneCompletion> ready_;    // ended without the device
  std::vector<std::uint32_t> waiting_;   // operations whose zone is not ours yet
  std::vector<std::uint32_t> blocking_;  // slow work for Submit to do
  std::array<Completion, kPollBatch> polled_;
  std::shared_ptr<Mailbox> mailbox_;
  std::uint32_t in_service_ = 0;
  Zone reported_;
  bool resyncing_ = false;
  bool ending_ = false;
  Instant now_;
};

}  // namespace zonal::manager
