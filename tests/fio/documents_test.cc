// SPDX-License-Identifier: MIT
// Man page and completions: everything of the table is in them.
#include "fio/documents.h"

#include <sstream>
#include <string>

#include "absl/strings/str_replace.h"
#include "fio/option_table.h"
#include "support/catch.h"

namespace zonal::fio {
namespace {

TEST_CASE("the man page has every option, and no line is a request by accident", "[fio]") {
  const std::string page = ManPage("1.2.3");
  CHECK(page.find(".TH ZONAL\\-RUN 1 \"\" \"zonal 1.2.3\"") == 0);
  for (const Option& option : Options()) {
    CAPTURE(option.name);
    const std::string name = absl::StrReplaceAll("--" + std::string(option.name), {{"-", "\\-"}});
    CHECK(page.find(".B " + name + "\\fR") + page.find(".B " + name + "\n") !=
          2 * std::string::npos);
  }
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || (line[0] != '.' && line[0] != '\'')) continue;
    CAPTURE(line);
    const std::string request = line.substr(0, line.find(' '));
    CHECK((request == ".TH" || request == ".SH" || request == ".SS" || request == ".TP" ||
           request == ".B" || request == ".BR" || request == ".I" || request == ".PP" ||
           request == ".nf" || request == ".fi"));
  }
}

TEST_CASE("completions offer what is supported and nothing else", "[fio]") {
  const std::string_view subcommands[] = {"create", "run"};
  for (const std::string& script : {BashCompletion(subcommands), ZshCompletion(subcommands)}) {
    CHECK(script.find("create run") != std::string::npos);
    for (const Option& option : Options()) {
      CAPTURE(option.name);
      const std::string name = "--" + std::string(option.name);
      bool offered = false;
      for (std::size_t at = script.find(name); at != std::string::npos;
           at = script.find(name, at + 1)) {
        const char next = script[at + name.size()];
        offered = offered || next == '=' || next == '[' || next == '\n' || next == ')';
      }
      CHECK(offered == (option.support == Support::kFull));
    }
  }
}

}  // namespace
}  // namespace zonal::fio
