// SPDX-License-Identifier: MIT
// What waits for what, what ends what, and groups.
#include <string>

#include "parse.h"
#include "support/catch.h"

namespace zonal {
namespace {

using Indices = std::vector<std::uint32_t>;

std::vector<Workload> WorkersOf(const std::string& jobs) {
  const auto parsed = Parse("--filename=f " + jobs);
  CAPTURE(jobs, parsed.status().ToString());
  REQUIRE(parsed.ok());
  return parsed->plan.workers;
}

TEST_CASE("a stonewall waits for all that is before it, and others join it", "[fio]") {
  const auto workers = WorkersOf(
      "--name=a --numjobs=2 --name=b --name=c --stonewall --numjobs=2 --name=d --name=e "
      "--stonewall");
  REQUIRE(workers.size() == 7);
  CHECK(workers[0].schedule.after.empty());
  CHECK(workers[2].schedule.after.empty());
  CHECK(workers[3].schedule.after == Indices{0, 1, 2});
  CHECK(workers[4].schedule.after == Indices{0, 1, 2});
  CHECK(workers[5].schedule.after == Indices{0, 1, 2});
  CHECK(workers[6].schedule.after == Indices{3, 4, 5});
  const Indices stages = {0, 0, 0, 1, 1, 1, 2};
  const Indices groups = {0, 0, 0, 1, 1, 1, 2};
  for (std::size_t i = 0; i < workers.size(); ++i) {
    CAPTURE(i);
    CHECK(workers[i].schedule.stage == stages[i]);
    CHECK(workers[i].group == groups[i]);
  }
}

TEST_CASE("a stonewall before the first job waits for nothing", "[fio]") {
  const auto workers = WorkersOf("--stonewall --name=a --name=b");
  CHECK(workers[0].schedule.after.empty());
  CHECK(workers[0].group == 0);
  CHECK(workers[1].schedule.after == Indices{0});
  CHECK(workers[1].group == 1);
}

TEST_CASE("wait_for waits for a job and its copies", "[fio]") {
  const auto workers = WorkersOf("--name=a --numjobs=2 --name=b --name=c --wait_for=a --numjobs=2");
  CHECK(workers[3].schedule.after == Indices{0, 1});
  CHECK(workers[4].schedule.after == Indices{0, 1});
  CHECK(workers[4].schedule.stage == 0);
  const auto walled =
      WorkersOf("--name=a --name=b --stonewall --name=c --wait_for=a --name=d --wait_for=b");
  CHECK(walled[2].schedule.after == Indices{0});
  CHECK(walled[3].schedule.after == Indices{0, 1});
}

TEST_CASE("wait_for names one job before it", "[fio]") {
  struct Row {
    const char* jobs;
    const char* says;
  };
  const Row rows[] = {
      {"--name=a --wait_for=b", "job a: wait_for=b: there is no such job before it"},
      {"--name=a --wait_for=b --name=b", "there is no such job before it"},
      {"--name=a --wait_for=a", "there is no such job before it"},
      {"--name=a --name=a --name=b --wait_for=a", "more than one job has that name"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.jobs);
    const auto parsed = Parse(std::string("--filename=f ") + row.jobs);
    REQUIRE_FALSE(parsed.ok());
    CHECK(MessageOf(parsed.status()).find(row.says) != std::string::npos);
  }
}

TEST_CASE("new_group starts a group and waits for nothing", "[fio]") {
  const auto workers = WorkersOf("--name=a --name=b --new_group --name=c");
  CHECK(workers[1].group == 1);
  CHECK(workers[2].group == 1);
  CHECK(workers[1].schedule.after.empty());
  CHECK(workers[1].schedule.stage == 0);
}

TEST_CASE("exitall ends its neighbours or all", "[fio]") {
  struct Row {
    const char* options;
    bool all, group;
  };
  const Row rows[] = {
      {"--exitall", false, true},
      {"--exitall --exit_what=stonewall", false, true},
      {"--exitall --exit_what=all", true, false},
      {"--exit_what=all", false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.options);
    const auto workers = WorkersOf(std::string("--name=a ") + row.options);
    CHECK(workers[0].schedule.ends_all == row.all);
    CHECK(workers[0].schedule.ends_its_group == row.group);
  }
  CHECK(WorkersOf("--name=a --exitall_on_error")[0].errors.ends_all);
}

TEST_CASE("startdelay is a time, or a random one of a range for each copy", "[fio]") {
  CHECK(WorkersOf("--name=a --startdelay=3")[0].schedule.start_delay == std::chrono::seconds(3));
  const auto workers = WorkersOf("--name=a --startdelay=1-9 --numjobs=8");
  bool differ = false;
  for (const Workload& work : workers) {
    CHECK(work.schedule.start_delay >= std::chrono::seconds(1));
    CHECK(work.schedule.start_delay <= std::chrono::seconds(9));
    differ = differ || work.schedule.start_delay != workers[0].schedule.start_delay;
  }
  CHECK(differ);
}

}  // namespace
}  // namespace zonal
