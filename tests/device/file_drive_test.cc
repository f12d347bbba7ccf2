// SPDX-License-Identifier: MIT
// The file under a drive, without the drive: what is trusted after which
// accident, and what a crash at each step of a checkpoint leaves.
#include "device/emulated/file_drive.h"

#include <cerrno>
#include <string>
#include <vector>

#include "device/drive_file.h"
#include "device/emulated/file_store.h"
#include "device/emulated/zone_word.h"
#include "support/catch.h"

namespace zonal::emulated {
namespace {

using test::kBoot1;
using test::kBoot2;
using test::OpenDrive;
using test::SmallDrive;
using test::TempDir;

constexpr std::uint64_t kZone = 64 << 10;
constexpr std::uint64_t kTable = 16384 + 9 * 4096;  // two runs of zone facts
constexpr std::uint64_t kCheckpoint = kTable + 4096;

std::uint64_t Word(ZoneCondition condition, std::uint64_t blocks, std::uint16_t epoch = 0) {
  return ZoneWord(condition, epoch, blocks).bits();
}

struct Fixture {
  explicit Fixture(Durability durability) {
    REQUIRE(CreateEmulatedFile(path, SmallDrive(durability), false).ok());
  }
  std::shared_ptr<FileDrive> Open(bool writable, Uuid boot, const std::string& which = "") const {
    absl::StatusOr<std::shared_ptr<FileDrive>> drive =
        OpenDrive(which.empty() ? path : which, writable, boot);
    INFO(drive.status().ToString());
    REQUIRE(drive.ok());
    return *std::move(drive);
  }
  absl::Status Refusal(bool writable, Uuid boot, const std::string& which = "") const {
    return OpenDrive(which.empty() ? path : which, writable, boot).status();
  }
  // The file as it is now.
  std::string Crashed() const {
    test::CopyFile(path, dir.Path("crashed"));
    return dir.Path("crashed");
  }

  TempDir dir;
  std::string path = dir.Path("drive");
};

bool Says(const absl::Status& status, const std::string& text) {
  return std::string(status.message()).find(text) != std::string::npos;
}

TEST_CASE("a clean close keeps the table, whatever boot comes next", "[file]") {
  for (const Durability durability : {Durability::kProcess, Durability::kHost}) {
    const Fixture f(durability);
    f.Open(true, kBoot1)->landed()[2].store(Word(ZoneCondition::kClosed, 5));
    for (const bool writable : {false, true}) {
      const auto drive = f.Open(writable, kBoot2);
      CHECK(drive->trust() == Trust::kLiveTable);
      CHECK(drive->landed()[2].load() == Word(ZoneCondition::kClosed, 5));
    }
  }
}

TEST_CASE("after a killed process the live table counts", "[file]") {
  for (const Durability durability : {Durability::kProcess, Durability::kHost}) {
    const Fixture f(durability);
    const auto writer = f.Open(true, kBoot1);
    writer->landed()[2].store(Word(ZoneCondition::kImplicitOpen, 5));
    for (const bool writable : {false, true}) {
      const auto drive = f.Open(writable, kBoot1, f.Crashed());
      CHECK(drive->trust() == Trust::kLiveTable);
      CHECK(drive->landed()[2].load() == Word(ZoneCondition::kImplicitOpen, 5));
    }
  }
}

TEST_CASE("after a crashed host durability=host goes back to the last flush", "[file]") {
  const Fixture f(Durability::kHost);
  const auto writer = f.Open(true, kBoot1);
  writer->landed()[2].store(Word(ZoneCondition::kImplicitOpen, 5));
  REQUIRE(writer->Flush().ok());
  writer->landed()[2].store(Word(ZoneCondition::kImplicitOpen, 7));
  writer->landed()[3].store(Word(ZoneCondition::kImplicitOpen, 1));
  const std::string crashed = f.Crashed();
  {
    const auto reader = f.Open(false, kBoot2, crashed);
    CHECK(reader->trust() == Trust::kCheckpoint);
    CHECK(reader->landed()[2].load() == Word(ZoneCondition::kImplicitOpen, 5));
    CHECK(reader->landed()[3].load() == 0);
  }
  const auto again = f.Open(true, kBoot2, crashed);
  CHECK(again->landed()[2].load() == Word(ZoneCondition::kImplicitOpen, 5));
  // The recovered table is in the file, and from here on it is the live one.
  CHECK(f.Open(false, kBoot2, crashed)->landed()[2].load() ==
        Word(ZoneCondition::kImplicitOpen, 5));
}

TEST_CASE("before the first flush a crashed host leaves the drive as it was made", "[file]") {
  const Fixture f(Durability::kHost);
  const auto writer = f.Open(true, kBoot1);
  writer->landed()[2].store(Word(ZoneCondition::kImplicitOpen, 5));
  CHECK(f.Open(true, kBoot2, f.Crashed())->landed()[2].load() == 0);
}

TEST_CASE("after a crashed host durability=process reads its last close, and is not written",
          "[file]") {
  const Fixture f(Durability::kProcess);
  f.Open(true, kBoot1)->landed()[2].store(Word(ZoneCondition::kClosed, 5));
  const auto writer = f.Open(true, kBoot1);
  writer->landed()[2].store(Word(ZoneCondition::kImplicitOpen, 7));
  REQUIRE(writer->Flush().ok());  // promises nothing about the host
  const std::string crashed = f.Crashed();
  const absl::Status refusal = f.Refusal(true, kBoot2, crashed);
  CHECK(absl::IsFailedPrecondition(refusal));
  CHECK(Says(refusal, "the host went down"));
  CHECK(Says(refusal, "read-only"));
  CHECK(f.Open(false, kBoot2, crashed)->landed()[2].load() == Word(ZoneCondition::kClosed, 5));
}

TEST_CASE("a page torn before its commit is passed over, and so is a whole one", "[file]") {
  const Fixture f(Durability::kHost);
  const auto writer = f.Open(true, kBoot1);
  writer->landed()[2].store(Word(ZoneCondition::kImplicitOpen, 5));
  REQUIRE(writer->Flush().ok());  // copy A
  const std::string first = f.Crashed();
  const std::string header = test::ReadAll(first, 0, 8192);
  writer->landed()[2].store(Word(ZoneCondition::kImplicitOpen, 9));
  REQUIRE(writer->Flush().ok());  // copy B
  const std::string second = f.Crashed();

  SECTION("committed: the second counts") {
    CHECK(f.Open(true, kBoot2, second)->landed()[2].load() ==
          Word(ZoneCondition::kImplicitOpen, 9));
  }
  SECTION("the crash came before the header") {
    test::WriteAt(second, 0, header);
    CHECK(f.Open(false, kBoot2, second)->landed()[2].load() ==
          Word(ZoneCondition::kImplicitOpen, 5));
    // The page that was never committed must not come back with the next commit.
    auto again = f.Open(true, kBoot2, second);
    again->landed()[2].store(Word(ZoneCondition::kImplicitOpen, 5));
    REQUIRE(again->Flush().ok());
    test::CopyFile(second, f.dir.Path("later"));
    CHECK(f.Open(false, kBoot1, f.dir.Path("later"))->landed()[2].load() ==
          Word(ZoneCondition::kImplicitOpen, 5));
  }
  SECTION("the crash tore the page") {
    test::WriteAt(second, 0, header);
    test::WriteAt(second, kCheckpoint + 4096 + 512, std::string(2048, '\x5a'));
    CHECK(f.Open(true, kBoot2, second)->landed()[2].load() ==
          Word(ZoneCondition::kImplicitOpen, 5));
  }
  SECTION("a committed page is damaged") {
    test::WriteAt(second, kCheckpoint + 4096 + 512, std::string(2048, '\x5a'));
    for (const bool writable : {false, true}) {
      const absl::Status refusal = f.Refusal(writable, kBoot2, second);
      CHECK(absl::IsDataLoss(refusal));
      CHECK(Says(refusal, "checkpoint is damaged"));
    }
    // The live table is there: the checkpoint is written anew.
    f.Open(true, kBoot1, second).reset();
    CHECK(f.Open(true, kBoot2, second)->landed()[2].load() ==
          Word(ZoneCondition::kImplicitOpen, 9));
  }
}

TEST_CASE("a lowered zone is in the durable record before it is written again", "[file]") {
  for (const bool told : {true, false}) {
    CAPTURE(told);
    const Fixture f(Durability::kHost);
    const auto writer = f.Open(true, kBoot1);
    writer->landed()[2].store(Word(ZoneCondition::kFull, 12));
    REQUIRE(writer->Flush().ok());
    writer->landed()[2].store(Word(ZoneCondition::kEmpty, 0, 1));
    if (told) CHECK(writer->PrepareZone(ZoneId(2)) == 0);
    // Now its bytes may be overwritten: the old pointer over them would be a lie,
    // which is what a crash brings back without the call.
    const auto after = f.Open(false, kBoot2, f.Crashed());
    CHECK(ZoneWord(after->landed()[2].load()).blocks() == (told ? 0 : 12));
  }
}

TEST_CASE("zones that were not lowered cost no checkpoint", "[file]") {
  const Fixture f(Durability::kHost);
  const auto writer = f.Open(true, kBoot1);
  const std::uint64_t before = writer->header().generation;
  CHECK(writer->PrepareZone(ZoneId(2)) == 0);
  CHECK(writer->header().generation == before);
  REQUIRE(writer->Flush().ok());  // nothing changed
  CHECK(writer->header().generation == before);
}

TEST_CASE("a damaged header copy is passed over, two are an error", "[file]") {
  const Fixture f(Durability::kProcess);
  f.Open(true, kBoot1)->landed()[2].store(Word(ZoneCondition::kClosed, 5));
  for (const std::uint64_t copy : {0u, 4096u}) {
    const std::string damaged = f.Crashed();
    test::FlipBit(damaged, copy + 80, 3);
    CHECK(f.Open(false, kBoot1, damaged)->landed()[2].load() == Word(ZoneCondition::kClosed, 5));
    f.Open(true, kBoot1, damaged).reset();
    // Opening for writing repaired it.
    test::FlipBit(damaged, 4096 - copy + 80, 3);
    CHECK(f.Open(false, kBoot1, damaged)->landed()[2].load() == Word(ZoneCondition::kClosed, 5));
  }
  test::FlipBit(f.path, 80, 3);
  test::FlipBit(f.path, 4096 + 80, 3);
  const absl::Status refusal = f.Refusal(false, kBoot1);
  CHECK(absl::IsDataLoss(refusal));
  CHECK(Says(refusal, "both copies"));
  CHECK(Says(refusal, "checksum"));
}

TEST_CASE("damaged facts are read from their second copy", "[file]") {
  const Fixture f(Durability::kProcess);
  test::FlipBit(f.path, 8192 + 9, 0);
  CHECK(f.Open(true, kBoot1)->options().zones == 8);
  test::FlipBit(f.path, 8192 + 4096 + 9, 0);
  CHECK(Says(f.Refusal(true, kBoot1), "both copies of the zone facts"));
}

TEST_CASE("impossible words are refused by the zone's number", "[file]") {
  const std::uint64_t bad[] = {
      Word(ZoneCondition::kImplicitOpen, 13),  // capacity is 12 blocks
      Word(ZoneCondition::kEmpty, 1),
      0x10,  // a flag
      Word(static_cast<ZoneCondition>(7), 0),
      Word(ZoneCondition::kNotWritePointer, 0),
  };
  for (const std::uint64_t word : bad) {
    CAPTURE(word);
    const Fixture f(Durability::kProcess);
    f.Open(true, kBoot1)->landed()[3].store(word);
    const absl::Status refusal = f.Refusal(false, kBoot1);
    CHECK(absl::IsDataLoss(refusal));
    CHECK(Says(refusal, "zone 3"));
  }
  const Fixture f(Durability::kProcess);
  f.Open(true, kBoot1)->landed()[0].store(Word(ZoneCondition::kClosed, 1));
  CHECK(Says(f.Refusal(false, kBoot1), "zone 0"));  // it is conventional
}

TEST_CASE("a file cut short is refused", "[file]") {
  const Fixture f(Durability::kProcess);
  const std::uint64_t whole = std::filesystem::file_size(f.path);
  for (const std::uint64_t size : {whole - 1, whole / 2, std::uint64_t{8192}}) {
    std::filesystem::resize_file(f.path, size);
    CHECK(Says(f.Refusal(false, kBoot1), "cut short"));
  }
  for (const std::uint64_t size : {4096u + 100u, 100u, 0u}) {
    std::filesystem::resize_file(f.path, size);
    CHECK_FALSE(f.Refusal(false, kBoot1).ok());
  }
}

TEST_CASE("a second writer is refused, readers are not", "[file]") {
  const Fixture f(Durability::kProcess);
  const auto writer = f.Open(true, kBoot1);
  const absl::Status refusal = f.Refusal(true, kBoot1);
  CHECK(absl::IsFailedPrecondition(refusal));
  CHECK(Says(refusal, "open for writing"));
  const auto reader = f.Open(false, kBoot1);
  writer->landed()[4].store(Word(ZoneCondition::kImplicitOpen, 3));
  CHECK(reader->landed()[4].load() == Word(ZoneCondition::kImplicitOpen, 3));
  writer->counters()[5].writes.store(17);
  CHECK(reader->counters()[5].writes.load() == 17);
}

// --- holes ---

std::uint64_t DataBlocks(const FileDrive& drive, std::uint64_t offset, std::uint64_t bytes) {
  std::uint64_t found = 0;
  const auto base = static_cast<off_t>(drive.data_offset() + offset);
  off_t at = base;
  while (true) {
    const off_t data = lseek(drive.file().fd(), at, SEEK_DATA);
    if (data < 0 || data >= base + static_cast<off_t>(bytes)) return found;
    const off_t hole =
        std::min(lseek(drive.file().fd(), data, SEEK_HOLE), base + static_cast<off_t>(bytes));
    found += static_cast<std::uint64_t>(hole - data);
    at = hole;
  }
}

void Fill(const std::shared_ptr<FileDrive>& drive, std::uint64_t zone, char with) {
  std::vector<char> bytes(48 << 10, with);
  const iovec vector{bytes.data(), bytes.size()};
  const auto store = NewFileStore(drive);
  const auto queue = *store->NewQueue(1);
  REQUIRE(queue->Write(zone * kZone, std::span(&vector, 1), false, 0).error == 0);
}

TEST_CASE("forgotten zones become holes at flush, but not one written since", "[file]") {
  for (const Durability durability : {Durability::kProcess, Durability::kHost}) {
    const Fixture f(durability);
    const auto drive = f.Open(true, kBoot1);
    for (const std::uint64_t zone : {2u, 3u, 4u, 5u}) {
      drive->ZoneLeavesEmpty(ZoneId(static_cast<std::uint32_t>(zone)));
      Fill(drive, zone, 'a');
      drive->landed()[zone].store(Word(ZoneCondition::kFull, 12));
    }
    REQUIRE(drive->Flush().ok());
    for (const std::uint64_t zone : {2u, 3u, 4u}) {
      drive->landed()[zone].store(Word(ZoneCondition::kEmpty, 0, 1));
      drive->Forget({zone * kZone, kZone});
    }
    drive->ZoneLeavesEmpty(ZoneId(3));
    Fill(drive, 3, 'b');
    drive->landed()[3].store(Word(ZoneCondition::kFull, 12, 1));
    REQUIRE(drive->Flush().ok());
    CHECK(DataBlocks(*drive, 2 * kZone, kZone) == 0);
    CHECK(DataBlocks(*drive, 3 * kZone, kZone) == 48 << 10);
    CHECK(DataBlocks(*drive, 4 * kZone, kZone) == 0);
    CHECK(DataBlocks(*drive, 5 * kZone, kZone) == 48 << 10);
    CHECK(test::ReadAll(f.path, drive->data_offset() + 3 * kZone, 4) == "bbbb");
  }
}

TEST_CASE("durability=host punches nothing a crash could still bring back", "[file]") {
  const Fixture f(Durability::kHost);
  const auto drive = f.Open(true, kBoot1);
  Fill(drive, 2, 'a');
  drive->landed()[2].store(Word(ZoneCondition::kFull, 12));
  REQUIRE(drive->Flush().ok());
  // Told to forget before the word is lowered: the checkpoint still has it full.
  drive->Forget({2 * kZone, kZone});
  REQUIRE(drive->Flush().ok());
  CHECK(DataBlocks(*drive, 2 * kZone, kZone) == 48 << 10);
  drive->landed()[2].store(Word(ZoneCondition::kEmpty, 0, 1));
  REQUIRE(drive->Flush().ok());
  CHECK(DataBlocks(*drive, 2 * kZone, kZone) == 0);
}

TEST_CASE("a range kept in part is forgotten around it", "[file]") {
  ForgottenRanges ranges;
  ranges.Add({0, 10});
  ranges.Add({10, 20});  // neighbours become one
  ranges.Add({100, 10});
  ranges.Keep({5, 10});
  std::vector<ByteRange> punched;
  ranges.PunchEach([](const ByteRange& r) { return r.offset != 100; },
                   [&punched](const ByteRange& r) { punched.push_back(r); });
  CHECK(punched == std::vector<ByteRange>{{15, 15}, {0, 5}});
  punched.clear();
  ranges.PunchEach([](const ByteRange&) { return true; },
                   [&punched](const ByteRange& r) { punched.push_back(r); });
  CHECK(punched == std::vector<ByteRange>{{100, 10}});
}

}  // namespace
}  // namespace zonal::emulated
