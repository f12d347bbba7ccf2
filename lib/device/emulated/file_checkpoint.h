// SPDX-License-Identifier: MIT
// The checkpoint of a drive's file: the zone words as they were when the bytes
// below their pointers were durable. Pages come in pairs; a page is written
// over the copy the committed checkpoint does not stand on, so that a crash at
// any moment leaves the committed one whole. What commits it is the header
// (docs/emulated-drive-file.md, "Checkpoint"). Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "device/emulated/file_format.h"
#include "device/emulated/file_io.h"

namespace zonal::emulated {

class Checkpoint {
 public:
  // The checkpoint `header` commits; `initial` are the words of a new drive.
  // Fails only if reading does.
  static absl::StatusOr<Checkpoint> Load(const File& file, const FileHeader& header,
                                         std::span<const std::uint64_t> initial);

  // True if the pages are not those the header committed. Then words() are the
  // initial ones, and the next Stage writes every page anew.
  bool damaged() const noexcept { return damaged_; }
  // The committed words.
  const std::vector<std::uint64_t>& words() const noexcept { return words_; }

  // Writes the pages in which `words` differ and returns what the header has to
  // say to commit them, once they are durable. After an error nothing further
  // may be staged: what reached the file is not known.
  struct Staged {
    std::uint64_t generation = 0;
    std::uint32_t crc = 0;
    bool changed = false;  // false: nothing to commit
  };
  absl::StatusOr<Staged> Stage(const File& file, std::vector<std::uint64_t> words);
  // The header that commits the staged words is durable.
  void Committed() noexcept;

 private:
  struct PageState {
    int copy = 1;           // the committed one
    std::uint32_t crc = 0;  // its CRC; 0: never written, the initial words
    bool stray = false;     // the other copy holds a valid page that was never committed
    bool staged = false;
    std::uint32_t staged_crc = 0;
  };
  std::uint32_t CrcOfPages() const;

  std::uint64_t region_ = 0;  // offset in the file
  std::vector<PageState> pages_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> staged_words_;
  bool damaged_ = false;
  std::uint64_t highest_generation_ = 0;  // seen anywhere in the region
};

}  // namespace zonal::emulated
