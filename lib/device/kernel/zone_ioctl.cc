// SPDX-License-Identifier: MIT
#include "device/kernel/zone_ioctl.h"

#include <linux/blkzoned.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

// Headers before Linux 5.5 lack the last three.
#ifndef BLKOPENZONE
#define BLKOPENZONE _IOW(0x12, 134, struct blk_zone_range)
#define BLKCLOSEZONE _IOW(0x12, 135, struct blk_zone_range)
#define BLKFINISHZONE _IOW(0x12, 136, struct blk_zone_range)
#endif
static_assert(BLKREPORTZONE == 0xC0101282);
static_assert(BLKRESETZONE == 0x40101283);
static_assert(BLKOPENZONE == 0x40101286);
static_assert(BLKCLOSEZONE == 0x40101287);
static_assert(BLKFINISHZONE == 0x40101288);
static_assert(sizeof(blk_zone) == 64 && sizeof(blk_zone_report) == 16);

namespace zonal::kernel {
namespace {

// BLK_ZONE_REP_CAPACITY is an enumerator, which no #ifdef sees: the value itself.
constexpr std::uint32_t kReportHasCapacity = 1;

std::optional<unsigned long> RequestFor(ZoneOp op) {
  switch (op) {
    case ZoneOp::kOpen:
      return BLKOPENZONE;
    case ZoneOp::kClose:
      return BLKCLOSEZONE;
    case ZoneOp::kFinish:
      return BLKFINISHZONE;
    case ZoneOp::kReset:
      return BLKRESETZONE;
    case ZoneOp::kOffline:
      return std::nullopt;  // only passthrough can
  }
  return std::nullopt;
}

bool IsKnown(ZoneCondition condition) {
  switch (condition) {
    case ZoneCondition::kNotWritePointer:
    case ZoneCondition::kEmpty:
    case ZoneCondition::kImplicitOpen:
    case ZoneCondition::kExplicitOpen:
    case ZoneCondition::kClosed:
    case ZoneCondition::kReadOnly:
    case ZoneCondition::kFull:
    case ZoneCondition::kOffline:
      return true;
  }
  return false;
}

// nullopt if a position does not fit 64 bits of bytes or a word is unknown. A
// pointer without meaning may hold anything: all ones then.
std::optional<Zone> Convert(const blk_zone& from, bool has_capacity) {
  const auto start = Sector(from.start).ToBytes();
  const auto size = Sector(from.len).ToBytes();
  const auto capacity = Sector(has_capacity ? from.capacity : from.len).ToBytes();
  if (!start || !size || !capacity || from.type < 1 || from.type > 3) return std::nullopt;
  Zone zone;
  zone.start = *start;
  zone.size = *size;
  zone.capacity = *capacity;
  zone.type = static_cast<ZoneType>(from.type);
  zone.condition = static_cast<ZoneCondition>(from.cond);
  zone.write_pointer = Sector(from.wp).ToBytes().value_or(UINT64_MAX);
  zone.attributes.reset_recommended = from.reset != 0;
  zone.attributes.non_sequential_resources = from.non_seq != 0;
  return IsKnown(zone.condition) ? std::optional(zone) : std::nullopt;
}

// Empty if the zone is possible at its place, else what is wrong with it.
std::string_view Flaw(const Zone& zone, const Geometry& geometry, ZoneId id) {
  if (zone.start != geometry.StartOf(id)) return "its start is not where the zone size puts it";
  if (zone.size != geometry.SizeOf(id)) return "its size is not the device's zone size";
  if (zone.capacity > zone.size) return "its capacity is above its size";
  if (!zone.has_write_pointer()) return "";
  if (zone.write_pointer < zone.start || zone.write_pointer > zone.start + zone.capacity) {
    return "its write pointer is outside it";
  }
  return "";
}

absl::Status ReportError(const std::string& device, ZoneId first, int error) {
  std::string message =
      absl::StrCat(device, ": report from zone ", first.value(), " fails: ", std::strerror(error));
  if (error == EACCES || error == EPERM) {
    absl::StrAppend(&message, "; this kernel wants CAP_SYS_ADMIN for zone reports: run as root");
  }
  return MakeStatus(FromErrno(error), message);
}

}  // namespace

absl::StatusOr<ZoneShape> ReadZoneShape(const Ioctl& ioctl) {
  std::uint32_t sectors = 0;
  std::uint32_t count = 0;
  for (const auto& [request, answer] :
       {std::pair{static_cast<unsigned long>(BLKGETZONESZ), &sectors},
        std::pair{static_cast<unsigned long>(BLKGETNRZONES), &count}}) {
    if (const int error = ioctl(request, answer); error != 0) {
      if (error == -ENOTTY || error == -EINVAL) return ZoneShape{};
      return MakeStatus(FromErrno(-error),
                        absl::StrCat("asking for the zone size fails: ", std::strerror(-error)));
    }
  }
  return ZoneShape{std::uint64_t{sectors} * Sector::kBytes, count};
}

absl::StatusOr<std::size_t> ZoneIoctls::Report(ZoneId first, std::span<Zone> out) const {
  if (first.value() >= geometry_.zone_count) {
    return absl::OutOfRangeError(absl::StrCat(device_, ": report from zone ", first.value(),
                                              ": there are ", geometry_.zone_count, " zones"));
  }
  const std::size_t wanted =
      std::min<std::size_t>(out.size(), geometry_.zone_count - first.value());
  std::size_t filled = 0;
  while (filled < wanted) {
    const ZoneId next(first.value() + static_cast<std::uint32_t>(filled));
    const std::size_t chunk = std::min(wanted - filled, kZonesPerReport);
    ZONAL_ASSIGN_OR_RETURN(const std::size_t count, ReportChunk(next, out.subspan(filled, chunk)));
    filled += count;
  }
  return filled;
}

absl::StatusOr<std::size_t> ZoneIoctls::ReportChunk(ZoneId first, std::span<Zone> out) const {
  // Elements of the zones' size, so that the buffer is aligned; the header takes
  // a quarter of the first.
  std::vector<blk_zone> buffer(out.size() + 1);
  auto* const header = reinterpret_cast<blk_zone_report*>(buffer.data());
  header->sector = geometry_.StartOf(first) / Sector::kBytes;
  header->nr_zones = static_cast<std::uint32_t>(out.size());
  if (const int error = ioctl_(BLKREPORTZONE, header); error != 0) {
    return ReportError(device_, first, -error);
  }
  if (header->nr_zones == 0 || header->nr_zones > out.size()) {
    return MakeStatus(Errc::kDeviceMisbehaved,
                      absl::StrCat(device_, ": report from zone ", first.value(), " of ",
                                   out.size(), " zones answers with ", header->nr_zones));
  }
  const bool has_capacity = (header->flags & kReportHasCapacity) != 0;
  for (std::uint32_t i = 0; i < header->nr_zones; ++i) {
    const ZoneId id(first.value() + i);
    const std::optional<Zone> zone = Convert(header->zones[i], has_capacity);
    const std::string_view flaw =
        zone ? Flaw(*zone, geometry_, id) : "its numbers or codes are impossible";
    if (!flaw.empty()) {
      return MakeStatus(Errc::kDeviceMisbehaved, absl::StrCat(device_, ": report of zone ",
                                                              id.value(), ": ", std::string(flaw)));
    }
    out[i] = *zone;
  }
  return header->nr_zones;
}

int ZoneIoctls::Operate(unsigned long request, std::uint64_t start, std::uint64_t bytes) const {
  const auto first = Sector::FromBytes(start);
  const auto count = Sector::FromBytes(bytes);
  if (!first || !count) return -EINVAL;
  blk_zone_range range{first->value(), count->value()};
  return ioctl_(request, &range);
}

// Zone by zone: over a range the kernel stops at the first error and does not
// say how far it got.
absl::StatusOr<ManageResult> ZoneIoctls::Manage(ZoneOp op, ZoneRange range,
                                                nanoseconds timeout) const {
  const std::optional<unsigned long> request = RequestFor(op);
  if (!request) {
    return absl::UnimplementedError(absl::StrCat(device_, ": the block layer has no zone ",
                                                 std::string(ToString(op)),
                                                 "; it takes the drive's passthrough node"));
  }
  if (range.first.value() >= geometry_.zone_count ||
      range.count > geometry_.zone_count - range.first.value()) {
    return absl::OutOfRangeError(absl::StrCat(device_, ": ", std::string(ToString(op)), " of ",
                                              range.count, " zones from zone ", range.first.value(),
                                              ": there are ", geometry_.zone_count, " zones"));
  }
  ManageResult result;
  const auto begin = std::chrono::steady_clock::now();
  for (; result.completed < range.count; ++result.completed) {
    const ZoneId zone(range.first.value() + result.completed);
    const std::uint64_t start = geometry_.StartOf(zone);
    if (timeout.count() > 0 && std::chrono::steady_clock::now() - begin >= timeout) {
      result.first_error = IoResult{start, 0, 0, Errc::kTimeout, Origin::kNone};
      break;
    }
    if (const int error = Operate(*request, start, geometry_.SizeOf(zone)); error != 0) {
      result.first_error =
          IoResult{start, 0, static_cast<std::uint32_t>(-error), FromErrno(-error), Origin::kErrno};
      break;
    }
  }
  return result;
}

absl::StatusOr<ManageResult> ZoneIoctls::ManageAll(ZoneOp op) const {
  if (op != ZoneOp::kReset) {
    return absl::UnimplementedError(absl::StrCat(
        device_, ": the block layer has no ", std::string(ToString(op)), " of all zones at once"));
  }
  ManageResult result;
  if (const int error = Operate(BLKRESETZONE, 0, geometry_.size_bytes); error != 0) {
    result.first_error =
        IoResult{0, 0, static_cast<std::uint32_t>(-error), FromErrno(-error), Origin::kErrno};
  } else {
    result.completed = geometry_.zone_count;
  }
  return result;
}

}  // namespace zonal::kernel
