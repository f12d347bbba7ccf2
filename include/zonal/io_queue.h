// SPDX-License-Identifier: MIT
// A queue of I/O to one device: the hot path. A queue belongs to the thread of
// its first Submit; only Wake() may be called by others. No allocation, no
// exceptions and no locks per request. Zone rules are not checked here.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "zonal/clock.h"
#include "zonal/errc.h"
#include "zonal/zone.h"

namespace zonal {

enum class IoOp : std::uint8_t { kRead, kWrite, kAppend, kFlush, kDiscard, kManage, kReport };
std::string_view ToString(IoOp op) noexcept;

// One request. May be reused as soon as Submit returned; the buffers it points
// to belong to the queue until its completion.
struct IoRequest {
  IoOp op = IoOp::kRead;
  ZoneOp zone_op = ZoneOp::kReset;  // kManage: which operation
  bool fua = false;                 // kWrite: durable on completion
  // Buffer, one of: `buffer`; a registered buffer (index >= 0, `buffer` is then
  // an address inside it); or `iovec_count` (1..16) entries at `iovecs`.
  std::int16_t registered_buffer = -1;
  std::uint16_t iovec_count = 0;
  // kRead, kWrite, kDiscard: first byte. kAppend, kManage, kReport: the zone's start.
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // kRead, kWrite, kAppend, kDiscard
  void* buffer = nullptr;
  const iovec* iovecs = nullptr;
  Zone* zone = nullptr;  // kReport: filled before the completion
  std::uint64_t user_data = 0;
};

struct Completion {
  std::uint64_t user_data = 0;
  IoResult result;
  // Not before the true end. Real queues read the clock once after Poll returned
  // and give the same reading to all it returned; virtual ones are exact.
  Instant completed_at;
};

// Which operations are native, i.e. asynchronous. The others complete with
// kNotSupported; they never block inside Submit.
struct QueueFeatures {
  bool append = false;
  bool manage = false;
  bool report = false;
  bool discard = false;
  bool flush = true;
  bool registered_buffers = false;
  // How many plain writes to one zone may be in flight at once so that they
  // reach the device in order. 1: one at a time. 0: any number.
  std::uint32_t write_depth_per_zone = 1;
  // Why, for the report: "io_uring does not keep order". Lives as long as the device.
  std::string_view write_depth_reason;
};

class IoQueue {
 public:
  virtual ~IoQueue() = default;

  // "io_uring", "libaio", "psync", "emulated".
  virtual std::string_view name() const noexcept = 0;
  virtual const QueueFeatures& features() const noexcept = 0;
  virtual std::uint32_t depth() const noexcept = 0;      // fixed
  virtual std::uint32_t in_flight() const noexcept = 0;  // submitted, not yet returned by Poll

  // Hands over the first min(requests.size(), depth - in_flight) requests, in
  // order; returns how many. 0 means full and nothing else: every failure, a
  // dead ring included, is a completion.
  virtual std::size_t Submit(std::span<const IoRequest> requests) noexcept = 0;

  // Fills `out` and returns the count as soon as `min` completions are there,
  // `wait` is over, or Wake() was called since the last Poll. wait = 0 never
  // sleeps; a negative wait sleeps without end. Whatever is ready is returned,
  // up to out.size(), even when `min` is not reached.
  virtual std::size_t Poll(std::span<Completion> out, std::size_t min,
                           nanoseconds wait) noexcept = 0;

  // Makes the running or the next Poll return early. Any thread.
  virtual void Wake() noexcept = 0;

  // For event loops: a descriptor that is readable once after Arm(); -1 where
  // there is none. Arm() returns false if something is ready now.
  //
  // The descriptor is the queue's, always the same, and to be asked for before the
  // first Submit: a libaio queue pays for it with every completion from then on;
  // the others only between an Arm and the next Poll. After an Arm that returned
  // true it turns readable as soon as Poll has something to do: a completion is
  // ready, work of the drive's is (a flush that Poll executes), or Wake() was
  // called. It stays readable until the next Arm, and may be readable without
  // cause: Poll decides. False: do not wait, Poll first. Both belong to the
  // queue's thread.
  //
  //   do { n = queue.Poll(out, 0, nanoseconds(0)); ... } while (n > 0 || !queue.Arm());
  //   // wait for event_fd() beside other descriptors
  virtual int event_fd() noexcept { return -1; }
  virtual bool Arm() noexcept { return in_flight() == 0; }

  // Registers memory for registered_buffer indices 0..n-1; once per queue.
  // Unimplemented where features().registered_buffers is false.
  virtual absl::Status RegisterBuffers(std::span<const iovec> buffers);

  // Stops admitting (Submit returns 0) and waits until nothing is in flight;
  // the drained completions are dropped. DeadlineExceeded if some remained.
  virtual absl::Status Close(nanoseconds deadline) = 0;
};

}  // namespace zonal
