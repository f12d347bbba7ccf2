// SPDX-License-Identifier: MIT
// Every option there is, in one table: parsing, help, man page and completion
// read it. Its rows stand in options/, a file for each subject. Constant;
// thread-safe.
#pragma once

#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "fio/job.h"

namespace zonal::fio {

// Where an option's value goes.
struct Target {
  Job& job;
  Command& command;
  const FioParseOptions& host;
};

enum class ValueRule : std::uint8_t {
  kRequired,  // --opt=value or --opt value
  kOptional,  // --opt or --opt=value: without a value it is `bare`
  kNone,      // --opt
};
enum class Scope : std::uint8_t { kJob, kCommand };
enum class Support : std::uint8_t {
  kFull,
  kNoEffect,  // accepted: nothing to do for it here; `meaning` says why
  kRefused,   // fio has it; `meaning` says what there is in its place
};

enum class Category : std::uint8_t {
  kCommand,
  kJobs,
  kTargets,
  kDirection,
  kBlocks,
  kRange,
  kRandom,
  kQueue,
  kPace,
  kZones,
  kBuffers,
  kVerify,
  kErrors,
  kDurability,
  kHost,
  kStatistics,
  kLogs,
  kReplay,
  kEngines,
};
inline constexpr int kCategories = 19;
std::string_view Title(Category category);

using ApplyFunction = absl::Status (*)(std::string_view value, Target target);

struct Option {
  std::string_view name;
  std::string_view alias = "";  // "" if none
  std::string_view form = "";
  std::string_view default_text = "";
  std::string_view meaning = "";
  ValueRule value_rule = ValueRule::kRequired;
  std::string_view bare = "1";  // what it is without a value, where it may be
  Scope scope = Scope::kJob;
  Support support = Support::kFull;
  Category category = Category::kJobs;
  // Of a refused option, values that ask for nothing: separated by `|`.
  std::string_view harmless = "";
  // InvalidArgument says what is accepted, without the option's name. Null unless
  // the support is full.
  ApplyFunction apply = nullptr;

  constexpr Option Also(std::string_view other_name) const {
    Option copy = *this;
    copy.alias = other_name;
    return copy;
  }
  constexpr Option OfCommand() const {
    Option copy = *this;
    copy.scope = Scope::kCommand;
    return copy;
  }
};

// Rows of the table.
constexpr Option Value(std::string_view name, std::string_view form, std::string_view standard,
                       std::string_view meaning, ApplyFunction apply) {
  Option option;
  option.name = name;
  option.form = form;
  option.default_text = standard;
  option.meaning = meaning;
  option.apply = apply;
  return option;
}
constexpr Option Switch(std::string_view name, std::string_view standard, std::string_view meaning,
                        ApplyFunction apply) {
  Option option = Value(name, "0|1", standard, meaning, apply);
  option.value_rule = ValueRule::kOptional;
  return option;
}
// --name alone, of the command.
constexpr Option Word(std::string_view name, std::string_view meaning, ApplyFunction apply) {
  Option option = Value(name, "", "", meaning, apply).OfCommand();
  option.value_rule = ValueRule::kNone;
  return option;
}
constexpr Option NoEffect(std::string_view name, std::string_view form, std::string_view why) {
  Option option = Value(name, form, "", why, nullptr);
  option.support = Support::kNoEffect;
  if (form == "0|1") option.value_rule = ValueRule::kOptional;
  if (form.empty()) option.value_rule = ValueRule::kNone;
  return option;
}
constexpr Option Refused(std::string_view name, std::string_view form, std::string_view instead,
                         std::string_view harmless = "") {
  Option option = NoEffect(name, form, instead);
  option.support = Support::kRefused;
  option.harmless = harmless;
  return option;
}

// All rows, in the order of the categories.
std::span<const Option> Options();

// Puts `value` where it belongs. InvalidArgument without the option's name.
absl::Status ApplyOption(const Option& option, std::string_view value, Target target);

// The parts of the table: options/<subject>.cc.
std::span<const Option> CommandOptions();
std::span<const Option> JobsOptions();
std::span<const Option> TargetsOptions();
std::span<const Option> DirectionOptions();
std::span<const Option> BlocksOptions();
std::span<const Option> RangeOptions();
std::span<const Option> RandomOptions();
std::span<const Option> QueueOptions();
std::span<const Option> PaceOptions();
std::span<const Option> ZonesOptions();
std::span<const Option> BuffersOptions();
std::span<const Option> VerifyOptions();
std::span<const Option> ErrorsOptions();
std::span<const Option> DurabilityOptions();
std::span<const Option> HostOptions();
std::span<const Option> StatisticsOptions();
std::span<const Option> LogsOptions();
std::span<const Option> ReplayOptions();
std::span<const Option> EnginesOptions();

}  // namespace zonal::fio
