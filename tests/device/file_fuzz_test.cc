// SPDX-License-Identifier: MIT
// Damage of every kind in a drive's file: whatever is read from it, nothing
// crashes, and what opens can be reported and read. Bounded; ZONAL_SEED replays.
#include <cstring>
#include <string>
#include <vector>

#include "device/drive_file.h"
#include "device/emulated/file_crc32c.h"
#include "device/one_request.h"
#include "support/catch.h"
#include "zonal/emulated.h"
#include "zonal/rng.h"

namespace zonal {
namespace {

using test::Hand;
using test::SmallDrive;
using test::TempDir;

constexpr std::uint64_t kRegions = 128 << 10;  // all but the data

std::string UsedDrive(const TempDir& dir, Durability durability) {
  const std::string path = dir.Path("original");
  REQUIRE(CreateEmulatedFile(path, SmallDrive(durability), true).ok());
  absl::StatusOr<std::unique_ptr<Device>> device = OpenEmulatedFile(path, true, MonotonicClock());
  REQUIRE(device.ok());
  Hand hand(**device);
  for (std::uint32_t zone = 1; zone < 6; ++zone) {
    CHECK(hand.Write(zone * (64 << 10), zone * 8192, 'a').ok());
  }
  CHECK(hand.Flush().ok());
  return path;
}

// A header with a random field and a good checksum: only validation is left.
void ForgeHeader(const std::string& path, Rng& rng) {
  std::string page = test::ReadAll(path, 0, 4096);
  const std::size_t at = 16 + rng.Below(192);
  const std::size_t bytes = 1 + rng.Below(8);
  for (std::size_t i = at; i < at + bytes; ++i) page[i] = static_cast<char>(rng.Next());
  std::memset(page.data() + 12, 0, 4);
  const std::uint32_t crc = emulated::Crc32c(std::as_bytes(std::span(page)));
  std::memcpy(page.data() + 12, &crc, 4);
  test::WriteAt(path, 0, page);
  test::WriteAt(path, 4096, page);
}

void Damage(const std::string& path, Rng& rng) {
  switch (rng.Below(4)) {
    case 0:
      std::filesystem::resize_file(path, rng.Below(std::filesystem::file_size(path)));
      return;
    case 1:
      return ForgeHeader(path, rng);
    case 2:  // zone words
      return test::FlipBit(path, 16384 + 9 * 4096 + rng.Below(64),
                           static_cast<unsigned>(rng.Below(8)));
    default:
      for (std::uint64_t i = rng.Below(20) + 1; i > 0; --i) {
        test::FlipBit(path, rng.Below(kRegions), static_cast<unsigned>(rng.Below(8)));
      }
  }
}

bool Use(const std::string& path, bool writable, emulated::Uuid boot) {
  absl::StatusOr<emulated::File> file = emulated::OpenFile(path, writable);
  if (!file.ok()) return false;
  emulated::FileOpenOptions options;
  options.writable = writable;
  options.boot_id = boot;
  const absl::StatusOr<std::unique_ptr<Device>> device =
      emulated::NewFileDevice(*std::move(file), options, MonotonicClock());
  if (!device.ok()) return false;
  const Geometry& geometry = (*device)->info().geometry;
  std::vector<Zone> zones(std::min<std::uint32_t>(geometry.zone_count, 64));
  static_cast<void>((*device)->Report(ZoneId(0), zones));
  static_cast<void>((*device)->Counters());
  if (geometry.write_granularity > 1 << 20) return true;  // forged, possible, and slow
  Hand hand(**device);
  for (const Zone& zone : zones) {
    static_cast<void>(hand.Read(zone.start, geometry.block_size));
    if (writable)
      static_cast<void>(hand.Write(zone.write_pointer, geometry.write_granularity, 'w'));
  }
  return true;
}

TEST_CASE("no damage to a drive's file is a crash", "[file]") {
  const std::uint64_t seed = test::SeedFromEnvironment();
  CAPTURE(seed);
  Rng rng(seed);
  const TempDir dir;
  const std::string process = UsedDrive(dir, Durability::kProcess);
  test::CopyFile(process, dir.Path("process"));
  const std::string host = UsedDrive(dir, Durability::kHost);
  std::uint64_t opened = 0;
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    CAPTURE(round);
    const std::string damaged = dir.Path("damaged");
    test::CopyFile(rng.Chance(1, 2) ? dir.Path("process") : host, damaged);
    Damage(damaged, rng);
    opened += Use(damaged, false, rng.Chance(1, 2) ? test::kBoot1 : test::kBoot2);
    opened += Use(damaged, true, rng.Chance(1, 2) ? test::kBoot1 : test::kBoot2);
  }
  // Some damage is harmless or repaired, most is refused.
  CHECK(opened > 0);
  CHECK(opened < 2 * kRounds);
}

}  // namespace
}  // namespace zonal
