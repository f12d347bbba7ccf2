// SPDX-License-Identifier: MIT
#include "verify/written_map.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/status_macros.h"

namespace zonal::verify {
namespace {

constexpr std::uint64_t kBitsPerPage = 4096 * 8;

using Bits = LazyArray<std::uint64_t>;

bool Get(const Bits& bits, std::uint64_t at) noexcept {
  return (bits[at / 64] >> at % 64 & 1) != 0;
}

// A word of ones where bits [from, to) of word `word` are.
std::uint64_t Mask(std::uint64_t word, std::uint64_t from, std::uint64_t to) noexcept {
  std::uint64_t mask = ~std::uint64_t{0};
  if (from > word * 64) mask &= ~std::uint64_t{0} << (from - word * 64);
  if (to < word * 64 + 64) mask &= (std::uint64_t{1} << (to - word * 64)) - 1;
  return mask;
}

void SetAll(Bits& bits, std::uint64_t from, std::uint64_t to, bool value) noexcept {
  for (std::uint64_t word = from / 64; word * 64 < to; ++word) {
    const std::uint64_t mask = Mask(word, from, to);
    bits[word] = value ? bits[word] | mask : bits[word] & ~mask;
  }
}

}  // namespace

absl::StatusOr<WrittenMap> WrittenMap::Create(const Options& options) {
  const std::uint64_t granules =
      (options.end - options.begin + options.granule - 1) / options.granule;
  const std::size_t words = granules / 64 + 1;
  ZONAL_ASSIGN_OR_RETURN(auto written, Bits::Create(words));
  ZONAL_ASSIGN_OR_RETURN(auto starts, Bits::Create(words));
  ZONAL_ASSIGN_OR_RETURN(auto sequences,
                         LazyArray<std::uint32_t>::Create(options.keeps_sequences ? granules : 0));
  return WrittenMap(options, std::move(written), std::move(starts), std::move(sequences));
}

WrittenMap::WrittenMap(const Options& options, LazyArray<std::uint64_t> written,
                       LazyArray<std::uint64_t> starts, LazyArray<std::uint32_t> sequences)
    : options_(options),
      granules_((options.end - options.begin + options.granule - 1) / options.granule),
      written_(std::move(written)),
      starts_(std::move(starts)),
      sequences_(std::move(sequences)),
      touched_(granules_ / kBitsPerPage + 1) {}

bool WrittenMap::Holds(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  const std::uint64_t end = std::min(GranuleOf(offset + bytes - 1) + 1, granules_);
  for (std::uint64_t at = GranuleOf(offset); at < end; ++at) {
    if (touched_[at / kBitsPerPage] && Get(written_, at)) return true;
  }
  return false;
}

std::uint64_t WrittenMap::FindStart(std::uint64_t from, std::uint64_t end) const noexcept {
  end = std::min(end, granules_);
  while (from < end) {
    const std::uint64_t page = from / kBitsPerPage;
    const std::uint64_t page_end = std::min(end, (page + 1) * kBitsPerPage);
    if (!touched_[page]) {
      from = page_end;
      continue;
    }
    for (std::uint64_t word = from / 64; word * 64 < page_end; ++word) {
      const std::uint64_t found = starts_[word] & Mask(word, from, page_end);
      if (found != 0) return word * 64 + static_cast<std::uint64_t>(std::countr_zero(found));
    }
    from = page_end;
  }
  return end;
}

std::uint64_t WrittenMap::EndOfBlock(std::uint64_t start) const noexcept {
  for (std::uint64_t word = (start + 1) / 64; word * 64 < granules_; ++word) {
    const std::uint64_t over =
        (starts_[word] | ~written_[word]) & Mask(word, start + 1, word * 64 + 64);
    if (over == 0) continue;
    return std::min(granules_, word * 64 + static_cast<std::uint64_t>(std::countr_zero(over)));
  }
  return granules_;
}

std::uint64_t WrittenMap::StartOfBlock(std::uint64_t granule) const noexcept {
  for (std::uint64_t word = granule / 64;; --word) {
    const std::uint64_t found = starts_[word] & Mask(word, 0, granule + 1);
    if (found != 0) return word * 64 + 63 - static_cast<std::uint64_t>(std::countl_zero(found));
  }
}

void WrittenMap::Erase(std::uint64_t start) noexcept {
  SetAll(written_, start, EndOfBlock(start), false);
  SetAll(starts_, start, start + 1, false);
  --blocks_;
}

void WrittenMap::Remove(std::uint64_t offset, std::uint64_t bytes) noexcept {
  const std::uint64_t first = GranuleOf(offset);
  const std::uint64_t end = GranuleOf(offset + bytes + options_.granule - 1);
  if (touched_[first / kBitsPerPage] && Get(written_, first)) Erase(StartOfBlock(first));
  for (std::uint64_t at = FindStart(first, end); at < std::min(end, granules_);
       at = FindStart(at, end)) {
    Erase(at);
  }
}

void WrittenMap::Add(std::uint64_t offset, std::uint64_t bytes, std::uint32_t sequence) noexcept {
  Remove(offset, bytes);
  const std::uint64_t first = GranuleOf(offset);
  const std::uint64_t end = GranuleOf(offset + bytes + options_.granule - 1);
  for (std::uint64_t page = first / kBitsPerPage; page <= (end - 1) / kBitsPerPage; ++page) {
    touched_[page] = true;
  }
  SetAll(written_, first, end, true);
  SetAll(starts_, first, first + 1, true);
  if (options_.keeps_sequences) sequences_[first] = sequence;
  ++blocks_;
}

std::optional<WrittenBlock> WrittenMap::Next(std::uint64_t from, std::uint64_t end) const noexcept {
  if (blocks_ == 0 || from >= end) return std::nullopt;
  const std::uint64_t last = (end - options_.begin + options_.granule - 1) / options_.granule;
  const std::uint64_t at =
      FindStart((from - options_.begin + options_.granule - 1) / options_.granule, last);
  if (at >= std::min(last, granules_)) return std::nullopt;
  WrittenBlock block;
  block.offset = options_.begin + at * options_.granule;
  block.bytes = std::min((EndOfBlock(at) - at) * options_.granule, options_.end - block.offset);
  if (options_.keeps_sequences) block.sequence = sequences_[at];
  return block;
}

}  // namespace zonal::verify
