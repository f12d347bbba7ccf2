// SPDX-License-Identifier: MIT
// Finds an option by what was typed: its name, its alias, or a prefix that fits
// one option only. Pure.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "fio/option_table.h"

namespace zonal::fio {

// InvalidArgument names the candidates of an ambiguous prefix, or the nearest
// known option.
absl::StatusOr<const Option*> FindOption(std::string_view typed);

}  // namespace zonal::fio
