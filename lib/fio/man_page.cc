// SPDX-License-Identifier: MIT
// zonal-run(1), from the option table.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "fio/documents.h"
#include "fio/option_table.h"

namespace zonal::fio {
namespace {

// A dash is a hyphen to roff, and a dot in front of a line a request.
std::string Roff(std::string_view text) {
  std::string out = absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                                        {{"\\", "\\e"}, {"-", "\\-"}});
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

void AppendOption(std::string& out, const Option& option) {
  absl::StrAppend(&out, ".TP\n.B ", Roff(absl::StrCat("--", std::string(option.name))));
  const std::string form = Roff(option.form);
  if (option.value_rule == ValueRule::kRequired) absl::StrAppend(&out, "\\fR=\\fI", form, "\\fR");
  if (option.value_rule == ValueRule::kOptional) {
    absl::StrAppend(&out, "\\fR[=\\fI", form, "\\fR]");
  }
  if (!option.alias.empty()) {
    absl::StrAppend(&out, "\\fR, \\fB", Roff(absl::StrCat("--", std::string(option.alias))),
                    "\\fR");
  }
  absl::StrAppend(&out, "\n", Roff(option.meaning));
  if (!option.default_text.empty()) {
    absl::StrAppend(&out, "\nDefault: ", Roff(option.default_text), ".");
  }
  out += '\n';
}

void AppendSupported(std::string& out) {
  for (int c = 0; c < kCategories; ++c) {
    bool any = false;
    for (const Option& option : Options()) {
      if (option.category != static_cast<Category>(c) || option.support != Support::kFull) continue;
      if (!any) absl::StrAppend(&out, ".SS ", std::string(Title(option.category)), "\n");
      any = true;
      AppendOption(out, option);
    }
  }
}

void AppendOthers(std::string& out, Support support, const char* title, const char* text) {
  absl::StrAppend(&out, ".SH ", title, "\n", text, "\n");
  for (const Option& option : Options()) {
    if (option.support == support) AppendOption(out, option);
  }
}

constexpr char kSynopsis[] =
    ".SH NAME\n"
    "zonal\\-run \\- run workloads described by fio's options on zoned storage\n"
    ".SH SYNOPSIS\n"
    ".B zonal run\n"
    "[\\fIdefaults\\fR] \\fB\\-\\-name\\fR=\\fIJOB\\fR [\\fIoptions\\fR] ... [\\fIJOBFILE\\fR "
    "...]\n"
    ".SH DESCRIPTION\n"
    "Runs jobs on zoned block devices, emulated zoned drives and plain files, and reports what\n"
    "happened in fio's shape. A run overwrites what is on its targets. Options have the names and\n"
    "meanings they have in fio; docs/fio\\-differences.md lists where something else is done on\n"
    "purpose. Called through a link named\n"
    ".BR fio ,\n"
    "the program has fio's exit codes.\n"
    ".PP\n"
    "Options before the first\n"
    ".B \\-\\-name\n"
    "are defaults for all jobs, those of job files included. The last one of a name wins. A "
    "unique\n"
    "prefix of a name will do. Words that are no options are job files; \\- is standard input.\n";

constexpr char kJobFiles[] =
    ".SH JOB FILES\n"
    "A job file has a \\fB[section]\\fR for each job, with an option on each line, without "
    "dashes.\n"
    "\\fB[global]\\fR holds defaults for the jobs behind it. What follows a ; or # is a comment.\n"
    "\\fBinclude\\fR \\fIFILE\\fR takes lines from another file, ${NAME} stands for a variable of "
    "the\n"
    "environment. $pagesize, $mb_memory and $ncpus, in job files and on the command line, stand "
    "for\n"
    "facts of the machine, and arithmetic with them is worked out. Each further job file waits "
    "for\n"
    "the one before.\n"
    ".SH VALUES\n"
    ".TP\n.I SIZE\nBytes, with k, m, g, t, p for powers of 1024 (kb_base=1000: of 1000).\n"
    ".TP\n.I N%\nOf the device's length.\n"
    ".TP\n.I Nz\nSo many zones.\n"
    ".TP\n.I TIME\nIn us, ms, s, m, h or d; in seconds, unless an option says otherwise, without\n"
    "a unit.\n"
    ".TP\n.I A,B,C\nOf reads, writes and trims. A list that does not end in a comma goes on with\n"
    "its last value.\n"
    ".TP\n.I 0|1\nMay be left out where it is 1.\n";

constexpr char kExit[] =
    ".SH EXIT STATUS\n"
    "0 done; 1 wrong usage, or refused before any I/O; 2 an I/O or zone operation failed; 3 a job\n"
    "did less than asked; 128 interrupted; 70 internal error. Called\n"
    ".BR fio :\n"
    "1 refused, 128 interrupted, else the number of jobs that failed.\n"
    ".SH EXAMPLES\n"
    ".nf\n"
    "zonal run \\-\\-name=fill \\-\\-filename=emu,zones=32,zone_size=64MiB \\e\n"
    "    \\-\\-zonemode=zbd \\-\\-rw=write \\-\\-bs=256k \\-\\-size=8z \\-\\-direct=1\n"
    "zonal run examples/fill\\-and\\-read.fio\n"
    ".fi\n";

}  // namespace

std::string ManPage(std::string_view version) {
  std::string out = absl::StrCat(".TH ZONAL\\-RUN 1 \"\" \"zonal ", std::string(version),
                                 "\" \"User Commands\"\n", kSynopsis, kJobFiles, ".SH OPTIONS\n");
  AppendSupported(out);
  AppendOthers(out, Support::kNoEffect, "WITHOUT EFFECT",
               "These are accepted, and one notice lists those that were given.");
  AppendOthers(out, Support::kRefused, "NOT AVAILABLE",
               "fio has these; here they are refused, except for values that ask for nothing.");
  return out + kExit;
}

}  // namespace zonal::fio
