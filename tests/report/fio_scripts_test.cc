// SPDX-License-Identifier: MIT
// fio's own helper scripts read what we write.
#include <sys/wait.h>

#include <fstream>

#include "fio_runner.h"
#include "support/catch.h"

namespace zonal {
namespace {

TEST_CASE("fio_jsonplus_clat2csv reads our JSON+, and finds its counts again", "[report]") {
  SkipWithout("fio_jsonplus_clat2csv");
  const TemporaryDirectory directory;
  OurRun run = RunOurs({"--filename=" + directory.file("file"), "--size=1m", "--ioengine=libaio",
                        "--iodepth=4", "--rw=randrw", "--name=mix", "--name=twins", "--numjobs=2"});
  for (WorkerView& view : run.invocation.report.views = std::vector<WorkerView>(3)) {
    view.submission_percentiles = view.total_percentiles = true;
  }
  std::ofstream(directory.file("run.json"))
      << FormatJsonPlus(run.invocation.plan, run.result, run.invocation.report);
  const std::string command =
      "fio_jsonplus_clat2csv " + directory.file("run.json") + " " + directory.file("run.csv");
  const std::string made = OutputOf(command + " 2>&1");
  CAPTURE(made);
  const std::string checked = OutputOf(command + " --validate 2>&1");
  CAPTURE(checked);
  for (const char* job : {"_job0.csv", "_job1.csv", "_job2.csv"}) {
    CHECK(made.find(std::string("run") + job + " generated") != std::string::npos);
    CHECK(checked.find(std::string("run") + job + " validated") != std::string::npos);
  }
}

// Two jobs that log everything they do in `directory`, averaged over 20 ms.
void RunLogged(const TemporaryDirectory& directory) {
  absl::StatusOr<FioInvocation> invocation = ParseFioArguments(std::vector<std::string>{
      "--filename=" + directory.file("file"), "--size=1m", "--ioengine=libaio", "--iodepth=4",
      "--rw=randrw", "--runtime=300ms", "--time_based", "--name=twins", "--numjobs=2"});
  REQUIRE(invocation.ok());
  for (Workload& worker : invocation->plan.workers) {
    worker.logs.bandwidth = worker.logs.iops = worker.logs.latency = directory.file("x");
    worker.logs.average_over = std::chrono::milliseconds(20);
  }
  RunControl control;
  REQUIRE(Run(invocation->plan, control).ok());
}

std::string In(const TemporaryDirectory& directory, const std::string& command) {
  return OutputOf("cd " + directory.path().string() + " && " + command + " 2>&1");
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("fio2gnuplot reads our logs", "[report]") {
  SkipWithout("fio2gnuplot");
  const TemporaryDirectory directory;
  RunLogged(directory);
  for (const std::string kind : {"bw", "iops"}) {
    CAPTURE(kind);
    const std::string printed = In(directory, "fio2gnuplot -v -k -p '*_" + kind + ".*.log'");
    CAPTURE(printed);
    CHECK(printed.find("2 files Selected") != std::string::npos);
    const std::string global = TextOf(directory.file("_" + kind + "..global"));
    REQUIRE_FALSE(global.empty());
    CHECK(global.find("disks_count=2\n") != std::string::npos);
    CHECK(global.find("min=") == 0);
    const std::size_t values = std::stoul(global.substr(global.find("values_count=") + 13));
    CHECK(values >= 2 * 2 * 10);
  }
}

// The script only hands names of logs to gnuplot: a stand-in tells which.
TEST_CASE("fio_generate_plots finds our logs", "[report]") {
  SkipWithout("fio_generate_plots");
  const TemporaryDirectory directory;
  RunLogged(directory);
  std::ofstream(directory.file("gnuplot")) << "#!/bin/sh\ncat >> plotted\n";
  std::filesystem::permissions(directory.file("gnuplot"), std::filesystem::perms::owner_all);
  const std::string printed = In(directory, "PATH=.:$PATH fio_generate_plots title");
  CAPTURE(printed);
  CHECK(printed.find("No log files found") == std::string::npos);
  const std::string plotted = TextOf(directory.file("plotted"));
  for (const std::string kind : {"lat", "slat", "clat", "iops", "bw"}) {
    for (const char* job : {"1", "2"}) {
      CHECK(plotted.find("'x_" + kind + "." + job + ".log' using ($1/1000):($2/") !=
            std::string::npos);
    }
  }
}

}  // namespace
}  // namespace zonal
