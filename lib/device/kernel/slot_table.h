// SPDX-License-Identifier: MIT
// The requests a kernel queue has in flight: a fixed table, so that no request
// allocates. A slot is taken at Submit, finished by the kernel's answer and
// given back when its completion leaves through Poll. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/free_indices.h"
#include "zonal/io_queue.h"

namespace zonal::kernel {

inline constexpr std::uint16_t kMaxIovecs = 16;

struct Slot {
  IoOp op = IoOp::kRead;
  bool fua = false;
  bool in_kernel = false;  // no answer yet
  std::int16_t registered_buffer = -1;
  std::uint64_t user_data = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t done = 0;  // transferred so far
  IoResult result;         // once finished
  // What is still to be transferred: iovecs[first_iovec..iovec_count), copied
  // because the request may be reused when Submit returns.
  std::uint16_t first_iovec = 0;
  std::uint16_t iovec_count = 0;
  std::array<iovec, kMaxIovecs> iovecs;

  std::uint64_t position() const noexcept { return offset + done; }
  std::span<const iovec> remaining() const noexcept {
    return std::span(iovecs).subspan(first_iovec, std::size_t(iovec_count - first_iovec));
  }
};

class SlotTable {
 public:
  explicit SlotTable(std::uint32_t depth);

  std::uint32_t depth() const noexcept { return static_cast<std::uint32_t>(slots_.size()); }
  std::uint32_t in_flight() const noexcept { return depth() - free_.count(); }
  std::uint32_t free_count() const noexcept { return free_.count(); }
  std::uint32_t ready_count() const noexcept { return ready_count_; }
  Slot& operator[](std::uint32_t index) noexcept { return slots_[index]; }

  // Takes a slot for `request` and returns its index. A request these queues
  // cannot serve is finished on the spot: in_kernel is false then.
  // REQUIRES: free_count() > 0.
  std::uint32_t Admit(const IoRequest& request) noexcept;

  // Takes in what the kernel answered: bytes, or -errno. False if something is
  // left to transfer and the kernel gave no reason: then issue the rest.
  bool Absorb(std::uint32_t index, std::int64_t answer) noexcept;

  // Finishes with our own verdict, or with an errno.
  void Finish(std::uint32_t index, Errc errc) noexcept;
  void FinishErrno(std::uint32_t index, int error) noexcept;
  // Finishes with kIo because the queue is dead of this errno; all: everything the
  // kernel still has, since it will not answer any more.
  void FinishLost(std::uint32_t index, int error) noexcept;
  void FinishAllLost(int error) noexcept;

  // Moves finished requests out, oldest first, and frees their slots.
  std::size_t Collect(std::span<Completion> out, Instant completed_at) noexcept;

 private:
  std::vector<Slot> slots_;
  core::FreeIndices free_;
  std::vector<std::uint32_t> ready_;  // a ring of ready_count_ from ready_head_
  std::uint32_t ready_head_ = 0;
  std::uint32_t ready_count_ = 0;
};

}  // namespace zonal::kernel
