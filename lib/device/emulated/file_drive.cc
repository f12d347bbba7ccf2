// SPDX-License-Identifier: MIT
#include "device/emulated/file_drive.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "device/emulated/file_crc32c.h"
#include "device/emulated/file_facts.h"
#include "device/emulated/file_words.h"
#include "device/emulated/zone_word.h"

namespace zonal::emulated {
namespace {

constexpr std::uint64_t kGaugesBytes = kPageBytes;
static_assert(kGaugesBytes + kCounterSlots * sizeof(CounterSlot) == kStatisticsBytes);

absl::StatusOr<Uuid> RunningBootId() {
  constexpr char kPath[] = "/proc/sys/kernel/random/boot_id";
  std::ifstream stream(kPath);
  std::string text;
  if (!std::getline(stream, text)) {
    return absl::FailedPreconditionError(
        absl::StrCat(kPath,
                     " cannot be read: without it a drive's file cannot tell a killed "
                     "process from a crashed host; mount /proc"));
  }
  return ParseUuid(text);
}

absl::Status Refuse(const File& file, const std::string& why) {
  return absl::DataLossError(absl::StrCat(file.path(), ": ", why));
}

}  // namespace

FileDrive::FileDrive(File file, HeaderCopies header, bool writable)
    : file_(std::move(file)),
      header_(std::move(header)),
      writable_(writable),
      layout_(LayoutOf(header_.current().options, header_.current().facts_runs)),
      options_(header_.current().options) {}

absl::StatusOr<std::shared_ptr<FileDrive>> FileDrive::Open(File file,
                                                           const FileOpenOptions& options) {
  if (options.writable) ZONAL_RETURN_IF_ERROR(file.LockForWriting());
  ZONAL_ASSIGN_OR_RETURN(HeaderCopies header, HeaderCopies::Read(file));
  Uuid boot_id{};
  if (options.boot_id.has_value()) {
    boot_id = *options.boot_id;
  } else {
    ZONAL_ASSIGN_OR_RETURN(boot_id, RunningBootId());
  }
  std::shared_ptr<FileDrive> drive(
      new FileDrive(std::move(file), std::move(header), options.writable));
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t size, drive->file_.Size());
  if (size < drive->layout_.file_bytes()) {
    return Refuse(drive->file_, absl::StrCat("the file was cut short: it has ", size, " of ",
                                             drive->layout_.file_bytes(), " bytes"));
  }
  if (options.writable) {
    ZONAL_RETURN_IF_ERROR(CheckFileSizeLimit(drive->file_.path(), drive->layout_.file_bytes()));
  }
  ZONAL_RETURN_IF_ERROR(drive->ReadFacts());
  ZONAL_RETURN_IF_ERROR(drive->MapTables());
  ZONAL_RETURN_IF_ERROR(drive->Recover(boot_id));
  if (options.writable) ZONAL_RETURN_IF_ERROR(drive->MarkInUse(boot_id));
  return drive;
}

FileDrive::~FileDrive() {
  // Nobody is left to tell of a failure: the file then says that it was not
  // closed cleanly, and the next open knows what to do.
  if (in_use_) static_cast<void>(CloseCleanly());
}

absl::Status FileDrive::ReadFacts() {
  const FileHeader& header = header_.current();
  std::vector<std::byte> bytes(std::size_t{header.facts_runs} * kFactsRunBytes);
  for (const std::uint64_t copy : {layout_.facts, layout_.facts + layout_.facts_bytes}) {
    ZONAL_RETURN_IF_ERROR(file_.Read(copy, bytes));
    if (Crc32c(bytes) == header.facts_crc) return DecodeFacts(bytes, options_);
  }
  return Refuse(file_, "both copies of the zone facts are damaged; restore the file");
}

absl::Status FileDrive::MapTables() {
  const std::uint64_t bytes = layout_.checkpoint - layout_.statistics;
  if (writable_) ZONAL_RETURN_IF_ERROR(file_.Allocate(0, layout_.data));
  ZONAL_ASSIGN_OR_RETURN(tables_, SharedMapping::Map(file_, layout_.statistics, bytes, writable_));
  auto* words = reinterpret_cast<std::atomic<std::uint64_t>*>(tables_.data() + kStatisticsBytes);
  landed_ = std::span(words, options_.zones);
  return absl::OkStatus();
}

absl::Status FileDrive::Recover(const Uuid& boot_id) {
  const FileHeader& header = header_.current();
  trust_ = header.clean || header.boot_id == boot_id ? Trust::kLiveTable : Trust::kCheckpoint;
  const bool process_only = options_.durability == Durability::kProcess;
  if (trust_ == Trust::kCheckpoint && writable_ && process_only) {
    return absl::FailedPreconditionError(absl::StrCat(
        file_.path(),
        ": the host went down while this drive was open for writing, and it was "
        "made with durability=process: which bytes reached the disk is not known. Open it "
        "read-only to save what its last clean close had, then make a new drive "
        "(durability=host survives a crash of the host)"));
  }
  if (!writable_ && trust_ == Trust::kLiveTable) return CheckWords(file_.path(), options_, landed_);

  ZONAL_ASSIGN_OR_RETURN(Checkpoint checkpoint,
                         Checkpoint::Load(file_, header, InitialWords(options_)));
  checkpoint_ = std::move(checkpoint);
  if (trust_ == Trust::kLiveTable) return CheckWords(file_.path(), options_, landed_);
  if (checkpoint_->damaged()) {
    return Refuse(file_,
                  "the host went down while this drive was open for writing, and its "
                  "checkpoint is damaged; restore the file");
  }
  if (!writable_) {
    private_words_ = std::make_unique<std::atomic<std::uint64_t>[]>(options_.zones);
    landed_ = std::span(private_words_.get(), options_.zones);
  }
  for (std::size_t i = 0; i < landed_.size(); ++i) {
    landed_[i].store(checkpoint_->words()[i], std::memory_order_relaxed);
  }
  return CheckWords(file_.path(), options_, landed_);
}

absl::Status FileDrive::MarkInUse(const Uuid& boot_id) {
  // What the last writer left must be durable before a header copy is replaced
  // (file_header.h), and a recovered table before the header stops asking for
  // the checkpoint.
  ZONAL_RETURN_IF_ERROR(file_.DataSync());
  FileHeader next = header_.current();
  next.clean = false;
  next.boot_id = boot_id;
  ZONAL_RETURN_IF_ERROR(header_.Replace(file_, std::move(next)));
  in_use_ = true;
  if (!checkpoint_->damaged()) return absl::OkStatus();
  const std::lock_guard lock(mutex_);
  return WriteCheckpoint();
}

std::vector<std::uint64_t> FileDrive::Snapshot() const {
  std::vector<std::uint64_t> words(landed_.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = landed_[i].load(std::memory_order_acquire);
  }
  return words;
}

absl::Status FileDrive::WriteCheckpoint() {
  ZONAL_RETURN_IF_ERROR(broken_);
  const auto write = [this]() -> absl::Status {
    // First the words, then the sync: what lies below their pointers has landed.
    ZONAL_ASSIGN_OR_RETURN(const Checkpoint::Staged staged, checkpoint_->Stage(file_, Snapshot()));
    ZONAL_RETURN_IF_ERROR(file_.DataSync());
    if (!staged.changed) return absl::OkStatus();
    FileHeader next = header_.current();
    next.checkpoint_generation = staged.generation;
    next.checkpoint_crc = staged.crc;
    ZONAL_RETURN_IF_ERROR(header_.Replace(file_, std::move(next)));
    checkpoint_->Committed();
    return absl::OkStatus();
  };
  // After a failed fdatasync the kernel may have dropped the dirty pages: a later
  // success would prove nothing. The drive stays broken until reopened.
  broken_ = write();
  return broken_;
}

absl::Status FileDrive::Flush() {
  if (!writable_) return absl::OkStatus();
  const std::lock_guard lock(mutex_);
  if (options_.durability == Durability::kHost) ZONAL_RETURN_IF_ERROR(WriteCheckpoint());
  PunchHoles();
  return absl::OkStatus();
}

void FileDrive::ZoneLeavesEmpty(ZoneId zone) noexcept {
  forgotten_.Keep({options_.zone_size * zone.value(), options_.zone_size});
}

int FileDrive::PrepareZone(ZoneId zone) noexcept {
  const std::lock_guard lock(mutex_);
  const ZoneWord recorded(checkpoint_->words()[zone.value()]);
  return recorded.blocks() > 0 && !WriteCheckpoint().ok() ? EIO : 0;
}

void FileDrive::PunchHoles() {
  if (layout_.data_bytes == 0) return;
  const bool host = options_.durability == Durability::kHost;
  // Under durability=host a hole may only be where the durable record says that
  // nothing is: a crash could bring the old pointer back.
  const auto may = [this, host](const ByteRange& range) {
    if (!host) return true;
    const std::uint64_t first = range.offset / options_.zone_size;
    const std::uint64_t last = (range.end() - 1) / options_.zone_size;
    const auto at = checkpoint_->words().begin();
    return std::all_of(
        at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(last + 1),
        [](std::uint64_t word) { return ZoneWord(word).condition() == ZoneCondition::kEmpty; });
  };
  forgotten_.PunchEach(may, [this](const ByteRange& range) {
    // Only a saving: a file system that cannot do it keeps the blocks.
    static_cast<void>(fallocate(file_.fd(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(layout_.data + range.offset),
                                static_cast<off_t>(range.bytes)));
  });
}

absl::Status FileDrive::CloseCleanly() {
  const std::lock_guard lock(mutex_);
  ZONAL_RETURN_IF_ERROR(WriteCheckpoint());
  PunchHoles();
  FileHeader next = header_.current();
  next.clean = true;
  return header_.Replace(file_, std::move(next));
}

std::span<CounterSlot> FileDrive::counters() const noexcept {
  return {reinterpret_cast<CounterSlot*>(tables_.data() + kGaugesBytes), kCounterSlots};
}

DriveGauges* FileDrive::gauges() const noexcept {
  return reinterpret_cast<DriveGauges*>(tables_.data());
}

}  // namespace zonal::emulated
