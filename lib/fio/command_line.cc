// SPDX-License-Identifier: MIT
// Words of a command line -> sections of options.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "fio/lookup.h"
#include "fio/sections.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::StrCat;

class CommandLineReader {
 public:
  explicit CommandLineReader(std::span<const std::string> words) : words_(words) {}

  absl::StatusOr<CommandLine> Read() {
    result_.sections.emplace_back();  // defaults
    while (next_ < words_.size()) ZONAL_RETURN_IF_ERROR(ReadOne(words_[next_++]));
    return std::move(result_);
  }

 private:
  absl::Status ReadOne(const std::string& word) {
    if (word == "-" || word.empty() || word[0] != '-') {
      result_.job_files.push_back(word);
      return absl::OkStatus();
    }
    const std::size_t start = word.find_first_not_of('-');
    if (start == std::string::npos || start > 2) {
      return InvalidArgumentError(StrCat("\"", word, "\" is not an option"));
    }
    const std::size_t equals = word.find('=', start);
    const bool has_value = equals != std::string::npos;
    const std::string_view name =
        std::string_view(word).substr(start, has_value ? equals - start : std::string::npos);
    ZONAL_ASSIGN_OR_RETURN(const Option* option, FindOption(name));
    if (has_value) return Keep({option, word.substr(equals + 1), ""});
    if (option->value_rule != ValueRule::kRequired) {
      // fio wants a value for some of these, which may be a word of its own.
      const bool takes_next = option->form == "0|1" && next_ < words_.size() &&
                              (words_[next_] == "0" || words_[next_] == "1");
      return Keep({option, takes_next ? words_[next_++] : std::string(option->bare), ""});
    }
    // A word that looks like an option is one: the value was forgotten.
    if (next_ == words_.size() || words_[next_].substr(0, 2) == "--") {
      return InvalidArgumentError(
          StrCat("--", std::string(option->name), " needs a value: ", std::string(option->form)));
    }
    return Keep({option, words_[next_++], ""});
  }

  absl::Status Keep(TypedOption typed) {
    if (typed.option->value_rule == ValueRule::kNone && typed.value != typed.option->bare) {
      return InvalidArgumentError(StrCat("--", std::string(typed.option->name), " takes no value"));
    }
    if (typed.option->scope == Scope::kCommand) {
      result_.command.push_back(std::move(typed));
      return absl::OkStatus();
    }
    if (typed.option->name == "name") {
      Section section;
      section.kind = typed.value == "global" ? SectionKind::kDefaults : SectionKind::kJob;
      section.name = typed.value;
      result_.sections.push_back(section);
      if (section.kind == SectionKind::kDefaults) return absl::OkStatus();
    }
    result_.sections.back().options.push_back(std::move(typed));
    return absl::OkStatus();
  }

  std::span<const std::string> words_;
  std::size_t next_ = 0;
  CommandLine result_;
};

}  // namespace

absl::StatusOr<CommandLine> ReadCommandLine(std::span<const std::string> words) {
  return CommandLineReader(words).Read();
}

std::string ShowTyped(const TypedOption& typed) {
  const std::string name(typed.option->name);
  if (typed.option->value_rule == ValueRule::kNone) return StrCat("--", name);
  return StrCat(typed.where.empty() ? "--" : "", name, "=", typed.value);
}

}  // namespace zonal::fio
