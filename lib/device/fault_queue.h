// SPDX-License-Identifier: MIT
// The queue of a fault device: hands requests on one by one under its own tags,
// and spoils the answers its rules name. No allocation per request.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/fault_rules.h"
#include "zonal/clock.h"
#include "zonal/forwarding.h"
#include "zonal/geometry.h"

namespace zonal {

class FaultQueue final : public ForwardingQueue {
 public:
  // `rules` outlives the queue.
  FaultQueue(std::unique_ptr<IoQueue> queue, FaultRules& rules, const Geometry& geometry,
             const Clock& clock);

  std::uint32_t in_flight() const noexcept override {
    return static_cast<std::uint32_t>(under().in_flight() + refused_.size());
  }
  std::size_t Submit(std::span<const IoRequest> requests) noexcept override;
  std::size_t Poll(std::span<Completion> out, std::size_t min, nanoseconds wait) noexcept override;
  bool Arm() noexcept override {
    armed_ = refused_.empty() && under().Arm();
    return armed_;
  }
  absl::Status Close(nanoseconds deadline) override;

 private:
  static constexpr std::size_t kMaxVectors = 16;
  struct Slot {
    const FaultRule* fault = nullptr;
    std::uint64_t user_data = 0;
    std::uint64_t offset = 0;
  };

  bool SubmitOne(const IoRequest& request) noexcept;
  FaultSubject SubjectOf(const IoRequest& request) const noexcept;
  // The part of `request` that lands; its vectors, if any, at `vectors`.
  IoRequest Shortened(const IoRequest& request, std::uint64_t bytes,
                      std::span<iovec> vectors) const noexcept;
  std::uint64_t PartialBytes(const FaultRule& rule, const IoRequest& request) const noexcept;
  std::size_t TakeRefused(std::span<Completion> out) noexcept;
  void Restore(Completion& completion) noexcept;

  FaultRules& rules_;
  const Geometry geometry_;
  const Clock& clock_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<iovec> vectors_;       // 16 a slot
  std::vector<Completion> refused_;  // never reached the device; room for depth()
  bool closing_ = false;
  bool armed_ = false;  // not polled since Arm
};

}  // namespace zonal
