// SPDX-License-Identifier: MIT
// zonal run: workloads described by fio's options, on standard output in fio's
// shape or as JSON. Notices and the live line go to standard error, so that
// standard output parses.
#include "zonal/run.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>

#include "command.h"
#include "exit_codes.h"
#include "fio_host.h"
#include "progress_line.h"
#include "run_outcome.h"
#include "zonal/fio.h"
#include "zonal/report.h"

namespace zonal::cli {
namespace {

constexpr char kIntroduction[] =
    "Usage: zonal run --name=JOB --filename=DEVICE [--OPTION=VALUE ...] [JOBFILE ...]\n\n"
    "Runs workloads described by fio's options. Options before the first --name hold for\n"
    "all jobs. DEVICE is a path or emu,key=value,...; a run overwrites what is there.\n\n"
    "Example:\n"
    "  zonal run --name=seq --filename=smr.zoned --direct=1 --zonemode=zbd --rw=write \\\n"
    "            --bs=256k --size=1G --offset=140660178944 --ioengine=libaio --iodepth=8\n\n";

int PrintHelp() {
  std::cout << kIntroduction << FioOptionHelp() << '\n' << kExitCodeHelp << '\n';
  return kDone;
}

// `zonal run`, or the program called `fio`.
struct FrontEnd {
  const char* program;  // in front of messages
  const char* version;
  int (*exit_code)(const RunResult& result);
};

// The first signal asks the run to stop; the handler is then gone, so that a
// second one ends the process.
RunControl* stopped_by_signal = nullptr;

class StopOnSignal {
 public:
  explicit StopOnSignal(RunControl& control) {
    stopped_by_signal = &control;
    struct sigaction action {};
    action.sa_handler = [](int) { stopped_by_signal->Stop(); };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
  }
  ~StopOnSignal() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
    stopped_by_signal = nullptr;
  }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

void Notice(const FrontEnd& front_end, const std::string& text) {
  std::cerr << front_end.program << ": " << text << '\n';
}

int RefuseRun(const FrontEnd& front_end, const absl::Status& status) {
  std::fflush(stdout);
  Notice(front_end, std::string(status.message()));
  return status.code() == absl::StatusCode::kInternal ? kInternal : kRefused;
}

class Output {
 public:
  // Standard output if `path` is empty. False if the file cannot be written.
  bool Open(const std::string& path) {
    if (path.empty()) return true;
    file_.open(path, std::ios::trunc);
    return file_.is_open();
  }
  std::ostream& stream() { return file_.is_open() ? file_ : std::cout; }
  bool Finish() { return static_cast<bool>(stream().flush()); }

 private:
  std::ofstream file_;
};

void HookUp(const FrontEnd& front_end, const FioInvocation& invocation, Output& output,
            std::size_t& noticed, RunControl& control) {
  // Before the first I/O: whoever reads that the run does something else than meant
  // can still stop it.
  control.on_start = [&front_end, &noticed](const RunResult& so_far) {
    for (const std::string& notice : so_far.notices) Notice(front_end, notice);
    noticed = so_far.notices.size();
  };
  control.on_command = [](const std::string& command, const Workload&) {
    return RunShell(command);
  };
  if (invocation.status_interval.count() == 0) return;
  control.status_interval = invocation.status_interval;
  control.on_status = [&invocation, &output](const RunResult& so_far) {
    output.stream() << FormatReport(invocation.plan, so_far, invocation.report, invocation.formats)
                    << std::flush;
  };
}

bool HasText(const FioInvocation& invocation) {
  return std::find(invocation.formats.begin(), invocation.formats.end(), ReportFormat::kNormal) !=
         invocation.formats.end();
}

int RunAndReport(const FrontEnd& front_end, const FioInvocation& invocation, Output& output) {
  RunControl control;
  ProgressLine progress(invocation.plan, control,
                        {invocation.eta, invocation.report.significant_figures,
                         invocation.eta_interval, invocation.eta_newline});
  if (HasText(invocation)) {
    output.stream() << FormatPreamble(invocation.plan, invocation.report) << std::flush;
  }
  std::size_t noticed = 0;
  HookUp(front_end, invocation, output, noticed, control);
  absl::StatusOr<RunResult> result = absl::InternalError("not run");
  {
    StopOnSignal stop(control);
    result = Run(invocation.plan, control);
  }
  progress.Clear();
  if (!result.ok()) return RefuseRun(front_end, result.status());
  output.stream() << FormatReport(invocation.plan, *result, invocation.report, invocation.formats);
  if (!output.Finish()) return Fail("run", "the report could not be written", kIoFailed);
  for (std::size_t i = noticed; i < result->notices.size(); ++i) {
    Notice(front_end, result->notices[i]);
  }
  for (const std::string& line : ExplainEnds(invocation.plan, *result)) Notice(front_end, line);
  RemoveFiles(invocation.unlink_after);
  return front_end.exit_code(*result);
}

int RunOrAnswer(const FrontEnd& front_end, const Arguments& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--help" || argument == "-h") return PrintHelp();
  }
  absl::StatusOr<FioInvocation> invocation = ParseFioArguments(arguments, HostOptions());
  if (!invocation.ok()) return RefuseRun(front_end, invocation.status());
  for (const std::string& notice : invocation->notices) Notice(front_end, notice);
  switch (invocation->action) {
    case FioAction::kVersion:
      std::cout << front_end.version << '\n';
      return kDone;
    case FioAction::kPrint:
      std::cout << invocation->text;
      return kDone;
    case FioAction::kShowCommand:
      std::cout << front_end.program << ' ' << invocation->text << '\n';
      return kDone;
    case FioAction::kCheck:
      return kDone;
    case FioAction::kRun:
      break;
  }
  invocation->report.version = front_end.version;
  invocation->report.timestamp_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count();
  Output output;
  if (!output.Open(invocation->output_path)) {
    Notice(front_end, "--output=" + invocation->output_path + ": " + std::strerror(errno));
    return kRefused;
  }
  return RunAndReport(front_end, *invocation, output);
}

constexpr FrontEnd kZonalRun = {"zonal run", "zonal-" ZONAL_VERSION, ExitCodeOf};
// Scripts read the digits behind "fio-": those of the fio whose options these are.
constexpr FrontEnd kFio = {"fio", "fio-3.42-zonal-" ZONAL_VERSION, FioExitCodeOf};

}  // namespace

int RunWorkloads(const Arguments& arguments) {
  if (arguments.empty()) {
    return Fail("run",
                "say what to run, e.g. --name=seq --filename=d.zoned --rw=write; see "
                "`zonal run --help`",
                kRefused);
  }
  return RunOrAnswer(kZonalRun, arguments);
}

int RunAsFio(const Arguments& arguments) { return RunOrAnswer(kFio, arguments); }

}  // namespace zonal::cli
