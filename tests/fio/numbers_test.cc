// SPDX-License-Identifier: MIT
#include "fio/values/numbers.h"

#include <limits>
#include <string>

#include "support/catch.h"

namespace zonal::fio {
namespace {

constexpr std::uint64_t kRefused = std::numeric_limits<std::uint64_t>::max() - 1;

TEST_CASE("sizes follow fio's suffixes", "[fio]") {
  struct Row {
    const char* text;
    std::uint64_t bytes;
  };
  // Compared with fio 3.33's job lines.
  const Row rows[] = {
      {"0", 0},
      {"1", 1},
      {"4096", 4096},
      {"0x1000", 4096},
      {"4k", 4096},
      {"4K", 4096},
      {"4kb", 4096},
      {"4KB", 4096},
      {"4b", 4},
      {"4B", 4},
      {"4Ki", 4000},
      {"4KiB", 4000},
      {"1m", 1 << 20},
      {"3g", 3ull << 30},
      {"2t", 2ull << 40},
      {"1p", 1ull << 50},
      {"1GiB", 1'000'000'000},
      {"140660178944", 140660178944},
      {"18446744073709551615", ~0ull},
      {"", kRefused},
      {"k", kRefused},
      {"-1", kRefused},
      {"+1", kRefused},
      {"1.5k", kRefused},
      {"4kk", kRefused},
      {"4 k", kRefused},
      {"4x", kRefused},
      {"4kib2", kRefused},
      {"0x", kRefused},
      {"1z", kRefused},
      {"50%", kRefused},
      {"18446744073709551616", kRefused},
      {"16384p", kRefused},
      {"4bb", kRefused},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto parsed = ParseBytes(row.text);
    REQUIRE(parsed.ok() == (row.bytes != kRefused));
    if (parsed.ok()) CHECK(*parsed == row.bytes);
  }
}

TEST_CASE("with kb_base=1000 suffixes are those of the standards", "[fio]") {
  CHECK(*ParseBytes("4k", {}, KbBase::k1000) == 4000);
  CHECK(*ParseBytes("4KiB", {}, KbBase::k1000) == 4096);
  CHECK(*ParseBytes("1m", {}, KbBase::k1000) == 1'000'000);
  CHECK(*ParseBytes("1gi", {}, KbBase::k1000) == 1 << 30);
  CHECK(*ParseExtent("1m", KbBase::k1000) == Extent{1'000'000, std::nullopt});
}

TEST_CASE("counts take the suffixes of sizes", "[fio]") {
  CHECK(*ParseInteger("8k", {0, 65535}) == 8192);
  CHECK_FALSE(ParseInteger("64k", {0, 65535}).ok());
  CHECK_FALSE(ParseInteger("8x", {}).ok());
}

TEST_CASE("signed numbers have a range", "[fio]") {
  CHECK(*ParseSigned("-20", -20, 19) == -20);
  CHECK(*ParseSigned("19", -20, 19) == 19);
  for (const char* text : {"-21", "20", "", "-", "1k", "--1", "9223372036854775808"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseSigned(text, -20, 19).ok());
  }
}

TEST_CASE("a size outside its range says the range", "[fio]") {
  CHECK(ParseBytes("1k", {1, 1024}).ok());
  const auto large = ParseBytes("1025", {1, 1024});
  REQUIRE_FALSE(large.ok());
  CHECK(std::string(large.status().message()) == "value out of range: must be 1 to 1024");
}

TEST_CASE("sizes that count in thousands are recognised", "[fio]") {
  for (const char* text : {"4KiB", "4ki", "1MiB", "4k,8KiB", "4KiB,", "4k-1MiB", "4k/10:8KiB/90"}) {
    CAPTURE(text);
    CHECK(HasDecimalIecSuffix(text));
  }
  for (const char* text : {"4k", "4kb", "4", "", "kib", "4bi", "4k,8k"}) {
    CAPTURE(text);
    CHECK_FALSE(HasDecimalIecSuffix(text));
  }
}

TEST_CASE("a long list is looked through without much stack", "[fio]") {
  CHECK_FALSE(HasDecimalIecSuffix(std::string(10'000'000, ',')));
}

TEST_CASE("positions are bytes, percents or zones", "[fio]") {
  const auto relative = [](std::uint64_t value, ExtentUnit unit) {
    return Extent{0, RelativeExtent{value, unit}};
  };
  struct Row {
    const char* text;
    bool accepted;
    Extent extent;
  };
  const Row rows[] = {
      {"1g", true, Extent{1 << 30, std::nullopt}},
      {"0", true, Extent{0, std::nullopt}},
      {"2z", true, relative(2, ExtentUnit::kZones)},
      {"20%", true, relative(20, ExtentUnit::kPercent)},
      {"100%", true, relative(100, ExtentUnit::kPercent)},
      {"101%", false, {}},
      {"2Z", false, {}},
      {"1.5z", false, {}},
      {"z", false, {}},
      {"2zz", false, {}},
      {"%", false, {}},
      {"5%%", false, {}},
      {"", false, {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto parsed = ParseExtent(row.text);
    REQUIRE(parsed.ok() == row.accepted);
    if (parsed.ok()) CHECK(*parsed == row.extent);
  }
}

TEST_CASE("times are in seconds unless they say otherwise", "[fio]") {
  struct Row {
    const char* text;
    std::int64_t ns;
  };  // -1: refused
  const Row rows[] = {
      {"0", 0},
      {"30", 30'000'000'000},
      {"30s", 30'000'000'000},
      {"5m", 300'000'000'000},
      {"1h", 3'600'000'000'000},
      {"1d", 86'400'000'000'000},
      {"100ms", 100'000'000},
      {"5us", 5'000},
      {"5usec", 5'000},
      {"7msec", 7'000'000},
      {"2sec", 2'000'000'000},
      {"2S", 2'000'000'000},
      {"", -1},
      {"s", -1},
      {"30x", -1},
      {"1.5", -1},
      {"-1", -1},
      {"1m30s", -1},
      {"18446744073709551615", -1},
      {"9223372037", -1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto parsed = ParseTime(row.text);
    REQUIRE(parsed.ok() == (row.ns >= 0));
    if (parsed.ok()) CHECK(parsed->count() == row.ns);
  }
}

TEST_CASE("a bare time has the unit of its option", "[fio]") {
  CHECK(*ParseTime("30", std::chrono::microseconds(1)) == std::chrono::microseconds(30));
  CHECK(*ParseTime("30ms", std::chrono::microseconds(1)) == std::chrono::milliseconds(30));
}

TEST_CASE("lists of numbers have a longest", "[fio]") {
  CHECK(*ParseFloatList("99:99.9", {0, 100}, 20) == std::vector<double>{99, 99.9});
  CHECK(ParseFloatList("1:2", {0, 100}, 2).ok());
  for (const char* text : {"1:2:3", "1:", ":1", "1:101", "", "1:x"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseFloatList(text, {0, 100}, 2).ok());
  }
}

TEST_CASE("fractions are one number from 0 to 1", "[fio]") {
  for (const char* text : {"0", "1", ".5", "0.5", "1.0", "1e-3"}) {
    CAPTURE(text);
    CHECK(ParseFloat(text, {0, 1}).ok());
  }
  CHECK(*ParseFloat(".25", {0, 1}) == 0.25);
  struct Row {
    const char* text;
    const char* says;
  };
  const Row rows[] = {
      {"-1", "value out of range"},
      {"2", "value out of range"},
      {".4:.6", "the list exceeding max length"},
      {"", "number from 0 to 1"},
      {"x", "number from 0 to 1"},
      {"nan", "number from 0 to 1"},
      {"inf", "number from 0 to 1"},
      {"0.5x", "number from 0 to 1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto parsed = ParseFloat(row.text, {0, 1});
    REQUIRE_FALSE(parsed.ok());
    CHECK(std::string(parsed.status().message()).find(row.says) != std::string::npos);
  }
}

}  // namespace
}  // namespace zonal::fio
