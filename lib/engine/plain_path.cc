// SPDX-License-Identifier: MIT
#include "engine/plain_path.h"

#include <algorithm>

#include "core/status_macros.h"
#include "engine/streams.h"

namespace zonal::engine {

absl::StatusOr<std::unique_ptr<Path>> PlainPath::Create(const WorkerSetup& setup,
                                                        const Clock& clock) {
  QueueOptions options;
  options.kind = setup.workload.queue;
  options.depth = setup.workload.depth;
  options.clock = &clock;
  ZONAL_ASSIGN_OR_RETURN(std::unique_ptr<IoQueue> queue, setup.target->device->NewQueue(options));
  return std::unique_ptr<Path>(new PlainPath(setup, clock, std::move(queue)));
}

PlainPath::Stream::Stream(const WorkerSetup& setup, const workload::Windows& windows,
                          Direction direction)
    : random(RandomStreamOptions(setup, direction, 0, windows.longest()),
             setup.workload.distribution[static_cast<std::size_t>(direction)]) {}

PlainPath::PlainPath(const WorkerSetup& setup, const Clock& clock, std::unique_ptr<IoQueue> queue)
    : clock_(clock),
      queue_(std::move(queue)),
      geometry_(setup.target->device->info().geometry),
      workload_(setup.workload),
      is_random_(setup.workload.pattern == Pattern::kRandom),
      is_strided_(setup.workload.zone_mode == ZoneMode::kStrided),
      windows_(WindowsOf(setup)),
      reads_(setup, windows_, Direction::kRead),
      writes_(setup, windows_, Direction::kWrite),
      in_flight_of_(setup.workload.depth),
      completions_(setup.workload.depth) {
  prepared_.reserve(setup.workload.depth);
  reads_.position = writes_.position = FirstPosition();
}

void PlainPath::StartPass(Direction direction) noexcept {
  Stream& stream = direction == Direction::kRead ? reads_ : writes_;
  if (is_strided_) windows_.Restart();
  stream.position = FirstPosition();
  stream.used = 0;
}

// A stream that goes backwards begins one step before the end.
std::uint64_t PlainPath::FirstPosition() const noexcept {
  const std::int64_t skip = workload_.sequential_skip;
  const auto length = static_cast<std::int64_t>(windows_.end() - windows_.begin());
  return skip < 0 ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, length + skip)) : 0;
}

std::uint64_t PlainPath::NextRandom(Stream& stream, std::uint64_t bytes) noexcept {
  const std::uint64_t length = windows_.end() - windows_.begin();
  const std::uint64_t at = stream.random.Next(bytes);
  // Only a last window that the range cuts short is smaller than the others.
  return at < length ? at : at % length / stream.random.unit() * stream.random.unit();
}

void PlainPath::Advance(Stream& stream, std::uint64_t bytes) noexcept {
  if (workload_.repeats_offset && ++stream.used < workload_.run_length) return;
  stream.used = 0;
  stream.position += bytes;
  const std::int64_t skip = workload_.sequential_skip;
  if (skip == 0) return;
  // Round the end to the beginning, or, backwards, the other way.
  const auto length = static_cast<std::int64_t>(windows_.end() - windows_.begin());
  const std::int64_t at = static_cast<std::int64_t>(stream.position) + skip;
  stream.position = at < 0 || at >= length ? FirstPosition() : static_cast<std::uint64_t>(at);
}

Draw PlainPath::Prepare(Stream& stream, IoOp op, Slot& slot, std::uint64_t bytes,
                        std::uint32_t id) noexcept {
  if (windows_.GoOn()) reads_.position = writes_.position = FirstPosition();
  const std::uint64_t length = windows_.end() - windows_.begin();
  bytes = std::min(bytes, windows_.left());
  if (!is_random_ && stream.position >= length) {
    if (!is_strided_) return Draw::Of(Draw::Kind::kPassOver);
    // A window with less bytes than its quota is gone through again.
    stream.position = FirstPosition();
  }
  const std::uint64_t at = is_random_ ? NextRandom(stream, bytes) : stream.position;
  slot.offset = windows_.begin() + at;
  slot.bytes = std::min(bytes, length - at);
  if (!is_random_) Advance(stream, slot.bytes);
  windows_.Moved(slot.bytes);
  if (geometry_.is_zoned()) slot.zone = geometry_.ZoneOf(slot.offset);
  slot.use = op == IoOp::kRead ? SlotUse::kRead : SlotUse::kWrite;
  Send(op, slot, id);
  return Draw::Of(Draw::Kind::kPrepared);
}

void PlainPath::Send(IoOp op, const Slot& slot, std::uint32_t id) noexcept {
  IoRequest& request = prepared_.emplace_back();
  request.op = op;
  request.fua = op == IoOp::kWrite && workload_.forced_writes;
  request.registered_buffer = registered_buffer_;
  request.offset = slot.offset;
  request.bytes = slot.bytes;
  request.buffer = slot.buffer;
  request.user_data = id;
}

Draw PlainPath::PrepareReadBack(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                                std::uint32_t id) noexcept {
  slot.offset = offset;
  slot.bytes = bytes;
  slot.use = SlotUse::kReadBack;
  Send(IoOp::kRead, slot, id);
  return Draw::Of(Draw::Kind::kPrepared);
}

Draw PlainPath::PrepareRead(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  return Prepare(reads_, IoOp::kRead, slot, bytes, id);
}

Draw PlainPath::PrepareWrite(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  return Prepare(writes_, IoOp::kWrite, slot, bytes, id);
}

Draw PlainPath::PrepareFlush(Slot& slot, std::uint32_t id) noexcept {
  slot.use = SlotUse::kFlush;
  slot.bytes = 0;
  IoRequest& request = prepared_.emplace_back();
  request.op = IoOp::kFlush;
  request.user_data = id;
  return Draw::Of(Draw::Kind::kPrepared);
}

void PlainPath::Submit() noexcept {
  if (prepared_.empty()) return;
  const Instant now = clock_.Now();
  for (const IoRequest& request : prepared_) in_flight_of_[request.user_data] = {request.op, now};
  const std::size_t taken = queue_->Submit(prepared_);
  prepared_.erase(prepared_.begin(), prepared_.begin() + static_cast<std::ptrdiff_t>(taken));
}

std::size_t PlainPath::Poll(std::span<ZoneCompletion> out, std::size_t min,
                            nanoseconds wait) noexcept {
  Submit();
  const std::size_t room = std::min(out.size(), completions_.size());
  const std::size_t count = queue_->Poll(std::span(completions_).first(room), min, wait);
  for (std::size_t i = 0; i < count; ++i) {
    const Completion& from = completions_[i];
    const InFlight& io = in_flight_of_[from.user_data];
    ZoneCompletion& to = out[i];
    to.user_data = from.user_data;
    to.op = io.op;
    to.result = from.result;
    to.submitted_at = io.submitted_at;
    to.completed_at = from.completed_at;
  }
  return count;
}

}  // namespace zonal::engine
