// SPDX-License-Identifier: MIT
// An open drive's file: the mapped tables, what keeps the durable record behind
// the bytes, and the clean close. The drive itself (drive_memory.h) runs on the
// DriveMemory made here. Thread-safe where the drive's contracts say so.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "device/emulated/drive_memory.h"
#include "device/emulated/file_checkpoint.h"
#include "device/emulated/file_forgotten.h"
#include "device/emulated/file_format.h"
#include "device/emulated/file_header.h"
#include "device/emulated/file_io.h"

namespace zonal::emulated {

struct FileOpenOptions {
  bool writable = false;
  // Instead of the running host's: a test's stand-in for a reboot.
  std::optional<Uuid> boot_id;
};

// Which words a drive starts from, by how it was left.
enum class Trust : std::uint8_t {
  kLiveTable,   // closed cleanly, or by a writer of this boot, alive or killed
  kCheckpoint,  // the host went down while a writer had it
};

class FileDrive {
 public:
  // Takes the lock if writable, validates all it reads, recovers, and marks the
  // file as in use. Errors as OpenEmulatedFile.
  static absl::StatusOr<std::shared_ptr<FileDrive>> Open(File file, const FileOpenOptions& options);
  // Closes cleanly: holes punched, bytes and words durable, the header marked so.
  ~FileDrive();

  const EmulatedOptions& options() const noexcept { return options_; }
  const FileHeader& header() const noexcept { return header_.current(); }
  const File& file() const noexcept { return file_; }
  Trust trust() const noexcept { return trust_; }
  bool writable() const noexcept { return writable_; }
  std::uint64_t data_offset() const noexcept { return layout_.data; }

  std::span<std::atomic<std::uint64_t>> landed() const noexcept { return landed_; }
  std::span<CounterSlot> counters() const noexcept;
  DriveGauges* gauges() const noexcept;

  // DriveHooks and Store::Forget, as they say.
  void ZoneLeavesEmpty(ZoneId zone) noexcept;
  bool prepares_zones() const noexcept { return options_.durability == Durability::kHost; }
  int PrepareZone(ZoneId zone) noexcept;
  absl::Status Flush();
  void Forget(ByteRange range) { forgotten_.Add(range); }

 private:
  FileDrive(File file, HeaderCopies header, bool writable);
  absl::Status ReadFacts();
  absl::Status MapTables();
  absl::Status Recover(const Uuid& boot_id);
  absl::Status MarkInUse(const Uuid& boot_id);
  absl::Status CloseCleanly();
  absl::Status WriteCheckpoint();  // REQUIRES: mutex_
  void PunchHoles();               // REQUIRES: mutex_
  std::vector<std::uint64_t> Snapshot() const;

  File file_;
  HeaderCopies header_;  // guarded by mutex_ once open
  const bool writable_;
  FileLayout layout_;
  EmulatedOptions options_;  // zone facts included
  Trust trust_ = Trust::kLiveTable;
  SharedMapping tables_;                                         // statistics and live table
  std::unique_ptr<std::atomic<std::uint64_t>[]> private_words_;  // Trust::kCheckpoint, read-only
  std::span<std::atomic<std::uint64_t>> landed_;
  ForgottenRanges forgotten_;

  std::mutex mutex_;
  std::optional<Checkpoint> checkpoint_;  // writers, and readers that need it
  absl::Status broken_;                   // a checkpoint failed: what is durable is no longer known
  bool in_use_ = false;                   // the header says so; a clean close takes it back
};

// The memory of a drive on `drive`.
DriveMemory NewFileMemory(std::shared_ptr<FileDrive> drive);

// The drive in an open file, for OpenEmulatedFile and Open().
absl::StatusOr<std::unique_ptr<Device>> NewFileDevice(File file, const FileOpenOptions& options,
                                                      const Clock& clock);

}  // namespace zonal::emulated
