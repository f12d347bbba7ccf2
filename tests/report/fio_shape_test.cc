// SPDX-License-Identifier: MIT
// Runs the installed fio on a small file and compares the shape of its reports
// with ours: JSON keys one by one and in order, and the heads of text lines.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "sample_run.h"
#include "support/catch.h"

namespace zonal {
namespace {

using Json = nlohmann::ordered_json;

std::string OutputOf(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), n);
  }
  pclose(pipe);
  return text;
}

void SkipWithoutFio() {
  if (std::system("command -v fio >/dev/null 2>&1") == 0) return;
  std::puts("skipped: fio is not installed");
  std::exit(77);
}

// A mixed asynchronous job that lasts long enough for rate samples.
std::string RunFio(const std::string& format) {
  SkipWithoutFio();
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("zonal-fio-" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  const std::string text =
      OutputOf("fio --name=mixed --filename=" + (directory / "file").string() +
               " --rw=randrw --bs=4k,8k --size=1m --ioengine=libaio --iodepth=4 --time_based "
               "--runtime=1200ms --rate_iops=500,500 --eta=never --output-format=" +
               format + " 2>/dev/null");
  std::filesystem::remove_all(directory);
  return text;
}

// Ours and not in fio 3.33: added to fio later, or our own.
const std::set<std::string> kOurs = {
    "job_start", "latency_target_ns", "latency_window_us", "zone_resets",
    "zonal",     "global options",    "read_sectors",      "write_sectors"};

std::vector<std::string> Keys(const Json& object, const std::set<std::string>& without) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) {
    if (without.count(key) == 0) keys.push_back(key);
  }
  return keys;
}

void CompareKeys(const std::string& path, const Json& theirs, const Json& ours) {
  CAPTURE(path);
  REQUIRE(theirs.type_name() == std::string(ours.type_name()));
  if (!theirs.is_object() || path == "/jobs/job options") return;
  CHECK(Keys(theirs, {}) == Keys(ours, kOurs));
  for (const auto& [key, value] : theirs.items()) {
    if (!ours.contains(key)) continue;
    if (value.is_array() && value.empty()) continue;  // fio knows no disk of this place
    if (key == "jobs" || key == "disk_util")
      CompareKeys(path + "/" + key, value.at(0), ours.at(key).at(0));
    else
      CompareKeys(path + "/" + key, value, ours.at(key));
  }
}

TEST_CASE("our JSON has fio's keys in fio's order", "[report]") {
  const Json theirs = Json::parse(RunFio("json"));
  REQUIRE(theirs["jobs"][0]["read"]["bw_samples"] > 0);
  SampleRun run = MakeSampleRun();
  run.result.simulated = false;
  run.result.targets[0].disk = DiskUse{};
  CompareKeys("", theirs, Json::parse(FormatJson(run.plan, run.result, run.options)));
}

// What a line says before its first number: "   bw (  KiB/s): min".
std::string Head(const std::string& line) {
  std::string head = line.substr(0, line.find_first_of("=0123456789["));
  for (const char* unit : {"nsec", "usec", "msec"}) {
    const std::size_t at = head.find(unit);
    if (at != std::string::npos) head.replace(at, 4, "UNIT");
  }
  return head;
}

// The heads of a job's block, repeated ones once.
std::vector<std::string> BlockHeads(const std::string& text) {
  std::vector<std::string> heads;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("mixed: (groupid=", 0) == 0)
      inside = true;
    else if (line.rfind("Disk stats", 0) == 0 || line.rfind("Zonal:", 0) == 0)
      break;
    if (!inside || (!heads.empty() && heads.back() == Head(line))) continue;
    heads.push_back(Head(line));
  }
  return heads;
}

TEST_CASE("our text has fio's lines in fio's order", "[report]") {
  const std::string theirs = RunFio("normal");
  CAPTURE(theirs);
  SampleRun run = MakeSampleRun();
  run.result.simulated = false;
  run.plan.workers.resize(1);
  run.result.workers.resize(1);
  const std::vector<std::string> expected = BlockHeads(theirs);
  REQUIRE(expected.size() > 20);
  CHECK(BlockHeads(FormatText(run.plan, run.result, run.options)) == expected);
}

}  // namespace
}  // namespace zonal
