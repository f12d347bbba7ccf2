// SPDX-License-Identifier: MIT
// zonemode=zbd: a ZoneQueue with the choosers of reads and writes on top.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "engine/path.h"
#include "engine/setup.h"
#include "engine/zoned_reader.h"
#include "engine/zoned_writer.h"

namespace zonal::engine {

class ZonedPath final : public Path {
 public:
  static absl::StatusOr<std::unique_ptr<Path>> Create(const WorkerSetup& setup, const Clock& clock);

  void BeginBatch() noexcept override { writer_.BeginBatch(); }
  Draw PrepareRead(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept override {
    return reader_.Prepare(slot, bytes, id);
  }
  Draw PrepareWrite(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept override {
    return writer_.Prepare(slot, bytes, id);
  }
  bool met_others() const noexcept override { return writer_.met_others(); }
  void StartPass(Direction direction) noexcept override {
    if (direction == Direction::kRead)
      reader_.StartPass();
    else
      writer_.StartPass();
  }
  std::size_t Poll(std::span<ZoneCompletion> out, std::size_t min,
                   nanoseconds wait) noexcept override {
    return queue_->Poll(out, min, wait);
  }
  void Completed(const Slot& slot, const ZoneCompletion& completion) noexcept override {
    writer_.Completed(slot, completion);
  }
  bool Park(WaitKey key) noexcept override { return queue_->Park(key); }
  std::uint32_t in_flight() const noexcept override { return queue_->in_flight(); }
  IoQueue& io_queue() noexcept override { return queue_->io_queue(); }
  void UseRegisteredBuffer() noexcept override {
    reader_.UseRegisteredBuffer();
    writer_.UseRegisteredBuffer();
  }

 private:
  ZonedPath(const WorkerSetup& setup, std::unique_ptr<ZoneQueue> queue)
      : queue_(std::move(queue)), reader_(setup, *queue_), writer_(setup, *queue_) {}

  // Declared in this order so that the queue outlives its users.
  std::unique_ptr<ZoneQueue> queue_;
  ZonedReader reader_;
  ZonedWriter writer_;
};

}  // namespace zonal::engine
