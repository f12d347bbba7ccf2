// SPDX-License-Identifier: MIT
// Counters by name, and between two readings.
#include <set>
#include <string_view>

#include "support/catch.h"
#include "zonal/device.h"

using namespace zonal;

TEST_CASE("each counter has a name and its own value", "[device]") {
  const DriveCounters counters{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  std::set<std::string_view> names;
  std::set<std::uint64_t> values;
  for (const NamedCounter& counter : NamedCounters(counters)) {
    names.insert(counter.name);
    values.insert(counter.value);
  }
  CHECK(names.size() == 16);
  CHECK(values.size() == 16);
  CHECK(*values.begin() == 1);
  CHECK(*values.rbegin() == 16);
}

TEST_CASE("between two readings counts grow, and states are those of the second", "[device]") {
  const DriveCounters before{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5};
  const DriveCounters after{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 3, 4, 6, 7};
  CHECK(Between(before, after) ==
        DriveCounters{1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 3, 4, 6, 7});
}
