// SPDX-License-Identifier: MIT
#include "workload/data_filler.h"

#include <algorithm>
#include <cstring>

namespace zonal::workload {
namespace {

using Kind = DataFill::Kind;

// How far apart the words are that kScramble changes: a layer below that works in
// sectors finds each of them changed.
constexpr std::size_t kScrambleEvery = 512;

void FillRandom(std::span<std::byte> at, Rng& rng) noexcept {
  std::size_t done = 0;
  for (; done + sizeof(std::uint64_t) <= at.size(); done += sizeof(std::uint64_t)) {
    const std::uint64_t word = rng.Next();
    std::memcpy(at.data() + done, &word, sizeof word);
  }
  const std::uint64_t word = rng.Next();
  std::memcpy(at.data() + done, &word, at.size() - done);
}

bool IsFresh(const DataFill& fill) noexcept {
  const bool random = fill.kind == Kind::kRandom || fill.kind == Kind::kRefill;
  return fill.kind == Kind::kRefill || fill.dedupe_percent != 0 ||
         (random && fill.compress_percent != 0);
}

}  // namespace

DataFiller::DataFiller(const DataFill& fill, std::uint64_t seed, bool buffers_are_read_into)
    : fill_(fill),
      fresh_(IsFresh(fill)),
      each_block_(fresh_ || fill.kind == Kind::kScramble ||
                  (buffers_are_read_into && fill.kind != Kind::kRandom)),
      rng_(seed),
      block_seed_(seed ^ 0xF111) {}

void DataFiller::Repeat(std::span<std::byte> block) const noexcept {
  if (fill_.kind != Kind::kPattern || fill_.pattern.empty()) {
    std::fill(block.begin(), block.end(), std::byte{0});
    return;
  }
  const std::size_t first = std::min(block.size(), fill_.pattern.size());
  std::memcpy(block.data(), fill_.pattern.data(), first);
  // Doubling what is there: each copy is as long as all before it.
  for (std::size_t done = first; done < block.size();) {
    const std::size_t more = std::min(done, block.size() - done);
    std::memcpy(block.data() + done, block.data(), more);
    done += more;
  }
}

// Of each chunk the first part is random, and `compress_percent` compresses away.
void DataFiller::Compressible(std::span<std::byte> block, Rng& rng) const noexcept {
  const std::size_t chunk = std::max<std::size_t>(1, fill_.compress_chunk);
  const std::size_t away = chunk * fill_.compress_percent / 100;
  for (std::size_t at = 0; at < block.size(); at += chunk) {
    const std::span<std::byte> part = block.subspan(at, std::min(chunk, block.size() - at));
    const std::size_t random = std::min(part.size(), chunk - away);
    FillRandom(part.first(random), rng);
    Repeat(part.subspan(random));
  }
}

void DataFiller::Prepare(std::span<std::byte> buffer) noexcept {
  if (fill_.kind == Kind::kZeros || fill_.kind == Kind::kPattern) return Repeat(buffer);
  // Incompressible, so that no layer below makes the blocks smaller.
  FillRandom(buffer, rng_);
}

void DataFiller::Renew(std::span<std::byte> block, std::uint64_t offset) noexcept {
  ++written_;
  if (fresh_) {
    // A block that repeats an earlier one is made from its seed again.
    const bool repeats = fill_.dedupe_percent != 0 && rng_.Chance(fill_.dedupe_percent, 100);
    if (!repeats) block_seed_ = rng_.Next();
    Rng rng(block_seed_);
    return Compressible(block, rng);
  }
  if (fill_.kind != Kind::kScramble) return Repeat(block);
  for (std::size_t at = 0; at + 2 * sizeof(std::uint64_t) <= block.size(); at += kScrambleEvery) {
    const std::uint64_t words[] = {offset + at, written_};
    std::memcpy(block.data() + at, words, sizeof words);
  }
}

}  // namespace zonal::workload
