// SPDX-License-Identifier: MIT
// Where an emulated drive keeps its bytes. A store knows nothing of zones: it
// is told offsets on the drive. Stores: memory, discard, file, another device's
// queue.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "zonal/clock.h"
#include "zonal/device.h"

namespace zonal::emulated {

// The answer to a request: done (with an errno, 0 for success), or under way,
// and then Poll will hand back its cookie.
struct StoreAnswer {
  bool pending = false;
  int error = 0;
};

struct StoreCompletion {
  std::uint64_t cookie = 0;
  int error = 0;
};

// One per IoQueue of the drive, used by that queue's thread only (Wake: any).
// Memory is split into iovecs; lengths are whole blocks. No allocation.
class StoreQueue {
 public:
  virtual ~StoreQueue() = default;
  virtual StoreAnswer Write(std::uint64_t offset, std::span<const iovec> data, bool fua,
                            std::uint64_t cookie) noexcept = 0;
  virtual StoreAnswer Read(std::uint64_t offset, std::span<const iovec> data,
                           std::uint64_t cookie) noexcept = 0;
  virtual StoreAnswer Flush(std::uint64_t cookie) noexcept = 0;
  // Only stores that answer `pending` have work here. `wait` as IoQueue::Poll.
  virtual std::size_t Poll(std::span<StoreCompletion> out, std::size_t min,
                           nanoseconds wait) noexcept = 0;
  virtual void Wake() noexcept = 0;
  // As IoQueue's, for stores that answer `pending`.
  virtual int event_fd() noexcept { return -1; }
  virtual bool Arm() noexcept { return false; }
  // What the drive's queue calls itself: another device's queue has its own name.
  virtual std::string_view name() const noexcept { return "emulated"; }
  // The most it has under way at once; the drive's queue is no deeper.
  virtual std::uint32_t depth() const noexcept { return kMaxQueueDepth; }
};

class Store {
 public:
  virtual ~Store() = default;
  virtual absl::StatusOr<std::unique_ptr<StoreQueue>> NewQueue(std::uint32_t depth) = 0;
  // As NewQueue, for a store that has kinds of queues: another device's.
  virtual absl::StatusOr<std::unique_ptr<StoreQueue>> NewQueueOfKind(const QueueOptions& options) {
    return NewQueue(options.depth);
  }
  // True if Write and Read always answer at once; then Poll is never called.
  virtual bool is_synchronous() const noexcept = 0;
  // True if bytes above a write pointer are the store's to answer too: they are of
  // somebody else, who had the device before there were zones on it.
  virtual bool has_bytes_above_pointers() const noexcept { return false; }
  // The bytes are not needed: free them, if at all, before returning (a hole
  // punched later could hit new data). Called by the drive's Flush, at its end,
  // and when much has been reset, for zones that are empty and cannot be written
  // meanwhile. What they read as afterwards does not matter: the drive never
  // reads above a pointer (a store that answers there forgets nothing).
  virtual void Forget(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  // Blocking: what was written before the call survives a crash of the host.
  virtual absl::Status Sync() = 0;
};

// Anonymous memory, pages allocated when first written.
absl::StatusOr<std::unique_ptr<Store>> NewMemoryStore(std::uint64_t bytes);
// Drops writes; reads leave the buffer as it was filled by nobody: zeros.
std::unique_ptr<Store> NewDiscardStore();

}  // namespace zonal::emulated
