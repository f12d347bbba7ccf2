// SPDX-License-Identifier: MIT
#include "engine/plain_path.h"

#include <algorithm>

#include "core/status_macros.h"

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

PlainPath::PlainPath(const WorkerSetup& setup, const Clock& clock, std::unique_ptr<IoQueue> queue)
    : clock_(clock),
      queue_(std::move(queue)),
      geometry_(setup.target->device->info().geometry),
      is_random_(setup.workload.pattern == Pattern::kRandom),
      reads_{{setup.range.begin, setup.range.end},
             {setup.range.begin, setup.range.end, setup.read_block(),
              setup.workload.may_repeat_blocks, setup.workload.seed}},
      writes_{{setup.range.begin, setup.range.end},
              {setup.range.begin, setup.range.end, setup.write_block(),
               setup.workload.may_repeat_blocks, ~setup.workload.seed}},
      in_flight_of_(setup.workload.depth),
      completions_(setup.workload.depth) {
  prepared_.reserve(setup.workload.depth);
}

void PlainPath::StartPass(Direction direction) noexcept {
  (direction == Direction::kRead ? reads_ : writes_).sequential.StartPass();
}

Draw PlainPath::Prepare(Stream& stream, IoOp op, Slot& slot, std::uint64_t bytes,
                        std::uint32_t id) noexcept {
  if (is_random_) {
    slot.offset = stream.random.Next();
    slot.bytes = bytes;
  } else {
    if (stream.sequential.pass_over()) return Draw::Of(Draw::Kind::kPassOver);
    slot.offset = stream.sequential.position();
    slot.bytes = stream.sequential.Fit(bytes);
    stream.sequential.Advance(slot.bytes);
  }
  if (geometry_.is_zoned()) slot.zone = geometry_.ZoneOf(slot.offset);
  slot.use = op == IoOp::kRead ? SlotUse::kRead : SlotUse::kWrite;
  IoRequest& request = prepared_.emplace_back();
  request.op = op;
  request.registered_buffer = registered_buffer_;
  request.offset = slot.offset;
  request.bytes = slot.bytes;
  request.buffer = slot.buffer;
  request.user_data = id;
  return Draw::Of(Draw::Kind::kPrepared);
}

Draw PlainPath::PrepareRead(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  return Prepare(reads_, IoOp::kRead, slot, bytes, id);
}

Draw PlainPath::PrepareWrite(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept {
  return Prepare(writes_, IoOp::kWrite, slot, bytes, id);
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
