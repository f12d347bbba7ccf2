// SPDX-License-Identifier: MIT
#include "model/small_drives.h"

#include <algorithm>

namespace zonal::model {
namespace {

constexpr std::uint32_t kBlock = 512;

// A sanitizer makes the test ten times slower; it then visits the smaller half.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

EmulatedOptions Base(Dialect dialect, std::uint64_t size_blocks, std::uint64_t capacity_blocks) {
  EmulatedOptions options;
  options.dialect = dialect;
  options.zones = 3;
  options.zone_size = size_blocks * kBlock;
  options.zone_capacity = capacity_blocks * kBlock;
  options.block = kBlock;
  options.max_open = Limit::Unlimited();
  options.max_active = Limit::Unlimited();
  options.max_append = dialect == Dialect::kZns ? 2 * kBlock : 0;
  options.read_past_write_pointer_fails = dialect == Dialect::kZbc;
  return options;
}

std::string LimitName(Limit limit) {
  return limit.has_count() ? std::to_string(*limit.count()) : "unlimited";
}

void Add(std::vector<SmallDrive>& drives, std::string what, const EmulatedOptions& options) {
  std::string name = std::string(ToString(options.dialect)) + " " + std::move(what) + " size " +
                     std::to_string(options.zone_size / kBlock) + " capacity " +
                     std::to_string(options.zone_capacity / kBlock) + " open " +
                     LimitName(options.max_open) + " active " + LimitName(options.max_active) +
                     (options.auto_close ? "" : " no auto_close");
  drives.push_back({std::move(name), options});
}

void AddLimitPairs(std::vector<SmallDrive>& drives, const std::string& what,
                   EmulatedOptions options) {
  const bool zns = options.dialect == Dialect::kZns;
  for (std::uint32_t open = 1; open <= 3; ++open) {
    for (std::uint32_t active = open; active <= 3; ++active) {
      if (!zns && active != open) continue;  // zbc has no active limit
      options.max_open = Limit::Of(open);
      options.max_active = zns ? Limit::Of(active) : Limit::Unlimited();
      for (const bool auto_close : {true, false}) {
        options.auto_close = auto_close;
        Add(drives, what, options);
      }
    }
  }
}

void AddSpecialShapes(std::vector<SmallDrive>& drives, Dialect dialect) {
  const bool zns = dialect == Dialect::kZns;
  EmulatedOptions one = Base(dialect, 3, zns ? 2 : 3);
  one.max_open = Limit::Of(1);
  if (zns) one.max_active = Limit::Of(2);

  EmulatedOptions unlimited = Base(dialect, 2, 2);
  Add(drives, "no limits", unlimited);

  EmulatedOptions conventional = one;
  conventional.zone_size = conventional.zone_capacity = 2 * kBlock;
  conventional.conventional = 1;
  Add(drives, "one conventional", conventional);
  conventional.conventional = 2;
  Add(drives, "two conventional", conventional);

  EmulatedOptions read_only = one;
  read_only.read_only_zones = {1};
  Add(drives, "read-only zone 1", read_only);
  EmulatedOptions offline = one;
  offline.offline_zones = {2};
  Add(drives, "offline zone 2", offline);
  EmulatedOptions both = one;
  both.read_only_zones = {2};
  both.offline_zones = {1};
  Add(drives, "offline zone 1, read-only zone 2", both);

  EmulatedOptions last = one;
  last.last_zone_size = kBlock;
  Add(drives, "short last zone", last);

  EmulatedOptions granular = Base(dialect, 4, 4);
  granular.write_granularity = 2 * kBlock;
  granular.max_open = Limit::Of(2);
  Add(drives, "granularity 2", granular);

  if (zns) {
    EmulatedOptions no_append = one;
    no_append.max_append = 0;
    Add(drives, "no append", no_append);
  } else {
    EmulatedOptions unrestricted = one;
    unrestricted.read_past_write_pointer_fails = false;
    Add(drives, "unrestricted reads", unrestricted);
  }
}

Step Data(StepKind kind, std::uint64_t offset, std::uint64_t bytes) {
  Step step;
  step.kind = kind;
  step.offset = offset;
  step.bytes = bytes;
  return step;
}

void AddOddData(std::vector<Step>& steps, std::uint64_t device_bytes, std::uint64_t zone_size,
                std::uint64_t longest) {
  for (const StepKind kind : {StepKind::kRead, StepKind::kWrite, StepKind::kAppend}) {
    for (std::uint64_t start = 0; start < device_bytes; start += zone_size) {
      steps.push_back(Data(kind, start, 0));
      steps.push_back(Data(kind, start, kBlock + 1));
      steps.push_back(Data(kind, start, kBlock / 2));
      steps.push_back(Data(kind, start + 1, kBlock));
      steps.push_back(Data(kind, start + kBlock, kBlock - 1));
      steps.push_back(Data(kind, start, longest));
    }
    steps.push_back(Data(kind, device_bytes - kBlock + 1, kBlock));
    steps.push_back(Data(kind, device_bytes, 0));
    steps.push_back(Data(kind, device_bytes + 3 * zone_size, kBlock));
    steps.push_back(Data(kind, ~std::uint64_t{0} - kBlock + 1, kBlock));
    steps.push_back(Data(kind, 0, device_bytes + kBlock));
  }
}

void AddManagement(std::vector<Step>& steps, const EmulatedOptions& options,
                   std::uint64_t device_bytes) {
  Step step;
  for (const ZoneOp op :
       {ZoneOp::kOpen, ZoneOp::kClose, ZoneOp::kFinish, ZoneOp::kReset, ZoneOp::kOffline}) {
    step.op = op;
    for (std::uint32_t zone = 0; zone < options.zones; ++zone) {
      step.kind = StepKind::kManage;
      step.offset = zone * options.zone_size;
      steps.push_back(step);
      step.offset += kBlock;  // not a zone's start
      if (step.offset < device_bytes) steps.push_back(step);
      step.kind = StepKind::kManageRange;
      step.offset = 0;
      step.first = zone;
      step.count = 1;
      steps.push_back(step);
    }
    step.first = 0;
    step.count = options.zones;
    steps.push_back(step);
    step.first = 1;
    step.count = options.zones - 1;
    steps.push_back(step);
    step.kind = StepKind::kManageAll;
    step.first = step.count = 0;
    steps.push_back(step);
    step.kind = StepKind::kManage;
    step.offset = device_bytes;
    steps.push_back(step);
    step.offset = 0;
  }
}

}  // namespace

std::vector<SmallDrive> SmallDrives() {
  std::vector<SmallDrive> drives;
  AddLimitPairs(drives, "pairs", Base(Dialect::kZns, 3, 2));
  AddLimitPairs(drives, "pairs", Base(Dialect::kZbc, 2, 2));
  if (!kSanitized) {
    AddLimitPairs(drives, "pairs", Base(Dialect::kZns, 3, 3));
    AddLimitPairs(drives, "pairs", Base(Dialect::kZbc, 3, 3));
  }
  AddSpecialShapes(drives, Dialect::kZns);
  AddSpecialShapes(drives, Dialect::kZbc);
  return drives;
}

std::vector<Step> EveryStep(const EmulatedOptions& options) {
  const std::uint64_t last =
      options.last_zone_size == 0 ? options.zone_size : options.last_zone_size;
  const std::uint64_t device_bytes = (options.zones - 1) * options.zone_size + last;
  const std::uint64_t longest = options.zone_size + kBlock;
  std::vector<Step> steps;
  for (std::uint64_t offset = 0; offset <= device_bytes; offset += kBlock) {
    for (std::uint64_t bytes = kBlock; bytes <= longest; bytes += kBlock) {
      steps.push_back(Data(StepKind::kRead, offset, bytes));
    }
    for (std::uint64_t bytes = kBlock; bytes <= 2 * kBlock; bytes += kBlock) {
      steps.push_back(Data(StepKind::kWrite, offset, bytes));
      steps.push_back(Data(StepKind::kAppend, offset, bytes));
    }
  }
  AddOddData(steps, device_bytes, options.zone_size, longest);
  for (std::uint64_t start = 0; start < device_bytes; start += options.zone_size) {
    for (const StepKind kind : {StepKind::kWrite, StepKind::kAppend}) {
      steps.push_back(Data(kind, start, 3 * kBlock));
    }
  }
  AddManagement(steps, options, device_bytes);
  return steps;
}

}  // namespace zonal::model
