// SPDX-License-Identifier: MIT
// What is typed: words, prefixes, jobs, and what is refused with which words.
#include <string>

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
      "--name=j --filename=f --iodepth=8 --ioe=libaio --time_b --timeout=3",
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
      {"--iod=3", "--iod is ambiguous: --iodepth, --iodepth_batch"},
      {"--read_iolog=x", "--read_iolog=x: not available here. "},
      {"--trim_percentage=5", "not available here. Use a second job"},
      {"--verify=crc7", "use crc32c"},
      {"--verify=foo", "expected 0, none, md5"},
      {"--ignore_error=EFOO", "expected an error's name"},
      {"--ignore_error=,,,EIO", "at most three lists"},
      {"--continue_on_error=maybe", "expected none"},
      {"--cpumask=0", "value out of range"},
      {"--percentile_list=101", "value out of range"},
      {"--startdelay=x", "whole number"},
      {"--offset_increment=101%", "value out of range"},
      {"--zone=3", "ambiguous"},
      {"--iodepth=0", "--iodepth=0: value out of range: must be 1 to 65535"},
      {"--iodepth=65536", "must be 1 to 65535"},
      {"--iodepth=64k", "must be 1 to 65535"},
      {"--iodepth=4x", "unknown suffix"},
      {"--numjobs=0", "must be 1 to 4096"},
      {"--bs=0", "value out of range: must be 1"},
      {"--bs=", "expected a value"},
      {"--bs=,", "expected a value"},
      {"--bs=4k,4k,4k,4k", "at most three"},
      {"--rw=randread:0", "value out of range"},
      {"--rw=randread:x", "whole number"},
      {"--rw=write:1z", "'z' suffix isn't applicable"},
      {"--rw=trim:", "whole number"},
      {"--rw=foo", "expected read, write"},
      {"--ioengine=libzbc", "--ioengine=libzbc: not available here: use psync or libaio"},
      {"--ioengine=foo", "expected io_uring, libaio or psync"},
      {"--zonemode=foo", "expected none, strided or zbd"},
      {"--rwmixread=101", "must be 0 to 100"},
      {"--significant_figures=11", "must be 1 to 10"},
      {"--significant_figures=0", "must be 1 to 10"},
      {"--direct=2", "expected 0 or 1"},
      {"--direct=yes", "expected 0 or 1"},
      {"--time_based yes", "files cannot be read here"},
      {"--eta=x", "auto, always or never"},
      {"--output-format=xml", "expected normal, json, json+ or terse"},
      {"--output-format=normal,", "expected normal"},
      {"--terse-version=2", "expected 3, 4 or 5"},
      {"--runtime=30x", "unknown time unit"},
      {"--size=2Z", "lower-case z"},
      {"--zonesize=1z", "'z' suffix isn't applicable"},
      {"--bs=1z", "'z' suffix isn't applicable"},
      {"--filename=a:", "expected a device"},
      {"--filename=", "expected a device"},
      {"--name=", "a job needs a name"},
      {"--zone_reset_threshold=-1", "value out of range"},
      {"--zone_reset_frequency=2", "value out of range"},
      {"--zone_reset_threshold=.4:.6", "the list exceeding max length"},
      {"--runtime", "--runtime needs a value: TIME"},
      {"--runtime --direct", "--runtime needs a value: TIME"},
      {"jobs.fio", "would be a job file"},
      {"--parse-only=2", "takes no value"},
      {"--", "is not an option"},
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
    CHECK(MessageOf(parsed.status()).find("no job") == 0);
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

TEST_CASE("abbreviations the suite types find their options", "[fio]") {
  const auto parsed = ParseJob("--zonemod=zbd --numjob=8");
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers.size() == 8);
  CHECK(parsed->plan.workers[0].zone_mode == ZoneMode::kZbd);
}

TEST_CASE("a job called global holds defaults", "[fio]") {
  const auto parsed =
      Parse("--name=global --bs=8k --filename=f --name=a --name=global --bs=16k --name=b");
  REQUIRE(parsed.ok());
  REQUIRE(parsed->plan.workers.size() == 2);
  CHECK(parsed->plan.workers[0].read_block == BlockSize(8192));
  CHECK(parsed->plan.workers[1].read_block == BlockSize(16384));
}

TEST_CASE("options of the command stand anywhere", "[fio]") {
  const auto parsed = Parse(
      "--name=j --filename=f --output-format=json+,normal --append-terse --terse-version=5 "
      "--status-interval=2 --eta-interval=300 --eta-newline=1m --output=o --eta=never");
  REQUIRE(parsed.ok());
  CHECK(parsed->formats == std::vector<ReportFormat>{ReportFormat::kJsonPlus, ReportFormat::kNormal,
                                                     ReportFormat::kTerse});
  CHECK(parsed->report.terse_version == 5);
  CHECK(parsed->status_interval == std::chrono::seconds(2));
  CHECK(parsed->eta_interval == std::chrono::milliseconds(300));
  CHECK(parsed->eta_newline == std::chrono::minutes(1));
  CHECK(parsed->action == FioAction::kRun);
  CHECK(ParseJob("--minimal")->formats == std::vector<ReportFormat>{ReportFormat::kTerse});
  CHECK(ParseJob("--parse-only")->action == FioAction::kCheck);
  CHECK(Parse("--parse-only")->action == FioAction::kCheck);
  CHECK(Parse("--version")->action == FioAction::kVersion);
}

TEST_CASE("what has no effect is listed in one notice", "[fio]") {
  const auto parsed = ParseJob("--alloc-size=65536 --max-jobs=16 --max-jobs=8 --debug=zbd");
  REQUIRE(parsed.ok());
  CHECK(parsed->notices == std::vector<std::string>{"accepted, without effect here: --alloc-size, "
                                                    "--max-jobs, --debug"});
}

TEST_CASE("readonly and warnings-fatal refuse", "[fio]") {
  CHECK(ParseJob("--readonly --rw=read").ok());
  CHECK(MessageOf(ParseJob("--readonly --rw=randtrim").status()).find("--readonly") !=
        std::string::npos);
  CHECK(ParseJob("--warnings-fatal --rw=read --alloc-size=1").ok());
  CHECK(MessageOf(ParseJob("--warnings-fatal --size=1MiB").status()).find("powers of 1000") !=
        std::string::npos);
}

TEST_CASE("cmdhelp and enghelp come from the table", "[fio]") {
  const auto help = Parse("--cmdhelp=zonemode");
  REQUIRE(help.ok());
  CHECK(help->action == FioAction::kPrint);
  CHECK(help->text.find("--zonemode=none|strided|zbd") != std::string::npos);
  CHECK(Parse("--cmdhelp=nosuch")->text.find("unknown option") == 0);
  CHECK(Parse("--cmdhelp")->text == Parse("--cmdhelp=all")->text);
  CHECK(Parse("--cmdhelp=read_iolog")->text.find("Not available") != std::string::npos);
  CHECK(Parse("--enghelp")->text.find("libaio") != std::string::npos);
  CHECK(Parse("--enghelp=xnvme")->text.find("not available") != std::string::npos);
  CHECK(Parse("--enghelp=nosuch")->text.find("no such engine") == 0);
  CHECK(Parse("--enghelp=libaio,nowait")->text.find("--nowait") != std::string::npos);
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
