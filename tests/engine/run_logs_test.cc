// SPDX-License-Identifier: MIT
// Time logs of whole runs: they hold what the result says, and rerun to the byte.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/drive_fixture.h"

namespace zonal::testing {
namespace {

class LogDirectory {
 public:
  explicit LogDirectory(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("zonal-run-logs-" + std::to_string(getpid()) + "-" + name)) {
    std::filesystem::create_directories(path_);
  }
  ~LogDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string stem() const { return (path_ / "x").string(); }
  std::string Read(const std::string& file) const {
    std::ifstream stream(path_ / file);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

struct Line {
  std::uint64_t at_ms = 0, value = 0, direction = 0, bytes = 0;
};
std::vector<Line> Lines(const std::string& text) {
  std::vector<Line> lines;
  std::istringstream stream(text);
  char comma = 0;
  std::string rest;
  for (Line line; stream >> line.at_ms >> comma >> line.value >> comma >> line.direction >> comma >>
                      line.bytes &&
                  std::getline(stream, rest);) {
    lines.push_back(line);
  }
  return lines;
}

Workload LoggedJob(const LogDirectory& directory) {
  Workload job = Job("randrw", 0, 4);
  job.io_size = 8 * kZoneSize;
  job.logs.bandwidth = job.logs.latency = job.logs.iops = directory.stem();
  return job;
}

TEST_CASE("the logs have a line for each operation, with its latency", "[engine]") {
  const LogDirectory directory("each");
  RunPlan plan = Simulated({LoggedJob(directory)});
  const bool simulated = GENERATE(true, false);
  plan.driver = simulated ? DriverKind::kSimulation : DriverKind::kThreads;
  const RunResult run = MustRun(plan, MakeDrive(SmallDrive(4)));
  CHECK(run.notices.empty());
  for (const char* file : {"x_bw.1.log", "x_iops.1.log", "x_slat.1.log", "x_clat.1.log"}) {
    CAPTURE(file);
    CHECK(Lines(directory.Read(file)).size() ==
          Reads(run.workers[0]).ios + Writes(run.workers[0]).ios);
  }
  std::uint64_t total = 0, bytes = 0, writes = 0;
  for (const Line& line : Lines(directory.Read("x_lat.1.log"))) {
    total += line.value;
    bytes += line.bytes;
    writes += line.direction;
  }
  CHECK(writes == Writes(run.workers[0]).ios);
  CHECK(bytes == Reads(run.workers[0]).bytes + Writes(run.workers[0]).bytes);
  CHECK(total == Reads(run.workers[0]).total.sum() + Writes(run.workers[0]).total.sum());
}

TEST_CASE("the logs of a simulation rerun to the byte", "[engine]") {
  std::string logs[2];
  for (std::string& log : logs) {
    const LogDirectory directory("again");
    MustRun(Simulated({LoggedJob(directory)}), MakeDrive(SmallDrive(4)));
    log = directory.Read("x_lat.1.log");
  }
  CHECK_FALSE(logs[0].empty());
  CHECK(logs[0] == logs[1]);
}

TEST_CASE("a log that cannot be written ends the run before the first I/O", "[engine]") {
  Workload job = Job("write", 0, 1);
  job.logs.iops = "/nowhere/x";
  const auto device = MakeDrive(SmallDrive(4));
  RunControl control;
  const auto run = Run(Simulated({job}), control, Always(device));
  CHECK_FALSE(run.ok());
  CHECK(CountersOf(*device).writes == 0);
}

}  // namespace
}  // namespace zonal::testing
