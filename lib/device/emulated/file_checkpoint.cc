// SPDX-License-Identifier: MIT
#include "device/emulated/file_checkpoint.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "core/status_macros.h"
#include "device/emulated/file_crc32c.h"

namespace zonal::emulated {
namespace {

struct RawPage {
  std::uint32_t crc;  // of the bytes after it
  std::uint32_t index;
  std::uint64_t generation;
  std::array<std::uint64_t, kWordsPerCheckpointPage> words;
};
static_assert(sizeof(RawPage) == kPageBytes);

std::uint32_t CrcOf(const RawPage& page) noexcept {
  return Crc32c(std::as_bytes(std::span(&page, 1)).subspan(sizeof page.crc));
}

std::uint64_t OffsetOf(std::uint64_t region, std::size_t index, int copy) noexcept {
  return region + (2 * index + static_cast<std::size_t>(copy)) * kPageBytes;
}

// nullopt if the page is not whole: torn, damaged or never written.
absl::StatusOr<std::optional<RawPage>> ReadPage(const File& file, std::uint64_t region,
                                                std::size_t index, int copy) {
  RawPage page;
  ZONAL_RETURN_IF_ERROR(
      file.Read(OffsetOf(region, index, copy), std::as_writable_bytes(std::span(&page, 1))));
  if (page.generation == 0 || page.index != index || page.crc != CrcOf(page)) {
    return std::optional<RawPage>();
  }
  return std::optional<RawPage>(page);
}

// The words of page `index`.
template <typename Word>
std::span<Word> WordsOf(std::span<Word> all, std::size_t index) {
  const std::size_t first = index * kWordsPerCheckpointPage;
  return all.subspan(first, std::min<std::size_t>(kWordsPerCheckpointPage, all.size() - first));
}

}  // namespace

absl::StatusOr<Checkpoint> Checkpoint::Load(const File& file, const FileHeader& header,
                                            std::span<const std::uint64_t> initial) {
  const FileLayout layout = LayoutOf(header.options, header.facts_runs);
  Checkpoint result;
  result.region_ = layout.checkpoint;
  result.words_.assign(initial.begin(), initial.end());
  result.pages_.resize(layout.checkpoint_pages);
  result.highest_generation_ = header.checkpoint_generation;
  for (std::size_t i = 0; i < result.pages_.size(); ++i) {
    PageState& state = result.pages_[i];
    std::uint64_t best = 0;
    for (const int copy : {0, 1}) {
      ZONAL_ASSIGN_OR_RETURN(const std::optional<RawPage> page,
                             ReadPage(file, layout.checkpoint, i, copy));
      if (!page.has_value()) continue;
      result.highest_generation_ = std::max(result.highest_generation_, page->generation);
      if (page->generation > header.checkpoint_generation) {
        state.stray = true;  // a crash came before its commit
      } else if (page->generation > best) {
        best = page->generation;
        state.copy = copy;
        state.crc = page->crc;
        const std::span<std::uint64_t> words = WordsOf(std::span(result.words_), i);
        std::copy_n(page->words.begin(), words.size(), words.begin());
      }
    }
  }
  if (header.checkpoint_generation != 0 && result.CrcOfPages() != header.checkpoint_crc) {
    result.damaged_ = true;
    result.words_.assign(initial.begin(), initial.end());
    PageState unknown;
    unknown.stray = true;
    result.pages_.assign(layout.checkpoint_pages, unknown);
  }
  return result;
}

absl::StatusOr<Checkpoint::Staged> Checkpoint::Stage(const File& file,
                                                     std::vector<std::uint64_t> words) {
  staged_words_ = std::move(words);
  Staged staged;
  staged.generation = highest_generation_ + 1;
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    PageState& state = pages_[i];
    const std::span<const std::uint64_t> now =
        WordsOf(std::span<const std::uint64_t>(staged_words_), i);
    const std::span<const std::uint64_t> before =
        WordsOf(std::span<const std::uint64_t>(words_), i);
    // A stray page is of a lower generation than the commit to come, which would
    // adopt it: it must be overwritten.
    if (!state.stray && std::equal(now.begin(), now.end(), before.begin())) continue;
    RawPage page{};
    page.index = static_cast<std::uint32_t>(i);
    page.generation = staged.generation;
    std::copy(now.begin(), now.end(), page.words.begin());
    page.crc = CrcOf(page);
    ZONAL_RETURN_IF_ERROR(
        file.Write(OffsetOf(region_, i, 1 - state.copy), std::as_bytes(std::span(&page, 1))));
    state.staged = true;
    state.staged_crc = page.crc;
    staged.changed = true;
  }
  highest_generation_ = staged.generation;
  staged.crc = CrcOfPages();
  return staged;
}

void Checkpoint::Committed() noexcept {
  for (PageState& state : pages_) {
    if (!state.staged) continue;
    state.copy = 1 - state.copy;
    state.crc = state.staged_crc;
    state.staged = state.stray = false;
  }
  words_ = std::move(staged_words_);
  damaged_ = false;
}

std::uint32_t Checkpoint::CrcOfPages() const {
  std::vector<std::uint32_t> crcs;
  crcs.reserve(pages_.size());
  for (const PageState& state : pages_) crcs.push_back(state.staged ? state.staged_crc : state.crc);
  return Crc32c(std::as_bytes(std::span<const std::uint32_t>(crcs)));
}

}  // namespace zonal::emulated
