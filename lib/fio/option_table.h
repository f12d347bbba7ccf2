// SPDX-License-Identifier: MIT
// Every option there is, in one table: parsing, help and suggestions read it.
// Constant; thread-safe.
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
};

enum class ValueRule : std::uint8_t {
  kRequired,  // --opt=value or --opt value
  kOptional,  // --opt or --opt=value: without a value it is 1
};
enum class Scope : std::uint8_t { kJob, kCommand };

struct Option {
  std::string_view name;
  std::string_view alias;  // "" if none
  std::string_view form;
  std::string_view default_text;
  std::string_view meaning;
  ValueRule value_rule = ValueRule::kRequired;
  Scope scope = Scope::kJob;
  // InvalidArgument says what is accepted, without the option's name.
  absl::Status (*apply)(std::string_view value, Target target) = nullptr;
};

std::span<const Option> Options();

}  // namespace zonal::fio
