// SPDX-License-Identifier: MIT
// A naive model of a zoned drive: one plain struct per zone, one vector of
// bytes, every rule spelled out where it applies. Slow and obvious; written from
// the rules (docs/zone-model.md) and sharing no code with lib/, so that it can
// disagree with the emulated drive. Of the product it uses words only: enums,
// raw status constants and the plain struct Zone.
// A value type: copies and compares. Not thread-safe. Commands take effect at
// once and in order; there are no queues, no faults and no time here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zonal/dialect.h"
#include "zonal/errc.h"
#include "zonal/zone.h"

namespace zonal::model {

struct NaiveOptions {
  Dialect dialect = Dialect::kZns;
  std::uint32_t zones = 4;           // all, conventional included
  std::uint64_t zone_size = 4096;    // bytes
  std::uint64_t zone_capacity = 0;   // 0: zone_size
  std::uint64_t last_zone_size = 0;  // 0: zone_size
  std::uint32_t conventional = 0;    // at the front
  std::uint32_t block = 512;
  std::uint32_t write_granularity = 0;         // 0: block; sequential zones only
  std::optional<std::uint32_t> max_open;       // nullopt: no limit
  std::optional<std::uint32_t> max_active;     // nullopt: no limit; zbc: none
  std::uint64_t max_append = 0;                // 0: no append
  std::vector<std::uint32_t> read_only_zones;  // sequential ones
  std::vector<std::uint32_t> offline_zones;    // sequential ones
  bool auto_close = true;
  bool read_past_write_pointer_fails = false;  // zbc only
  bool keep_data = true;                       // false: no bytes are kept, reads give zeros
  friend bool operator==(const NaiveOptions&, const NaiveOptions&) = default;
};

struct Command {
  enum class Kind : std::uint8_t { kRead, kWrite, kAppend, kManage, kManageAll };
  Kind kind = Kind::kRead;
  ZoneOp op = ZoneOp::kReset;         // kManage, kManageAll
  std::uint64_t offset = 0;           // kAppend, kManage: the zone's start; unused by kManageAll
  std::uint64_t bytes = 0;            // kRead, kWrite, kAppend
  std::span<const std::byte> source;  // kWrite, kAppend: `bytes` long, or empty for zeros
  std::span<std::byte> target;        // kRead: `bytes` long, or empty
};

// What the drive answers. On failure `offset` is the command's and `bytes` is 0.
struct Outcome {
  Errc errc = Errc::kOk;
  Origin origin = Origin::kNone;
  std::uint32_t raw = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t zones = 0;  // kManageAll, ManageRange: zones done
  bool ok() const noexcept { return errc == Errc::kOk; }
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct NaiveZone {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  std::uint64_t capacity = 0;
  std::uint64_t pointer = 0;  // absolute; sequential zones, in every condition
  ZoneType type = ZoneType::kSequentialRequired;
  ZoneCondition condition = ZoneCondition::kEmpty;
  friend bool operator==(const NaiveZone&, const NaiveZone&) = default;
};

class NaiveDrive {
 public:
  explicit NaiveDrive(const NaiveOptions& options);

  Outcome Apply(const Command& command);

  // The zones first .. first + count - 1 in turn; the first error ends it.
  // REQUIRES: they exist.
  Outcome ManageRange(ZoneOp op, std::uint32_t first, std::uint32_t count);

  // Open zones become closed, or empty if nothing is written in them.
  void PowerCycle();

  // As a drive reports: no write pointer (all ones) for conventional, read-only
  // and offline zones; the end of the capacity for full ones.
  std::vector<Zone> Report() const;

  std::uint32_t open_count() const;
  std::uint32_t explicit_open_count() const;
  std::uint32_t active_count() const;
  const NaiveOptions& options() const { return options_; }
  const std::vector<NaiveZone>& zones() const { return zones_; }
  // Implicitly open zones, the one that has been so longest first.
  const std::vector<std::size_t>& implicit_order() const { return implicit_order_; }
  // The whole device; zeros where nothing was written since the last reset.
  // Empty if no data is kept.
  const std::vector<std::byte>& data() const { return data_; }

  friend bool operator==(const NaiveDrive&, const NaiveDrive&) = default;

 private:
  // naive_zone.cc: what both dialects share.
  Outcome Success(std::uint64_t offset, std::uint64_t bytes) const;
  Outcome Failure(const Command& command, Errc errc, std::uint32_t raw) const;
  Outcome InvalidField(const Command& command, Errc errc) const;
  Outcome OutOfRange(const Command& command) const;
  Outcome InvalidOpcode(const Command& command) const;
  Outcome Boundary(const Command& command) const;
  bool EndsPastDevice(const Command& command) const;
  bool CrossesZoneEnd(const Command& command, const NaiveZone& zone) const;
  std::size_t ZoneAt(std::uint64_t offset) const;
  std::size_t CountOf(ZoneCondition condition) const;
  bool ActiveSlotIsFree() const;
  bool OpenSlotCanBeHad() const;
  void MakeRoomForOneOpen();
  void SetCondition(std::size_t zone, ZoneCondition condition);
  void ResetZone(std::size_t zone);
  void Store(std::uint64_t offset, const Command& command);
  Outcome Land(std::size_t zone, std::uint64_t offset, const Command& command);
  Outcome CopyOut(const Command& command) const;
  Outcome AccessConventional(const Command& command);
  Outcome Read(const Command& command);
  Outcome Write(const Command& command);
  Outcome Append(const Command& command);

  // naive_manage.cc
  Outcome Manage(const Command& command);
  Outcome ManageAll(const Command& command);
  bool OpenAllFits() const;
  void OpenAll();

  // naive_zns.cc
  Outcome ZnsRead(const Command& command, std::size_t zone);
  Outcome ZnsWriteOrAppend(const Command& command, std::size_t zone);
  Outcome ZnsManage(const Command& command, std::size_t zone);
  Outcome ZnsOpen(const Command& command, std::size_t zone);
  Outcome ZnsBadTransition(const Command& command) const;

  // naive_zbc.cc
  Outcome ZbcRead(const Command& command, std::size_t zone);
  Outcome ZbcWrite(const Command& command, std::size_t zone);
  Outcome ZbcManage(const Command& command, std::size_t zone);
  Outcome ZbcOpen(const Command& command, std::size_t zone);
  Outcome ZbcClose(const Command& command, std::size_t zone);
  Outcome ZbcFinish(const Command& command, std::size_t zone);
  Outcome ZbcNoResources(const Command& command) const;

  NaiveOptions options_;
  std::uint64_t device_bytes_ = 0;
  std::vector<NaiveZone> zones_;
  std::vector<std::size_t> implicit_order_;
  std::vector<std::byte> data_;
};

}  // namespace zonal::model
