// SPDX-License-Identifier: MIT
// Which errors a job survives.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

struct Survives {
  bool reads, writes, trims, mismatches;
};
constexpr Choice<Survives> kSurvives[] = {
    {"none", {false, false, false, false}},  {"0", {false, false, false, false}},
    {"read", {true, false, false, false}},   {"write", {false, true, false, false}},
    {"trim", {false, false, true, false}},   {"io", {true, true, true, false}},
    {"verify", {false, false, false, true}}, {"all", {true, true, true, true}},
    {"1", {true, true, true, true}},
};
Status ContinueOnError(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const Survives survives, Choose(value, kSurvives));
  ErrorPolicy& errors = target.job.work.errors;
  errors.go_on = {survives.reads, survives.writes, survives.trims};
  errors.go_on_after_mismatch = survives.mismatches;
  target.job.continues_on_error = value != "none" && value != "0";
  target.job.view.error_counts = target.job.continues_on_error;
  return OkStatus();
}

// Lists of reads, writes and verification: what is left out has none.
Status IgnoreError(string_view value, Target target) {
  std::array<std::vector<int>, 3> ignored;
  for (std::size_t i = 0;; ++i) {
    if (i == ignored.size()) {
      return InvalidArgumentError("at most three lists: of reads, writes and verification");
    }
    const std::size_t comma = std::min(value.find(','), value.size());
    ZONAL_ASSIGN_OR_RETURN(ignored[i], ParseErrnoList(value.substr(0, comma)));
    if (comma == value.size()) break;
    value.remove_prefix(comma + 1);
  }
  target.job.work.errors.ignored = ignored;
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("continue_on_error", "none|read|write|trim|io|verify|all", "none",
          "Goes on after failed operations of these kinds, and counts them.", ContinueOnError),
    Value("ignore_error", "ERRORS[,ERRORS][,ERRORS]", "",
          "Goes on after these errors of reads, writes and verification: names or numbers, "
          "separated by colons.",
          IgnoreError),
    Switch("exitall_on_error", "0", "An error of this job ends all jobs.",
           Flag<&ErrorPolicy::ends_all>),
    NoEffect("error_dump", "0|1", "Each kind of error is in the report."),
};

}  // namespace

std::span<const Option> ErrorsOptions() { return kRows; }

}  // namespace zonal::fio
