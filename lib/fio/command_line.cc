// SPDX-License-Identifier: MIT
// Words of a command line -> jobs.
#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "fio/lookup.h"
#include "fio/plan_builder.h"
#include "zonal/fio.h"

namespace zonal {
namespace fio {
namespace {

using absl::InvalidArgumentError;
using absl::StrCat;

// The last value of a name wins and keeps the place of the first.
void Remember(OptionValues& typed, std::string_view name, const std::string& value) {
  const auto same = std::find_if(typed.begin(), typed.end(),
                                 [name](const auto& option) { return option.first == name; });
  if (same != typed.end())
    same->second = value;
  else
    typed.emplace_back(std::string(name), value);
}

bool TakesSize(const Option& option) { return option.form.find("SIZE") != std::string_view::npos; }

class CommandLine {
 public:
  explicit CommandLine(std::span<const std::string> words) : words_(words) {}

  absl::Status Parse() {
    while (next_ < words_.size()) ZONAL_RETURN_IF_ERROR(ParseOne(words_[next_++]));
    if (jobs_.empty()) {
      return InvalidArgumentError(
          "no job: give at least --name=NAME, --filename=SPEC and --rw=...");
    }
    return absl::OkStatus();
  }

  const std::vector<Job>& jobs() const { return jobs_; }
  const OptionValues& global() const { return defaults_.typed; }
  Command& command() { return command_; }

 private:
  absl::Status ParseOne(const std::string& word) {
    const std::size_t start = word.find_first_not_of('-');
    if (word.empty() || word[0] != '-' || start == std::string::npos || start > 2) {
      return Stray(word);
    }
    const std::size_t equals = word.find('=', start);
    const bool has_value = equals != std::string::npos;
    ZONAL_ASSIGN_OR_RETURN(const Option* option,
                           FindOption(std::string_view(word).substr(
                               start, has_value ? equals - start : std::string::npos)));
    if (has_value) return Apply(*option, word.substr(equals + 1));
    if (option->value_rule == ValueRule::kOptional) return Apply(*option, "1");
    // A word that looks like an option is one: the value was forgotten.
    if (next_ == words_.size() || words_[next_].substr(0, 2) == "--") {
      return InvalidArgumentError(
          StrCat("--", std::string(option->name), " needs a value: ", std::string(option->form)));
    }
    return Apply(*option, words_[next_++]);
  }

  static absl::Status Stray(const std::string& word) {
    return InvalidArgumentError(
        StrCat("\"", word,
               "\" is not an option. Job files are not available in this version: give "
               "the job's options on the command line. A value of an on/off option is given with "
               "'=', as in --time_based=1"));
  }

  absl::Status Apply(const Option& option, const std::string& value) {
    if (option.name == "name") jobs_.push_back(NewJob());
    Job& job = jobs_.empty() ? defaults_ : jobs_.back();
    const absl::Status applied = option.apply(value, Target{job, command_});
    const std::string shown = StrCat("--", std::string(option.name), "=", value);
    if (!applied.ok()) {
      return InvalidArgumentError(StrCat(shown, ": ", std::string(applied.message())));
    }
    if (TakesSize(option) && HasDecimalIecSuffix(value)) {
      command_.notices.push_back(StrCat(shown,
                                        " counts in powers of 1000, as in fio (kb_base=1024): "
                                        "write k, m, g for powers of 1024"));
    }
    if (option.scope == Scope::kJob) Remember(job.typed, option.name, value);
    return absl::OkStatus();
  }

  Job NewJob() const {
    Job job = defaults_;
    job.typed.clear();
    return job;
  }

  std::span<const std::string> words_;
  std::size_t next_ = 0;
  Job defaults_;
  std::vector<Job> jobs_;
  Command command_;
};

}  // namespace
}  // namespace fio

absl::StatusOr<FioInvocation> ParseFioArguments(std::span<const std::string> arguments,
                                                const FioParseOptions& options) {
  fio::CommandLine line(arguments);
  ZONAL_RETURN_IF_ERROR(line.Parse());
  ZONAL_RETURN_IF_ERROR(fio::CheckJobs(line.jobs(), line.global(), line.command().notices));
  return fio::BuildInvocation(line.jobs(), line.global(), std::move(line.command()), options);
}

}  // namespace zonal
