// SPDX-License-Identifier: MIT
#include "device/open_devices.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace zonal {
namespace {

// A block device is its number, a file its file system and inode.
struct Key {
  bool is_block = false;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend auto operator<=>(const Key&, const Key&) = default;
};

struct Opened {
  std::weak_ptr<Device> device;
  Access access = Access::kReadOnly;
  std::optional<ZoneOverlay> overlay;
};

struct OpenDevices {
  std::mutex mutex;
  std::map<Key, Opened> by_key;
};

OpenDevices& TheOpenDevices() {
  static OpenDevices* const devices = new OpenDevices;  // never destroyed: exit order
  return *devices;
}

// nullopt if there is nothing there: the file may be about to be created.
std::optional<Key> KeyOf(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  if (S_ISBLK(status.st_mode)) return Key{true, status.st_rdev, 0};
  return Key{false, status.st_dev, status.st_ino};
}

bool SameOverlay(const std::optional<ZoneOverlay>& a, const std::optional<ZoneOverlay>& b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() == b.has_value();
  return a->zone_size == b->zone_size && a->zone_capacity == b->zone_capacity;
}

absl::Status CheckAgreement(const Opened& opened, const OpenOptions& options,
                            const std::string& name) {
  if (opened.access != options.access) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, ": this process has it open already, ",
                     opened.access == Access::kReadWrite ? "for writing" : "read-only",
                     "; open it with the same access, or close the other one first"));
  }
  if (!SameOverlay(opened.overlay, options.overlay)) {
    return absl::FailedPreconditionError(absl::StrCat(
        name,
        ": this process has it open already with other zones laid over it; use the same "
        "zone size and capacity, or close the other one first"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<Device>> OpenShared(
    const std::string& path, const std::string& name, const OpenOptions& options,
    const std::function<absl::StatusOr<std::shared_ptr<Device>>()>& open) {
  OpenDevices& devices = TheOpenDevices();
  const std::lock_guard lock(devices.mutex);
  std::erase_if(devices.by_key, [](const auto& entry) { return entry.second.device.expired(); });
  const std::optional<Key> before = KeyOf(path);
  if (before.has_value()) {
    if (const auto found = devices.by_key.find(*before); found != devices.by_key.end()) {
      if (std::shared_ptr<Device> device = found->second.device.lock()) {
        ZONAL_RETURN_IF_ERROR(CheckAgreement(found->second, options, name));
        if (options.fd >= 0) close(options.fd);  // adopted, and not needed
        return device;
      }
    }
  }
  ZONAL_ASSIGN_OR_RETURN(std::shared_ptr<Device> device, open());
  // Opening may have created the file. What was there before is looked at only
  // once: an adopted descriptor's name in /proc may be gone by now.
  const std::optional<Key> key = before.has_value() ? before : KeyOf(path);
  if (key.has_value()) devices.by_key[*key] = {device, options.access, options.overlay};
  return device;
}

}  // namespace zonal
