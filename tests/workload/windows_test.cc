// SPDX-License-Identifier: MIT
#include "workload/windows.h"

#include <vector>

#include "support/catch.h"

using zonal::workload::Windows;

namespace {

struct Window {
  std::uint64_t begin, end, quota;
  bool operator==(const Window& o) const {
    return begin == o.begin && end == o.end && quota == o.quota;
  }
};

// One round, moving all of each quota.
std::vector<Window> Round(Windows windows) {
  std::vector<Window> seen;
  do {
    seen.push_back({windows.begin(), windows.end(), windows.left()});
    windows.Moved(windows.left());
    windows.GoOn();
  } while (windows.begin() != seen.front().begin);
  return seen;
}

}  // namespace

TEST_CASE("windows follow each other, and the first the last", "[workload]") {
  struct Row {
    const char* name;
    Windows::Options options;
    std::vector<Window> seen;
    std::uint64_t bytes;
  };
  const Row rows[] = {
      {"no windows", {10, 110, 0, 0, 0}, {{10, 110, ~0ull}}, 100},
      {"side by side",
       {0, 40, 10, 0, 0},
       {{0, 10, 10}, {10, 20, 10}, {20, 30, 10}, {30, 40, 10}},
       40},
      {"with gaps", {0, 40, 10, 0, 5}, {{0, 10, 10}, {15, 25, 10}, {30, 40, 10}}, 30},
      {"a part of each", {0, 40, 4, 20, 0}, {{0, 20, 4}, {20, 40, 4}}, 8},
      {"revisited", {0, 20, 30, 10, 0}, {{0, 10, 30}, {10, 20, 30}}, 60},
      {"the last cut short", {5, 30, 10, 0, 0}, {{5, 15, 10}, {15, 25, 10}, {25, 30, 5}}, 25},
      {"a gap at the end", {0, 24, 10, 0, 5}, {{0, 10, 10}, {15, 24, 9}}, 19},
      {"one block", {4096, 8192, 4096, 0, 0}, {{4096, 8192, 4096}}, 4096},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    Windows windows(row.options);
    REQUIRE(windows.BytesOfAll() == row.bytes);
    if (row.options.quota == 0) {
      REQUIRE(windows.begin() == row.seen[0].begin);
      REQUIRE(windows.end() == row.seen[0].end);
      continue;
    }
    REQUIRE(Round(windows) == row.seen);
  }
}

TEST_CASE("a window lasts until its quota is used up", "[workload]") {
  Windows windows({0, 100, 10, 0, 0});
  windows.Moved(6);
  REQUIRE_FALSE(windows.GoOn());
  REQUIRE(windows.left() == 4);
  windows.Moved(4);
  REQUIRE(windows.GoOn());
  REQUIRE(windows.begin() == 10);
  windows.Restart();
  REQUIRE(windows.begin() == 0);
  REQUIRE(windows.left() == 10);
}
