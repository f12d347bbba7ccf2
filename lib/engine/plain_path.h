// SPDX-License-Identifier: MIT
// zonemode=none: plain offsets on any device; the device judges them.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/path.h"
#include "engine/setup.h"
#include "workload/offsets.h"

namespace zonal::engine {

class PlainPath final : public Path {
 public:
  static absl::StatusOr<std::unique_ptr<Path>> Create(const WorkerSetup& setup, const Clock& clock);

  void BeginBatch() noexcept override {}
  Draw PrepareRead(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept override;
  Draw PrepareWrite(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept override;
  void StartPass(Direction direction) noexcept override;
  std::size_t Poll(std::span<ZoneCompletion> out, std::size_t min,
                   nanoseconds wait) noexcept override;
  void Completed(const Slot&, const ZoneCompletion&) noexcept override {}
  bool Park(WaitKey) noexcept override { return true; }
  std::uint32_t in_flight() const noexcept override {
    return queue_->in_flight() + static_cast<std::uint32_t>(prepared_.size());
  }
  IoQueue& io_queue() noexcept override { return *queue_; }
  void UseRegisteredBuffer() noexcept override { registered_buffer_ = 0; }

 private:
  // Where the blocks of one direction go.
  struct Stream {
    workload::SequentialOffsets sequential;
    workload::RandomOffsets random;
  };
  PlainPath(const WorkerSetup& setup, const Clock& clock, std::unique_ptr<IoQueue> queue);
  Draw Prepare(Stream& stream, IoOp op, Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  void Submit() noexcept;

  struct InFlight {
    IoOp op = IoOp::kRead;
    Instant submitted_at;
  };

  const Clock& clock_;
  std::unique_ptr<IoQueue> queue_;
  const Geometry& geometry_;
  const bool is_random_;
  std::int16_t registered_buffer_ = -1;
  Stream reads_, writes_;
  std::vector<IoRequest> prepared_;     // at most depth
  std::vector<InFlight> in_flight_of_;  // by user_data
  std::vector<Completion> completions_;
};

}  // namespace zonal::engine
