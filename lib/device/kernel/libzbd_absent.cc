// SPDX-License-Identifier: MIT
// zonal/libzbd.h in a build without libzbd.
#include "absl/strings/str_cat.h"
#include "zonal/libzbd.h"

namespace zonal {
namespace {

absl::Status Absent(const std::string& path) {
  return absl::UnimplementedError(
      absl::StrCat(path, ": this library was built without libzbd (ZONAL_WITH_LIBZBD=OFF)"));
}

}  // namespace

absl::StatusOr<DeviceInfo> InfoWithLibzbd(const std::string& path) { return Absent(path); }
absl::StatusOr<std::vector<Zone>> ReportWithLibzbd(const std::string& path) { return Absent(path); }

}  // namespace zonal
