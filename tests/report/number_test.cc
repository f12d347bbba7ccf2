// SPDX-License-Identifier: MIT
#include "support/catch.h"
#include "zonal/report.h"

namespace zonal {
namespace {

TEST_CASE("numbers are shortened as fio shortens them", "[report]") {
  struct Row {
    std::uint64_t value;
    int figures, base;
    bool byte;
    const char* text;
  };
  const Row rows[] = {
      {0, 4, 1024, true, "0B"},
      {4096, 4, 1024, true, "4096B"},
      {8192, 4, 1024, true, "8192B"},
      {10239, 4, 1024, true, "10.00KiB"},  // as fio 3.33 has it
      {102399, 4, 1024, true, "100.0KiB"},
      {16384, 4, 1024, true, "16.0KiB"},
      {65536, 4, 1024, true, "64.0KiB"},
      {983040, 4, 1024, true, "960KiB"},
      {1048576, 4, 1024, true, "1024KiB"},
      {8388608, 4, 1024, true, "8192KiB"},
      {16777216, 4, 1024, true, "16.0MiB"},
      {16343040, 4, 1024, true, "15.6MiB"},
      {16343040, 4, 1000, true, "16.3MB"},
      {1048576, 4, 1000, true, "1049kB"},
      {4093953, 4, 1000, true, "4094kB"},
      {4093953, 4, 1024, true, "3998KiB"},
      {398610731, 4, 1024, true, "380MiB"},
      {398610731, 4, 1000, true, "399MB"},
      {12500, 4, 1000, false, "12.5k"},
      {9142, 4, 1000, false, "9142"},
      {97317, 4, 1000, false, "97.3k"},
      {128000, 4, 1000, false, "128k"},
      {999999, 4, 1000, false, "1000k"},
      {99960, 4, 1000, false, "100.0k"},
      {4823000, 6, 1000, false, "4823.0k"},
      {632452, 6, 1000, false, "632452"},
      {3260300, 6, 1000, false, "3260.3k"},
      {4194304, 10, 1024, true, "4194304B"},
      {9999999999, 10, 1024, true, "9999999999B"},
      {1ull << 34, 10, 1024, true, "16777216.0KiB"},
      {140660178944, 4, 1024, true, "131GiB"},
      {15'000'000'000'000, 4, 1024, true, "13.6TiB"},
      {~0ull, 1, 1024, true, "16EiB"},
      {~0ull, 10, 1000, false, "18446744.1T"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value, row.figures, row.base);
    CHECK(FormatNumber(row.value, row.figures, row.base, row.byte) == row.text);
  }
}

}  // namespace
}  // namespace zonal
