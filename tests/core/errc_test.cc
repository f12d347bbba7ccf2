// SPDX-License-Identifier: MIT
// The mapping tables, row by row.
#include "zonal/errc.h"

#include <cerrno>
#include <set>
#include <string>

#include "support/catch.h"

namespace zonal {
namespace {

TEST_CASE("errno values map as the block layer means them", "[core]") {
  struct Row {
    int error;
    Errc expected;
  };
  const Row rows[] = {
      {0, Errc::kOk},
      {EINVAL, Errc::kMisaligned},
      {ENXIO, Errc::kBadRange},
      {EOPNOTSUPP, Errc::kNotSupported},
      {ENOTTY, Errc::kNotSupported},
      {ETOOMANYREFS, Errc::kTooManyOpen},
      {EOVERFLOW, Errc::kTooManyActive},
      {ENODATA, Errc::kMediaError},
      {ENOSPC, Errc::kMediaError},
      {ETIMEDOUT, Errc::kTimeout},
      {ENODEV, Errc::kDeviceGone},
      {EACCES, Errc::kPermission},
      {EPERM, Errc::kPermission},
      {EBADF, Errc::kPermission},
      {ECANCELED, Errc::kCancelled},
      {EREMOTEIO, Errc::kIo},  // an illegal request, and nobody says which
      {EIO, Errc::kIo},
      {9999, Errc::kIo},
  };
  for (const Row& row : rows) {
    CAPTURE(row.error);
    CHECK(FromErrno(row.error) == row.expected);
    CHECK(FromRaw(Origin::kErrno, static_cast<std::uint32_t>(row.error)) == row.expected);
  }
}

TEST_CASE("NVMe status maps without its do-not-retry and more bits", "[core]") {
  struct Row {
    std::uint32_t status;
    Errc expected;
  };
  const Row rows[] = {
      {0x000, Errc::kOk},
      {nvme::kInvalidOpcode, Errc::kNotSupported},
      {nvme::kInvalidField, Errc::kMisaligned},
      {nvme::kLbaOutOfRange, Errc::kBadRange},
      {nvme::kZoneBoundaryError, Errc::kZoneBoundary},
      {nvme::kZoneIsFull, Errc::kZoneFull},
      {nvme::kZoneIsReadOnly, Errc::kZoneReadOnly},
      {nvme::kZoneIsOffline, Errc::kZoneOffline},
      {nvme::kZoneInvalidWrite, Errc::kNotAtWritePointer},
      {nvme::kTooManyActiveZones, Errc::kTooManyActive},
      {nvme::kTooManyOpenZones, Errc::kTooManyOpen},
      {nvme::kInvalidZoneStateTransition, Errc::kInvalidTransition},
      {nvme::kWriteFault, Errc::kMediaError},
      {nvme::kUnrecoveredReadError, Errc::kMediaError},
      {0x4000 | nvme::kZoneIsFull, Errc::kZoneFull},
      {0x7FE, Errc::kIo},
  };
  for (const Row& row : rows) {
    CAPTURE(row.status);
    CHECK(FromNvmeStatus(row.status) == row.expected);
  }
}

TEST_CASE("sense codes map by code, then by key", "[core]") {
  struct Row {
    std::uint32_t sense;
    Errc expected;
  };
  const Row rows[] = {
      {0, Errc::kOk},
      {scsi::kUnalignedWrite, Errc::kNotAtWritePointer},
      {scsi::kWriteBoundary, Errc::kZoneBoundary},
      {scsi::kReadBoundary, Errc::kZoneBoundary},
      {scsi::kReadInvalidData, Errc::kReadPastWritePointer},
      {scsi::kZoneIsReadOnly, Errc::kZoneReadOnly},
      {scsi::kZoneIsOffline, Errc::kZoneOffline},
      {scsi::kInsufficientZoneResources, Errc::kTooManyOpen},
      {scsi::kInvalidFieldInCdb, Errc::kMisaligned},
      {scsi::kLbaOutOfRange, Errc::kBadRange},
      {scsi::Sense(0x1, 0x17, 0x01), Errc::kOk},  // recovered error
      {scsi::Sense(0x3, 0x11, 0x04), Errc::kMediaError},
      {scsi::Sense(0x7, 0x27, 0x00), Errc::kPermission},
      {scsi::Sense(0xB, 0x00, 0x00), Errc::kCancelled},
      {scsi::Sense(0x4, 0x44, 0x00), Errc::kIo},
  };
  for (const Row& row : rows) {
    CAPTURE(row.sense);
    CHECK(FromScsiSense(row.sense) == row.expected);
  }
}

TEST_CASE("every Errc has a name of its own, a sentence and a status that carries it", "[core]") {
  std::set<std::string> names;
  for (int i = 0; i < kErrcCount; ++i) {
    const auto errc = static_cast<Errc>(i);
    CAPTURE(i);
    CHECK(names.insert(std::string(ToString(errc))).second);
    CHECK_FALSE(Describe(errc).empty());
    const absl::Status status = MakeStatus(errc, "zone 7 at 4096");
    CHECK(status.ok() == (errc == Errc::kOk));
    CHECK(status.code() == ToStatusCode(errc));
    CHECK(ErrcOf(status) == errc);
  }
  CHECK_FALSE(ErrcOf(absl::UnknownError("somebody else's")).has_value());
}

TEST_CASE("status codes are picked as absl's guide explains them", "[core]") {
  CHECK(ToStatusCode(Errc::kMisaligned) == absl::StatusCode::kInvalidArgument);
  CHECK(ToStatusCode(Errc::kNotAtWritePointer) == absl::StatusCode::kFailedPrecondition);
  CHECK(ToStatusCode(Errc::kZoneBoundary) == absl::StatusCode::kOutOfRange);
  CHECK(ToStatusCode(Errc::kTooManyOpen) == absl::StatusCode::kResourceExhausted);
  CHECK(ToStatusCode(Errc::kNotSupported) == absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace zonal
