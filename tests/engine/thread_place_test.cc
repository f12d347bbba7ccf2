// SPDX-License-Identifier: MIT
#include "engine/thread_place.h"

#include <sched.h>
#include <sys/resource.h>

#include <mutex>
#include <thread>

#include "engine/drive_fixture.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

std::uint32_t SomeCpu() {
  cpu_set_t set;
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  std::uint32_t cpu = CPU_SETSIZE;
  while (cpu-- > 0 && !CPU_ISSET(cpu, &set)) {
  }
  return cpu;
}

struct Place {
  int cpus = 0;
  int cpu = -1;
  int nice = 0;
};

Place Here() {
  Place place;
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  place.cpus = CPU_COUNT(&set);
  place.cpu = sched_getcpu();
  place.nice = getpriority(PRIO_PROCESS, 0);
  return place;
}

}  // namespace

TEST_CASE("a worker's thread runs where it was put, and only that thread", "[engine]") {
  const Place before = Here();
  Workload placed = Job("write", 0, 1);
  placed.cpus = {SomeCpu()};
  placed.nice = 3;
  placed.command_before = "look";
  Workload free = Job("write", 1, 1);
  free.command_before = "look";
  RunControl control;
  std::mutex mutex;
  Place seen[2];
  control.on_command = [&](const std::string&, const Workload& workload) {
    const std::lock_guard lock(mutex);
    seen[workload.nice == 0] = Here();
    return 0;
  };
  const auto run = Run(Threaded({placed, free}), control, Always(MakeDrive(SmallDrive())));
  REQUIRE(run.ok());
  REQUIRE(seen[0].cpus == 1);
  REQUIRE(seen[0].cpu == static_cast<int>(placed.cpus[0]));
  REQUIRE(seen[0].nice == std::min(19, before.nice + 3));
  REQUIRE(seen[1].cpus == before.cpus);
  REQUIRE(seen[1].nice == before.nice);
  REQUIRE(Here().cpus == before.cpus);
}

TEST_CASE("a place the system does not have is refused before any I/O", "[engine]") {
  for (const std::uint32_t cpu : {std::uint32_t{60'000}, ~std::uint32_t{0}}) {
    Workload job = Job("write", 0, 1);
    job.cpus = {cpu};
    RunControl control;
    const auto drive = MakeDrive(SmallDrive());
    const auto run = Run(Threaded({job}), control, Always(drive));
    REQUIRE(run.status().code() == absl::StatusCode::kInvalidArgument);
    REQUIRE(std::string(run.status().message()).find("cpus_allowed=" + std::to_string(cpu)) !=
            std::string::npos);
    REQUIRE(CountersOf(*drive).bytes_written == 0);
  }
}

TEST_CASE("a simulated run says that places have no effect", "[engine]") {
  Workload job = Job("write", 0, 1);
  job.cpus = {SomeCpu()};
  const RunResult run = MustRun(Simulated({job}), MakeDrive(SmallDrive()));
  REQUIRE(run.notices.size() == 1);
  REQUIRE(run.notices[0].find("no effect in a simulated run") != std::string::npos);
}
