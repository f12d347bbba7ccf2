// SPDX-License-Identifier: MIT
#include "device/fault_queue.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace zonal {

FaultQueue::FaultQueue(std::unique_ptr<IoQueue> queue, FaultRules& rules, const Geometry& geometry,
                       const Clock& clock)
    : ForwardingQueue(std::move(queue)),
      rules_(rules),
      geometry_(geometry),
      clock_(clock),
      slots_(under().depth()),
      free_(under().depth()),
      vectors_(under().depth() * kMaxVectors) {
  std::iota(free_.rbegin(), free_.rend(), 0u);
  refused_.reserve(under().depth());
}

std::size_t FaultQueue::Submit(std::span<const IoRequest> requests) noexcept {
  if (closing_) return 0;
  const std::size_t count = std::min<std::size_t>(requests.size(), depth() - in_flight());
  std::size_t taken = 0;
  while (taken < count && SubmitOne(requests[taken])) ++taken;
  // What the queue below never saw does not make its descriptor readable.
  if (armed_ && !refused_.empty()) under().Wake();
  return taken;
}

bool FaultQueue::SubmitOne(const IoRequest& request) noexcept {
  const FaultRule* fault = rules_.Meet(SubjectOf(request));
  const std::uint64_t landing = fault == nullptr ? request.bytes : PartialBytes(*fault, request);
  const bool writes = request.op == IoOp::kWrite || request.op == IoOp::kAppend;
  const bool nothing_lands = fault != nullptr && (fault->kind == FaultKind::kBefore ||
                                                  (writes && landing == 0 && request.bytes != 0));
  if (nothing_lands) {
    Completion completion;
    completion.user_data = request.user_data;
    completion.result = ResultOf(*fault, request.offset);
    refused_.push_back(completion);
    return true;
  }
  const std::uint32_t index = free_.back();
  IoRequest handed =
      landing == request.bytes
          ? request
          : Shortened(request, landing, std::span(vectors_).subspan(index * kMaxVectors));
  handed.user_data = index;
  if (under().Submit({&handed, 1}) == 0) return false;
  free_.pop_back();
  slots_[index] = {fault, request.user_data, request.offset};
  return true;
}

FaultSubject FaultQueue::SubjectOf(const IoRequest& request) const noexcept {
  FaultSubject subject;
  subject.op = request.op;
  subject.zone_op = request.zone_op;
  if (request.op != IoOp::kFlush && geometry_.is_zoned() && request.offset < geometry_.size_bytes) {
    subject.zones = ZoneRange{geometry_.ZoneOf(request.offset), 1};
  }
  return subject;
}

std::uint64_t FaultQueue::PartialBytes(const FaultRule& rule,
                                       const IoRequest& request) const noexcept {
  const bool writes = request.op == IoOp::kWrite || request.op == IoOp::kAppend;
  if (rule.kind != FaultKind::kPartial || !writes) return request.bytes;
  const std::uint64_t unit = geometry_.write_granularity;
  return std::min(request.bytes, rule.partial_bytes / unit * unit);
}

IoRequest FaultQueue::Shortened(const IoRequest& request, std::uint64_t bytes,
                                std::span<iovec> vectors) const noexcept {
  IoRequest part = request;
  part.bytes = bytes;
  if (request.iovec_count == 0) return part;
  std::uint16_t count = 0;
  for (std::uint64_t left = bytes; left > 0 && count < request.iovec_count; ++count) {
    vectors[count] = request.iovecs[count];
    vectors[count].iov_len = std::min<std::uint64_t>(left, vectors[count].iov_len);
    left -= vectors[count].iov_len;
  }
  part.iovecs = vectors.data();
  part.iovec_count = count;
  return part;
}

std::size_t FaultQueue::TakeRefused(std::span<Completion> out) noexcept {
  const std::size_t count = std::min(out.size(), refused_.size());
  if (count == 0) return 0;
  const Instant now = clock_.Now();
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = refused_[i];
    out[i].completed_at = now;
  }
  refused_.erase(refused_.begin(), refused_.begin() + static_cast<std::ptrdiff_t>(count));
  return count;
}

void FaultQueue::Restore(Completion& completion) noexcept {
  const std::uint32_t index = static_cast<std::uint32_t>(completion.user_data);
  const Slot slot = slots_[index];
  free_.push_back(index);
  completion.user_data = slot.user_data;
  // A command the device refused by itself keeps the device's own error.
  if (slot.fault != nullptr && completion.result.ok()) {
    completion.result = ResultOf(*slot.fault, slot.offset);
  }
}

std::size_t FaultQueue::Poll(std::span<Completion> out, std::size_t min,
                             nanoseconds wait) noexcept {
  armed_ = false;
  const std::size_t refused = TakeRefused(out);
  const std::span<Completion> rest = out.subspan(refused);
  const std::size_t wanted = min > refused ? min - refused : 0;
  const std::size_t count = under().Poll(rest, wanted, wanted > 0 ? wait : nanoseconds(0));
  for (Completion& completion : rest.first(count)) Restore(completion);
  return refused + count;
}

absl::Status FaultQueue::Close(nanoseconds deadline) {
  closing_ = true;
  refused_.clear();
  return under().Close(deadline);
}

}  // namespace zonal
