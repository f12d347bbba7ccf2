// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zonal::fio::fuzz::Values({reinterpret_cast<const char*>(data), size});
  return 0;
}
