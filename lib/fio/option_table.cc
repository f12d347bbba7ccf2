// SPDX-License-Identifier: MIT
#include "fio/option_table.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace zonal::fio {
namespace {

struct Part {
  Category category;
  std::span<const Option> (*rows)();
  std::string_view title;
};

constexpr Part kParts[] = {
    {Category::kCommand, CommandOptions, "The command"},
    {Category::kJobs, JobsOptions, "Jobs and their order"},
    {Category::kTargets, TargetsOptions, "Devices and files"},
    {Category::kDirection, DirectionOptions, "Direction and pattern"},
    {Category::kBlocks, BlocksOptions, "Block sizes"},
    {Category::kRange, RangeOptions, "Range and amount"},
    {Category::kRandom, RandomOptions, "Random offsets"},
    {Category::kQueue, QueueOptions, "Engine and queue"},
    {Category::kPace, PaceOptions, "Rate, think time, latency targets"},
    {Category::kZones, ZonesOptions, "Zones"},
    {Category::kBuffers, BuffersOptions, "Contents of buffers"},
    {Category::kVerify, VerifyOptions, "Verification"},
    {Category::kErrors, ErrorsOptions, "Errors"},
    {Category::kDurability, DurabilityOptions, "Durability"},
    {Category::kHost, HostOptions, "Host"},
    {Category::kStatistics, StatisticsOptions, "Statistics"},
    {Category::kLogs, LogsOptions, "Logs over time"},
    {Category::kReplay, ReplayOptions, "Replay and steady state"},
    {Category::kEngines, EnginesOptions, "Options of engines"},
};
static_assert(std::size(kParts) == kCategories);

std::vector<Option> Combine() {
  std::vector<Option> all;
  for (const Part& part : kParts) {
    for (Option option : part.rows()) {
      option.category = part.category;
      all.push_back(option);
    }
  }
  return all;
}

bool IsHarmless(const Option& option, std::string_view value) {
  std::string_view rest = option.harmless;
  while (!rest.empty()) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    if (rest.substr(0, bar) == value) return true;
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return false;
}

}  // namespace

std::string_view Title(Category category) {
  for (const Part& part : kParts) {
    if (part.category == category) return part.title;
  }
  return "";
}

std::span<const Option> Options() {
  static const std::vector<Option> all = Combine();
  return all;
}

absl::Status ApplyOption(const Option& option, std::string_view value, Target target) {
  if (option.support == Support::kFull) return option.apply(value, target);
  if (option.support == Support::kNoEffect) {
    target.command.without_effect.push_back(absl::StrCat("--", std::string(option.name)));
    return absl::OkStatus();
  }
  if (IsHarmless(option, value)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("not available here. ", std::string(option.meaning)));
}

}  // namespace zonal::fio
