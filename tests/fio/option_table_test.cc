// SPDX-License-Identifier: MIT
// The table itself: names, what each row needs, and how it reads as help.
#include "fio/option_table.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "fio/documents.h"
#include "fio/lookup.h"
#include "parse.h"
#include "support/catch.h"

namespace zonal {
namespace {

using fio::Option;
using fio::Support;
using fio::ValueRule;

TEST_CASE("no two options share a name, and each name finds its option", "[fio]") {
  std::vector<std::string_view> names;
  for (const Option& option : fio::Options()) {
    CAPTURE(option.name);
    const auto found = fio::FindOption(option.name);
    REQUIRE(found.ok());
    CHECK(*found == &option);
    names.push_back(option.name);
    if (option.alias.empty()) continue;
    CHECK(*fio::FindOption(option.alias) == &option);
    names.push_back(option.alias);
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("each row says what its support needs", "[fio]") {
  for (const Option& option : fio::Options()) {
    CAPTURE(option.name);
    CHECK((option.apply != nullptr) == (option.support == Support::kFull));
    CHECK((option.value_rule == ValueRule::kNone) == option.form.empty());
    REQUIRE_FALSE(option.meaning.empty());
    CHECK(option.meaning.back() == '.');
    if (option.support != Support::kRefused) CHECK(option.harmless.empty());
  }
}

TEST_CASE("help shows every option within 80 columns", "[fio]") {
  const std::string help = FioOptionHelp();
  for (const Option& option : fio::Options()) {
    CAPTURE(option.name);
    CHECK(help.find(std::string(option.name)) != std::string::npos);
    if (option.support == Support::kFull) {
      CHECK(help.find("  --" + std::string(option.name)) != std::string::npos);
    }
  }
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("an option that is refused takes the values that ask for nothing", "[fio]") {
  for (const Option& option : fio::Options()) {
    if (option.support != Support::kRefused || option.scope == fio::Scope::kCommand) continue;
    CAPTURE(option.name);
    const std::string name = "--" + std::string(option.name) + "=";
    const auto refused = ParseJob(name + "surely-not-harmless");
    REQUIRE_FALSE(refused.ok());
    CHECK(MessageOf(refused.status())
              .find(name + "surely-not-harmless: not available here. " +
                    std::string(option.meaning)) == 0);
    const std::string harmless(option.harmless.substr(0, option.harmless.find('|')));
    if (!harmless.empty()) CHECK(ParseJob(name + harmless).ok());
  }
}

}  // namespace
}  // namespace zonal
