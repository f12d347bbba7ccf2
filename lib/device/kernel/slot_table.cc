// SPDX-License-Identifier: MIT
#include "device/kernel/slot_table.h"

#include <algorithm>

namespace zonal::kernel {
namespace {

bool IsTransfer(IoOp op) noexcept { return op == IoOp::kRead || op == IoOp::kWrite; }

// kOk, or why no kernel queue can serve the request. The block layer gives user
// space no append, and none of these queues resets, reports or discards without
// blocking.
Errc Servable(const IoRequest& request) noexcept {
  if (request.op == IoOp::kFlush) return Errc::kOk;
  if (!IsTransfer(request.op)) return Errc::kNotSupported;
  if (request.iovec_count > kMaxIovecs) return Errc::kTooLarge;
  return Errc::kOk;
}

void CopyBuffers(const IoRequest& request, Slot& slot) noexcept {
  slot.first_iovec = 0;
  if (request.iovec_count == 0) {
    slot.iovec_count = 1;
    slot.iovecs[0] = {request.buffer, request.bytes};
    return;
  }
  slot.iovec_count = request.iovec_count;
  std::copy_n(request.iovecs, request.iovec_count, slot.iovecs.begin());
}

bool BuffersMatchLength(const Slot& slot) noexcept {
  std::uint64_t sum = 0;
  for (const iovec& piece : slot.remaining()) sum += piece.iov_len;
  return sum == slot.bytes;
}

// Drops the first `count` bytes of what remains.
void Advance(Slot& slot, std::uint64_t count) noexcept {
  slot.done += count;
  while (count > 0) {
    iovec& piece = slot.iovecs[slot.first_iovec];
    const std::uint64_t taken = std::min<std::uint64_t>(count, piece.iov_len);
    piece.iov_base = static_cast<char*>(piece.iov_base) + taken;
    piece.iov_len -= taken;
    count -= taken;
    if (piece.iov_len == 0) ++slot.first_iovec;
  }
}

}  // namespace

SlotTable::SlotTable(std::uint32_t depth) : slots_(depth), free_(depth), ready_(depth) {}

std::uint32_t SlotTable::Admit(const IoRequest& request) noexcept {
  const std::uint32_t index = free_.Take();
  Slot& slot = slots_[index];
  slot.op = request.op;
  slot.fua = request.fua;
  slot.in_kernel = true;
  slot.registered_buffer = request.registered_buffer;
  slot.user_data = request.user_data;
  slot.offset = request.offset;
  slot.bytes = IsTransfer(request.op) ? request.bytes : 0;
  slot.done = 0;
  const Errc servable = Servable(request);
  if (servable != Errc::kOk) {
    Finish(index, servable);
  } else if (IsTransfer(request.op)) {
    CopyBuffers(request, slot);
    if (!BuffersMatchLength(slot)) Finish(index, Errc::kBadRange);
  }
  return index;
}

bool SlotTable::Absorb(std::uint32_t index, std::int64_t answer) noexcept {
  Slot& slot = slots_[index];
  if (answer < 0) {
    FinishErrno(index, static_cast<int>(-answer));
    return true;
  }
  const auto count = static_cast<std::uint64_t>(answer);
  if (count > slot.bytes - slot.done) {
    Finish(index, Errc::kDeviceMisbehaved);
    return true;
  }
  if (count > 0) Advance(slot, count);
  if (slot.done == slot.bytes) {
    Finish(index, Errc::kOk);
    return true;
  }
  // Short: the rest tells why. An end of file answers 0; a write never may.
  if (count > 0) return false;
  Finish(index, slot.op == IoOp::kRead ? Errc::kBadRange : Errc::kDeviceMisbehaved);
  return true;
}

void SlotTable::Finish(std::uint32_t index, Errc errc) noexcept {
  Slot& slot = slots_[index];
  slot.in_kernel = false;
  slot.result = IoResult{slot.offset, slot.done, 0, errc, Origin::kNone};
  std::uint32_t tail = ready_head_ + ready_count_++;
  if (tail >= depth()) tail -= depth();
  ready_[tail] = index;
}

void SlotTable::FinishErrno(std::uint32_t index, int error) noexcept {
  Finish(index, FromErrno(error));
  slots_[index].result.raw = static_cast<std::uint32_t>(error);
  slots_[index].result.origin = Origin::kErrno;
}

void SlotTable::FinishLost(std::uint32_t index, int error) noexcept {
  FinishErrno(index, error);
  slots_[index].result.errc = Errc::kIo;
}

void SlotTable::FinishAllLost(int error) noexcept {
  for (std::uint32_t index = 0; index < depth(); ++index) {
    if (slots_[index].in_kernel) FinishLost(index, error);
  }
}

std::size_t SlotTable::Collect(std::span<Completion> out, Instant completed_at) noexcept {
  const std::size_t count = std::min<std::size_t>(out.size(), ready_count_);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t index = ready_[ready_head_];
    if (++ready_head_ == depth()) ready_head_ = 0;
    out[i] = {slots_[index].user_data, slots_[index].result, completed_at};
    free_.Give(index);
  }
  ready_count_ -= static_cast<std::uint32_t>(count);
  return count;
}

}  // namespace zonal::kernel
