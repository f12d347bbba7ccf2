// SPDX-License-Identifier: MIT
// Early return of a Status, and the check of our own invariants. Debian 12's
// Abseil has no status macros.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define ZONAL_RETURN_IF_ERROR(expression)                                                  \
  do {                                                                                     \
    if (absl::Status zonal_status = (expression); !zonal_status.ok()) return zonal_status; \
  } while (false)

#define ZONAL_CONCAT_INNER(a, b) a##b
#define ZONAL_CONCAT(a, b) ZONAL_CONCAT_INNER(a, b)

#define ZONAL_ASSIGN_OR_RETURN(target, expression) \
  ZONAL_ASSIGN_OR_RETURN_INNER(ZONAL_CONCAT(zonal_or_, __LINE__), target, expression)
#define ZONAL_ASSIGN_OR_RETURN_INNER(value, target, expression) \
  auto value = (expression);                                    \
  if (!value.ok()) return std::move(value).status();            \
  target = *std::move(value)
