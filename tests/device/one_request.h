// SPDX-License-Identifier: MIT
// One request at a time, for tests that are about what it does.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "support/aligned_buffer.h"
#include "zonal/device.h"

namespace zonal::test {

// Submits and waits. kTimeout if no completion came.
inline IoResult RunOne(IoQueue& queue, const IoRequest& request) {
  Completion completion;
  completion.result.errc = Errc::kTimeout;
  if (queue.Submit(std::span(&request, 1)) != 1) return completion.result;
  queue.Poll(std::span(&completion, 1), 1, std::chrono::seconds(10));
  return completion.result;
}

// A device with a queue: writes and reads of repeated characters.
class Hand {
 public:
  explicit Hand(Device& device, QueueKind kind = QueueKind::kDefault) : device_(device) {
    QueueOptions options;
    options.kind = kind;
    options.depth = 8;
    queue_ = *device.NewQueue(options);
  }
  IoQueue& queue() { return *queue_; }

  IoResult Write(std::uint64_t offset, std::uint64_t bytes, char with, bool fua = false) {
    const AlignedBuffer buffer(bytes);
    std::memset(buffer.data(), with, bytes);
    IoRequest request = RequestFor(IoOp::kWrite, offset, buffer);
    request.fua = fua;
    return RunOne(*queue_, request);
  }
  // What is there, or "" if reading failed.
  std::string Read(std::uint64_t offset, std::uint64_t bytes) {
    const AlignedBuffer buffer(bytes);
    std::memset(buffer.data(), '?', bytes);
    if (!RunOne(*queue_, RequestFor(IoOp::kRead, offset, buffer)).ok()) return "";
    return std::string(reinterpret_cast<const char*>(buffer.data()), bytes);
  }
  IoResult Flush() {
    IoRequest request;
    request.op = IoOp::kFlush;
    return RunOne(*queue_, request);
  }
  bool Manage(ZoneOp op, std::uint32_t zone) {
    const auto result = device_.Manage(op, {ZoneId(zone), 1}, nanoseconds(0));
    return result.ok() && result->first_error.ok();
  }
  Zone Report(std::uint32_t zone) {
    Zone out;
    const auto count = device_.Report(ZoneId(zone), std::span(&out, 1));
    return count.ok() ? out : Zone{};
  }
  // Bytes of the zone below its write pointer.
  std::uint64_t Written(std::uint32_t zone) {
    const Zone report = Report(zone);
    return report.write_pointer - report.start;
  }

 private:
  static IoRequest RequestFor(IoOp op, std::uint64_t offset, const AlignedBuffer& buffer) {
    IoRequest request;
    request.op = op;
    request.offset = offset;
    request.bytes = buffer.size();
    request.buffer = buffer.data();
    return request;
  }

  Device& device_;
  std::unique_ptr<IoQueue> queue_;
};

}  // namespace zonal::test
