// SPDX-License-Identifier: MIT
#include "device/emulated/file_format.h"

#include <cstring>
#include <string_view>

#include "device/drive_file.h"
#include "device/emulated/file_crc32c.h"
#include "device/emulated/file_facts.h"
#include "device/emulated/zone_word.h"
#include "support/catch.h"

namespace zonal::emulated {
namespace {

FileHeader SampleHeader() {
  FileHeader header;
  header.generation = 7;
  header.clean = true;
  header.uuid = {0xfa, 0x59, 0xbb, 0x8f, 0x18, 0x42, 0x43, 0x3e, 0x80, 0, 0xd5, 0xa6};
  header.boot_id = test::kBoot1;
  header.options = test::SmallDrive(Durability::kHost);
  header.options.max_active = Limit::Unlimited();
  header.options.write_granularity = 8192;
  header.options.seed = 99;
  header.facts_runs = 2;
  header.facts_crc = 0x1234;
  header.checkpoint_generation = 3;
  header.checkpoint_crc = 0x5678;
  return header;
}

TEST_CASE("CRC32C gives the value every other CRC32C gives", "[file]") {
  constexpr std::string_view kText = "123456789";
  CHECK(Crc32c(std::as_bytes(std::span(kText))) == 0xE3069283);
  CHECK(Crc32c({}) == 0);
}

TEST_CASE("a header reads back as it was written", "[file]") {
  const FileHeader header = SampleHeader();
  const Page page = EncodeHeader(header);
  const absl::StatusOr<FileHeader> back = DecodeHeader(page);
  REQUIRE(back.ok());
  CHECK(back->generation == 7);
  CHECK(back->clean);
  CHECK(back->uuid == header.uuid);
  CHECK(back->boot_id == header.boot_id);
  CHECK(back->options.zone_capacity == header.options.zone_capacity);
  CHECK(back->options.max_open == Limit::Of(4));
  CHECK(back->options.max_active == Limit::Unlimited());
  CHECK(back->options.durability == Durability::kHost);
  CHECK(back->options.seed == 99);
  CHECK(back->checkpoint_generation == 3);
  CHECK(back->checkpoint_crc == 0x5678);
  CHECK(EncodeHeader(*back) == page);
}

TEST_CASE("every flipped bit of a header's fields is noticed", "[file]") {
  const Page page = EncodeHeader(SampleHeader());
  for (std::size_t bit = 0; bit < 256 * 8; ++bit) {
    Page damaged = page;
    damaged[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    CAPTURE(bit);
    CHECK_FALSE(DecodeHeader(damaged).ok());
  }
}

TEST_CASE("a whole header with an impossible field is refused", "[file]") {
  struct Row {
    const char* name;
    void (*spoil)(FileHeader&);
  };
  const Row rows[] = {
      {"no zones", [](FileHeader& h) { h.options.zones = 0; }},
      {"no zone size", [](FileHeader& h) { h.options.zone_size = 0; }},
      {"capacity above size", [](FileHeader& h) { h.options.zone_capacity = 1 << 20; }},
      {"block of zero", [](FileHeader& h) { h.options.block = 0; }},
      {"past any file", [](FileHeader& h) { h.options.zone_size = std::uint64_t{1} << 60; }},
      {"dialect", [](FileHeader& h) { h.options.dialect = static_cast<Dialect>(9); }},
      {"order", [](FileHeader& h) { h.options.order = static_cast<CompletionOrder>(9); }},
      {"more conventional than zones", [](FileHeader& h) { h.options.conventional = 9; }},
      {"no runs", [](FileHeader& h) { h.facts_runs = 0; }},
      {"more runs than zones", [](FileHeader& h) { h.facts_runs = 9; }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FileHeader header = SampleHeader();
    row.spoil(header);
    CHECK_FALSE(DecodeHeader(EncodeHeader(header)).ok());
  }
}

TEST_CASE("a version of tomorrow is named, not guessed at", "[file]") {
  Page page = EncodeHeader(SampleHeader());
  page[8] = std::byte{2};
  const absl::StatusOr<FileHeader> header = DecodeHeader(page);
  REQUIRE_FALSE(header.ok());
  CHECK(std::string(header.status().message()).find("version 2") != std::string::npos);
}

TEST_CASE("regions lie one after the other, the data on a MiB", "[file]") {
  EmulatedOptions options = test::SmallDrive();
  options.zones = 55880;
  options.zone_size = 256 << 20;
  const FileLayout layout = LayoutOf(options, 2);
  CHECK(layout.facts == 8192);
  CHECK(layout.statistics == 16384);
  CHECK(layout.table == 16384 + 9 * 4096);
  CHECK(layout.checkpoint == layout.table + 110 * 4096);
  CHECK(layout.checkpoint_pages == 110);
  CHECK(layout.data == 2 << 20);
  CHECK(layout.data_bytes == 55880ull * (256 << 20));
  options.data = DataPolicy::kDiscard;
  CHECK(LayoutOf(options, 2).file_bytes() == 2 << 20);
}

TEST_CASE("zone facts read back, and describe one drive only", "[file]") {
  struct Row {
    const char* name;
    std::uint32_t conventional;
    std::uint64_t last;
    std::vector<std::uint32_t> read_only, offline;
    std::size_t runs;
  };
  const Row rows[] = {
      {"plain", 0, 0, {}, {}, 1},
      {"conventional first", 3, 0, {}, {}, 2},
      {"all conventional", 8, 0, {}, {}, 1},
      {"short last zone", 3, 8192, {}, {}, 3},
      {"read-only in the middle", 0, 0, {4}, {}, 3},
      {"neighbours are one run", 1, 0, {2, 3}, {4}, 5},
      {"the last zone offline", 1, 8192, {}, {7}, 3},
      {"a conventional zone offline", 3, 0, {}, {0}, 3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    EmulatedOptions options = test::SmallDrive();
    options.conventional = row.conventional;
    options.last_zone_size = row.last;
    EmulatedOptions with_lists = options;
    with_lists.read_only_zones = row.read_only;
    with_lists.offline_zones = row.offline;
    const std::vector<FactsRun> runs = FactsOf(with_lists);
    CHECK(runs.size() == row.runs);
    std::uint32_t next = 0;
    for (const FactsRun& run : runs) {
      CHECK(run.first == next);
      next += run.count;
    }
    CHECK(next == options.zones);

    EmulatedOptions back = options;
    const std::vector<std::byte> bytes = EncodeFacts(runs);
    REQUIRE(DecodeFacts(bytes, back).ok());
    CHECK(back.read_only_zones == row.read_only);
    CHECK(back.offline_zones == row.offline);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::vector<std::byte> damaged = bytes;
      damaged[i] ^= std::byte{0x10};
      EmulatedOptions ignored = options;
      CAPTURE(i);
      CHECK_FALSE(DecodeFacts(damaged, ignored).ok());
    }
  }
}

TEST_CASE("UUIDs are read and written in one form", "[file]") {
  const std::string text = "fa59bb8f-1842-433e-8000-d5a6daea2395";
  const absl::StatusOr<Uuid> uuid = ParseUuid(text);
  REQUIRE(uuid.ok());
  CHECK((*uuid)[0] == 0xfa);
  CHECK((*uuid)[15] == 0x95);
  CHECK(FormatUuid(*uuid) == text);
  for (const std::string bad :
       {"", "fa59", "fa59bb8f-1842-433e-8000-d5a6daea239", "fa59bb8f-1842-433e-8000-d5a6daea23955",
        "fa59bb8f18-42-433e-8000-d5a6daea2395", "ga59bb8f-1842-433e-8000-d5a6daea2395"}) {
    CAPTURE(bad);
    CHECK_FALSE(ParseUuid(bad).ok());
  }
}

TEST_CASE("the document's example is what is written", "[file]") {
  const test::TempDir dir;
  const std::string path = dir.Path("drive");
  EmulatedOptions options;
  options.zones = 3;
  options.zone_size = 1 << 20;
  options.zone_capacity = 512 << 10;
  options.conventional = 1;
  REQUIRE(CreateEmulatedFile(path, options, false).ok());
  const auto bytes = [&path](std::uint64_t at, std::size_t count) {
    return test::ReadAll(path, at, count);
  };
  CHECK(bytes(0, 12) == std::string("ZONALDRV\x01\0\0\0", 12));
  CHECK(bytes(0x1000, 12) == std::string("ZONALDRV\x01\0\0\0", 12));
  CHECK(bytes(0x2000, 18) == std::string("\0\0\0\0\x01\0\0\0\0\0\x10\0\0\0\0\0\x01\0", 18));
  CHECK(bytes(0x2018, 18) == std::string("\x01\0\0\0\x02\0\0\0\0\0\x08\0\0\0\0\0\x02\x01", 18));
  CHECK(bytes(0x3000, 48) == bytes(0x2000, 48));
  {
    const auto drive = test::OpenDrive(path, true, test::kBoot1);
    REQUIRE(drive.ok());
    CHECK((*drive)->data_offset() == 0x100000);
    (*drive)->landed()[1].store(ZoneWord(ZoneCondition::kImplicitOpen, 0, 2).bits());
    CHECK(bytes(0xd008, 8) == std::string("\x03\0\0\x02\0\0\0\0", 8));
    (*drive)->landed()[1].store(ZoneWord(ZoneCondition::kEmpty, 1, 0).bits());
    CHECK(bytes(0xd008, 8) == std::string("\0\x01\0\0\0\0\0\0", 8));
  }
}

}  // namespace
}  // namespace zonal::emulated
