// SPDX-License-Identifier: MIT
#include "device/emulated/file_header.h"

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace zonal::emulated {
namespace {

absl::StatusOr<FileHeader> ReadCopy(const File& file, int copy) {
  Page page;
  const absl::Status status = file.Read(static_cast<std::uint64_t>(copy) * kPageBytes, page);
  if (absl::IsOutOfRange(status)) return absl::InvalidArgumentError("the file is too short");
  ZONAL_RETURN_IF_ERROR(status);
  return DecodeHeader(page);
}

absl::Status BothBad(const File& file, const absl::Status& first, const absl::Status& second) {
  if (absl::IsInvalidArgument(first) && absl::IsInvalidArgument(second)) {
    return absl::InvalidArgumentError(
        absl::StrCat(file.path(), ": not an emulated drive's file; `zonal create` makes one"));
  }
  return absl::DataLossError(absl::StrCat(
      file.path(), ": both copies of the drive's header are unusable (first: ", first.message(),
      "; second: ", second.message(), "); restore the file, or make a new drive in its place"));
}

}  // namespace

absl::StatusOr<HeaderCopies> HeaderCopies::Read(const File& file) {
  // A reader may meet one copy half replaced, and by the time it reads the other
  // the next replacement may be there: it looks again.
  constexpr int kAttempts = 3;
  absl::Status failure;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const absl::StatusOr<FileHeader> first = ReadCopy(file, 0);
    const absl::StatusOr<FileHeader> second = ReadCopy(file, 1);
    if (!first.ok() && !second.ok()) {
      failure = BothBad(file, first.status(), second.status());
      continue;
    }
    HeaderCopies copies;
    copies.newest_ = !first.ok() || (second.ok() && second->generation > first->generation) ? 1 : 0;
    copies.current_ = copies.newest_ == 0 ? *first : *second;
    return copies;
  }
  return failure;
}

absl::Status HeaderCopies::Replace(const File& file, FileHeader next) {
  next.generation = current_.generation + 1;
  const Page page = EncodeHeader(next);
  const int older = 1 - newest_;
  ZONAL_RETURN_IF_ERROR(file.Write(static_cast<std::uint64_t>(older) * kPageBytes, page));
  ZONAL_RETURN_IF_ERROR(file.DataSync());
  ZONAL_RETURN_IF_ERROR(file.Write(static_cast<std::uint64_t>(newest_) * kPageBytes, page));
  newest_ = older;
  current_ = std::move(next);
  return absl::OkStatus();
}

}  // namespace zonal::emulated
