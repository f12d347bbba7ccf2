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
#include "zonal/device.h"

namespace zonal::test {

struct Oracle {
  explicit Oracle(const model::NaiveOptions& options) : drive(options) {}
  model::NaiveDrive drive;
  std::uint64_t commands = 0;
  std::vector<std::string> refused;      // commands a zone rule refused
  std::vector<std::string> differences;  // empty as long as drive and model agree
};

class OracleQueue final : public IoQueue {
 public:
  OracleQueue(std::unique_ptr<IoQueue> under, Oracle& oracle)
      : under_(std::move(under)), oracle_(oracle) {}

  std::string_view name() const noexcept override { return under_->name(); }
  const QueueFeatures& features() const noexcept override { return under_->features(); }
  std::uint32_t depth() const noexcept override { return under_->depth(); }
  std::uint32_t in_flight() const noexcept override { return under_->in_flight(); }
  std::size_t Submit(std::span<const IoRequest> requests) noexcept override;
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override;
  void Wake() noexcept override { under_->Wake(); }
  absl::Status Close(nanoseconds deadline) override { return under_->Close(deadline); }

 private:
  struct Expected {
    IoRequest request;
    model::Outcome outcome;
    std::vector<std::byte> data;
  };
  void Expect(const IoRequest& request);
  void Compare(const Expected& expected, const Completion& completion);

  std::unique_ptr<IoQueue> under_;
  Oracle& oracle_;
  std::unordered_multimap<std::uint64_t, Expected> expected_;
};

class OracleDevice final : public Device {
 public:
  OracleDevice(std::unique_ptr<Device> under, Oracle& oracle)
      : under_(std::move(under)), oracle_(oracle) {}
  const DeviceInfo& info() const noexcept override { return under_->info(); }
  absl::StatusOr<std::size_t> Report(ZoneId first, std::span<Zone> out) override {
    return under_->Report(first, out);
  }
  absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) override {
    oracle_.drive.ManageRange(op, range.first.value(), range.count);
    return under_->Manage(op, range, timeout);
  }
  absl::Status Flush() override { return under_->Flush(); }
  absl::StatusOr<std::unique_ptr<IoQueue>> NewQueue(const QueueOptions& options) override;
  absl::StatusOr<DriveCounters> Counters() override { return under_->Counters(); }

 private:
  std::unique_ptr<Device> under_;
  Oracle& oracle_;
};

}  // namespace zonal::test
