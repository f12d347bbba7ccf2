// SPDX-License-Identifier: MIT
#include "core/units.h"

#include <limits>
#include <string>

#include "support/catch.h"

using zonal::core::FormatBytes;
using zonal::core::ParseBytes;
using zonal::core::ParseCount;

TEST_CASE("sizes are read in bytes and in powers of 1024", "[units]") {
  struct Row {
    const char* text;
    std::uint64_t bytes;
  };
  const Row rows[] = {
      {"0", 0},
      {"4096", 4096},
      {"512B", 512},
      {"4k", 4096},
      {"4K", 4096},
      {"4kb", 4096},
      {"4KiB", 4096},
      {"4kib", 4096},
      {"64MiB", 64 << 20},
      {"64m", 64 << 20},
      {"64MB", 64 << 20},
      {"3g", 3ull << 30},
      {"5GiB", 5ull << 30},
      {"2t", 2ull << 40},
      {"14TiB", 14ull << 40},
      {"18446744073709551615", std::numeric_limits<std::uint64_t>::max()},
      {"16777215t", 16777215ull << 40},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto bytes = ParseBytes(row.text);
    REQUIRE(bytes.ok());
    CHECK(*bytes == row.bytes);
  }
}

TEST_CASE("a bad size is refused and the message names it", "[units]") {
  for (const char* text : {"", "k", "MiB", "-1", "+1", " 4k", "4k ", "1.5GiB", "4x", "4ki", "4kk",
                           "4p", "0x10", "18446744073709551616", "16777216t"}) {
    CAPTURE(text);
    const auto bytes = ParseBytes(text);
    REQUIRE_FALSE(bytes.ok());
    CHECK(bytes.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(std::string(bytes.status().message()).find("'" + std::string(text) + "'") !=
          std::string::npos);
  }
}

TEST_CASE("a count takes digits only", "[units]") {
  CHECK(*ParseCount("128") == 128);
  for (const char* text : {"", "4k", "-1", "1 ", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseCount(text).ok());
  }
}

TEST_CASE("a formatted size reads back", "[units]") {
  struct Row {
    std::uint64_t bytes;
    const char* text;
  };
  const Row rows[] = {{0, "0"},
                      {1, "1"},
                      {4096, "4KiB"},
                      {4097, "4097"},
                      {64 << 20, "64MiB"},
                      {1536ull << 20, "1536MiB"},
                      {3ull << 30, "3GiB"},
                      {2ull << 40, "2TiB"}};
  for (const Row& row : rows) {
    CAPTURE(row.bytes);
    CHECK(FormatBytes(row.bytes) == row.text);
    CHECK(*ParseBytes(row.text) == row.bytes);
  }
}
