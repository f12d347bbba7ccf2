// SPDX-License-Identifier: MIT
// What is typed: words, prefixes, jobs, and what is refused with which words.
#include <string>

#include "fio/lookup.h"
#include "fio/option_table.h"
#include "parse.h"
#include "support/catch.h"

namespace zonal {
namespace {

using Typed = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("all ways to type an option mean the same", "[fio]") {
  const char* lines[] = {
      "--name=j --filename=f --iodepth=8 --ioengine=libaio --time_based=1 --runtime=3",
      "--name j --filename f --iodepth 8 --ioengine libaio --time_based --runtime 3",
      "-name=j -filename f -iodepth=8 -ioengine=libaio -time_based -runtime=3",
      "--name=j --filenam=f --iod=8 --ioe=libaio --time_b --timeout=3",
  };
  const auto expected = Parse(lines[0]);
  REQUIRE(expected.ok());
  CHECK(expected->plan.workers.at(0).depth == 8);
  for (const char* line : lines) {
    CAPTURE(line);
    const auto parsed = Parse(line);
    REQUIRE(parsed.ok());
    CHECK(parsed->plan.workers == expected->plan.workers);
  }
}

TEST_CASE("aliases are the options they stand for", "[fio]") {
  const auto a = ParseJob("--readwrite=readwrite --blocksize=8k --io_limit=1m --timeout=1m");
  const auto b = ParseJob("--rw=rw --bs=8k --io_size=1m --runtime=60s");
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  CHECK(a->plan.workers == b->plan.workers);
  CHECK(a->report.job_options[0][2].first == "rw");
}

TEST_CASE("options before the first name are defaults, and the last one wins", "[fio]") {
  const auto parsed = Parse(
      "--filename=f --bs=16k --rw=write --bs=8k --name=a --name=b --bs=64k --bs=32k --rw=read");
  REQUIRE(parsed.ok());
  REQUIRE(parsed->plan.workers.size() == 2);
  const Workload& a = parsed->plan.workers[0];
  const Workload& b = parsed->plan.workers[1];
  CHECK(a.name == "a");
  CHECK(a.write_block == 8192);
  CHECK(a.writes);
  CHECK(b.name == "b");
  CHECK(b.read_block == 32768);
  CHECK(b.reads);
  CHECK_FALSE(b.writes);
  CHECK(parsed->report.global_options == Typed{{"filename", "f"}, {"bs", "8k"}, {"rw", "write"}});
  CHECK(parsed->report.job_options ==
        std::vector<Typed>{{{"name", "a"}}, {{"name", "b"}, {"bs", "32k"}, {"rw", "read"}}});
}

TEST_CASE("options of one job do not leak into the next", "[fio]") {
  const auto parsed = Parse("--filename=f --name=a --bs=8k --name=b");
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[1].read_block == 4096);
}

TEST_CASE("what is refused says what would be accepted", "[fio]") {
  struct Row {
    const char* options;
    const char* says;
  };
  const Row rows[] = {
      {"--iodepht=4", "unknown option --iodepht: did you mean --iodepth?"},
      {"--zzzzzzzzzz=4", "--help lists"},
      {"--io=3", "--io is ambiguous: --io_size, --iodepth, --ioengine"},
      {"--zone=3", "ambiguous"},
      {"--iodepth=0", "--iodepth=0: value out of range: must be 1 to 65535"},
      {"--iodepth=65536", "must be 1 to 65535"},
      {"--iodepth=4k", "expected a whole number"},
      {"--numjobs=0", "must be 1 to 4096"},
      {"--bs=0", "value out of range: must be 1"},
      {"--bs=", "expected a size"},
      {"--bs=,", "expected a size"},
      {"--bs=4k,4k,4k", "trims"},
      {"--rw=trim", "not available in this version"},
      {"--rw=randread:8", "not available in this version"},
      {"--rw=foo", "expected read, write"},
      {"--ioengine=sg", "expected io_uring, libaio or psync"},
      {"--zonemode=strided", "not available in this version"},
      {"--zonemode=foo", "expected none or zbd"},
      {"--rwmixread=101", "must be 0 to 100"},
      {"--significant_figures=11", "must be 1 to 10"},
      {"--significant_figures=0", "must be 1 to 10"},
      {"--direct=2", "expected 0 or 1"},
      {"--direct=yes", "expected 0 or 1"},
      {"--time_based 1", "is not an option"},
      {"--eta=x", "auto, always or never"},
      {"--output-format=terse", "normal or json"},
      {"--runtime=30x", "unknown time unit"},
      {"--size=2Z", "lower-case z"},
      {"--zonesize=1z", "'z' suffix isn't applicable"},
      {"--bs=1z", "'z' suffix isn't applicable"},
      {"--filename=a:b", "more than one file"},
      {"--filename=", "expected a device"},
      {"--name=", "a job needs a name"},
      {"--zone_reset_threshold=-1", "value out of range"},
      {"--zone_reset_frequency=2", "value out of range"},
      {"--zone_reset_threshold=.4:.6", "the list exceeding max length"},
      {"--runtime", "--runtime needs a value: TIME"},
      {"--runtime --direct", "--runtime needs a value: TIME"},
      {"jobs.fio", "Job files are not available in this version"},
      {"--", "is not an option"},
      {"-", "is not an option"},
      {"---bs=4k", "is not an option"},
      {"--=4k", "unknown option --: --help lists"},
      {"--max_open_zones=4294967296", "must be 0 to 4294967295"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.options);
    const auto parsed = ParseJob(row.options);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.status().code() == absl::StatusCode::kInvalidArgument);
    CAPTURE(std::string(parsed.status().message()));
    CHECK(std::string(parsed.status().message()).find(row.says) != std::string::npos);
  }
}

TEST_CASE("a command without a job is refused", "[fio]") {
  for (const char* line : {"", "--filename=f --rw=write"}) {
    CAPTURE(line);
    const auto parsed = Parse(line);
    REQUIRE_FALSE(parsed.ok());
    CHECK(std::string(parsed.status().message()).find("no job") == 0);
  }
}

TEST_CASE("a value may start with a dash where it is a number", "[fio]") {
  const auto parsed = ParseJob("--zone_reset_threshold -1");
  REQUIRE_FALSE(parsed.ok());
  CHECK(std::string(parsed.status().message()).find("value out of range") != std::string::npos);
}

TEST_CASE("a colon in a file's name is written with a backslash", "[fio]") {
  const auto parsed = Parse("--name=j --filename=/dev/disk/by-path/pci-0\\:1");
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[0].target == "/dev/disk/by-path/pci-0:1");
}

TEST_CASE("no two options share a name, and each name finds its option", "[fio]") {
  for (const fio::Option& option : fio::Options()) {
    CAPTURE(option.name);
    const auto found = fio::FindOption(option.name);
    REQUIRE(found.ok());
    CHECK(*found == &option);
    REQUIRE(option.apply != nullptr);
    if (!option.alias.empty()) CHECK(*fio::FindOption(option.alias) == &option);
    for (const fio::Option& other : fio::Options()) {
      CHECK((&other == &option || (other.name != option.name && other.name != option.alias)));
    }
  }
}

TEST_CASE("help shows every option within 80 columns", "[fio]") {
  const std::string help = FioOptionHelp();
  for (const fio::Option& option : fio::Options()) {
    CAPTURE(option.name);
    CHECK(help.find("  --" + std::string(option.name)) != std::string::npos);
  }
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("the examples in help parse", "[fio]") {
  const std::string help = FioOptionHelp();
  int examples = 0;
  for (std::size_t at = help.find("zonal run "); at != std::string::npos;
       at = help.find("zonal run ", at + 1)) {
    std::string line;
    for (std::size_t i = at + 10; i < help.size(); ++i) {
      if (help[i] == '\\')
        ++i;  // a continued line
      else if (help[i] == '\n')
        break;
      else
        line += help[i];
    }
    CAPTURE(line);
    const auto parsed = Parse(line);
    CAPTURE(parsed.status().ToString());
    CHECK(parsed.ok());
    ++examples;
  }
  CHECK(examples == 2);
}

}  // namespace
}  // namespace zonal
