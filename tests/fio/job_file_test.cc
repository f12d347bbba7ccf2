// SPDX-License-Identifier: MIT
// Job files: sections, defaults, comments, includes, variables, and what goes
// wrong where.
#include <string>

#include "parse.h"
#include "support/catch.h"

namespace zonal {
namespace {

TEST_CASE("a job file means what the same command line means", "[fio]") {
  const auto file = ParseJobFile(
      "; -- start --\n"
      "[global]\n"
      "filename=f\n"
      "bs = 16k   # tail\n"
      "  time_based\n"
      "runtime=3\r\n"
      "\n"
      "[one]\n"
      "rw=write\n"
      "# between\n"
      "[ two ]\n"
      "rw=randread ; tail\n"
      "\tnumjobs=2\n");
  CAPTURE(file.status().ToString());
  REQUIRE(file.ok());
  const auto line = Parse(
      "--filename=f --bs=16k --time_based --runtime=3 --name=one --rw=write --name=two "
      "--rw=randread --numjobs=2");
  REQUIRE(line.ok());
  CHECK(file->plan.workers == line->plan.workers);
  // As in fio's JSON: a section's name is no option of its job.
  using Typed = std::vector<std::pair<std::string, std::string>>;
  CHECK(file->report.global_options == line->report.global_options);
  CHECK(file->report.job_options.at(1) == Typed{{"rw", "randread"}, {"numjobs", "2"}});
  CHECK(line->report.job_options.at(1) ==
        Typed{{"name", "two"}, {"rw", "randread"}, {"numjobs", "2"}});
}

TEST_CASE("each [global] holds for the jobs behind it", "[fio]") {
  const auto parsed = ParseJobFile(
      "[global]\nfilename=f\nbs=8k\n[a]\n[global]\nbs=16k\nrw=write\n[b]\n[c]\nbs=4k\n");
  REQUIRE(parsed.ok());
  REQUIRE(parsed->plan.workers.size() == 3);
  CHECK(parsed->plan.workers[0].read_block == BlockSize(8192));
  CHECK(parsed->plan.workers[0].reads);
  CHECK(parsed->plan.workers[1].write_block == BlockSize(16384));
  CHECK(parsed->plan.workers[1].writes);
  CHECK(parsed->plan.workers[2].write_block == BlockSize(4096));
}

TEST_CASE("kb_base holds for all of its section", "[fio]") {
  const auto parsed = ParseJobFile("[a]\nfilename=f\nsize=1m\nkb_base=1000\n");
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[0].size == 1'000'000);
}

TEST_CASE("included lines belong to the section", "[fio]") {
  const auto options =
      WithFiles({{"a.fio", "[x]\nfilename=f\ninclude inc.fio\nrw=write\n[y]\nfilename=f\n"},
                 {"inc.fio", "bs=8k\ninclude more.fio\n"},
                 {"more.fio", "iodepth=7\n"}});
  const auto parsed = ParseFioArguments(std::vector<std::string>{"a.fio"}, options);
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[0].depth == 7);
  CHECK(parsed->plan.workers[0].write_block == BlockSize(8192));
  CHECK(parsed->plan.workers[0].writes);
  CHECK(parsed->plan.workers[1].depth == 1);
}

TEST_CASE("variables of the environment and of the host are replaced", "[fio]") {
  FioParseOptions options = WithFiles(
      {{"a.fio",
        "[x]\nfilename=/tmp/${WHO}${NOBODY}.$ncpus\nsize=8*$pagesize\nruntime=2*$ncpus\n"}});
  options.environment = [](const std::string& name) {
    return name == "WHO" ? std::string("me") : std::string();
  };
  options.host.cpus = 3;
  const auto parsed = ParseFioArguments(std::vector<std::string>{"a.fio"}, options);
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[0].target == "/tmp/me.3");
  CHECK(parsed->plan.workers[0].size == 32768);
  CHECK(parsed->plan.workers[0].runtime == std::chrono::seconds(6));
  CHECK(parsed->report.job_options[0].back().second == "6");
}

TEST_CASE("bare numbers of arithmetic on times are microseconds", "[fio]") {
  const auto parsed = ParseJobFile("[x]\nfilename=f\nruntime=(2*500000)\nthinktime=(2*3)\n");
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[0].runtime == std::chrono::seconds(1));
  CHECK(parsed->plan.workers[0].pace.think_time == std::chrono::microseconds(6));
}

TEST_CASE("parentheses in texts and paths are left alone", "[fio]") {
  const auto parsed = ParseJobFile("[x]\nfilename=(a)\ndescription=(1+2)\n");
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[0].target == "(a)");
  CHECK(parsed->report.views[0].description == "(1+2)");
}

TEST_CASE("several job files follow each other, after the command line's jobs", "[fio]") {
  const auto options = WithFiles({{"a.fio", "[global]\nbs=8k\n[a]\n[b]\n"}, {"c.fio", "[c]\n"}});
  const auto parsed =
      ParseFioArguments(Words("--filename=f --rw=write --name=line a.fio c.fio"), options);
  REQUIRE(parsed.ok());
  const std::vector<Workload>& workers = parsed->plan.workers;
  REQUIRE(workers.size() == 4);
  CHECK(workers[0].name == "line");
  CHECK(workers[3].name == "c");
  CHECK(workers[2].write_block == BlockSize(8192));
  CHECK(workers[3].write_block == BlockSize(4096));  // a file's [global] is its own
  CHECK(workers[3].writes);                          // the command line's defaults are everybody's
  CHECK(workers[1].schedule.after.empty());
  CHECK(workers[3].schedule.after == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("sections are picked from job files", "[fio]") {
  const auto options =
      WithFiles({{"a.fio", "[global]\nfilename=f\n[light]\n[heavy]\niodepth=9\n[other]\n"}});
  const auto names = [&](const std::string& line) {
    std::vector<std::string> result;
    const auto parsed = ParseFioArguments(Words(line), options);
    REQUIRE(parsed.ok());
    for (const Workload& work : parsed->plan.workers) result.push_back(work.name);
    return result;
  };
  CHECK(names("--section=heavy a.fio") == std::vector<std::string>{"heavy"});
  CHECK(names("a.fio --section=other --section=light") ==
        std::vector<std::string>{"light", "other"});
  CHECK(names("--section=heavy a.fio --name=line --filename=g") ==
        std::vector<std::string>{"line", "heavy"});
  CHECK(MessageOf(ParseFioArguments(Words("--section=no a.fio"), options).status())
            .find("--section=no: no job file has such a job") == 0);
}

TEST_CASE("standard input is a job file, too", "[fio]") {
  const auto parsed =
      ParseFioArguments(std::vector<std::string>{"-"}, WithFiles({{"-", "[x]\nfilename=f\n"}}));
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[0].name == "x");
}

TEST_CASE("what goes wrong says in which line", "[fio]") {
  struct Row {
    const char* text;
    const char* says;
  };
  const Row rows[] = {
      {"rw=read\n[x]\n", "jobs.fio:1: option rw=read outside of a [section]"},
      {"[x]\n\nfoo=3\n", "jobs.fio:3: unknown option --foo"},
      {"[x]\nbs=4y\n", "jobs.fio:2: bs=4y: unknown suffix"},
      {"[x]\nbs\n", "jobs.fio:2: bs needs a value"},
      {"[x]\nbs 4k\n", "jobs.fio:2: unknown option --bs 4k"},
      {"[x\n", "jobs.fio:1: the ] is missing"},
      {"[]\n", "jobs.fio:1: a job needs a name"},
      {"[x]\nname=y\n", "jobs.fio:2: a job is named by its [section]"},
      {"[x]\noutput=y\n", "jobs.fio:2: output belongs on the command line: --output"},
      {"[x]\nfilename=${A\n", "jobs.fio:2: the } of ${ is missing"},
      {"[x]\ninclude no.fio\n", "jobs.fio:2: no.fio: no such file"},
      {"include jobs.fio\n", "jobs.fio:1: include outside of a [section]"},
      {"[x]\ninclude jobs.fio\n", "an included file has no sections"},
      {"[x]\nruntime=(1/0)\n", "jobs.fio:2: runtime=(1/0): the expression divides by zero"},
      {"[x]\nread_iolog=y\n", "jobs.fio:2: read_iolog=y: not available here."},
      {"", "no job"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto parsed = ParseJobFile(row.text);
    REQUIRE_FALSE(parsed.ok());
    CAPTURE(MessageOf(parsed.status()));
    CHECK(MessageOf(parsed.status()).find(row.says) != std::string::npos);
  }
  CHECK_FALSE(ParseJobFile(std::string("[x]\nfilename=a\0b\n", 17)).ok());
}

TEST_CASE("a file that includes itself ends", "[fio]") {
  const auto options = WithFiles({{"a.fio", "[x]\ninclude b.fio\n"}, {"b.fio", "include b.fio\n"}});
  const auto parsed = ParseFioArguments(std::vector<std::string>{"a.fio"}, options);
  REQUIRE_FALSE(parsed.ok());
  CHECK(MessageOf(parsed.status()).find("includes go deeper") != std::string::npos);
}

TEST_CASE("a job file that is not there is named, with what may have been meant", "[fio]") {
  const auto parsed =
      ParseFioArguments(Words("--name=j --filename=f --time_based yes"), WithFiles({}));
  REQUIRE_FALSE(parsed.ok());
  CHECK(MessageOf(parsed.status()).find("yes: no such file") == 0);
  CHECK(MessageOf(parsed.status()).find("--time_based=1") != std::string::npos);
}

}  // namespace
}  // namespace zonal
