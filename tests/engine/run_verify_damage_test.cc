// SPDX-License-Identifier: MIT
// Damage between writing and reading back is found and named, by the job that wrote
// and by jobs that only read.
#include <algorithm>
#include <map>

#include "engine/verify_fixture.h"
#include "verify/block.h"

using namespace zonal;
using namespace zonal::testing;

TEST_CASE("damage between writing and reading back is found and named", "[verify]") {
  const auto flip = [](std::span<std::byte> data) { data[2000] ^= std::byte{1}; };
  const auto header = [](std::span<std::byte> data) { data[20] ^= std::byte{1}; };
  const auto zeros = [](std::span<std::byte> data) { std::ranges::fill(data, std::byte{0}); };
  const auto half = [](std::span<std::byte> data) {
    std::ranges::fill(data.subspan(data.size() / 2), std::byte{0});
  };
  // As another write would have left it.
  const auto other = [](std::uint64_t run_xor, std::uint64_t offset_plus,
                        std::uint32_t epoch_minus) {
    return [=](std::span<std::byte> data) {
      verify::Header found;
      if (verify::ReadHeader(data, 0, found) != verify::HeaderState::kValid) return;
      found.identity.run_id ^= run_xor;
      found.identity.offset += offset_plus;
      found.identity.epoch -= epoch_minus;
      auto summer = verify::Checksummer::Create(found.checksum);
      verify::StampBlock(data, found.identity, 0, *summer);
    };
  };
  struct Row {
    const char* name;
    Change change;
    const char* words;
  };
  const Row rows[] = {
      {"flip", flip, "corrupt: its crc32c does not fit"},
      {"header", header, "corrupt: its header is damaged"},
      {"zeros", zeros, "missing: only zeros"},
      {"half", half,
       "torn: 4 of 8 sectors are not of the header's write, the first at byte 2048, "
       "which is zeros"},
      {"other run", other(1, 0, 0), "of another run"},
      {"other place", other(0, 4096, 0), "misplaced"},
      {"earlier life", other(0, 0, 2), "of an earlier life of the zone"},
  };
  for (const Row& row : rows) {
    for (const char* rw : {"write", "randwrite"}) {
      for (const bool fatal : {false, true}) {
        CAPTURE(row.name, rw, fatal);
        const std::uint64_t offset = kZoneSize + 5 * kBlock;
        const auto drive = MakeDrive(SmallDrive());
        MustRun(Simulated({Job("write", 1, 2)}), drive);  // so that zones had a life before
        Workload job = Verified(rw, 1, 2);
        job.depth = 1;
        job.verify.fatal = fatal;
        const RunResult run =
            MustRun(Simulated({job}), std::make_shared<LyingDevice>(drive, offset, row.change));
        const WorkerResult& worker = run.workers[0];
        CAPTURE(worker.detail);
        CHECK(worker.reason == EndReason::kVerifyMismatch);
        CHECK(worker.verify.mismatches == 1);
        CHECK(worker.verify.blocks == (fatal ? 6 : 32));
        CHECK(worker.io_errors == 1);
        CHECK(worker.detail.find(row.words) != std::string::npos);
        CHECK(worker.detail.find("at offset " + std::to_string(offset) + " (zone 1)") !=
              std::string::npos);
      }
    }
  }
}

TEST_CASE("a run that survives mismatches counts them", "[verify]") {
  const auto flip = [](std::span<std::byte> data) { data[2000] ^= std::byte{1}; };
  Workload job = Verified("write", 0, 2);
  job.errors.go_on_after_mismatch = true;
  const RunResult run = MustRun(
      Simulated({job}), std::make_shared<LyingDevice>(MakeDrive(SmallDrive()), 3 * kBlock, flip));
  const WorkerResult& worker = run.workers[0];
  CHECK(worker.reason == EndReason::kDone);
  CHECK(worker.io_errors == 1);
  CHECK(worker.verify.mismatches == 1);
  CHECK(worker.verify.messages.size() == 1);
}

TEST_CASE("a lost overwrite of a rewritable place is found", "[verify]") {
  EmulatedOptions options = SmallDrive();
  options.conventional = 2;
  Workload job = Verified("write", 0, 1);
  job.loops = 2;
  job.depth = 1;
  int reads = 0;
  std::vector<std::byte> first;
  // The second pass reads what the first wrote.
  const auto stale = [&](std::span<std::byte> data) {
    if (reads++ == 0) first.assign(data.begin(), data.end());
    std::ranges::copy(first, data.begin());
  };
  const RunResult run = MustRun(
      Simulated({job}), std::make_shared<LyingDevice>(MakeDrive(options), 3 * kBlock, stale));
  const WorkerResult& worker = run.workers[0];
  CAPTURE(worker.detail);
  CHECK(reads == 2);
  CHECK(worker.verify.mismatches == 1);
  CHECK(worker.detail.find("of another write: it is of write 4 of") != std::string::npos);
}

TEST_CASE("a reading job verifies what another wrote", "[verify]") {
  for (const std::uint64_t block : {kBlock, 4 * kBlock}) {
    for (const char* rw : {"read", "randread"}) {
      CAPTURE(block, rw);
      const auto drive = MakeDrive(SmallDrive());
      Workload writer = Verified("write", 1, 2, Checksum::kSha1);
      writer.verify.reads_back = false;
      CHECK(Reads(MustRun(Simulated({writer}), drive).workers[0]).bytes == 0);
      Workload reader = Verified(rw, 0, 4, Checksum::kSha1);
      reader.read_block = block;  // of several blocks: each tells its length
      const RunResult run = MustRun(Simulated({reader}, 99), drive);
      CAPTURE(run.workers[0].detail);
      CHECK(run.workers[0].reason == EndReason::kDone);
      CHECK(run.workers[0].verify.blocks * kBlock == Reads(run.workers[0]).bytes);
      const auto zero = [](std::span<std::byte> data) { data[700] ^= std::byte{1}; };
      const RunResult bad =
          MustRun(Simulated({reader}, 99), std::make_shared<LyingDevice>(drive, kZoneSize, zero));
      CHECK(bad.workers[0].reason == EndReason::kVerifyMismatch);
    }
  }
}

TEST_CASE("a reading job takes blocks of any run, and tells of how many they are", "[verify]") {
  for (const char* rw : {"read", "randread"}) {
    for (const DriverKind driver : kBoth) {
      CAPTURE(rw, static_cast<int>(driver));
      const auto drive = MakeDrive(SmallDrive());
      MustRun(Simulated({Verified("write", 0, 2)}, 7), drive);
      const RunResult one = MustRun(Driven(driver, {Verified(rw, 0, 2)}, 1), drive);
      REQUIRE(one.workers[0].verify.runs.size() == 1);
      CHECK(one.workers[0].verify.runs[0].blocks == 32);
      CHECK(one.workers[0].verify.runs[0].first_offset == 0);
      MustRun(Simulated({Verified("write", 2, 3)}, 8), drive);
      const RunResult mix = MustRun(Driven(driver, {Verified(rw, 0, 5)}, 1), drive);
      const WorkerResult& worker = mix.workers[0];
      CAPTURE(worker.detail);
      CHECK(worker.reason == EndReason::kDone);
      CHECK(worker.verify.mismatches == 0);
      CHECK(worker.verify.mixed_zones == 0);
      REQUIRE(worker.verify.runs.size() == 2);
      CHECK(worker.verify.runs[0].run_id != worker.verify.runs[1].run_id);
      CHECK(worker.verify.runs[0].blocks + worker.verify.runs[1].blocks == 5 * 16);
      std::vector<std::uint64_t> begins = {worker.verify.runs[0].first_offset,
                                           worker.verify.runs[1].first_offset};
      std::ranges::sort(begins);
      CHECK(begins == std::vector<std::uint64_t>{0, 2 * kZoneSize});
    }
  }
}

TEST_CASE("asked for its own run, a reading job finds those of another seed wrong", "[verify]") {
  const auto drive = MakeDrive(SmallDrive());
  MustRun(Simulated({Verified("write", 0, 2)}, 7), drive);
  Workload reader = Verified("read", 0, 2);
  reader.verify.own_run = true;
  CHECK(MustRun(Simulated({reader}, 7), drive).workers[0].reason == EndReason::kDone);
  const RunResult other = MustRun(Simulated({reader}, 8), drive);
  const WorkerResult& worker = other.workers[0];
  CAPTURE(worker.detail);
  CHECK(worker.reason == EndReason::kVerifyMismatch);
  CHECK(worker.verify.mismatches == 32);
  CHECK(worker.detail.find("of another run: it is of write 1 of run") != std::string::npos);
}

TEST_CASE("to a reading job one zone's blocks of one run are of one life", "[verify]") {
  // As if a block of zone 1 had been written before the zone's last reset.
  const auto as = [](std::uint64_t run_xor, std::uint32_t epoch_minus) {
    return [=](std::span<std::byte> data) {
      verify::Header found;
      if (verify::ReadHeader(data, 0, found) != verify::HeaderState::kValid) return;
      found.identity.run_id ^= run_xor;
      found.identity.epoch -= epoch_minus;
      auto summer = verify::Checksummer::Create(found.checksum);
      verify::StampBlock(data, found.identity, 0, *summer);
    };
  };
  const auto drive = MakeDrive(SmallDrive());
  Workload writer = Verified("write", 0, 3);
  writer.loops = 2;  // the second pass resets
  MustRun(Simulated({writer}), drive);
  const std::uint64_t offset = kZoneSize + 5 * kBlock;
  const auto read = [&](const Change& change) {
    return MustRun(Simulated({Verified("read", 0, 3)}),
                   std::make_shared<LyingDevice>(drive, offset, change))
        .workers[0];
  };
  const WorkerResult earlier = read(as(0, 2));
  CAPTURE(earlier.detail);
  CHECK(earlier.reason == EndReason::kVerifyMismatch);
  CHECK(earlier.verify.mismatches == 1);
  CHECK(earlier.detail.find("of an earlier life of the zone") != std::string::npos);
  // Of another run it is a mix, and told as such.
  const WorkerResult mixed = read(as(1, 2));
  CAPTURE(mixed.detail);
  CHECK(mixed.reason == EndReason::kDone);
  CHECK(mixed.verify.mixed_zones == 1);
  REQUIRE(mixed.verify.runs.size() == 2);
  CHECK(mixed.verify.runs[1].blocks == 1);
  CHECK(mixed.verify.runs[1].first_offset == offset);
}

TEST_CASE("verify_only reads what the same job would have written", "[verify]") {
  EmulatedOptions options = SmallDrive();
  options.conventional = 4;
  struct Row {
    const char* rw;
    ZoneMode mode;
    std::uint32_t zone;
  };
  for (const Row& row : {Row{"write", ZoneMode::kZbd, 4}, Row{"randwrite", ZoneMode::kZbd, 4},
                         Row{"write", ZoneMode::kNone, 0}, Row{"randwrite", ZoneMode::kNone, 0}}) {
    CAPTURE(row.rw, row.zone);
    const auto drive = MakeDrive(options);
    Workload job = Verified(row.rw, row.zone, 4);
    job.zone_mode = row.mode;
    if (row.mode == ZoneMode::kNone) job.io_size = 2 * kZoneSize;  // a part of the blocks
    const RunResult wrote = MustRun(Simulated({job}), drive);
    job.verify.only = true;
    const RunResult run = MustRun(Simulated({job}), drive);
    const WorkerResult& worker = run.workers[0];
    CAPTURE(worker.detail);
    CHECK(worker.reason == EndReason::kDone);
    CHECK(Writes(worker).bytes == 0);
    CHECK(worker.verify.blocks * kBlock == Writes(wrote.workers[0]).bytes);
  }
}
