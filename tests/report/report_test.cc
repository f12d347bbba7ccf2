// SPDX-License-Identifier: MIT
// The whole reports, against golden files. ZONAL_UPDATE_GOLDEN=1 rewrites them:
// read the difference before it is committed.
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sample_run.h"
#include "support/catch.h"

namespace zonal {
namespace {

using Json = nlohmann::ordered_json;

void CheckGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(ZONAL_GOLDEN_DIR) + "/" + name;
  if (std::getenv("ZONAL_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  std::stringstream golden;
  golden << file.rdbuf();
  CAPTURE(path);
  CHECK(text == golden.str());
}

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("the text of a run is its golden file", "[report]") {
  const SampleRun run = MakeSampleRun();
  CheckGolden("separate.txt", FormatText(run.plan, run.result, run.options));
}

TEST_CASE("the text of grouped workers is its golden file", "[report]") {
  SampleRun run = MakeSampleRun();
  run.options.group_reporting = true;
  run.options.significant_figures = 10;
  CheckGolden("grouped.txt", FormatText(run.plan, run.result, run.options));
}

TEST_CASE("the JSON of a run is its golden file", "[report]") {
  const SampleRun run = MakeSampleRun();
  CheckGolden("separate.json", FormatJson(run.plan, run.result, run.options));
}

TEST_CASE("the terse lines of a run are their golden file", "[report]") {
  SampleRun run = MakeSampleRun();
  std::string text;
  for (const int version : {3, 4, 5}) {
    run.options.terse_version = version;
    text += FormatTerse(run.plan, run.result, run.options);
  }
  CheckGolden("separate.terse", text);
}

TEST_CASE("every key of ours in the JSON is documented", "[report]") {
  std::ifstream file(ZONAL_REPORTS_PAGE);
  std::stringstream page;
  page << file.rdbuf();
  REQUIRE_FALSE(page.str().empty());
  SampleRun run = MakeSampleRun();
  run.result.simulated = false;
  const Json parsed = Json::parse(FormatJson(run.plan, run.result, run.options));
  const Json& job = parsed["jobs"][2]["zonal"];  // the one with an error
  for (const Json& object : {parsed["zonal"], parsed["zonal"]["targets"][0], job, job["error"],
                             job["done_ios"], job["operations"]}) {
    for (const auto& [key, value] : object.items()) {
      CAPTURE(key);
      CHECK(page.str().find("`" + key + "`") != std::string::npos);
    }
  }
}

TEST_CASE("a seed keeps its bits in any reader of JSON", "[report]") {
  SampleRun run = MakeSampleRun();
  run.result.seed = std::uint64_t{1} << 53;
  run.plan.workers[0].seed = (std::uint64_t{1} << 53) + 1;
  const Json parsed = Json::parse(FormatJson(run.plan, run.result, run.options));
  CHECK(parsed["zonal"]["seed"] == 9007199254740992u);
  CHECK(parsed["jobs"][0]["zonal"]["seed"] == "9007199254740993");
}

TEST_CASE("a simulation's report holds no host facts", "[report]") {
  SampleRun run = MakeSampleRun();
  const std::string text = FormatText(run.plan, run.result, run.options);
  const std::string json = FormatJson(run.plan, run.result, run.options);
  run.options.timestamp_ms = 1796065372314;
  for (WorkerResult& worker : run.result.workers) {
    worker.user_cpu += std::chrono::milliseconds(7);
    worker.thread_id = 77;
    worker.context_switches = 5;
    worker.minor_faults = worker.major_faults = 6;
  }
  run.result.targets[0].info.kernel = "6.1.0";
  DiskUse disk;
  disk.read_ios = 1, disk.write_ios = 9, disk.read_sectors = 8, disk.write_sectors = 720;
  disk.read_merges = 2, disk.write_merges = 3, disk.read_ms = 4, disk.write_ms = 50;
  disk.in_queue_ms = 54, disk.busy_ms = 1005;  // half of the run
  run.result.targets[0].disk = disk;
  CHECK(FormatText(run.plan, run.result, run.options) == text);
  CHECK(FormatJson(run.plan, run.result, run.options) == json);
  CHECK(text.find("cpu  ") == std::string::npos);

  run.result.simulated = false;
  const std::string real = FormatText(run.plan, run.result, run.options);
  CHECK(real.find("  cpu          : usr=2.35%, sys=14.99%, ctx=5, majf=6, minf=6\n") !=
        std::string::npos);
  CHECK(real.find("pid=77: ") != std::string::npos);
  CHECK(real.find("\nDisk stats (read/write):\n  smr.zoned: ios=1/9, sectors=8/720, merge=2/3, "
                  "ticks=4/50, in_queue=54, util=50.00%\n") != std::string::npos);
  const Json parsed = Json::parse(FormatJson(run.plan, run.result, run.options));
  CHECK(parsed["timestamp_ms"] == 1796065372314);
  CHECK(parsed["jobs"][0]["ctx"] == 5);
  CHECK(parsed["disk_util"][0]["write_ios"] == 9);
}

TEST_CASE("zone resets end every direction line of a zoned writer and no other", "[report]") {
  SampleRun run = MakeSampleRun();
  std::string text = FormatText(run.plan, run.result, run.options);
  CHECK(Count(text, "msec); 3 zone resets\n") == 4);
  CHECK(Count(text, "msec); 0 zone resets\n") == 1);
  for (WorkerResult& worker : run.result.workers) worker.counts_zone_resets = false;
  text = FormatText(run.plan, run.result, run.options);
  CHECK(text.find("zone resets") == std::string::npos);
  CHECK_FALSE(Json::parse(FormatJson(run.plan, run.result, run.options))["jobs"][0].contains(
      "zone_resets"));
}

TEST_CASE("ten significant figures print plain bytes", "[report]") {
  SampleRun run = MakeSampleRun();
  run.options.significant_figures = 10;
  const std::string text = FormatText(run.plan, run.result, run.options);
  CHECK(text.find(" io=134217728B (134217728B), ") != std::string::npos);
}

TEST_CASE("percentile lines keep within 80 columns", "[report]") {
  SampleRun run = MakeSampleRun();
  run.result.workers[0].directions[0].completion.Record(1'089'536);
  std::istringstream lines(FormatText(run.plan, run.result, run.options));
  int seen = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("     |", 0) != 0) continue;
    ++seen;
    CAPTURE(line);
    CHECK(line.size() <= 80);
  }
  CHECK(seen >= 15);
}

TEST_CASE("a worker that ended early says why, moved or not", "[report]") {
  const SampleRun run = MakeSampleRun();
  const std::string text = FormatText(run.plan, run.result, run.options);
  CHECK(text.find("empty: (groupid") == std::string::npos);
  CHECK(text.find("  empty: ended early, no-readable-data: no zone of the range holds data") !=
        std::string::npos);
  CHECK(text.find("fill: (groupid=1, jobs=1): err= 5 (file:/tmp/smr.zoned, func=write, "
                  "error=Input/output error): pid=0:\n") != std::string::npos);
  CHECK(text.find("[not-at-write-pointer, nvme 0x1bc]") != std::string::npos);
}

TEST_CASE("JSON keeps the three values of a limit apart", "[report]") {
  SampleRun run = MakeSampleRun();
  const auto limit = [&](Limit value) {
    run.result.targets[0].write_targets = value;
    const Json parsed = Json::parse(FormatJson(run.plan, run.result, run.options));
    CHECK(parsed["jobs"][0]["zonal"]["write_target_limit"] ==
          parsed["zonal"]["targets"][0]["write_target_limit"]);
    return parsed["zonal"]["targets"][0]["write_target_limit"];
  };
  CHECK(limit(Limit::Of(4)) == 4);
  CHECK(limit(Limit::Unlimited()) == "unlimited");
  CHECK(limit(Limit::Unknown()).is_null());
}

TEST_CASE("JSON has what the drive counted, where it counts", "[report]") {
  SampleRun run = MakeSampleRun();
  const auto target = [&] {
    const Json parsed = Json::parse(FormatJson(run.plan, run.result, run.options));
    return Json(parsed["zonal"]["targets"][0]);
  };
  CHECK_FALSE(target().contains("drive"));
  run.result.targets[0].drive = DriveCounters{};
  run.result.targets[0].drive->writes = 12;
  run.result.targets[0].drive->rule_violations = 3;
  CHECK(target()["drive"]["writes"] == 12);
  CHECK(target()["drive"]["rule_violations"] == 3);
}

TEST_CASE("bytes that are no UTF-8 do not break the JSON", "[report]") {
  SampleRun run = MakeSampleRun();
  run.result.workers[0].name = "\xff\xfe";
  run.options.job_options[0][0].second = "\xc3";
  CHECK_NOTHROW(Json::parse(FormatJson(run.plan, run.result, run.options)));
}

TEST_CASE("an empty run has a report", "[report]") {
  CHECK(FormatText({}, {}, {}) == "\n\nZonal: seed 0\n");
  CHECK(Json::parse(FormatJson({}, {}, {}))["jobs"].empty());
}

}  // namespace
}  // namespace zonal
