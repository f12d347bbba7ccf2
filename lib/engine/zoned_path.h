// SPDX-License-Identifier: MIT
// zonemode=zbd: a ZoneQueue with the choosers of reads and writes on top.
#pragma once

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "engine/path.h"
#include "engine/setup.h"
#include "engine/zoned_reader.h"
#include "engine/zoned_trimmer.h"
#include "engine/zoned_writer.h"

namespace zonal::engine {

class ZonedPath final : public Path {
 public:
  // `verifier`: null unless the worker verifies; must outlive the path.
  static absl::StatusOr<std::unique_ptr<Path>> Create(const WorkerSetup& setup, const Clock& clock,
                                                      Verifier* verifier);

  void BeginBatch() noexcept override { writer_.BeginBatch(); }
  Draw PrepareRead(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept override {
    return reader_.Prepare(slot, bytes, id);
  }
  Draw PrepareWrite(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept override {
    return writer_.Prepare(slot, bytes, id);
  }
  Draw PrepareTrim(Slot& slot, std::uint64_t, std::uint32_t id) noexcept override {
    return trimmer_->Prepare(slot, id);
  }
  Draw PrepareWriteAt(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                      std::uint32_t id) noexcept override {
    return writer_.PrepareInZoneOf(offset, slot, bytes, id);
  }
  Draw PrepareRewrite(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                      std::uint32_t id) noexcept override {
    return writer_.PrepareRewrite(offset, slot, bytes, id);
  }
  void KeepForRewrites(ZoneId zone) noexcept override {
    // An operation under way may wait for a zone that another worker keeps likewise.
    if (!writer_.operation_active() && !trimmer_) (void)queue_->Acquire(zone);
  }
  void EndRewrites(ZoneId zone) noexcept override { queue_->Release(zone); }
  Draw PrepareReadBack(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                       std::uint32_t id) noexcept override {
    return reader_.PrepareReadBack(slot, offset, bytes, id);
  }
  Draw PrepareFlush(Slot& slot, std::uint32_t id) noexcept override {
    const Admission admission = queue_->Flush(id);
    if (!admission.ok()) return Draw::Wait(admission);
    slot.use = SlotUse::kFlush;
    slot.bytes = 0;
    return Draw::Of(Draw::Kind::kPrepared);
  }
  bool met_others() const noexcept override { return writer_.met_others(); }
  void StartPass(Direction direction) noexcept override {
    switch (direction) {
      case Direction::kRead:
        return reader_.StartPass();
      case Direction::kWrite:
        return writer_.StartPass();
      case Direction::kTrim:
        if (trimmer_) trimmer_->StartPass();
    }
  }
  std::size_t Poll(std::span<ZoneCompletion> out, std::size_t min,
                   nanoseconds wait) noexcept override {
    return queue_->Poll(out, min, wait);
  }
  void Completed(const Slot& slot, const ZoneCompletion& completion) noexcept override {
    if (slot.use == SlotUse::kTrim) {
      trimmer_->Completed(slot);
    } else if (slot.use < SlotUse::kFlush) {
      writer_.Completed(slot, completion);
    }
  }
  bool Park(WaitKey key) noexcept override { return queue_->Park(key); }
  std::uint32_t in_flight() const noexcept override { return queue_->in_flight(); }
  IoQueue& io_queue() noexcept override { return queue_->io_queue(); }
  void WatchSlots(std::span<const Slot> slots) noexcept override { writer_.WatchSlots(slots); }
  void UseRegisteredBuffer() noexcept override {
    reader_.UseRegisteredBuffer();
    writer_.UseRegisteredBuffer();
  }

 private:
  ZonedPath(const WorkerSetup& setup, std::unique_ptr<ZoneQueue> queue, Verifier* verifier)
      : queue_(std::move(queue)), reader_(setup, *queue_), writer_(setup, *queue_, verifier) {
    if (setup.trims()) trimmer_.emplace(setup, *queue_);
  }

  // Declared in this order so that the queue outlives its users.
  std::unique_ptr<ZoneQueue> queue_;
  ZonedReader reader_;
  ZonedWriter writer_;
  std::optional<ZonedTrimmer> trimmer_;
};

}  // namespace zonal::engine
