// SPDX-License-Identifier: MIT
// Time logs of one job, written by the installed fio and by us: the same files with
// the same lines, but for times and measured values.
#include <algorithm>
#include <fstream>

#include "fio_runner.h"
#include "support/catch.h"

namespace zonal {
namespace {

struct Row {
  const char* name;
  std::vector<std::string> options, only_for_fio;
  void (*log)(TimeLogs&);
  bool averages = false;
};

const std::vector<Row> kRows = {
    {"each operation", {"--size=64k", "--bs=4k"}, {}, [](TimeLogs&) {}},
    {"with offsets",
     {"--size=64k", "--bs=8k"},
     {"--log_offset=1"},
     [](TimeLogs& logs) { logs.with_offsets = true; }},
    {"one file for all jobs",
     {"--size=16k"},
     {"--per_job_logs=0"},
     [](TimeLogs& logs) { logs.per_worker = false; }},
    {"averages",
     {"--size=64k", "--time_based", "--runtime=550ms"},
     {"--log_avg_msec=100", "--log_hist_msec=100", "--log_offset=1"},
     [](TimeLogs& logs) {
       logs.average_over = logs.histogram_every = std::chrono::milliseconds(100);
       logs.with_offsets = true;
     },
     true},
};

std::vector<std::string> LogsIn(const TemporaryDirectory& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    if (entry.path().extension() == ".log") names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Lines as fields; times and values, which differ from run to run, are left empty.
std::vector<std::vector<std::string>> LinesOf(const std::string& path) {
  std::vector<std::vector<std::string>> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> fields = Split(line, ',');
    REQUIRE(fields.size() > 4);
    CHECK(fields[1].front() == ' ');
    fields[0].clear();
    fields[1].clear();
    lines.push_back(fields);
  }
  return lines;
}

void RunOursWithLogs(const Row& row, const std::vector<std::string>& arguments,
                     const std::string& stem) {
  absl::StatusOr<FioInvocation> invocation = ParseFioArguments(arguments);
  REQUIRE(invocation.ok());
  for (Workload& worker : invocation->plan.workers) {
    worker.logs.bandwidth = worker.logs.latency = worker.logs.iops = worker.logs.histogram = stem;
    row.log(worker.logs);
  }
  RunControl control;
  const auto result = Run(invocation->plan, control);
  REQUIRE(result.ok());
  CHECK(result->notices.empty());
}

TEST_CASE("our time logs are fio's", "[report]") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const TemporaryDirectory theirs, ours;
    for (const bool fio : {true, false}) {
      const TemporaryDirectory& directory = fio ? theirs : ours;
      std::vector<std::string> arguments = {"--name=job", "--filename=" + directory.file("file"),
                                            "--rw=write", "--ioengine=psync",
                                            "--thread",   "--numjobs=2"};
      arguments.insert(arguments.end(), row.options.begin(), row.options.end());
      if (!fio) {
        RunOursWithLogs(row, arguments, directory.file("x"));
        continue;
      }
      arguments.insert(arguments.end(), row.only_for_fio.begin(), row.only_for_fio.end());
      for (const std::string kind : {"bw", "lat", "iops", "hist"}) {
        arguments.push_back("--write_" + kind + "_log=" + directory.file("x"));
      }
      RunFio(arguments);
    }
    REQUIRE(LogsIn(ours) == LogsIn(theirs));
    for (const std::string& name : LogsIn(theirs)) {
      CAPTURE(name);
      const auto expected = LinesOf(theirs.file(name));
      const auto lines = LinesOf(ours.file(name));
      CHECK(lines.empty() == expected.empty());
      if (!row.averages) {
        CHECK(lines == expected);
        continue;
      }
      // How many there are depends on the clock; a line has as many fields, and the
      // same direction. A histogram has counts behind its block size.
      const std::size_t same = name.find("hist") == std::string::npos ? expected.size() : 0;
      for (std::size_t i = 0; i < std::min(lines.size(), expected.size()); ++i) {
        CHECK(lines[i].size() == expected[i].size());
        if (i < same) CHECK(lines[i] == expected[i]);
      }
    }
  }
}

}  // namespace
}  // namespace zonal
