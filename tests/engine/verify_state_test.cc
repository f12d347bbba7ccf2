// SPDX-License-Identifier: MIT
// Verification over the end of a process: what a state file names is read back by
// the next run, on the file of an emulated drive; also after a kill.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/drive_fixture.h"
#include "verify/block.h"
#include "verify/state_file.h"
#include "zonal/rng.h"

using namespace zonal;
using namespace zonal::testing;

namespace {

// A drive and a state in the current directory, gone afterwards.
struct Files {
  std::string drive = "verify_state_test.drive";
  std::string state = "verify_state_test.state";

  explicit Files(EmulatedOptions options = SmallDrive()) {
    Remove();
    REQUIRE(CreateEmulatedFile(drive, options, true).ok());
  }
  ~Files() { Remove(); }
  void Remove() const {
    std::remove(drive.c_str());
    std::remove(state.c_str());
  }
};

Workload Saving(const Files& files, const std::string& rw, std::uint32_t zones = 4) {
  Workload job = Job(rw, 0, zones);
  job.target = files.drive;
  job.verify.checksum = Checksum::kCrc32c;
  job.verify.state_save = files.state;
  return job;
}

// Reads back what the state names, and writes nothing.
Workload Loading(Workload job, const Files& files) {
  job.verify.state_save.clear();
  job.verify.state_load = files.state;
  job.verify.only = true;
  return job;
}

WorkerResult RunAlone(const Workload& job, std::uint64_t seed = 1) {
  RunControl control;
  auto run = Run(Simulated({job}, seed), control);
  if (!run.ok()) FAIL(run.status().ToString());
  return run->workers[0];
}

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Where in the drive's file the verified block with this offset is.
std::size_t FindBlock(const std::string& file, std::uint64_t offset) {
  for (std::size_t at = file.find("zonalvfy"); at != std::string::npos;
       at = file.find("zonalvfy", at + 1)) {
    std::uint64_t found;
    std::memcpy(&found, file.data() + at + 24, sizeof found);
    if (found == offset) return at;
  }
  FAIL("no block with offset " << offset);
  return 0;
}

void ChangeByte(const std::string& path, std::size_t at) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const auto byte = static_cast<char>(file.get() ^ 1);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

}  // namespace

TEST_CASE("what one run wrote, another reads back by the state", "[verify]") {
  for (const char* rw : {"write", "randwrite"}) {
    for (const bool reads_back : {false, true}) {
      for (const std::uint64_t largest : {kBlock, 4 * kBlock}) {
        CAPTURE(rw, reads_back, largest);
        const Files files;
        Workload job = Saving(files, rw);
        job.write_block = BlockSize(kBlock, largest);
        job.loops = 2;
        job.verify.reads_back = reads_back;
        REQUIRE(RunAlone(job, 7).reason == EndReason::kDone);
        const WorkerResult loaded = RunAlone(Loading(job, files), 8);
        CAPTURE(loaded.detail);
        CHECK(loaded.reason == EndReason::kDone);
        CHECK(Reads(loaded).bytes == 4 * kZoneSize);
        CHECK(Writes(loaded).bytes == 0);
        CHECK(loaded.verify.blocks == Reads(loaded).ios);
      }
    }
  }
}

TEST_CASE("a byte changed in the drive's file is found by the next run", "[verify]") {
  const Files files;
  const Workload job = Saving(files, "randwrite");
  REQUIRE(RunAlone(job).reason == EndReason::kDone);
  const std::uint64_t offset = 2 * kZoneSize + 7 * kBlock;
  ChangeByte(files.drive, FindBlock(Contents(files.drive), offset) + 3000);
  Workload loading = Loading(job, files);
  loading.name = "verify_state_dump";
  loading.verify.dump = true;
  const WorkerResult loaded = RunAlone(loading);
  CAPTURE(loaded.detail);
  CHECK(loaded.reason == EndReason::kVerifyMismatch);
  CHECK(loaded.verify.mismatches == 1);
  CHECK(loaded.detail.find("offset " + std::to_string(offset)) != std::string::npos);
  const std::string received = "verify_state_dump." + std::to_string(offset) + ".received";
  CHECK(Contents(received).size() == kBlock);
  std::remove(received.c_str());
}

TEST_CASE("a dump shows what was expected and what was there", "[verify]") {
  const Files files;
  Workload job = Saving(files, "write");
  job.name = "verify_state_dump";
  job.verify.reads_back = false;
  REQUIRE(RunAlone(job).reason == EndReason::kDone);
  const std::string before = Contents(files.drive);
  const std::size_t at = FindBlock(before, 3 * kBlock);
  ChangeByte(files.drive, at + 1234);
  // Goes on with the state: first it reads back, then it writes.
  job.verify.state_load = files.state;
  job.verify.dump = true;
  CHECK(RunAlone(job).verify.mismatches == 1);
  const std::string name = "verify_state_dump." + std::to_string(3 * kBlock);
  std::string received = Contents(name + ".received");
  REQUIRE(received.size() == kBlock);
  CHECK(Contents(name + ".expected") == before.substr(at, kBlock));
  received[1234] = static_cast<char>(received[1234] ^ 1);
  CHECK(received == before.substr(at, kBlock));
  std::remove((name + ".received").c_str());
  std::remove((name + ".expected").c_str());
}

TEST_CASE("a run that goes on with a state keeps its run id and counts on", "[verify]") {
  const Files files;
  Workload job = Saving(files, "write", 2);
  REQUIRE(RunAlone(job, 5).reason == EndReason::kDone);
  const auto first = verify::LoadState(files.state);
  REQUIRE(first.ok());
  job.verify.state_load = files.state;
  const WorkerResult went_on = RunAlone(job, 6);
  CAPTURE(went_on.detail);
  CHECK(went_on.reason == EndReason::kDone);
  CHECK(Reads(went_on).bytes == 4 * kZoneSize);  // what was there, and what it wrote
  const auto second = verify::LoadState(files.state);
  REQUIRE(second.ok());
  CHECK(second->run_id == first->run_id);
  CHECK(second->next_sequence == first->next_sequence + 32);
  REQUIRE(second->zones.size() == 2);
  CHECK(second->zones[0].epoch > first->zones[0].epoch);
  CHECK(RunAlone(Loading(job, files), 9).verify.blocks == 32);
}

TEST_CASE("a state that names no block leaves nothing to read", "[verify]") {
  // As a run leaves it that was killed before its first block. What the places that
  // can be written again hold is then nobody's.
  EmulatedOptions options = SmallDrive();
  options.conventional = 2;
  const Files files(options);
  Workload job = Saving(files, "write");
  verify::State state;
  state.run_id = 1;
  state.checksum = Checksum::kCrc32c;
  state.device_bytes = 8 * kZoneSize;
  REQUIRE(verify::SaveState(files.state, state).ok());
  const WorkerResult loaded = RunAlone(Loading(job, files));
  CAPTURE(loaded.detail);
  CHECK(loaded.reason == EndReason::kDone);
  CHECK(loaded.verify.blocks == 0);
  CHECK(loaded.verify.mismatches == 0);
}

TEST_CASE("a state of another job is refused", "[verify]") {
  const Files files;
  const Workload job = Saving(files, "write");
  REQUIRE(RunAlone(job).reason == EndReason::kDone);
  struct Row {
    const char* words;
    void (*change)(Workload&);
  };
  const Row rows[] = {
      {"verify=crc32c", [](Workload& w) { w.verify.checksum = Checksum::kMd5; }},
      {"outside the range", [](Workload& w) { w.size = 2 * kZoneSize; }},
      {"of a device of", [](Workload& w) { w.target = "emu,zones=9,zone_size=64KiB"; }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    Workload other = Loading(job, files);
    row.change(other);
    RunControl control;
    const auto run = Run(Simulated({other}), control);
    REQUIRE(!run.ok());
    CAPTURE(run.status().ToString());
    CHECK(run.status().message().find(row.words) != std::string::npos);
  }
}

namespace {

// In a process of its own, which is killed after `after`.
void RunUntilKilled(const Workload& job, std::chrono::microseconds after) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    RunControl control;
    const auto run = Run(Threaded({job}), control);
    _exit(run.ok() ? 0 : 1);
  }
  usleep(static_cast<useconds_t>(after.count()));
  kill(child, SIGKILL);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));  // it had not ended by itself
}

}  // namespace

TEST_CASE("after a kill the state names only what is there", "[verify][kill]") {
  const std::uint64_t seed = SeedOr(1);
  Rng rng(seed);
  std::uint64_t blocks = 0;
  for (int round = 0; round < 10; ++round) {
    // A pass takes longer than the worker lives, and than the state is old.
    EmulatedOptions options = SmallDrive(256);
    options.zone_size = 1 << 20;
    options.conventional = rng.Chance(1, 3) ? 2 : 0;
    const Files files(options);
    Workload job = Saving(files, rng.Chance(1, 2) ? "write" : "randwrite");
    job.size = 0;
    job.time_based = true;
    job.runtime = std::chrono::seconds(60);
    job.depth = static_cast<std::uint32_t>(1 + rng.Below(16));
    job.verify.backlog = rng.Chance(1, 2) ? 0 : 1 + rng.Below(8);
    job.seed = rng.Next();
    CAPTURE(seed, round, job.name, job.depth, options.conventional);
    RunUntilKilled(job, std::chrono::microseconds(150'000 + rng.Below(250'000)));
    if (Contents(files.state).empty()) continue;  // killed before it began
    const WorkerResult loaded = RunAlone(Loading(job, files));
    CAPTURE(loaded.detail);
    CHECK(loaded.reason == EndReason::kDone);
    CHECK(loaded.verify.mismatches == 0);
    blocks += loaded.verify.blocks;
    // And the run can go on.
    job.verify.state_load = files.state;
    job.time_based = false;
    job.runtime = {};
    job.io_size = 8 << 20;
    const WorkerResult went_on = RunAlone(job);
    CAPTURE(went_on.detail);
    CHECK(went_on.reason == EndReason::kDone);
    CHECK(went_on.verify.mismatches == 0);
  }
  CHECK(blocks > 0);
}
