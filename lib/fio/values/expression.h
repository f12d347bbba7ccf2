// SPDX-License-Identifier: MIT
// $pagesize, $mb_memory, $ncpus and arithmetic in values. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "zonal/fio.h"

namespace zonal::fio {

// `text` with the host's keywords replaced.
std::string ReplaceKeywords(std::string_view text, const FioHostFacts& host);

// The same for a number: if there were any, or if it is all in
// parentheses, whole-number arithmetic (+ - * / % ^, suffixes, parentheses) in
// it is worked out: "8*$mb_memory" -> "31992". Other text comes back as it is.
absl::StatusOr<std::string> ExpandValue(std::string_view text, const FioHostFacts& host);

}  // namespace zonal::fio
