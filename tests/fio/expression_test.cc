// SPDX-License-Identifier: MIT
#include "fio/values/expression.h"

#include <string>

#include "support/catch.h"

namespace zonal::fio {
namespace {

const FioHostFacts kHost{4096, 31992, 8};

TEST_CASE("keywords of the host and arithmetic are worked out", "[fio]") {
  struct Row {
    const char* text;
    const char* value;
  };
  const Row rows[] = {
      {"$pagesize", "4096"},
      {"8*$mb_memory", "255936"},
      {"$ncpus", "8"},
      {"$ncpus/2", "4"},
      {"$ncpus - 1", "7"},
      {"(1+2)", "3"},
      {"(1+2*3)", "7"},
      {"((1+2)*3)", "9"},
      {"(2^10)", "1024"},
      {"(2^2^3)", "256"},
      {"(7%4)", "3"},
      {"(-3+5)", "2"},
      {"(4k*2)", "8192"},
      // No keyword, no parentheses: text.
      {"8*2", "8*2"},
      {"4k", "4k"},
      {"", ""},
      {"1-3", "1-3"},
      {"/tmp/(x)", "/tmp/(x)"},
      {"/srv/$ncpus/f", "/srv/8/f"},
      {"$jobname.$ncpus", "$jobname.8"},
      {"(read)", "(read)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto value = ExpandValue(row.text, kHost);
    REQUIRE(value.ok());
    CHECK(*value == row.value);
  }
}

TEST_CASE("arithmetic that has no answer is refused", "[fio]") {
  for (const char* text :
       {"(1/0)", "(1%0)", "(1+)", "(+1)", "(1)(2)", "(2^64)", "(2^-1)", "(9223372036854775807+1)",
        "(9223372036854775807*2)", "(1 2)", "(-9223372036854775807-2)", "((1)", "()1()"}) {
    CAPTURE(text);
    CHECK_FALSE(ExpandValue(text, kHost).ok());
  }
  CHECK_FALSE(ExpandValue(std::string(500, '(') + "1" + std::string(500, ')'), kHost).ok());
  CHECK_FALSE(ExpandValue("(" + std::string(500, '-') + "1)", kHost).ok());
  CHECK(ExpandValue("((-9223372036854775807-1)%-1)", kHost).ok());
  CHECK_FALSE(ExpandValue("((-9223372036854775807-1)/-1)", kHost).ok());
}

}  // namespace
}  // namespace zonal::fio
