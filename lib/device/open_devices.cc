// SPDX-License-Identifier: MIT
#include "device/open_devices.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
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

// Stays until the device is destroyed, not only until nobody refers to it.
struct Opened {
  std::uint64_t id = 0;  // which opening of the key this is
  std::weak_ptr<Device> device;
  Access access = Access::kReadOnly;
  std::optional<ZoneOverlay> overlay;
};

struct OpenDevices {
  std::mutex mutex;
  std::condition_variable closed;
  std::map<Key, Opened> by_key;
  std::uint64_t openings = 0;
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

// Destroys the device, and only then tells that it is closed.
class Closer {
 public:
  Closer(std::shared_ptr<Device> device, Key key, std::uint64_t id)
      : device_(std::move(device)), key_(key), id_(id) {}
  void operator()(Device*) noexcept {
    device_.reset();
    OpenDevices& devices = TheOpenDevices();
    const std::lock_guard lock(devices.mutex);
    const auto found = devices.by_key.find(key_);
    if (found != devices.by_key.end() && found->second.id == id_) devices.by_key.erase(found);
    devices.closed.notify_all();
  }

 private:
  std::shared_ptr<Device> device_;
  Key key_;
  std::uint64_t id_;
};

// What is open under `path`, waiting while that is being destroyed. `key` is that of
// the path afterwards: the file may have been replaced meanwhile.
absl::StatusOr<std::shared_ptr<Device>> FindOpen(OpenDevices& devices,
                                                 std::unique_lock<std::mutex>& lock,
                                                 const std::string& path, const std::string& name,
                                                 nanoseconds patience, std::optional<Key>& key) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    key = KeyOf(path);
    if (!key.has_value()) return nullptr;
    const auto found = devices.by_key.find(*key);
    if (found == devices.by_key.end()) return nullptr;
    std::shared_ptr<Device> device = found->second.device.lock();
    if (device != nullptr) return device;
    if (std::chrono::steady_clock::now() >= deadline) {
      return absl::FailedPreconditionError(absl::StrCat(
          name, ": another thread of this process is still closing it; try again later"));
    }
    devices.closed.wait_until(lock, deadline);
  }
}

}  // namespace

absl::StatusOr<std::shared_ptr<Device>> OpenShared(
    const std::string& path, const std::string& name, const OpenOptions& options,
    const std::function<absl::StatusOr<std::shared_ptr<Device>>()>& open, nanoseconds patience) {
  OpenDevices& devices = TheOpenDevices();
  std::shared_ptr<Device> device;  // destroyed after the lock, which its Closer takes
  std::unique_lock lock(devices.mutex);
  std::optional<Key> before;
  ZONAL_ASSIGN_OR_RETURN(device, FindOpen(devices, lock, path, name, patience, before));
  if (device != nullptr) {
    ZONAL_RETURN_IF_ERROR(CheckAgreement(devices.by_key[*before], options, name));
    if (options.fd >= 0) close(options.fd);  // adopted, and not needed
    return device;
  }
  ZONAL_ASSIGN_OR_RETURN(device, open());
  // Opening may have created the file. What was there before is looked at only
  // once: an adopted descriptor's name in /proc may be gone by now.
  const std::optional<Key> key = before.has_value() ? before : KeyOf(path);
  if (!key.has_value()) return device;
  const std::uint64_t id = ++devices.openings;
  Device* const raw = device.get();
  const std::shared_ptr<Device> shared(raw, Closer(std::move(device), *key, id));
  devices.by_key[*key] = {id, shared, options.access, options.overlay};
  return shared;
}

}  // namespace zonal
