// SPDX-License-Identifier: MIT
// The same jobs run by the installed fio and by us; the shapes of the reports must
// agree: JSON key by key, in order and type, and the heads of text lines.
#include <nlohmann/json.hpp>
#include <set>

#include "fio_runner.h"
#include "support/catch.h"

namespace zonal {
namespace {

using Json = nlohmann::ordered_json;

// Ours and not in fio 3.33: added to fio later, or our own.
const std::set<std::string> kOurs = {
    "job_start", "latency_target_ns", "latency_window_us", "zone_resets",
    "zonal",     "read_sectors",      "write_sectors"};

std::vector<std::string> Keys(const Json& object, const std::set<std::string>& without) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) {
    if (without.count(key) == 0) keys.push_back(key);
  }
  return keys;
}

// Keys of `bins` are latencies; a job's options are as typed.
bool HasFreeKeys(const std::string& path) {
  return path.find("/bins") != std::string::npos || path == "/jobs/job options";
}

void CompareKeys(const std::string& path, const Json& theirs, const Json& ours) {
  CAPTURE(path);
  REQUIRE(theirs.type_name() == std::string(ours.type_name()));
  if (theirs.is_number()) CHECK(theirs.is_number_float() == ours.is_number_float());
  // Which disk is under a file we do not always know.
  if (path == "/disk_util" && ours.empty()) return;
  if (theirs.is_array() && !theirs.empty()) {
    REQUIRE_FALSE(ours.empty());
    CHECK(theirs.size() == ours.size());
    CompareKeys(path, theirs.at(0), ours.at(0));
  }
  if (!theirs.is_object() || HasFreeKeys(path)) return;
  std::set<std::string> without = kOurs;
  if (!theirs.contains("disk_util")) without.insert("disk_util");  // fio's null engine
  CHECK(Keys(theirs, {}) == Keys(ours, without));
  for (const auto& [key, value] : theirs.items()) {
    if (ours.contains(key)) CompareKeys(path + "/" + key, value, ours.at(key));
  }
}

using Options = std::vector<std::string>;

struct Row {
  const char* name;
  Options options;
  bool by_bytes = false;  // and not by time: totals are the same
  // Of one program only: fio trims nothing but block devices, and its null engine.
  Options theirs = {}, ours = {};
};

// Writes all of the file, then reads it back.
Row Verifying(const char* name, const Options& more) {
  Options options = {"--ioengine=libaio", "--time_based=0",        "--runtime=0",
                     "--size=256k",       "--verify_state_save=0", "--rate_iops=0"};
  options.insert(options.end(), more.begin(), more.end());
  return {name, std::move(options), true};
}

// Long enough for rate samples; slow enough to leave the machine to others.
const std::vector<Row> kRows = {
    {"read", {"--rw=read", "--ioengine=psync"}},
    {"write", {"--rw=write", "--ioengine=psync"}},
    {"mixed", {"--rw=randrw", "--bs=4k,8k", "--ioengine=libaio", "--iodepth=4"}},
    {"grouped", {"--rw=randwrite", "--ioengine=libaio", "--numjobs=2", "--group_reporting"}},
    {"clones", {"--rw=read", "--ioengine=libaio", "--numjobs=2"}},
    {"all percentiles",
     {"--rw=randread", "--ioengine=libaio", "--slat_percentiles=1", "--lat_percentiles=1",
      "--percentile_list=50:99.9"}},
    {"no percentiles", {"--rw=read", "--ioengine=psync", "--clat_percentiles=0"}},
    {"no completions", {"--rw=write", "--ioengine=libaio", "--disable_clat=1"}},
    {"no latencies", {"--rw=randrw", "--ioengine=libaio", "--gtod_reduce=1"}},
    {"described", {"--rw=read", "--ioengine=psync", "--description=what it is"}},
    {"errors counted", {"--rw=read", "--ioengine=psync", "--continue_on_error=all"}},
    {"flushed", {"--rw=write", "--ioengine=psync", "--fsync=4"}},
    {"flushed mix", {"--rw=randrw", "--ioengine=libaio", "--fdatasync=8", "--iodepth=4"}},
    {"block sizes", {"--rw=randwrite", "--ioengine=libaio", "--bsrange=4k-16k"}},
    {"decimal units", {"--rw=read", "--ioengine=psync", "--kb_base=1000"}},
    {"bits", {"--rw=write", "--ioengine=psync", "--unit_base=1"}},
    {"mixed as one", {"--rw=randrw", "--ioengine=libaio", "--unified_rw_reporting=mixed"}},
    {"mixed and apart", {"--rw=randrw", "--ioengine=libaio", "--unified_rw_reporting=both"}},
    Verifying("verified", {"--rw=write", "--verify=crc32c"}),
    Verifying("verified at random", {"--rw=randwrite", "--verify=md5", "--iodepth=8"}),
    Verifying("verified as it goes", {"--rw=randwrite", "--verify=sha1", "--verify_backlog=8"}),
    {"verified mix",
     {"--rw=randrw", "--ioengine=libaio", "--iodepth=4", "--verify=crc32c", "--time_based=0",
      "--runtime=0", "--size=256k", "--verify_state_save=0", "--rate_iops=0"}},
    Verifying("stamped only", {"--rw=write", "--verify=crc32c", "--do_verify=0"}),
    Verifying("verified pattern", {"--rw=write", "--verify=pattern", "--verify_pattern=0x1234"}),
};

struct Reports {
  Json json;
  std::string text;
};

// Of a report that holds both, JSON first.
Reports Separate(const std::string& report) {
  const std::size_t end = report.find("\n}\n");
  const std::size_t start = report.find("{\n");
  REQUIRE(end != std::string::npos);
  return {Json::parse(report.substr(start, end + 3 - start)), report.substr(end + 3)};
}

struct Both {
  Reports theirs, ours;
};

Both RunBoth(const Row& row) {
  const TemporaryDirectory directory;
  Options arguments = {"--name=job",          "--filename=" + directory.file("file"),
                       "--size=1m",           "--time_based",
                       "--runtime=1100ms",    "--thread",
                       "--rate_iops=500,500", "--output-format=normal,json+"};
  arguments.insert(arguments.end(), row.options.begin(), row.options.end());
  const auto with = [&](const Options& more) {
    Options all = arguments;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  Both both;
  both.theirs = Separate(RunFio(with(row.theirs)));
  const OurRun run = RunOurs(with(row.ours));
  both.ours = Separate(
      FormatReport(run.invocation.plan, run.result, run.invocation.report, run.invocation.formats));
  return both;
}

void CompareTotals(const Json& theirs, const Json& ours) {
  for (const char* direction : {"read", "write", "trim"}) {
    for (const char* key : {"io_bytes", "total_ios", "short_ios", "drop_ios"}) {
      CAPTURE(direction, key);
      CHECK(theirs.at(direction).at(key) == ours.at(direction).at(key));
    }
  }
}

TEST_CASE("our reports have fio's keys and lines in fio's order", "[report]") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const Both both = RunBoth(row);
    CompareKeys("", both.theirs.json, both.ours.json);
    if (row.by_bytes) CompareTotals(both.theirs.json["jobs"][0], both.ours.json["jobs"][0]);
    CAPTURE(both.theirs.text, both.ours.text);
    const std::vector<std::string> expected = BlockHeads(both.theirs.text, "job");
    REQUIRE(expected.size() > 10);
    CHECK(BlockHeads(both.ours.text, "job") == expected);
  }
}

}  // namespace
}  // namespace zonal
