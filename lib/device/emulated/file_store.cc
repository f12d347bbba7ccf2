// SPDX-License-Identifier: MIT
#include "device/emulated/file_store.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace zonal::emulated {
namespace {

class FileStoreQueue final : public StoreQueue {
 public:
  explicit FileStoreQueue(std::shared_ptr<FileDrive> drive) : drive_(std::move(drive)) {}

  // fua: the drive calls DriveHooks::Flush once the pointer has landed too.
  StoreAnswer Write(std::uint64_t offset, std::span<const iovec> data, bool,
                    std::uint64_t) noexcept override {
    return {false, WriteVectors(drive_->file().fd(), drive_->data_offset() + offset, data)};
  }
  StoreAnswer Read(std::uint64_t offset, std::span<const iovec> data,
                   std::uint64_t) noexcept override {
    return {false, ReadVectors(drive_->file().fd(), drive_->data_offset() + offset, data)};
  }
  StoreAnswer Flush(std::uint64_t) noexcept override {
    return {false, drive_->Flush().ok() ? 0 : EIO};
  }
  std::size_t Poll(std::span<StoreCompletion>, std::size_t, nanoseconds) noexcept override {
    return 0;
  }
  void Wake() noexcept override {}

 private:
  const std::shared_ptr<FileDrive> drive_;
};

class FileStore final : public Store {
 public:
  explicit FileStore(std::shared_ptr<FileDrive> drive) : drive_(std::move(drive)) {}

  absl::StatusOr<std::unique_ptr<StoreQueue>> NewQueue(std::uint32_t) override {
    return std::make_unique<FileStoreQueue>(drive_);
  }
  bool is_synchronous() const noexcept override { return true; }
  void Forget(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    drive_->Forget({offset, bytes});
  }
  absl::Status Sync() override { return drive_->Flush(); }

 private:
  const std::shared_ptr<FileDrive> drive_;
};

}  // namespace

std::unique_ptr<Store> NewFileStore(std::shared_ptr<FileDrive> drive) {
  return std::make_unique<FileStore>(std::move(drive));
}

}  // namespace zonal::emulated
