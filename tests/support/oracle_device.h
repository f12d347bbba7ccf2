// SPDX-License-Identifier: MIT
// A device decorator for tests: every command that reaches the drive below is
// also given to the naive model, and every completion compared with the model's
// answer: result, raw code, place and data. Single-threaded.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/naive_zone.h"
#include "zonal/forwarding.h"

namespace zonal::test {

struct Oracle {
  explicit Oracle(const model::NaiveOptions& options) : drive(options) {}
  model::NaiveDrive drive;
  std::uint64_t commands = 0;
  std::vector<std::string> refused;      // commands a zone rule refused
  std::vector<std::string> differences;  // empty as long as drive and model agree
};

class OracleQueue final : public ForwardingQueue {
 public:
  OracleQueue(std::unique_ptr<IoQueue> queue, Oracle& oracle)
      : ForwardingQueue(std::move(queue)), oracle_(oracle) {}

  std::size_t Submit(std::span<const IoRequest> requests) noexcept override;
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override;

 private:
  struct Expected {
    IoRequest request;
    model::Outcome outcome;
    std::vector<std::byte> data;
  };
  void Expect(const IoRequest& request);
  void Compare(const Expected& expected, const Completion& completion);

  Oracle& oracle_;
  std::unordered_multimap<std::uint64_t, Expected> expected_;
};

class OracleDevice final : public ForwardingDevice {
 public:
  OracleDevice(std::unique_ptr<Device> device, Oracle& oracle)
      : ForwardingDevice(std::move(device)), oracle_(oracle) {}
  absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) override {
    oracle_.drive.ManageRange(op, range.first.value(), range.count);
    return under().Manage(op, range, timeout);
  }
  // The model is not told of it.
  absl::StatusOr<ManageResult> ManageAll(ZoneOp op, nanoseconds timeout) override {
    return Device::ManageAll(op, timeout);
  }

 private:
  std::unique_ptr<IoQueue> Decorate(std::unique_ptr<IoQueue> queue) override {
    return std::make_unique<OracleQueue>(std::move(queue), oracle_);
  }
  Oracle& oracle_;
};

}  // namespace zonal::test
