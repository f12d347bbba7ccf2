// SPDX-License-Identifier: MIT
// One command of a test sequence as a plain value, applied to the naive model
// or to a real Device, so that their answers can be compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/naive_zone.h"
#include "zonal/device.h"
#include "zonal/emulated.h"

namespace zonal::model {

enum class StepKind : std::uint8_t {
  kRead,
  kWrite,
  kAppend,
  kManage,       // through the queue, at `offset`
  kManageRange,  // Device::Manage, zones first .. first + count - 1
  kManageAll,    // Device::ManageAll
};

struct Step {
  StepKind kind = StepKind::kRead;
  ZoneOp op = ZoneOp::kReset;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint64_t stamp = 0;  // what a write writes; never 0
};

// "write at 1024 for 512", "open zones 0..2"; for messages.
std::string Describe(const Step& step);
std::string Describe(const Outcome& outcome);
std::string Describe(const std::vector<Zone>& zones);

// Bytes that depend on the stamp and on the place in the buffer; none is zero.
void Fill(std::span<std::byte> bytes, std::uint64_t stamp);

NaiveOptions NaiveOf(const EmulatedOptions& options);

// `buffer` receives what a read reads; it is resized as needed.
Outcome ApplyTo(NaiveDrive& drive, const Step& step, std::vector<std::byte>& buffer);

// A Device with one queue, driven one step at a time.
class RealDrive {
 public:
  explicit RealDrive(std::unique_ptr<Device> device);

  Outcome Apply(const Step& step, std::vector<std::byte>& buffer);
  // Queue steps (kRead .. kManage), submitted together; one Outcome a step.
  std::vector<Outcome> ApplyTogether(std::span<const Step> steps);
  std::vector<Zone> Report();
  // The same, zone by zone through the queue.
  std::vector<Zone> ReportByQueue();
  Device& device() { return *device_; }

  // Reads every block on its own, all submitted together; one Outcome a block.
  // `bytes` holds the whole device; blocks whose read failed are 0xEE.
  std::vector<Outcome> ReadAll(std::vector<std::byte>& bytes);

 private:
  // Submits them all, as far as the depth goes at a time; answers by index.
  std::vector<Outcome> Run(std::vector<IoRequest> requests);

  std::unique_ptr<Device> device_;
  std::unique_ptr<IoQueue> queue_;  // destroyed before the device
};

struct Compared {
  Outcome answer;        // the model's
  std::string mismatch;  // what differs; empty if nothing does
};
// Applies `step` to both; compares answer, bytes read, report, and the counts of
// open and active zones.
Compared ApplyAndCompare(RealDrive& real, NaiveDrive& model, const Step& step);
// The report and counters alone.
std::string CompareReports(RealDrive& real, const NaiveDrive& model);
// Every block read from both, and the report through the queue.
std::string CompareContents(RealDrive& real, NaiveDrive& model);

}  // namespace zonal::model
