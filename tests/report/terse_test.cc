// SPDX-License-Identifier: MIT
#include "fio_runner.h"
#include "sample_run.h"
#include "support/catch.h"

namespace zonal {
namespace {

std::vector<std::string> Fields(const SampleRun& run, std::size_t line = 0) {
  const std::string text = FormatTerse(run.plan, run.result, run.options);
  return Split(Split(text, '\n').at(line), ';');
}

TEST_CASE("a terse line has a place for every field of its version", "[report]") {
  SampleRun run = MakeSampleRun();
  // Names: 5. A direction: 41 (47 in version 5). Processor, depths, latencies: 34.
  CHECK(Fields(run).size() == 5 + 2 * 41 + 34);
  run.options.terse_version = 4;
  CHECK(Fields(run).size() == 5 + 3 * 41 + 34);
  run.options.terse_version = 5;
  CHECK(Fields(run).size() == 5 + 3 * 47 + 34);
  CHECK(Fields(run, 3).size() == 5 + 3 * 47 + 34);  // a job that moved nothing
}

TEST_CASE("terse fields are in KiB, usec and msec", "[report]") {
  SampleRun run = MakeSampleRun();
  const std::vector<std::string> fields = Fields(run);
  CHECK(std::vector<std::string>(fields.begin(), fields.begin() + 9) ==
        std::vector<std::string>{"3", "zonal-0.1.0", "mixed", "0", "0", "8000", "3998", "999",
                                 "2001"});
  CHECK(fields[9] == "0");   // 700 ns
  CHECK(fields[10] == "6");  // 6697 ns
  CHECK(fields[11] == "3.698500");
  CHECK(fields[17] == "1.000000%=9");
  CHECK(fields[33] == "99.990000%=504");
  CHECK(fields[34] == "0%=0");
  CHECK(fields[43] == "50.058350%");
  CHECK(fields[46] == "14400");  // of writes
  CHECK(Fields(run, 2)[4] == "5");
}

TEST_CASE("terse percentiles are those of the view", "[report]") {
  SampleRun run = MakeSampleRun();
  run.options.views.resize(1);
  WorkerView& view = run.options.views[0];
  view.percentiles = {90, 50};
  CHECK(Fields(run)[17].rfind("50.000000%=25", 0) == 0);
  CHECK(Fields(run)[19] == "0%=0");
  view.total_percentiles = true;
  view.completion_percentiles = false;
  CHECK(Fields(run)[17] == "50.000000%=259");
  view.total_percentiles = false;
  CHECK(Fields(run)[17] == "0%=0");
  view.completion_percentiles = true;
  view.completion = false;
  CHECK(Fields(run)[17] == "0%=0");
  CHECK(Fields(run)[14] == "0");
}

TEST_CASE("counts of errors and a description end a terse line", "[report]") {
  SampleRun run = MakeSampleRun();
  run.options.views.resize(3);
  run.options.views[2].error_counts = true;
  run.options.views[2].description = "fills";
  const std::vector<std::string> fields = Fields(run, 2);
  CHECK(std::vector<std::string>(fields.end() - 3, fields.end()) ==
        std::vector<std::string>{"1", "5", "fills"});
}

TEST_CASE("disks are in a terse line, before errors", "[report]") {
  SampleRun run = MakeSampleRun();
  run.options.views.resize(1);
  run.options.views[0].error_counts = true;
  DiskUse disk;
  disk.read_ios = 1, disk.write_ios = 2, disk.read_merges = 3, disk.write_merges = 4;
  disk.read_ms = 5, disk.write_ms = 6, disk.in_queue_ms = 7, disk.busy_ms = 201;
  run.result.targets[0].disk = disk;
  CHECK(Fields(run).size() == 5 + 2 * 41 + 34 + 2);  // a simulation has none
  run.result.simulated = false;
  const std::vector<std::string> fields = Fields(run);
  CHECK(
      std::vector<std::string>(fields.end() - 11, fields.end()) ==
      std::vector<std::string>{"smr.zoned", "1", "2", "3", "4", "5", "6", "7", "10.00%", "0", "0"});
}

TEST_CASE("what takes less than a microsecond is in the first class of a terse line", "[report]") {
  SampleRun run = MakeSampleRun();
  WorkerResult& worker = run.result.workers[0];
  for (DirectionResult& direction : worker.directions) direction.completion.Clear();
  for (const std::uint64_t ns : {5u, 900u, 1500u, 3000u})
    worker.directions[0].completion.Record(ns);
  const std::vector<std::string> fields = Fields(run);
  const std::size_t first = 5 + 2 * 41 + 5 + 7;
  CHECK(fields[first] == "75.00%");
  CHECK(fields[first + 1] == "25.00%");
}

}  // namespace
}  // namespace zonal
