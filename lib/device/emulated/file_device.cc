// SPDX-License-Identifier: MIT
// Opening a drive's file as a Device.
#include <utility>

#include "core/status_macros.h"
#include "device/emulated/file_drive.h"
#include "device/emulated/file_store.h"

namespace zonal {
namespace emulated {
namespace {

class FileHooks final : public DriveHooks {
 public:
  explicit FileHooks(std::shared_ptr<FileDrive> drive) : drive_(std::move(drive)) {}
  void ZoneLeavesEmpty(ZoneId zone) noexcept override { drive_->ZoneLeavesEmpty(zone); }
  bool prepares_zones() const noexcept override { return drive_->prepares_zones(); }
  int PrepareZone(ZoneId zone) noexcept override { return drive_->PrepareZone(zone); }
  absl::Status Flush() override { return drive_->Flush(); }

 private:
  const std::shared_ptr<FileDrive> drive_;
};

}  // namespace

DriveMemory NewFileMemory(std::shared_ptr<FileDrive> drive) {
  DriveMemory memory;
  memory.mappings = drive;
  memory.landed = drive->landed();
  memory.counters = drive->counters();
  memory.gauges = drive->gauges();
  memory.store =
      drive->options().data == DataPolicy::kDiscard ? NewDiscardStore() : NewFileStore(drive);
  memory.hooks = std::make_unique<FileHooks>(std::move(drive));
  return memory;
}

absl::StatusOr<std::unique_ptr<Device>> NewFileDevice(File file, const FileOpenOptions& options,
                                                      const Clock& clock) {
  DriveIdentity identity;
  identity.spec = file.path();
  identity.read_only = !options.writable;
  ZONAL_ASSIGN_OR_RETURN(std::shared_ptr<FileDrive> drive,
                         FileDrive::Open(std::move(file), options));
  identity.identity = FormatUuid(drive->header().uuid);
  const EmulatedOptions drive_options = drive->options();
  return NewDrive(drive_options, std::move(identity), NewFileMemory(std::move(drive)), clock);
}

}  // namespace emulated

absl::StatusOr<std::unique_ptr<Device>> OpenEmulatedFile(const std::string& path, bool writable,
                                                         const Clock& clock) {
  ZONAL_ASSIGN_OR_RETURN(emulated::File file, writable ? emulated::OpenLockedFile(path)
                                                       : emulated::OpenFile(path, false));
  emulated::FileOpenOptions options;
  options.writable = writable;
  return emulated::NewFileDevice(std::move(file), options, clock);
}

}  // namespace zonal
