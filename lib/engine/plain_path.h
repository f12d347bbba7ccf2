// SPDX-License-Identifier: MIT
// zonemode=none and strided: plain offsets on any device; the device judges them.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/path.h"
#include "engine/setup.h"
#include "workload/random_stream.h"
#include "workload/windows.h"

namespace zonal::engine {

class PlainPath final : public Path {
 public:
  static absl::StatusOr<std::unique_ptr<Path>> Create(const WorkerSetup& setup, const Clock& clock);

  void BeginBatch() noexcept override {}
  Draw PrepareRead(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept override;
  Draw PrepareWrite(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept override;
  // Refused before a path is made: no queue of such a device discards.
  Draw PrepareTrim(Slot&, std::uint64_t, std::uint32_t) noexcept override {
    return Draw::Refused(Errc::kNotSupported);
  }
  Draw PrepareWriteAt(Slot&, std::uint64_t, std::uint64_t, std::uint32_t) noexcept override {
    return Draw::Refused(Errc::kNotSupported);
  }
  Draw PrepareRewrite(Slot&, std::uint64_t, std::uint64_t, std::uint32_t) noexcept override {
    return Draw::Refused(Errc::kNotSupported);
  }
  void KeepForRewrites(ZoneId) noexcept override {}
  void EndRewrites(ZoneId) noexcept override {}
  Draw PrepareReadBack(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                       std::uint32_t id) noexcept override;
  Draw PrepareFlush(Slot& slot, std::uint32_t id) noexcept override;
  void StartPass(Direction direction) noexcept override;
  std::size_t Poll(std::span<ZoneCompletion> out, std::size_t min,
                   nanoseconds wait) noexcept override;
  void Completed(const Slot&, const ZoneCompletion&) noexcept override {}
  bool Park(WaitKey) noexcept override { return true; }
  std::uint32_t in_flight() const noexcept override {
    return queue_->in_flight() + static_cast<std::uint32_t>(prepared_.size());
  }
  IoQueue& io_queue() noexcept override { return *queue_; }
  void WatchSlots(std::span<const Slot>) noexcept override {}
  void UseRegisteredBuffer() noexcept override { registered_buffer_ = 0; }

 private:
  // Where the blocks of one direction go, counted from the window's begin.
  struct Stream {
    Stream(const WorkerSetup& setup, const workload::Windows& windows, Direction direction);
    workload::RandomStream random;
    std::uint64_t position = 0;  // sequential
    std::uint32_t used = 0;      // how often the position was used
  };
  PlainPath(const WorkerSetup& setup, const Clock& clock, std::unique_ptr<IoQueue> queue);
  Draw Prepare(Stream& stream, IoOp op, Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  void Send(IoOp op, const Slot& slot, std::uint32_t id) noexcept;
  std::uint64_t FirstPosition() const noexcept;
  std::uint64_t NextRandom(Stream& stream, std::uint64_t bytes) noexcept;
  void Advance(Stream& stream, std::uint64_t bytes) noexcept;
  void Submit() noexcept;

  struct InFlight {
    IoOp op = IoOp::kRead;
    Instant submitted_at;
  };

  const Clock& clock_;
  std::unique_ptr<IoQueue> queue_;
  const Geometry& geometry_;
  const Workload& workload_;
  const bool is_random_;
  const bool is_strided_;
  std::int16_t registered_buffer_ = -1;
  workload::Windows windows_;
  Stream reads_, writes_;
  std::vector<IoRequest> prepared_;     // at most depth
  std::vector<InFlight> in_flight_of_;  // by user_data
  std::vector<Completion> completions_;
};

}  // namespace zonal::engine
