// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include "core/status_macros.h"
#include "device/fault_queue.h"
#include "device/fault_rules.h"
#include "zonal/fault.h"
#include "zonal/forwarding.h"

namespace zonal {
namespace {

class FaultDevice final : public ForwardingDevice {
 public:
  FaultDevice(std::shared_ptr<Device> device, std::vector<FaultRule> rules)
      : ForwardingDevice(std::move(device)), rules_(std::move(rules)) {}

  absl::StatusOr<std::size_t> Report(ZoneId first, std::span<Zone> out) override;
  absl::StatusOr<ManageResult> Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) override;
  absl::StatusOr<ManageResult> ManageAll(ZoneOp op, nanoseconds timeout) override;
  absl::Status Flush() override;
  absl::StatusOr<std::unique_ptr<IoQueue>> NewQueue(const QueueOptions& options) override;

 private:
  // A planted fault of a call that answers with a Status.
  absl::Status Planted(const FaultRule& rule, std::string_view what) const {
    return MakeStatus(rule.errc, std::string(what) + " on " + info().spec + ": planted fault");
  }

  FaultRules rules_;
};

absl::StatusOr<std::size_t> FaultDevice::Report(ZoneId first, std::span<Zone> out) {
  const auto count =
      static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), info().geometry.zone_count));
  const FaultRule* fault = rules_.Meet({IoOp::kReport, ZoneOp::kReset, ZoneRange{first, count}});
  if (fault != nullptr) return Planted(*fault, "report");
  return under().Report(first, out);
}

absl::StatusOr<ManageResult> FaultDevice::Manage(ZoneOp op, ZoneRange range, nanoseconds timeout) {
  // Zone by zone below: what the device refuses as a whole it must see whole.
  const std::uint32_t zones = info().geometry.zone_count;
  if (range.first.value() >= zones || range.count > zones - range.first.value()) {
    return under().Manage(op, range, timeout);
  }
  ManageResult result;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const ZoneRange zone{ZoneId(range.first.value() + i), 1};
    const FaultRule* fault = rules_.Meet({IoOp::kManage, op, zone});
    const std::uint64_t start = info().geometry.StartOf(zone.first);
    if (fault == nullptr || fault->kind != FaultKind::kBefore) {
      ZONAL_ASSIGN_OR_RETURN(const ManageResult one, under().Manage(op, zone, timeout));
      if (!one.first_error.ok()) {
        result.first_error = one.first_error;
        return result;
      }
    }
    if (fault != nullptr) {
      result.first_error = ResultOf(*fault, start);
      return result;
    }
    ++result.completed;
  }
  return result;
}

absl::StatusOr<ManageResult> FaultDevice::ManageAll(ZoneOp op, nanoseconds timeout) {
  const FaultRule* fault = rules_.Meet({IoOp::kManage, op, std::nullopt});
  if (fault == nullptr) return under().ManageAll(op, timeout);
  if (fault->kind != FaultKind::kBefore) {
    ZONAL_ASSIGN_OR_RETURN(const ManageResult done, under().ManageAll(op, timeout));
    if (!done.first_error.ok()) return done;
  }
  ManageResult result;
  result.first_error = ResultOf(*fault, 0);
  return result;
}

absl::Status FaultDevice::Flush() {
  const FaultRule* fault = rules_.Meet({IoOp::kFlush, ZoneOp::kReset, std::nullopt});
  if (fault == nullptr) return under().Flush();
  if (fault->kind != FaultKind::kBefore) ZONAL_RETURN_IF_ERROR(under().Flush());
  return Planted(*fault, "flush");
}

absl::StatusOr<std::unique_ptr<IoQueue>> FaultDevice::NewQueue(const QueueOptions& options) {
  ZONAL_ASSIGN_OR_RETURN(std::unique_ptr<IoQueue> queue, under().NewQueue(options));
  const Clock& clock = options.clock != nullptr ? *options.clock : MonotonicClock();
  return std::make_unique<FaultQueue>(std::move(queue), rules_, info().geometry, clock);
}

}  // namespace

std::unique_ptr<Device> NewFaultDevice(std::shared_ptr<Device> under,
                                       std::vector<FaultRule> rules) {
  return std::make_unique<FaultDevice>(std::move(under), std::move(rules));
}

}  // namespace zonal
