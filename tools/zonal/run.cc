// SPDX-License-Identifier: MIT
// zonal run: workloads described by fio's options, on standard output in fio's
// shape or as JSON. Notices and the live line go to standard error, so that
// standard output parses.
#include "zonal/run.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>

#include "command.h"
#include "exit_codes.h"
#include "progress_line.h"
#include "zonal/fio.h"
#include "zonal/report.h"

namespace zonal::cli {
namespace {

constexpr char kIntroduction[] =
    "Usage: zonal run --name=JOB --filename=DEVICE [--OPTION=VALUE ...]\n\n"
    "Runs workloads described by fio's options. Options before the first --name hold for\n"
    "all jobs. DEVICE is a path or emu,key=value,...; a run overwrites what is there.\n\n"
    "Example:\n"
    "  zonal run --name=seq --filename=smr.zoned --direct=1 --zonemode=zbd --rw=write \\\n"
    "            --bs=256k --size=1G --offset=140660178944 --ioengine=libaio --iodepth=8\n\n";

int PrintHelp() {
  std::cout << kIntroduction << FioOptionHelp() << '\n' << kExitCodeHelp << '\n';
  return kDone;
}

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

void Notice(const std::string& text) { std::cerr << "zonal run: " << text << '\n'; }

// A failed I/O outweighs an interruption, and that outweighs less done than asked:
// what an interrupted job would still have done nobody knows.
int ExitCodeOf(const RunResult& result) {
  bool failed = false;
  bool interrupted = false;
  bool did_less = false;
  for (const WorkerResult& worker : result.workers) {
    switch (worker.reason) {
      case EndReason::kDone:
        break;
      case EndReason::kInterrupted:
        interrupted = true;
        break;
      case EndReason::kIoError:
      case EndReason::kVerifyMismatch:
        failed = true;
        break;
      case EndReason::kNoReadableData:
      case EndReason::kNoWritableZone:
      case EndReason::kLessRoom:
        did_less = true;
        break;
    }
  }
  return failed ? kIoFailed : interrupted ? kInterrupted : did_less ? kDidLess : kDone;
}

void ExplainEnds(const RunResult& result) {
  for (const WorkerResult& worker : result.workers) {
    if (worker.reason == EndReason::kDone || worker.reason == EndReason::kInterrupted) continue;
    Notice(worker.name + ": " + std::string(ToString(worker.reason)) +
           (worker.detail.empty() ? "" : ": " + worker.detail));
  }
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

int RunAndReport(FioInvocation& invocation, Output& output) {
  const bool text = invocation.output_format != "json";
  RunControl control;
  ProgressLine progress(invocation.plan, control, {invocation.eta, invocation.report.significant_figures});
  if (text) output.stream() << FormatPreamble(invocation.plan, invocation.report) << std::flush;
  // Before the first I/O: whoever reads that the run does something else than meant
  // can still stop it.
  std::size_t noticed = 0;
  control.on_start = [&noticed](const RunResult& so_far) {
    for (const std::string& notice : so_far.notices) Notice(notice);
    noticed = so_far.notices.size();
  };
  absl::StatusOr<RunResult> result = absl::InternalError("not run");
  {
    StopOnSignal stop(control);
    result = Run(invocation.plan, control);
  }
  progress.Clear();
  if (!result.ok()) return Refuse("run", result.status());
  output.stream() << (text ? FormatText(invocation.plan, *result, invocation.report)
                           : FormatJson(invocation.plan, *result, invocation.report));
  if (!output.Finish()) return Fail("run", "the report could not be written", kIoFailed);
  for (std::size_t i = noticed; i < result->notices.size(); ++i) Notice(result->notices[i]);
  ExplainEnds(*result);
  return ExitCodeOf(*result);
}

}  // namespace

int RunWorkloads(const Arguments& arguments) {
  if (arguments.empty()) {
    return Fail("run",
                "say what to run, e.g. --name=seq --filename=d.zoned --rw=write; see "
                "`zonal run --help`",
                kRefused);
  }
  for (const std::string& argument : arguments) {
    if (argument == "--help" || argument == "-h") return PrintHelp();
  }
  FioParseOptions options;
  options.entropy = (std::uint64_t{std::random_device()()} << 32) | std::random_device()();
  absl::StatusOr<FioInvocation> invocation = ParseFioArguments(arguments, options);
  if (!invocation.ok()) return Refuse("run", invocation.status());
  for (const std::string& notice : invocation->notices) Notice(notice);
  invocation->report.version = "zonal-" ZONAL_VERSION;
  invocation->report.timestamp_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count();
  Output output;
  if (!output.Open(invocation->output_path)) {
    return Fail("run", "--output=" + invocation->output_path + ": " + std::strerror(errno),
                kRefused);
  }
  return RunAndReport(*invocation, output);
}

}  // namespace zonal::cli
