// SPDX-License-Identifier: MIT
#include "model/random_drives.h"

#include <algorithm>

namespace zonal::model {
namespace {

Limit RandomLimit(std::uint32_t lowest, Rng& rng) {
  if (rng.Chance(1, 5)) return Limit::Unlimited();
  return Limit::Of(lowest + static_cast<std::uint32_t>(rng.Below(6)));
}

const NaiveZone& RandomZone(const NaiveDrive& drive, Rng& rng) {
  return drive.zones()[rng.Below(drive.zones().size())];
}

std::uint64_t RandomUnits(const NaiveDrive& drive, Rng& rng) {
  return drive.options().write_granularity * (1 + rng.Below(rng.Chance(1, 4) ? 12 : 3));
}

// Anywhere in the zone, by block, and often not far past its end.
Step RandomAccess(StepKind kind, const NaiveDrive& drive, Rng& rng) {
  const NaiveZone& zone = RandomZone(drive, rng);
  const std::uint64_t block = drive.options().block;
  Step step;
  step.kind = kind;
  step.offset = zone.start + block * rng.Below(zone.size / block);
  step.bytes = block * (1 + rng.Below(rng.Chance(1, 4) ? zone.size / block : 4));
  step.stamp = rng.Next() | 1;
  return step;
}

Step RandomManagement(const NaiveDrive& drive, Rng& rng) {
  constexpr ZoneOp kOps[] = {ZoneOp::kOpen,  ZoneOp::kOpen,  ZoneOp::kOpen,  ZoneOp::kClose,
                             ZoneOp::kClose, ZoneOp::kReset, ZoneOp::kReset, ZoneOp::kReset,
                             ZoneOp::kReset, ZoneOp::kReset, ZoneOp::kFinish};
  const auto zones = static_cast<std::uint32_t>(drive.zones().size());
  Step step;
  step.op = rng.Chance(1, 100) ? ZoneOp::kOffline : kOps[rng.Below(std::size(kOps))];
  const std::uint64_t form = rng.Below(20);
  if (form == 0) {
    step.kind = StepKind::kManageAll;
  } else if (form < 5) {
    step.kind = StepKind::kManageRange;
    step.first = static_cast<std::uint32_t>(rng.Below(zones));
    step.count = 1 + static_cast<std::uint32_t>(rng.Below(std::min(zones - step.first, 3u)));
  } else {
    step.kind = StepKind::kManage;
    const NaiveZone& zone = RandomZone(drive, rng);
    // Most of the time a small drive is full.
    if (zone.condition == ZoneCondition::kFull && rng.Chance(3, 4)) step.op = ZoneOp::kReset;
    step.offset = zone.start;
    if (rng.Chance(1, 30)) step.offset += drive.options().block;
  }
  return step;
}

// Makes a good step wrong in its place or length, by bytes or by far.
Step Spoil(Step step, Rng& rng) {
  switch (rng.Below(4)) {
    case 0:
      step.offset += 1 + rng.Below(511);
      break;
    case 1:
      step.bytes += 1 + rng.Below(511);
      break;
    case 2:
      step.bytes = 0;
      break;
    default:
      step.offset += std::uint64_t{1} << (12 + rng.Below(50));
  }
  return step;
}

}  // namespace

EmulatedOptions RandomDrive(Dialect dialect, Rng& rng) {
  const bool zns = dialect == Dialect::kZns;
  EmulatedOptions options;
  options.dialect = dialect;
  options.zones = 8 + static_cast<std::uint32_t>(rng.Below(9));
  options.block = rng.Chance(1, 2) ? 512 : 4096;
  const std::uint32_t unit = options.block << rng.Below(4);
  if (unit != options.block) options.write_granularity = unit;
  const std::uint64_t units = 3 + rng.Below(14);
  options.zone_size = unit * units;
  options.zone_capacity = options.zone_size;
  if (zns && rng.Chance(1, 2)) options.zone_capacity = unit * (1 + rng.Below(units));
  if (rng.Chance(1, 2)) options.last_zone_size = unit * (1 + rng.Below(units));
  if (rng.Chance(1, 2)) options.conventional = static_cast<std::uint32_t>(1 + rng.Below(3));
  options.max_open = RandomLimit(1, rng);
  options.max_active = Limit::Unlimited();
  if (zns) options.max_active = RandomLimit(options.max_open.count_or(1), rng);
  if (options.max_open.is_unlimited()) options.max_active = Limit::Unlimited();
  options.max_append = zns ? unit * rng.Below(9) : 0;
  if (rng.Chance(1, 3)) options.read_only_zones = {options.zones - 2};
  if (rng.Chance(1, 3)) options.offline_zones = {options.zones - 3};
  options.auto_close = rng.Chance(2, 3);
  options.read_past_write_pointer_fails = !zns && rng.Chance(2, 3);
  constexpr CompletionOrder kOrders[] = {CompletionOrder::kSubmission, CompletionOrder::kSeeded,
                                         CompletionOrder::kReverse};
  options.order = kOrders[rng.Below(3)];
  options.seed = rng.Next();
  return options;
}

Step RandomWrite(const NaiveDrive& drive, Rng& rng) {
  std::size_t index = rng.Below(drive.zones().size());
  for (int tries = 0; tries < 4 && drive.zones()[index].condition == ZoneCondition::kFull;
       ++tries) {
    index = rng.Below(drive.zones().size());
  }
  const NaiveZone& zone = drive.zones()[index];
  if (zone.type == ZoneType::kConventional) return RandomAccess(StepKind::kWrite, drive, rng);
  Step step;
  const bool append = drive.options().dialect == Dialect::kZns && rng.Chance(1, 3);
  step.kind = append ? StepKind::kAppend : StepKind::kWrite;
  step.offset = append ? zone.start : zone.pointer;
  const std::uint64_t room = zone.start + zone.capacity - zone.pointer;
  step.bytes = RandomUnits(drive, rng);
  if (room > 0 && rng.Chance(9, 10)) step.bytes = std::min(step.bytes, room);
  step.stamp = rng.Next() | 1;
  return step;
}

Step RandomStep(const NaiveDrive& drive, Rng& rng) {
  const std::uint64_t choice = rng.Below(100);
  if (choice < 45) return RandomWrite(drive, rng);
  if (choice < 65) return RandomAccess(StepKind::kRead, drive, rng);
  if (choice < 70) return RandomAccess(StepKind::kWrite, drive, rng);
  if (choice < 73) return RandomAccess(StepKind::kAppend, drive, rng);
  if (choice < 95) return RandomManagement(drive, rng);
  return Spoil(
      rng.Chance(1, 2) ? RandomWrite(drive, rng) : RandomAccess(StepKind::kRead, drive, rng), rng);
}

}  // namespace zonal::model
