// SPDX-License-Identifier: MIT
// Specs, presets, and which drives can be.
#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.h"
#include "zonal/emulated.h"
#include "zonal/rng.h"

namespace zonal::test {
namespace {

TEST_CASE("a bare spec has the defaults of its dialect", "[emulated][spec]") {
  const EmulatedOptions zns = *ParseEmulatedSpec("emu");
  CHECK(zns.dialect == Dialect::kZns);
  CHECK(zns.zones == 64);
  CHECK(zns.block == 4096);
  CHECK(zns.max_open == Limit::Of(14));
  CHECK(zns.max_append == 128 * 1024);
  CHECK_FALSE(zns.read_past_write_pointer_fails);
  const EmulatedOptions zbc = *ParseEmulatedSpec("emu,dialect=zbc");
  CHECK(zbc.block == 512);
  CHECK(zbc.max_open == Limit::Of(128));
  CHECK(zbc.max_active == Limit::Unlimited());
  CHECK(zbc.max_append == 0);
  CHECK(zbc.read_past_write_pointer_fails);
}

TEST_CASE("every key is read, in any order", "[emulated][spec]") {
  const EmulatedOptions o = *ParseEmulatedSpec(
      "emu,seed=9,zones=128,zone_size=64MiB,zone_capacity=48MiB,last_zone_size=32m,conventional=4,"
      "max_open=10,max_active=12,block=512,write_granularity=4k,max_append=64k,read_only=5+7-9,"
      "offline=11,auto_close=no,read_past_write_pointer=fails,data=discard,order=reverse,"
      "durability=host,dialect=zns");
  CHECK(o.zones == 128);
  CHECK(o.zone_size == 64u << 20);
  CHECK(o.zone_capacity == 48u << 20);
  CHECK(o.last_zone_size == 32u << 20);
  CHECK(o.conventional == 4);
  CHECK(o.max_open == Limit::Of(10));
  CHECK(o.max_active == Limit::Of(12));
  CHECK(o.block == 512);
  CHECK(o.write_granularity == 4096);
  CHECK(o.max_append == 65536);
  CHECK(o.read_only_zones == std::vector<std::uint32_t>{5, 7, 8, 9});
  CHECK(o.offline_zones == std::vector<std::uint32_t>{11});
  CHECK_FALSE(o.auto_close);
  CHECK(o.read_past_write_pointer_fails);
  CHECK(o.data == DataPolicy::kDiscard);
  CHECK(o.order == CompletionOrder::kReverse);
  CHECK(o.durability == Durability::kHost);
  CHECK(o.seed == 9);
}

struct BadRow {
  const char* spec;
  const char* says;  // part of the message
};

TEST_CASE("a bad spec is refused and the message names the key", "[emulated][spec]") {
  const BadRow rows[] = {
      {"", "emu,key=value"},
      {"emulated", "emu,key=value"},
      {"emu:zones=4", "emu,key=value"},
      {"emu,", "key=value"},
      {"emu,zones", "key=value"},
      {"emu,zone=4", "no key 'zone'; there are preset, dialect, zones"},
      {"emu,zones=4,zones=5", "'zones' is given twice"},
      {"emu,zones=many", "zones=many"},
      {"emu,zones=4294967296", "zones=4294967296"},
      {"emu,zones=0", "zones=0"},
      {"emu,zone_size=64XB", "zone_size=64XB"},
      {"emu,dialect=ata", "dialect=ata: 'ata' is none of zns, zbc"},
      {"emu,order=random", "'random' is none of submission, seeded, reverse"},
      {"emu,preset=big", "smr-15tb"},
      {"emu,preset=zn540,dialect=zbc", "preset"},
      {"emu,block=1000", "block=1000"},
      {"emu,block=256", "block=256"},
      {"emu,write_granularity=6k", "write_granularity"},
      {"emu,zone_size=0", "zone_size=0"},
      {"emu,zone_size=4097", "zone_size=4097"},
      {"emu,zone_capacity=65MiB", "zone_capacity=65MiB exceeds zone_size=64MiB"},
      {"emu,dialect=zbc,zone_capacity=32MiB", "zone_capacity"},
      {"emu,last_zone_size=65MiB", "last_zone_size"},
      {"emu,conventional=65", "conventional=65 exceeds zones=64"},
      {"emu,max_open=0", "max_open=0"},
      {"emu,max_active=0", "max_active=0"},
      {"emu,max_open=15", "max_open exceeds max_active=14"},
      {"emu,max_open=unlimited", "max_open exceeds max_active=14"},
      {"emu,dialect=zbc,max_active=3", "max_active"},
      {"emu,dialect=zbc,max_append=4k", "max_append"},
      {"emu,max_append=512", "max_append"},
      {"emu,read_only=64", "read_only: zone 64 of 64"},
      {"emu,read_only=4294967295", "read_only: zone 4294967295 of 64"},
      {"emu,zones=8,offline=4294967290-4294967295", "offline: zone 4294967290 of 8"},
      {"emu,offline=5-3", "5-3"},
      {"emu,read_only=3,offline=1-4", "zone 3 is in read_only and in offline"},
      {"emu,zones=16777216,zone_size=1TiB", "8 EiB"},
      {"emu,zones=16777217,zone_size=4KiB", "zones=16777217: at most 16777216"},
      {"emu,zones=4294967295", "at most 16777216"},
      {"emu,zone_size=1024TiB,block=512", "2^40 - 1 blocks"},
      {"emu,auto_close=maybe", "'maybe' is none of yes, no"},
  };
  for (const BadRow& row : rows) {
    CAPTURE(row.spec);
    const auto options = ParseEmulatedSpec(row.spec);
    REQUIRE_FALSE(options.ok());
    CHECK(options.status().code() == absl::StatusCode::kInvalidArgument);
    CAPTURE(options.status().ToString());
    CHECK(std::string(options.status().message()).find(row.says) != std::string::npos);
  }
}

TEST_CASE("a million dead zones are looked through in a moment", "[emulated][spec]") {
  const auto begin = std::chrono::steady_clock::now();
  CHECK(ParseEmulatedSpec("emu,zones=1000000,read_only=0-499999,offline=500000-999999").ok());
  CHECK_FALSE(ParseEmulatedSpec("emu,zones=1000000,read_only=0-500000,offline=500000-999999").ok());
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

bool Same(const EmulatedOptions& a, const EmulatedOptions& b) {
  return FormatEmulatedSpec(a) == FormatEmulatedSpec(b) && a.dialect == b.dialect &&
         a.zones == b.zones && a.zone_size == b.zone_size && a.zone_capacity == b.zone_capacity &&
         a.last_zone_size == b.last_zone_size && a.conventional == b.conventional &&
         a.block == b.block && a.write_granularity == b.write_granularity &&
         a.max_open == b.max_open && a.max_active == b.max_active && a.max_append == b.max_append &&
         a.read_only_zones == b.read_only_zones && a.offline_zones == b.offline_zones &&
         a.auto_close == b.auto_close &&
         a.read_past_write_pointer_fails == b.read_past_write_pointer_fails && a.data == b.data &&
         a.order == b.order && a.seed == b.seed && a.durability == b.durability;
}

EmulatedOptions RandomOptions(Rng& rng) {
  const bool zbc = rng.Chance(1, 2);
  EmulatedOptions o = *ParseEmulatedSpec(zbc ? "emu,dialect=zbc" : "emu");
  o.zones = static_cast<std::uint32_t>(8 + rng.Below(100));
  o.block = rng.Chance(1, 2) ? 512 : 4096;
  o.write_granularity = rng.Chance(1, 2) ? 0 : 8192;
  o.zone_size = 8192 * (1 + rng.Below(1000));
  if (!zbc && rng.Chance(1, 2)) o.zone_capacity = 8192 * (1 + rng.Below(o.zone_size / 8192));
  if (rng.Chance(1, 2)) o.last_zone_size = 8192 * (1 + rng.Below(o.zone_size / 8192));
  o.conventional = static_cast<std::uint32_t>(rng.Below(o.zones + 1));
  o.max_open = Limit::Of(static_cast<std::uint32_t>(1 + rng.Below(14)));
  if (rng.Chance(1, 3)) o.max_open = o.max_active = Limit::Unlimited();
  if (!zbc) o.max_append = rng.Below(3) * 8192;
  for (std::uint32_t zone = 0; zone < 8; ++zone) {
    if (rng.Chance(1, 3))
      o.read_only_zones.push_back(zone);
    else if (rng.Chance(1, 3))
      o.offline_zones.push_back(zone);
  }
  o.auto_close = rng.Chance(1, 2);
  o.read_past_write_pointer_fails = rng.Chance(1, 2);
  o.data = rng.Chance(1, 2) ? DataPolicy::kKeep : DataPolicy::kDiscard;
  o.order = static_cast<CompletionOrder>(rng.Below(3));
  o.seed = rng.Next();
  o.durability = rng.Chance(1, 2) ? Durability::kHost : Durability::kProcess;
  if (zbc) o.max_active = Limit::Unlimited();
  return o;
}

TEST_CASE("a formatted spec parses back", "[emulated][spec]") {
  Rng rng(20);  // the same options every time: the property holds for all or is broken
  for (int i = 0; i < 500; ++i) {
    const EmulatedOptions options = RandomOptions(rng);
    const std::string spec = FormatEmulatedSpec(options);
    CAPTURE(spec);
    REQUIRE(Validate(options).ok());
    const auto back = ParseEmulatedSpec(spec);
    INFO(back.status().ToString());
    REQUIRE(back.ok());
    CHECK(Same(*back, options));
  }
  CHECK(FormatEmulatedSpec({}) == "emu,zones=64,zone_size=64MiB");
}

TEST_CASE("every preset is a drive, and a spec may start from it", "[emulated][spec]") {
  const auto names = EmulatedPresetNames();
  CHECK(names.size() >= 4);
  for (const std::string_view name : names) {
    CAPTURE(std::string(name));
    const auto preset = EmulatedPreset(name);
    REQUIRE(preset.ok());
    CHECK(Validate(*preset).ok());
    const auto spec = ParseEmulatedSpec("emu,preset=" + std::string(name) + ",seed=3");
    REQUIRE(spec.ok());
    CHECK(spec->seed == 3);
    CHECK(spec->zone_size == preset->zone_size);
    const auto device = NewEmulatedDevice(*spec, MonotonicClock());
    CHECK(device.ok());
  }
  const auto unknown = EmulatedPreset("smr-1pb");
  CHECK(absl::IsNotFound(unknown.status()));
  for (const std::string_view name : names) {
    CHECK(std::string(unknown.status().message()).find(std::string(name)) != std::string::npos);
  }
}

TEST_CASE("the 15 TB disk has the geometry of the one in the guide", "[emulated][spec]") {
  const auto device = NewEmulatedDevice(*EmulatedPreset("smr-15tb"), MonotonicClock());
  REQUIRE(device.ok());
  const DeviceInfo& info = (*device)->info();
  CHECK(info.geometry.zone_count == 55880);
  CHECK(info.geometry.zone_size == 256u << 20);
  CHECK(info.geometry.block_size == 512);
  CHECK(info.geometry.size_bytes == 55880ull << 28);
  CHECK(info.max_open == Limit::Of(128));
  CHECK(info.max_active == Limit::Unlimited());
  CHECK(info.model == ZoneModel::kHostManaged);
  CHECK(info.is_emulated);
  Zone zones[2];
  REQUIRE((*device)->Report(ZoneId(523), zones).ok());
  CHECK(zones[0].type == ZoneType::kConventional);
  CHECK(zones[1].type == ZoneType::kSequentialRequired);
}

}  // namespace
}  // namespace zonal::test
