// SPDX-License-Identifier: MIT
// zonal run: workloads described by fio's options, on standard output in fio's
// shape or as JSON. Notices and the live line go to standard error, so that
// standard output parses.
#include "zonal/run.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "command.h"
#include "exit_codes.h"
#include "fio_host.h"
#include "progress_line.h"
#include "report_output.h"
#include "run_outcome.h"
#include "zonal/fio.h"

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

void HookUp(const FrontEnd& front_end, std::size_t& noticed, RunControl& control) {
  // Before the first I/O: whoever reads that the run does something else than meant
  // can still stop it.
  control.on_start = [&front_end, &noticed](const RunResult& so_far) {
    for (const std::string& notice : so_far.notices) Notice(front_end, notice);
    noticed = so_far.notices.size();
  };
  control.on_command = [](const std::string& command, const Workload&) {
    return RunShell(command);
  };
}

int RunAndReport(const FrontEnd& front_end, const FioInvocation& invocation, ReportOutput& output) {
  RunControl control;
  ProgressLine progress(invocation.plan, control,
                        {invocation.eta, invocation.report.significant_figures,
                         invocation.eta_interval, invocation.eta_newline});
  output.Announce();
  std::size_t noticed = 0;
  HookUp(front_end, noticed, control);
  output.ReportWhile(control);
  absl::StatusOr<RunResult> result = absl::InternalError("not run");
  {
    StopOnSignal stop(control);
    result = Run(invocation.plan, control);
  }
  progress.Clear();
  if (!result.ok()) return RefuseRun(front_end, result.status());
  output.Report(*result);
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
  ReportOutput output(*invocation);
  if (!output.Open()) {
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
