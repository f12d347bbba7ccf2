// SPDX-License-Identifier: MIT
#include "core/check.h"

#include <cstdio>
#include <cstdlib>

namespace zonal::core {

void CheckFailed(std::string_view condition, std::string_view what, std::string_view file,
                 int line) noexcept {
  std::fprintf(stderr, "zonal: internal error at %.*s:%d: %.*s (%.*s)\n",
               static_cast<int>(file.size()), file.data(), line, static_cast<int>(what.size()),
               what.data(), static_cast<int>(condition.size()), condition.data());
  std::abort();
}

}  // namespace zonal::core
