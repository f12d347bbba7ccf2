// SPDX-License-Identifier: MIT
#include "fio/job_set.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "fio/values/expression.h"

namespace zonal::fio {
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

bool FormHas(const Option& option, std::string_view part) {
  return option.form.find(part) != std::string_view::npos;
}

// Takes a number, or several: no name, text, command or path.
bool IsNumeric(const Option& option) {
  const std::string_view form = option.form;
  return FormHas(option, "SIZE") || FormHas(option, "TIME") || form == "MS" || form == "N" ||
         form.substr(0, 2) == "N[" || (!form.empty() && form[0] >= '0' && form[0] <= '9');
}

// "$ncpus" and arithmetic; a bare number from arithmetic on a time is in
// microseconds, as in fio.
absl::StatusOr<std::string> Expand(const TypedOption& typed, const FioHostFacts& host) {
  if (!IsNumeric(*typed.option)) return ReplaceKeywords(typed.value, host);
  ZONAL_ASSIGN_OR_RETURN(std::string value, ExpandValue(typed.value, host));
  if (value != typed.value && FormHas(*typed.option, "TIME") && typed.value.front() == '(') {
    value += "us";
  }
  return value;
}

class Builder {
 public:
  Builder(const FioParseOptions& options, Command& command)
      : options_(options), command_(command) {}

  absl::Status Add(const Section& section) {
    switch (section.kind) {
      case SectionKind::kSource:
        if (!in_source_) command_line_defaults_ = defaults_;
        defaults_ = command_line_defaults_;
        barrier_ = in_source_;
        in_source_ = true;
        return absl::OkStatus();
      case SectionKind::kDefaults:
        return ApplyAll(section, defaults_);
      case SectionKind::kJob:
        return AddJob(section);
    }
    return absl::OkStatus();
  }

  JobSet Finish() { return {std::move(jobs_), std::move(defaults_.typed)}; }

 private:
  absl::Status AddJob(const Section& section) {
    if (in_source_ && !command_.sections.empty() &&
        std::find(command_.sections.begin(), command_.sections.end(), section.name) ==
            command_.sections.end()) {
      return absl::OkStatus();
    }
    Job job = defaults_;
    job.typed.clear();
    ZONAL_RETURN_IF_ERROR(ApplyAll(section, job));
    if (barrier_) {
      job.order.stonewall = true;
      job.applied.emplace_back("stonewall", "1");
    }
    barrier_ = false;
    jobs_.push_back(std::move(job));
    return absl::OkStatus();
  }

  // In a job file kb_base comes first: it says what the suffixes of the others
  // mean. On a command line it holds from where it stands. (fio's rules.)
  absl::Status ApplyAll(const Section& section, Job& job) {
    const bool in_file = !section.where.empty();
    const auto is_early = [&](const TypedOption& typed) {
      return in_file && typed.option->name == "kb_base";
    };
    for (const bool early : {true, false}) {
      for (const TypedOption& typed : section.options) {
        if (is_early(typed) == early) ZONAL_RETURN_IF_ERROR(Apply(typed, job));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Apply(const TypedOption& typed, Job& job) {
    const absl::StatusOr<std::string> value = Expand(typed, options_.host);
    const absl::Status applied =
        value.ok() ? ApplyOption(*typed.option, *value, Target{job, command_, options_})
                   : value.status();
    if (!applied.ok()) {
      return InvalidArgumentError(
          StrCat(typed.where, ShowTyped(typed), ": ", std::string(applied.message())));
    }
    job.applied.emplace_back(std::string(typed.option->name), *value);
    // The name of a section is no option of its job.
    if (typed.where.empty() || typed.option->name != "name") {
      Remember(job.typed, typed.option->name, *value);
    }
    if (FormHas(*typed.option, "SIZE") && job.kb_base == KbBase::k1024 &&
        HasDecimalIecSuffix(*value)) {
      command_.notices.push_back(StrCat(typed.where, ShowTyped(typed),
                                        " counts in powers of 1000, as in fio (kb_base=1024): "
                                        "write k, m, g for powers of 1024"));
    }
    return absl::OkStatus();
  }

  const FioParseOptions& options_;
  Command& command_;
  Job defaults_, command_line_defaults_;
  bool in_source_ = false;
  bool barrier_ = false;
  std::vector<Job> jobs_;
};

absl::Status CheckSections(const Command& command, std::span<const Section> sections) {
  for (const std::string& wanted : command.sections) {
    const bool found = std::any_of(sections.begin(), sections.end(), [&](const Section& section) {
      return section.kind == SectionKind::kJob && section.name == wanted;
    });
    if (!found) {
      return InvalidArgumentError(StrCat("--section=", wanted, ": no job file has such a job"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<JobSet> BuildJobs(std::span<const Section> sections, const FioParseOptions& options,
                                 Command& command) {
  ZONAL_RETURN_IF_ERROR(CheckSections(command, sections));
  Builder builder(options, command);
  for (const Section& section : sections) ZONAL_RETURN_IF_ERROR(builder.Add(section));
  return builder.Finish();
}

}  // namespace zonal::fio
