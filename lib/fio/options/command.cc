// SPDX-License-Identifier: MIT
// What runs the report and the program as a whole.
#include "fio/documents.h"
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr Choice<ReportFormat> kFormats[] = {
    {"normal", ReportFormat::kNormal},
    {"json", ReportFormat::kJson},
    {"json+", ReportFormat::kJsonPlus},
    {"terse", ReportFormat::kTerse},
};

Status OutputFormat(string_view value, Target target) {
  std::vector<ReportFormat> formats;
  while (true) {
    const std::size_t comma = std::min(value.find(','), value.size());
    ZONAL_ASSIGN_OR_RETURN(const ReportFormat format, Choose(value.substr(0, comma), kFormats));
    formats.push_back(format);
    if (comma == value.size()) break;
    value.remove_prefix(comma + 1);
  }
  target.command.formats = formats;
  return OkStatus();
}
Status Minimal(string_view, Target target) {
  target.command.formats = {ReportFormat::kTerse};
  return OkStatus();
}
Status AppendTerse(string_view, Target target) {
  target.command.append_terse = true;
  return OkStatus();
}
Status TerseVersion(string_view value, Target target) {
  if (value == "2") {
    return InvalidArgumentError("version 2 is not available here; expected 3, 4 or 5");
  }
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t version, ParseInteger(value, {3, 5}));
  target.command.terse_version = static_cast<int>(version);
  return OkStatus();
}
Status Output(string_view value, Target target) {
  if (value.empty()) return InvalidArgumentError("expected a file name");
  target.command.output_path = value;
  return OkStatus();
}

constexpr Choice<const char*> kEtas[] = {
    {"auto", "auto"}, {"always", "always"}, {"never", "never"}};
Status Eta(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.command.eta, Choose(value, kEtas));
  return OkStatus();
}

template <auto Member>
Status Mark(string_view, Target target) {
  At<Member>(target) = true;
  return OkStatus();
}

Status Section(string_view value, Target target) {
  if (value.empty()) return InvalidArgumentError("expected a section's name");
  target.command.sections.emplace_back(value);
  return OkStatus();
}
Status CmdHelp(string_view value, Target target) {
  target.command.help_text = OptionHelp(value == "1" ? "all" : value);
  return OkStatus();
}
Status EngHelp(string_view value, Target target) {
  target.command.help_text = EngineHelp(value == "1" ? "" : value);
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("output", "FILE", "standard output", "Where the report goes.", Output).OfCommand(),
    Value("output-format", "FORMAT[,FORMAT]", "normal",
          "Forms of the report, one or several of normal, terse, json and json+.", OutputFormat)
        .OfCommand(),
    Word("minimal", "The same as --output-format=terse.", Minimal),
    Word("append-terse", "Adds terse lines to whatever the form of the report is.", AppendTerse),
    Value("terse-version", "3|4|5", "3", "Version of the terse lines.", TerseVersion).OfCommand(),
    Value("eta", "auto|always|never", "auto", "The live line: on a terminal, always, or never.",
          Eta)
        .OfCommand(),
    Value("eta-interval", "TIME", "0.5 s",
          "How often the live line changes; milliseconds without a unit.",
          Milliseconds<&Command::eta_interval>)
        .OfCommand(),
    Value("eta-newline", "TIME", "never", "Starts a new live line this often.",
          Time<&Command::eta_newline>)
        .OfCommand(),
    Value("status-interval", "TIME", "at the end",
          "A whole report of everything so far, this often.", Time<&Command::status_interval>)
        .OfCommand(),
    Value("section", "NAME", "all", "Of job files, only this section; may be given several times.",
          Section)
        .OfCommand(),
    Word("parse-only", "Checks options and job files; runs nothing.", Mark<&Command::parse_only>),
    Word("showcmd", "Prints job files as a command line; runs nothing.",
         Mark<&Command::show_command>),
    Word("readonly", "Refuses jobs that write or trim.", Mark<&Command::read_only>),
    Word("warnings-fatal", "Refuses what would otherwise be a notice.",
         Mark<&Command::warnings_fatal>),
    Word("version", "Prints the version.", Mark<&Command::version>),
    [] {
      Option option = Value("cmdhelp", "OPTION|all", "all",
                            "Prints what an option takes and means, or the list of all.", CmdHelp)
                          .OfCommand();
      option.value_rule = ValueRule::kOptional;
      return option;
    }(),
    [] {
      Option option = Value("enghelp", "ENGINE[,OPTION]", "",
                            "Prints the engines, or what options one of them has.", EngHelp)
                          .OfCommand();
      option.value_rule = ValueRule::kOptional;
      return option;
    }(),
    Value("aux-path", "DIRECTORY", ".", "Where verify state files go.", Text<&Command::aux_path>)
        .OfCommand(),
    Value("significant_figures", "1..10", "4",
          "Digits of the numbers in the normal report; 10 prints plain bytes.",
          Count<&Command::significant_figures, 1, 10>)
        .OfCommand(),
    NoEffect("debug", "AREA[,AREA]", "Reports and notices say what there is to know.").OfCommand(),
    NoEffect("alloc-size", "KIB", "There are no shared memory pools.").OfCommand(),
    NoEffect("max-jobs", "N", "The number of jobs has no such limit.").OfCommand(),
    Refused("bandwidth-log", "", "Use write_bw_log.").OfCommand(),
    Refused("merge-blktrace-only", "", "There is no replay of blktrace files.").OfCommand(),
    Refused("server", "ARGUMENTS", "There is no server mode: run it on that host.").OfCommand(),
    Refused("client", "HOST", "There is no client mode: run it on that host.").OfCommand(),
    Refused("remote-config", "FILE", "There is no server mode.").OfCommand(),
    Refused("daemonize", "FILE", "Use the shell's or systemd's means.").OfCommand(),
    Refused("idle-prof", "OPTION", "Use mpstat or perf beside the run.").OfCommand(),
    Refused("inflate-log", "FILE", "Logs are not compressed.").OfCommand(),
    Refused("trigger-file", "FILE", "Send SIGINT to end a run with a report.").OfCommand(),
    Refused("trigger-timeout", "TIME", "Use runtime.").OfCommand(),
    Refused("trigger", "COMMAND", "Use exec_postrun.").OfCommand(),
    Refused("trigger-remote", "COMMAND", "There is no server mode.").OfCommand(),
    Refused("cpuclock-test", "", "The clock is the kernel's.").OfCommand(),
    Refused("crctest", "TYPE", "Checksums come from libraries; openssl speed measures some.")
        .OfCommand(),
};

}  // namespace

std::span<const Option> CommandOptions() { return kRows; }

}  // namespace zonal::fio
