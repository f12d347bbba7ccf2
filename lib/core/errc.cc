// SPDX-License-Identifier: MIT
// The mapping tables: errno, NVMe status and SCSI sense into Errc; Errc into
// words and absl codes. Sources: NVMe Base 2.0 figure 95 and ZNS Command Set
// 1.1 figure 9; SPC-5 and ZBC-2 additional sense codes; the kernel's
// blk_errors[] for what reaches user space as errno (block/blk-core.c).
#include "zonal/errc.h"

#include <array>
#include <cerrno>

#include "absl/strings/cord.h"

namespace zonal {
namespace {

struct ErrcRow {
  Errc errc;
  absl::StatusCode code;
  std::string_view name;
  std::string_view text;
};

using enum absl::StatusCode;

constexpr std::array<ErrcRow, kErrcCount> kRows = {{
    {Errc::kOk, kOk, "ok", "success"},
    {Errc::kMisaligned, kInvalidArgument, "misaligned",
     "the request is not aligned to the device's block or write granularity"},
    {Errc::kBadRange, kOutOfRange, "bad-range", "the range is outside the device or the zone"},
    {Errc::kBadZoneType, kFailedPrecondition, "bad-zone-type",
     "the operation does not apply to a zone of this type"},
    {Errc::kNotSupported, kUnimplemented, "not-supported", "the device does not support it"},
    {Errc::kTooLarge, kInvalidArgument, "too-large", "the request exceeds the transfer limit"},
    {Errc::kNotAtWritePointer, kFailedPrecondition, "not-at-write-pointer",
     "the write does not start at the zone's write pointer"},
    {Errc::kZoneBoundary, kOutOfRange, "zone-boundary",
     "the range crosses the zone's end or capacity"},
    {Errc::kZoneFull, kFailedPrecondition, "zone-full", "the zone is full"},
    {Errc::kZoneReadOnly, kFailedPrecondition, "zone-read-only", "the zone is read-only"},
    {Errc::kZoneOffline, kFailedPrecondition, "zone-offline", "the zone is offline"},
    {Errc::kInvalidTransition, kFailedPrecondition, "invalid-transition",
     "the zone's condition does not allow the operation"},
    {Errc::kTooManyOpen, kResourceExhausted, "too-many-open", "too many zones are open"},
    {Errc::kTooManyActive, kResourceExhausted, "too-many-active", "too many zones are active"},
    {Errc::kReadPastWritePointer, kOutOfRange, "read-past-write-pointer",
     "the read reaches past the zone's write pointer"},
    {Errc::kZoneSuspect, kUnavailable, "zone-suspect",
     "an earlier write to the zone failed and its write pointer is being re-read"},
    {Errc::kZoneBusy, kUnavailable, "zone-busy", "another writer owns the zone"},
    {Errc::kNoSlot, kResourceExhausted, "no-slot", "no open or active zone slot is free"},
    {Errc::kStaleEpoch, kAborted, "stale-epoch", "the zone was reset while it was read"},
    {Errc::kNoFreeZone, kResourceExhausted, "no-free-zone", "no zone can be written"},
    {Errc::kCancelled, kCancelled, "cancelled", "the request was cancelled"},
    {Errc::kMediaError, kDataLoss, "media-error", "the device could not read or store the data"},
    {Errc::kTimeout, kDeadlineExceeded, "timeout", "the device did not answer in time"},
    {Errc::kDeviceGone, kUnavailable, "device-gone", "the device is gone"},
    {Errc::kPermission, kPermissionDenied, "permission", "permission denied"},
    {Errc::kIo, kUnknown, "io-error", "the device reported an error of no known kind"},
    {Errc::kDeviceMisbehaved, kInternal, "device-misbehaved", "the device broke its own contract"},
}};

constexpr bool RowsAreInOrder() {
  for (int i = 0; i < kErrcCount; ++i) {
    if (static_cast<int>(kRows[static_cast<std::size_t>(i)].errc) != i) return false;
  }
  return true;
}
static_assert(RowsAreInOrder());

const ErrcRow& RowOf(Errc errc) noexcept {
  const auto index = static_cast<std::size_t>(errc);
  return kRows[index < kRows.size() ? index : static_cast<std::size_t>(Errc::kIo)];
}

constexpr std::string_view kPayloadType = "zonal/errc";

}  // namespace

Errc FromErrno(int error) noexcept {
  switch (error) {
    case 0:
      return Errc::kOk;
    case EINVAL:
      return Errc::kMisaligned;
    case ENXIO:
      return Errc::kBadRange;
    case EOPNOTSUPP:
    case ENOTTY:
    case ENOSYS:
      return Errc::kNotSupported;
    case E2BIG:
      return Errc::kTooLarge;
    // Zone resources as the block layer spells them (BLK_STS_ZONE_*_RESOURCE).
    case ETOOMANYREFS:
      return Errc::kTooManyOpen;
    case EOVERFLOW:
      return Errc::kTooManyActive;
    case ENODATA:
    case EILSEQ:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return Errc::kMediaError;
    case ETIMEDOUT:
    case ETIME:
      return Errc::kTimeout;
    case ENODEV:
    case ENOLINK:
      return Errc::kDeviceGone;
    case EACCES:
    case EPERM:
    case EBADF:
    case EROFS:
      return Errc::kPermission;
    case ECANCELED:
      return Errc::kCancelled;
    // EREMOTEIO (BLK_STS_TARGET) is how SCSI disks' illegal requests arrive:
    // unaligned write, zone boundary, read past the pointer, wrong address, wrong
    // field, all as one; on NVMe a zone's errors are plain EIO. Which rule was
    // broken is not told, and a guess would be worse: a zone report says.
    case EREMOTEIO:
    case EIO:
      return Errc::kIo;
    default:
      return Errc::kIo;
  }
}

Errc FromNvmeStatus(std::uint32_t sct_sc) noexcept {
  switch (sct_sc & 0x7FF) {
    case 0x000:
      return Errc::kOk;
    case nvme::kInvalidOpcode:
      return Errc::kNotSupported;
    case nvme::kInvalidField:
      return Errc::kMisaligned;
    case nvme::kLbaOutOfRange:
      return Errc::kBadRange;
    case 0x007:
    case 0x008:
      return Errc::kCancelled;  // abort requested, SQ deleted
    case 0x020:
      return Errc::kPermission;  // namespace is write protected
    case 0x286:
      return Errc::kPermission;  // access denied
    case nvme::kZoneBoundaryError:
      return Errc::kZoneBoundary;
    case nvme::kZoneIsFull:
      return Errc::kZoneFull;
    case nvme::kZoneIsReadOnly:
      return Errc::kZoneReadOnly;
    case nvme::kZoneIsOffline:
      return Errc::kZoneOffline;
    case nvme::kZoneInvalidWrite:
      return Errc::kNotAtWritePointer;
    case nvme::kTooManyActiveZones:
      return Errc::kTooManyActive;
    case nvme::kTooManyOpenZones:
      return Errc::kTooManyOpen;
    case nvme::kInvalidZoneStateTransition:
      return Errc::kInvalidTransition;
    case nvme::kWriteFault:
    case nvme::kUnrecoveredReadError:
    case 0x282:
    case 0x283:
    case 0x284:
    case 0x285:
    case 0x287:
      return Errc::kMediaError;
    default:
      return Errc::kIo;
  }
}

Errc FromScsiSense(std::uint32_t sense) noexcept {
  switch (sense) {
    case 0:
      return Errc::kOk;
    case scsi::kInvalidOpcode:
      return Errc::kNotSupported;
    case scsi::kInvalidFieldInCdb:
      return Errc::kMisaligned;
    case scsi::kLbaOutOfRange:
      return Errc::kBadRange;
    case scsi::kUnalignedWrite:
      return Errc::kNotAtWritePointer;
    case scsi::kWriteBoundary:
    case scsi::kReadBoundary:
      return Errc::kZoneBoundary;
    case scsi::kReadInvalidData:
      return Errc::kReadPastWritePointer;
    case scsi::kZoneIsReadOnly:
      return Errc::kZoneReadOnly;
    case scsi::kZoneIsOffline:
    case scsi::Sense(0x7, 0x2C, 0x0E):
      return Errc::kZoneOffline;
    case scsi::kInsufficientZoneResources:
      return Errc::kTooManyOpen;
    default:
      break;
  }
  switch (sense >> 16 & 0xF) {
    case 0x0:
    case 0x1:
      return Errc::kOk;  // no sense, recovered error
    case 0x3:
      return Errc::kMediaError;
    case 0x7:
      return Errc::kPermission;  // data protect
    case 0xB:
      return Errc::kCancelled;  // aborted command
    default:
      return Errc::kIo;
  }
}

Errc FromRaw(Origin origin, std::uint32_t raw) noexcept {
  switch (origin) {
    case Origin::kErrno:
      return FromErrno(static_cast<int>(raw));
    case Origin::kNvme:
      return FromNvmeStatus(raw);
    case Origin::kScsi:
      return FromScsiSense(raw);
    case Origin::kNone:
      break;
  }
  return Errc::kOk;
}

int ToErrno(const IoResult& result) noexcept {
  if (result.ok()) return 0;
  if (result.origin == Origin::kErrno && result.raw != 0) return static_cast<int>(result.raw);
  switch (result.errc) {  // what the kernel's block layer makes of it
    case Errc::kTooManyOpen:
      return ETOOMANYREFS;
    case Errc::kTooManyActive:
      return EOVERFLOW;
    case Errc::kMisaligned:
      return EINVAL;
    case Errc::kNotSupported:
      return EOPNOTSUPP;
    case Errc::kMediaError:
      return ENODATA;
    case Errc::kTimeout:
      return ETIMEDOUT;
    case Errc::kDeviceGone:
      return ENODEV;
    case Errc::kPermission:
      return EACCES;
    default:
      return EIO;
  }
}

absl::StatusCode ToStatusCode(Errc errc) noexcept { return RowOf(errc).code; }

absl::Status MakeStatus(Errc errc, std::string_view message) {
  if (errc == Errc::kOk) return absl::OkStatus();
  absl::Status status(ToStatusCode(errc), {message.data(), message.size()});
  const char byte = static_cast<char>(errc);
  status.SetPayload({kPayloadType.data(), kPayloadType.size()}, absl::Cord({&byte, 1}));
  return status;
}

std::optional<Errc> ErrcOf(const absl::Status& status) {
  if (status.ok()) return Errc::kOk;
  const auto payload = status.GetPayload({kPayloadType.data(), kPayloadType.size()});
  if (!payload.has_value() || payload->size() != 1) return std::nullopt;
  return static_cast<Errc>((*payload)[0]);
}

std::string_view ToString(Errc errc) noexcept { return RowOf(errc).name; }
std::string_view Describe(Errc errc) noexcept { return RowOf(errc).text; }

std::string_view ToString(Origin origin) noexcept {
  switch (origin) {
    case Origin::kNone:
      return "none";
    case Origin::kErrno:
      return "errno";
    case Origin::kNvme:
      return "nvme";
    case Origin::kScsi:
      return "scsi";
  }
  return "unknown";
}

}  // namespace zonal
