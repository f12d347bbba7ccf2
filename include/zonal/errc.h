// SPDX-License-Identifier: MIT
// Why a command failed, in one vocabulary for every device, and the tables
// that lead into it (errno, NVMe status, SCSI sense) and out of it (absl).
// Value types and pure functions: thread-safe, no allocation, except where a
// Status is built.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"

namespace zonal {

enum class Errc : std::uint8_t {
  kOk = 0,
  // The caller's request is wrong in itself.
  kMisaligned,
  kBadRange,
  kBadZoneType,
  kNotSupported,
  kTooLarge,
  // A zone rule, in the zone's present condition.
  kNotAtWritePointer,
  kZoneBoundary,
  kZoneFull,
  kZoneReadOnly,
  kZoneOffline,
  kInvalidTransition,
  kTooManyOpen,
  kTooManyActive,
  kReadPastWritePointer,
  // Ours: the manager's answers.
  kZoneSuspect,
  kZoneBusy,
  kNoSlot,
  kStaleEpoch,
  kNoFreeZone,
  kCancelled,
  // The world's.
  kMediaError,
  kTimeout,
  kDeviceGone,
  kPermission,
  kIo,
  // The device broke its own contract: an append address outside its zone, a
  // pointer going back, a short transfer without cause.
  kDeviceMisbehaved,
};
inline constexpr int kErrcCount = static_cast<int>(Errc::kDeviceMisbehaved) + 1;

// Who produced a result, and so how to read its raw code.
enum class Origin : std::uint8_t {
  kNone = 0,  // success, or our own answer: raw is 0
  kErrno,     // raw is an errno value, positive
  kNvme,      // raw is SCT << 8 | SC
  kScsi,      // raw is key << 16 | ASC << 8 | ASCQ
};

// NVMe ZNS command set specific status (SCT 1) and the few generic ones we use.
namespace nvme {
inline constexpr std::uint32_t kInvalidField = 0x002;
inline constexpr std::uint32_t kInvalidOpcode = 0x001;
inline constexpr std::uint32_t kLbaOutOfRange = 0x080;
inline constexpr std::uint32_t kInternalError = 0x006;
inline constexpr std::uint32_t kWriteFault = 0x280;
inline constexpr std::uint32_t kUnrecoveredReadError = 0x281;
inline constexpr std::uint32_t kZoneBoundaryError = 0x1B8;
inline constexpr std::uint32_t kZoneIsFull = 0x1B9;
inline constexpr std::uint32_t kZoneIsReadOnly = 0x1BA;
inline constexpr std::uint32_t kZoneIsOffline = 0x1BB;
inline constexpr std::uint32_t kZoneInvalidWrite = 0x1BC;
inline constexpr std::uint32_t kTooManyActiveZones = 0x1BD;
inline constexpr std::uint32_t kTooManyOpenZones = 0x1BE;
inline constexpr std::uint32_t kInvalidZoneStateTransition = 0x1BF;
}  // namespace nvme

// SCSI sense as key << 16 | ASC << 8 | ASCQ (SPC-5, ZBC-2).
namespace scsi {
constexpr std::uint32_t Sense(std::uint32_t key, std::uint32_t asc, std::uint32_t ascq) noexcept {
  return key << 16 | asc << 8 | ascq;
}
inline constexpr std::uint32_t kInvalidOpcode = Sense(0x5, 0x20, 0x00);
inline constexpr std::uint32_t kLbaOutOfRange = Sense(0x5, 0x21, 0x00);
inline constexpr std::uint32_t kUnalignedWrite = Sense(0x5, 0x21, 0x04);
inline constexpr std::uint32_t kWriteBoundary = Sense(0x5, 0x21, 0x05);
inline constexpr std::uint32_t kReadInvalidData = Sense(0x5, 0x21, 0x06);
inline constexpr std::uint32_t kReadBoundary = Sense(0x5, 0x21, 0x07);
inline constexpr std::uint32_t kInvalidFieldInCdb = Sense(0x5, 0x24, 0x00);
inline constexpr std::uint32_t kZoneIsReadOnly = Sense(0x7, 0x27, 0x08);
inline constexpr std::uint32_t kZoneIsOffline = Sense(0x5, 0x2C, 0x0E);
inline constexpr std::uint32_t kInsufficientZoneResources = Sense(0x7, 0x55, 0x0E);
inline constexpr std::uint32_t kWriteError = Sense(0x3, 0x0C, 0x00);
inline constexpr std::uint32_t kReadError = Sense(0x3, 0x11, 0x00);
}  // namespace scsi

// The result of one I/O. A failed I/O is data, not a failed call.
struct IoResult {
  std::uint64_t offset = 0;  // where it landed: for an append, the device's choice
  std::uint64_t bytes = 0;   // transferred, from `offset`
  std::uint32_t raw = 0;     // the device's own code; read it by `origin`
  Errc errc = Errc::kOk;
  Origin origin = Origin::kNone;

  constexpr bool ok() const noexcept { return errc == Errc::kOk; }
  friend bool operator==(const IoResult&, const IoResult&) = default;
};
static_assert(sizeof(IoResult) == 24);

// Into Errc. What no row names becomes kIo.
Errc FromErrno(int error) noexcept;
Errc FromNvmeStatus(std::uint32_t sct_sc) noexcept;
Errc FromScsiSense(std::uint32_t sense) noexcept;
Errc FromRaw(Origin origin, std::uint32_t raw) noexcept;

// The errno a kernel would give a program for it: its own if the host's kernel did.
// 0 for a success.
int ToErrno(const IoResult& result) noexcept;

// Out of it. kOk becomes OkStatus(); anything else carries the Errc as a
// payload that ErrcOf() reads back.
absl::StatusCode ToStatusCode(Errc errc) noexcept;
absl::Status MakeStatus(Errc errc, std::string_view message);
// The Errc a Status carries; kOk for an ok status, nullopt if it carries none.
std::optional<Errc> ErrcOf(const absl::Status& status);

// "not-at-write-pointer": stable, used in JSON.
std::string_view ToString(Errc errc) noexcept;
// A sentence for people: "the write does not start at the zone's write pointer".
std::string_view Describe(Errc errc) noexcept;
std::string_view ToString(Origin origin) noexcept;

}  // namespace zonal
