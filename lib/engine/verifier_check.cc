// SPDX-License-Identifier: MIT
// Verifier: headers and tags into what is written, judgement of what is read.
#include <algorithm>
#include <fstream>

#include "engine/verifier.h"

namespace zonal::engine {
namespace {

// Descriptions and dumps beyond these are counted only.
constexpr std::size_t kMostMessages = 16;

std::span<std::byte> Data(const Slot& slot, std::uint64_t bytes) noexcept {
  return {static_cast<std::byte*>(slot.buffer), bytes};
}

verify::BlockPattern PatternOf(const Verify& options) noexcept {
  verify::BlockPattern pattern{options.pattern, {}};
  if (options.pattern_has_offset) pattern.offset_at = options.pattern_offset_at;
  return pattern;
}

void WriteFile(const std::string& name, std::span<const std::byte> data) {
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
}

}  // namespace

bool Verifier::HoldsHeader(std::uint64_t bytes) const noexcept {
  if (options_.checksum == Checksum::kPattern) return bytes != 0;
  return bytes >= options_.offset + verify::HeaderBytes(options_.checksum);
}

std::uint64_t Verifier::Interval(std::uint64_t left) const noexcept {
  return options_.interval == 0 ? left : std::min<std::uint64_t>(options_.interval, left);
}

verify::Identity Verifier::IdentityAt(const Slot& slot, std::uint64_t at) const noexcept {
  const std::uint64_t offset = appends_ ? StartOf(slot.zone) : slot.offset + at;
  return {run_id_, offset, slot.sequence, slot.zone.value(), slot.epoch, appends_};
}

void Verifier::StampData(const Slot& slot) noexcept {
  for (std::uint64_t at = 0; at < slot.bytes;) {
    const std::uint64_t bytes = Interval(slot.bytes - at);
    const std::span<std::byte> block = Data(slot, slot.bytes).subspan(at, bytes);
    if (options_.checksum == Checksum::kPattern) {
      verify::FillPattern(block, PatternOf(options_), slot.offset + at);
    } else if (HoldsHeader(bytes)) {
      verify::StampBlock(block, IdentityAt(slot, at), options_.offset, checksummer_);
    }
    at += bytes;
  }
}

verify::Judgement Verifier::JudgeBlock(std::span<const std::byte> block,
                                       const verify::Expected& expected) const {
  if (options_.checksum != Checksum::kPattern) return Judge(block, expected, checksummer_);
  return verify::JudgePattern(block, PatternOf(options_), expected);
}

verify::Expected Verifier::ExpectedAt(const Slot& slot, std::uint64_t at) const noexcept {
  verify::Expected expected;
  expected.offset = slot.offset + at;
  expected.zone = slot.zone.value();
  expected.zone_start = StartOf(slot.zone);
  expected.header_at = options_.offset;
  return expected;
}

void Verifier::CheckBlock(const Slot& slot, std::uint64_t bytes) {
  const std::span<const std::byte> data = Data(slot, bytes);
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t length = Interval(bytes - at);
    if (HoldsHeader(length)) {
      verify::Expected expected = ExpectedAt(slot, at);
      expected.run_id = run_id_;
      expected.epoch = slot.epoch;
      if (slot.sequence != 0) expected.sequence = static_cast<std::uint32_t>(slot.sequence);
      expected.or_later = from_state_ && IsRewritable(slot.zone);
      expected.placed_by_device = knows_sequences_ && !IsRewritable(slot.zone);
      Count(slot, at, data.subspan(at, length), JudgeBlock(data.subspan(at, length), expected));
    }
    at += length;
  }
}

void Verifier::CheckRead(const Slot& slot, std::uint64_t bytes) {
  const std::span<const std::byte> data = Data(slot, bytes);
  for (std::uint64_t at = 0; at < bytes;) {
    std::uint64_t length = Interval(bytes - at);
    verify::Header header;
    const bool has_header =
        options_.checksum != Checksum::kPattern &&
        ReadHeader(data.subspan(at), options_.offset, header) == verify::HeaderState::kValid;
    // Without an interval, a block says itself how long it is.
    if (options_.interval == 0 && has_header && header.length != 0) {
      length = std::min<std::uint64_t>(header.length, length);
    }
    const std::span<const std::byte> block = data.subspan(at, length);
    Count(slot, at, block, JudgeRead(slot, at, block, has_header ? &header : nullptr));
    at += length;
  }
}

verify::Judgement Verifier::JudgeRead(const Slot& slot, std::uint64_t at,
                                      std::span<const std::byte> block,
                                      const verify::Header* header) {
  verify::Expected expected = ExpectedAt(slot, at);
  if (options_.own_run) expected.run_id = run_id_;
  const bool has_lives = header != nullptr && !IsRewritable(slot.zone);
  const std::size_t zone = slot.zone.value() - first_zone_;
  if (has_lives) tally_.Expect(zone, slot.epoch, header->identity, expected);
  verify::Judgement judgement = JudgeBlock(block, expected);
  if (!judgement.ok() || header == nullptr) return judgement;
  tally_.CountRun(header->identity, expected.offset, result_);
  if (has_lives) tally_.CountLife(zone, slot.epoch, header->identity, result_);
  return judgement;
}

void Verifier::Count(const Slot& slot, std::uint64_t at, std::span<const std::byte> block,
                     verify::Judgement judgement) {
  ++result_.blocks;
  if (judgement.ok()) return;
  ++result_.mismatches;
  if (result_.messages.size() >= kMostMessages) return;
  result_.messages.push_back(setup_.target->spec + ": " + std::move(judgement.message));
  if (options_.dump) Dump(slot, at, block);
}

// JOB.OFFSET.received and JOB.OFFSET.expected in the current directory; the second
// only where it is known what was written.
void Verifier::Dump(const Slot& slot, std::uint64_t at, std::span<const std::byte> block) {
  const std::string name = setup_.workload.name + "." + std::to_string(slot.offset + at) + ".";
  WriteFile(name + "received", block);
  std::vector<std::byte> expected(block.size());
  if (options_.checksum == Checksum::kPattern) {
    verify::FillPattern(expected, PatternOf(options_), slot.offset + at);
    return WriteFile(name + "expected", expected);
  }
  if (payload_.size() < at + block.size()) return;
  verify::Identity identity = IdentityAt(slot, at);
  verify::Header header;
  // Without a sequence of our own, the header's, if there is one.
  if (identity.sequence == 0 &&
      ReadHeader(block, options_.offset, header) == verify::HeaderState::kValid) {
    identity.sequence = header.identity.sequence;
  }
  if (identity.sequence == 0) return;
  std::copy_n(payload_.begin() + static_cast<std::ptrdiff_t>(at), block.size(), expected.begin());
  StampBlock(expected, identity, options_.offset, checksummer_);
  WriteFile(name + "expected", expected);
}

void Verifier::SetPayload(std::span<const std::byte> payload) {
  payload_.assign(payload.begin(), payload.end());
}

}  // namespace zonal::engine
