// SPDX-License-Identifier: MIT
#include "fio/values/lists.h"

#include <cerrno>
#include <string>

#include "support/catch.h"

namespace zonal::fio {
namespace {

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

TEST_CASE("a list by direction goes on with its last value unless it ends in a comma", "[fio]") {
  struct Row {
    const char* text;
    PerDirection<std::string_view> parts;
  };
  const Row rows[] = {
      {"a", {"a", "a", "a"}},   {"a,b", {"a", "b", "b"}}, {"a,b,c", {"a", "b", "c"}},
      {"a,b,", {"a", "b", ""}}, {"a,", {"a", "", ""}},    {",b", {"", "b", "b"}},
      {",b,", {"", "b", ""}},   {",,c", {"", "", "c"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto parts = SplitDirections(row.text);
    REQUIRE(parts.ok());
    CHECK(*parts == row.parts);
  }
  for (const char* text : {"", ",", ",,", "a,b,c,d"}) {
    CAPTURE(text);
    CHECK_FALSE(SplitDirections(text).ok());
  }
}

TEST_CASE("ranges take - or : and either order", "[fio]") {
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  CHECK(*ParseByteRange("4k-64k", {1}, KbBase::k1024) == Pair{4096, 65536});
  CHECK(*ParseByteRange("64k:4k", {1}, KbBase::k1024) == Pair{4096, 65536});
  CHECK(*ParseByteRange("4k", {1}, KbBase::k1024) == Pair{4096, 4096});
  for (const char* text : {"", "-", "4k-", "-4k", "0-4k", "4k-8k-16k"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseByteRange(text, {1}, KbBase::k1024).ok());
  }
  const auto times = ParseTimeRange("1-500ms");
  REQUIRE(times.ok());
  CHECK(times->first == std::chrono::milliseconds(500));
  CHECK(times->second == std::chrono::seconds(1));
}

TEST_CASE("a mix of block sizes adds up to a hundred", "[fio]") {
  struct Row {
    const char* text;
    std::vector<BlockSize::Share> shares;
  };
  const Row rows[] = {
      {"4k/10:64k/50:32k/40", {{4096, 10}, {65536, 50}, {32768, 40}}},
      {"4k/50:1k/:32k/", {{4096, 50}, {1024, 25}, {32768, 25}}},
      {"4k:8k:16k", {{4096, 34}, {8192, 33}, {16384, 33}}},
      {"4k/100:8k", {{4096, 100}, {8192, 0}}},
      {"4k", {{4096, 100}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto mix = ParseBlockMix(row.text, {1}, KbBase::k1024);
    REQUIRE(mix.ok());
    CHECK(mix->shares == row.shares);
  }
  const auto mix = ParseBlockMix("8k/50:4k/20:64k", {1}, KbBase::k1024);
  REQUIRE(mix.ok());
  CHECK(mix->min == 4096);
  CHECK(mix->max == 65536);
  for (const char* text : {"", "4k/60:8k/50", "4k/60", "4k/x", "/50", "4k/50:", "0/100"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseBlockMix(text, {1}, KbBase::k1024).ok());
  }
  std::string many = "1";
  for (int i = 2; i <= 65; ++i) many += ":" + std::to_string(i);
  CHECK(MessageOf(ParseBlockMix(many, {1}, KbBase::k1024).status()) == "more than 64 sizes");
}

TEST_CASE("distributions have their parameters", "[fio]") {
  using Kind = RandomDistribution::Kind;
  const auto parse = [](const char* text) { return ParseDistribution(text, KbBase::k1024); };
  CHECK(*parse("random") == RandomDistribution());
  const auto zipf = parse("zipf:1.2:0.25");
  REQUIRE(zipf.ok());
  CHECK(zipf->kind == Kind::kZipf);
  CHECK(zipf->parameter == 1.2);
  CHECK(zipf->center == 0.25);
  CHECK(parse("zipf")->parameter == 1.1);
  CHECK(parse("pareto:.3")->kind == Kind::kPareto);
  CHECK(parse("normal:20")->parameter == 20);
  CHECK_FALSE(parse("normal:20")->center.has_value());
  const auto zoned = parse("zoned:60/10:30/20:8/30:2/40");
  REQUIRE(zoned.ok());
  CHECK(zoned->kind == Kind::kZones);
  REQUIRE(zoned->shares.size() == 4);
  CHECK(zoned->shares[1] == RandomDistribution::Share{30, 20});
  const auto absolute = parse("zoned_abs=60/20m:40/1g");
  REQUIRE(absolute.ok());
  CHECK(absolute->kind == Kind::kZonesAbsolute);
  CHECK(absolute->shares[1] == RandomDistribution::Share{40, 1 << 30});
  for (const char* text :
       {"", "foo", "random:1", "zipf:1.0", "zipf:x", "zipf:1.2:2", "zipf:1.2:.5:.5", "pareto:2",
        "normal", "zoned", "zoned:60/10:30/20", "zoned:50/50:50/60", "zoned:100", "zoned_abs:100/0",
        "zoned_abs:60/1m"}) {
    CAPTURE(text);
    CHECK_FALSE(parse(text).ok());
  }
}

TEST_CASE("CPUs are numbers and ranges, sorted and once each", "[fio]") {
  CHECK(*ParseCpuList("5,0,8-10,9") == std::vector<std::uint32_t>{0, 5, 8, 9, 10});
  for (const char* text : {"", "a", "3-1", "1,,2", "4096", "0-99999999"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseCpuList(text).ok());
  }
}

TEST_CASE("errors have names and numbers", "[fio]") {
  CHECK(*ParseErrnoList("EIO:61:EREMOTEIO") == std::vector<int>{EIO, 61, EREMOTEIO});
  CHECK(ParseErrnoList("")->empty());
  for (const char* text : {"EFOO", "0", "-5", "EIO:", "5x"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseErrnoList(text).ok());
  }
}

}  // namespace
}  // namespace zonal::fio
