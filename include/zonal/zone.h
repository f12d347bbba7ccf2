// SPDX-License-Identifier: MIT
// A zone as a report shows it, and the words for its type and condition.
// Value types; positions and lengths are bytes. The conditions are those of
// NVMe ZNS ("zone state"), ZBC/ZAC and the kernel ("cond"), which agree in
// number and meaning (NVMe ZNS Command Set 1.1, 2.1.1; ZBC-2 4.5;
// linux/blkzoned.h).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string_view>

namespace zonal {

// The index of a zone on its device: 0 is the zone at byte 0.
class ZoneId {
 public:
  constexpr ZoneId() noexcept = default;
  constexpr explicit ZoneId(std::uint32_t value) noexcept : value_(value) {}
  constexpr std::uint32_t value() const noexcept { return value_; }
  constexpr ZoneId Next() const noexcept { return ZoneId(value_ + 1); }
  friend constexpr auto operator<=>(ZoneId, ZoneId) noexcept = default;

 private:
  std::uint32_t value_ = 0;
};

enum class ZoneType : std::uint8_t {
  kConventional = 1,         // CNV: written anywhere, no write pointer
  kSequentialRequired = 2,   // SWR: every write at the write pointer
  kSequentialPreferred = 3,  // SWP: host-aware; off-pointer writes are legal
};

enum class ZoneCondition : std::uint8_t {
  kNotWritePointer = 0x0,  // conventional zones
  kEmpty = 0x1,
  kImplicitOpen = 0x2,
  kExplicitOpen = 0x3,
  kClosed = 0x4,
  kReadOnly = 0xD,
  kFull = 0xE,
  kOffline = 0xF,
};

// Open: implicitly or explicitly. Active: open or closed.
constexpr bool IsOpen(ZoneCondition c) noexcept {
  return c == ZoneCondition::kImplicitOpen || c == ZoneCondition::kExplicitOpen;
}
constexpr bool IsActive(ZoneCondition c) noexcept {
  return IsOpen(c) || c == ZoneCondition::kClosed;
}
// The write pointer of a full, read-only, offline or conventional zone has no
// meaning: devices report whatever they like there.
constexpr bool HasWritePointer(ZoneCondition c) noexcept {
  return c == ZoneCondition::kEmpty || IsActive(c);
}

enum class ZoneOp : std::uint8_t { kOpen, kClose, kFinish, kReset, kOffline };

struct ZoneAttributes {
  bool reset_recommended = false;
  bool finish_recommended = false;
  bool non_sequential_resources = false;  // host-aware: written off the pointer
  bool finished_by_controller = false;
  friend bool operator==(const ZoneAttributes&, const ZoneAttributes&) = default;
};

struct Zone {
  std::uint64_t start = 0;          // bytes from the start of the device
  std::uint64_t size = 0;           // address stride, bytes
  std::uint64_t capacity = 0;       // writable bytes from `start`; <= size
  std::uint64_t write_pointer = 0;  // absolute; see has_write_pointer()
  ZoneType type = ZoneType::kSequentialRequired;
  ZoneCondition condition = ZoneCondition::kEmpty;
  ZoneAttributes attributes;

  bool has_write_pointer() const noexcept { return HasWritePointer(condition); }
  // Bytes that can still be written: zero unless the zone accepts writes.
  std::uint64_t remaining() const noexcept {
    return has_write_pointer() ? start + capacity - write_pointer : 0;
  }
  // Bytes from `start` that hold written data, as far as the condition tells.
  // A read-only zone's is unknown to a report: its capacity, since reads there
  // are legal.
  std::uint64_t written() const noexcept {
    if (has_write_pointer()) return write_pointer - start;
    return condition == ZoneCondition::kOffline ? 0 : capacity;
  }
  friend bool operator==(const Zone&, const Zone&) = default;
};

// Words for people: "conventional", "sequential-required"; "implicit-open"...
std::string_view ToString(ZoneType type) noexcept;
std::string_view ToString(ZoneCondition condition) noexcept;
std::string_view ToString(ZoneOp op) noexcept;
// The two-letter codes of the kernel's and libzbd's listings: em oi oe cl fu ro ol nw.
std::string_view ShortName(ZoneCondition condition) noexcept;

}  // namespace zonal

template <>
struct std::hash<zonal::ZoneId> {
  std::size_t operator()(zonal::ZoneId id) const noexcept { return id.value(); }
};
