// SPDX-License-Identifier: MIT
// A queue of the emulated drive. With a store that answers at once everything
// happens inside Submit, and Poll hands out what is ready. What has to wait (for
// the store, for an earlier write of the zone through another queue, for a
// flush, for a zone to be prepared) is a slot in a fixed array, moved on by Poll,
// which may then wait for a disk whatever its own limit.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/free_indices.h"
#include "device/emulated/drive.h"
#include "device/emulated/drive_memory.h"
#include "device/emulated/ready_event.h"
#include "device/emulated/ready_list.h"
#include "device/emulated/store.h"
#include "device/emulated/wake_flag.h"
#include "device/emulated/zone_table.h"
#include "zonal/io_queue.h"

namespace zonal::emulated {

struct DriveQueueConfig {
  std::uint32_t depth = 32;
  CompletionOrder order = CompletionOrder::kSubmission;
  std::uint64_t seed = 1;
  bool read_only = false;
  bool keeps_data = true;  // else buffers may be null
  bool store_answers_at_once = true;
  bool store_has_bytes_above_pointers = false;
  bool flushes_through_device = true;  // by Drive::MakeDurable, else by the store's queue
};

class DriveQueue final : public IoQueue {
 public:
  // `counters` is this queue's alone, null for a read-only drive; `counter_slot`
  // goes back through QueueGone.
  DriveQueue(Drive& drive, const DriveQueueConfig& config, std::unique_ptr<StoreQueue> store,
             CounterSlot* counters, std::size_t counter_slot, const Clock& clock);
  ~DriveQueue() override;

  std::string_view name() const noexcept override { return store_->name(); }
  const QueueFeatures& features() const noexcept override { return features_; }
  std::uint32_t depth() const noexcept override { return config_.depth; }
  std::uint32_t in_flight() const noexcept override {
    return static_cast<std::uint32_t>(ready_.size() + waiting_.size());
  }
  std::size_t Submit(std::span<const IoRequest> requests) noexcept override;
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override;
  void Wake() noexcept override;
  int event_fd() noexcept override;
  bool Arm() noexcept override;
  absl::Status Close(nanoseconds deadline) override;

 private:
  enum class Stage : std::uint8_t {
    kPreparing,  // its zone is to be prepared by the next Poll, before its bytes go out
    kStoring,    // with the store
    kStored,     // done by the store: lands when it is its turn, completes
    kFlushing,   // to be made durable by the next Poll
    kManaging,   // behind writes that have not landed
  };
  struct Slot {
    Stage stage = Stage::kStored;
    bool stored = true;       // nothing went wrong below
    bool sequential = false;  // has a ticket to land
    bool fua = false;
    std::uint16_t vector_count = 0;  // kPreparing
    IoOp op = IoOp::kRead;
    ZoneOp zone_op = ZoneOp::kReset;
    Ticket ticket;
    std::uint64_t user_data = 0;
    IoResult result;  // of success
  };

  // Admit, by operation.
  void Start(const IoRequest& request) noexcept;
  void StartRead(const IoRequest& request) noexcept;
  void StartWrite(const IoRequest& request) noexcept;
  void StartFlush(const IoRequest& request) noexcept;
  void StartManage(const IoRequest& request) noexcept;
  void StartReport(const IoRequest& request) noexcept;
  bool ExtendsOpenZone(const IoRequest& request, Slot& slot) noexcept;
  bool AdmitWrite(const IoRequest& request, Slot& slot, core::Outcome& refusal) noexcept;
  core::Outcome DecideOnLanded(std::uint64_t offset, std::uint64_t bytes, core::CommandKind kind,
                               std::uint64_t& data_bytes) const noexcept;
  int CheckBuffer(const IoRequest& request) const noexcept;  // an errno, 0 if it is sound
  bool InRange(std::uint64_t offset, std::uint64_t bytes) const noexcept;

  // Land, and what follows. True: it completed.
  void Handed(Slot& slot, StoreAnswer answer) noexcept;
  bool PrepareAndStore(Slot& slot) noexcept;
  bool Advance(Slot& slot) noexcept;
  bool TryLand(Slot& slot) noexcept;
  bool TryManage(Slot& slot) noexcept;
  bool Finish(Slot& slot) noexcept;
  void Count(const Slot& slot) noexcept;

  core::Outcome OutOfRange() const noexcept;
  core::Outcome InvalidOpcode() const noexcept;
  void Refuse(const IoRequest& request, const core::Outcome& outcome) noexcept;
  void RefuseBuffer(const IoRequest& request, int error) noexcept;
  void RefuseCaller(const IoRequest& request, Errc errc, int error) noexcept;

  // Slots that wait.
  Slot NewSlot(const IoRequest& request) const noexcept;
  Slot& Keep(const Slot& slot) noexcept;
  std::uint64_t Cookie(const Slot& slot) const noexcept;
  std::span<const iovec> DataOf(const IoRequest& request, iovec& single) const noexcept;
  std::span<iovec> VectorsOf(const Slot& slot) noexcept;

  void AdvanceWaiting() noexcept;
  void TakeStoreCompletions(std::size_t min, nanoseconds wait) noexcept;
  std::size_t PollAsleep(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept;
  void WaitForProgress(nanoseconds wait) noexcept;
  // What Poll would do without waiting for others.
  bool HasWork() noexcept;
  bool PollBlocks() const noexcept;  // there is a flush, or a zone to prepare
  void Disarm() noexcept;

  Drive& drive_;
  ZoneTable& zones_;
  const DriveQueueConfig config_;
  std::unique_ptr<StoreQueue> store_;
  CounterSlot unshared_;  // of a queue that counts for nobody
  CounterSlot* counters_;
  const std::size_t counter_slot_;
  const Clock& clock_;
  QueueFeatures features_;
  ReadyList ready_;
  std::vector<Slot> slots_;
  core::FreeIndices free_;              // of slots_
  std::vector<std::uint32_t> waiting_;  // those in use, in order of submission
  std::vector<iovec> vectors_;          // 16 a slot, where they outlive Submit
  std::uint32_t storing_ = 0;           // how many of waiting_ are with the store
  WakeFlag wake_;
  bool closing_ = false;
  bool armed_ = false;        // not polled since Arm
  bool on_the_bell_ = false;  // of the drive
  ReadyEvent event_;
  int both_events_ = -1;  // an epoll descriptor over event_ and the store's
};

}  // namespace zonal::emulated
