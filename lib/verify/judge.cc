// SPDX-License-Identifier: MIT
#include "verify/judge.h"

#include <algorithm>
#include <cstdio>

namespace zonal::verify {
namespace {

using Bytes = std::span<const std::byte>;

std::string Number(std::uint64_t value) { return std::to_string(value); }

std::string Hex(std::uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
  return text;
}

bool OnlyZeros(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::string Describe(const Identity& write) {
  const std::uint64_t job = write.sequence >> kJobShift;
  const std::uint64_t number = write.sequence - (job << kJobShift);
  std::string text = "write " + Number(number) + (job == 0 ? "" : " of job " + Number(job)) +
                     " of run " + Hex(write.run_id) + " in zone " + Number(write.zone) +
                     ", epoch " + Number(write.epoch);
  text += write.placed_by_device ? ", appended" : ", offset " + Number(write.offset);
  return text;
}

// Sectors with a tag, in runs of those that bear the tags of one write and those
// that do not.
struct Split {
  std::size_t own = 0, foreign = 0;
  std::size_t first_own = 0, first_foreign = 0;
  bool torn() const noexcept { return own != 0 && foreign != 0; }
};

Split SplitBy(Bytes block, const Tags& tags, const Identity& write, std::uint32_t sequence) {
  Split split;
  for (std::size_t sector = 0; sector < tags.sectors(); ++sector) {
    if (!tags.Has(sector)) continue;
    if (Tags::Read(block, sector) == Tags::Expected(write, sequence, sector)) {
      if (split.own++ == 0) split.first_own = sector;
    } else {
      if (split.foreign++ == 0) split.first_foreign = sector;
    }
  }
  return split;
}

class Case {
 public:
  Case(Bytes block, const Expected& expected, const Checksummer& checksummer)
      : block_(block),
        expected_(expected),
        checksummer_(checksummer),
        state_(ReadHeader(block, expected.header_at, header_)),
        tags_(block.size(), expected.header_at, HeaderBytes(checksummer.checksum())) {}

  Judgement Decide() const {
    if (state_ != HeaderState::kValid) return WithoutHeader();
    if (header_.checksum != checksummer_.checksum()) {
      return Is(Verdict::kOtherFormat,
                "it was written with verify=" + std::string(ToString(header_.checksum)) +
                    ", and is read with verify=" + std::string(ToString(checksummer_.checksum())));
    }
    const Verdict identity = CompareIdentity();
    if (identity != Verdict::kOk) return Foreign(identity);
    if (header_.length != block_.size()) {
      return Is(Verdict::kOtherFormat, "its length is " + Number(header_.length) + " bytes, and " +
                                           Number(block_.size()) + " were read");
    }
    return Payload();
  }

 private:
  Judgement Is(Verdict verdict, const std::string& what) const {
    return {verdict, "block of " + Number(block_.size()) + " bytes at offset " +
                         Number(expected_.offset) + " (zone " + Number(expected_.zone) +
                         "): " + std::string(ToString(verdict)) + ": " + what};
  }

  Verdict CompareIdentity() const {
    const Identity& found = header_.identity;
    const std::uint64_t offset = found.placed_by_device ? expected_.zone_start : expected_.offset;
    if (expected_.run_id && found.run_id != *expected_.run_id) return Verdict::kOtherRun;
    if (found.zone != expected_.zone || found.offset != offset) return Verdict::kMisplaced;
    if (expected_.epoch && found.epoch != *expected_.epoch) {
      return found.epoch < *expected_.epoch ? Verdict::kEarlierLife : Verdict::kLaterLife;
    }
    if (expected_.sequence) {
      const auto ahead = static_cast<std::int32_t>(static_cast<std::uint32_t>(found.sequence) -
                                                   *expected_.sequence);
      if (expected_.or_later ? ahead < 0 : ahead != 0) return Verdict::kOtherWrite;
    }
    return Verdict::kOk;
  }

  // The header is that of another write. Do later sectors bear the right one's tags?
  Judgement Foreign(Verdict verdict) const {
    const Identity& found = header_.identity;
    if (const std::optional<std::size_t> sector = FirstOfExpected(&found)) {
      return Is(Verdict::kTorn, "the bytes from " + Number(*sector * kSectorBytes) +
                                    " on are of the write expected, those before are of " +
                                    Describe(found));
    }
    std::string what = "it is of " + Describe(found) + "; expected";
    if (expected_.run_id) what += " run " + Hex(*expected_.run_id) + ",";
    if (expected_.epoch) what += " epoch " + Number(*expected_.epoch) + ",";
    if (expected_.sequence) {
      what += std::string(expected_.or_later ? " at least" : "") + " write " +
              Number(*expected_.sequence) + ",";
    }
    what += " offset " + Number(expected_.offset);
    if (header_.length == block_.size() &&
        DigestOf(block_, expected_.header_at, checksummer_) != header_.digest) {
      what += "; its own checksum does not fit either";
    }
    return Is(verdict, what);
  }

  // The first sector with a tag of the write expected, which tells its sequence
  // itself. None where too little is expected to recognise one.
  std::optional<std::size_t> FirstOfExpected(const Identity* but_not_of) const {
    if (!expected_.run_id || !expected_.epoch) return std::nullopt;
    const bool placed = expected_.placed_by_device;
    Identity write{*expected_.run_id,
                   placed ? expected_.zone_start : expected_.offset,
                   0,
                   expected_.zone,
                   *expected_.epoch,
                   placed};
    for (std::size_t sector = 0; sector < tags_.sectors(); ++sector) {
      if (!tags_.Has(sector)) continue;
      const Tag tag = Tags::Read(block_, sector);
      if (expected_.sequence && !expected_.or_later && tag.sequence != *expected_.sequence)
        continue;
      if (tag != Tags::Expected(write, tag.sequence, sector)) continue;
      write.sequence = tag.sequence;
      const bool same = but_not_of != nullptr && but_not_of->run_id == write.run_id &&
                        but_not_of->offset == write.offset && but_not_of->epoch == write.epoch &&
                        static_cast<std::uint32_t>(but_not_of->sequence) == tag.sequence;
      if (!same) return sector;
    }
    return std::nullopt;
  }

  // The header is right. Is the rest of the same write, and whole?
  Judgement Payload() const {
    const bool has_digest = checksummer_.checksum() != Checksum::kHeaderOnly;
    const bool whole =
        has_digest && DigestOf(block_, expected_.header_at, checksummer_) == header_.digest;
    if (whole) return {};
    const Identity& own = header_.identity;
    const Split split = SplitBy(block_, tags_, own, static_cast<std::uint32_t>(own.sequence));
    if (split.foreign == 0) {
      if (!has_digest) return {};
      return Is(Verdict::kCorrupt, "its " + std::string(ToString(header_.checksum)) +
                                       " does not fit, though header and all sectors are of " +
                                       Describe(own));
    }
    return TornOrChanged(split);
  }

  Judgement TornOrChanged(const Split& split) const {
    const std::size_t at = split.first_foreign;
    const Bytes sector = block_.subspan(at * kSectorBytes, kSectorBytes);
    const Tag tag = Tags::Read(block_, at);
    std::string from = OnlyZeros(sector) ? "zeros" : "not of this write";
    const Identity& own = header_.identity;
    if (tag == Tags::Expected(own, tag.sequence, at)) from = "of write " + Number(tag.sequence);
    return Is(Verdict::kTorn, Number(split.foreign) + " of " + Number(split.own + split.foreign) +
                                  " sectors are not of the header's write, the first at byte " +
                                  Number(at * kSectorBytes) + ", which is " + from +
                                  "; the header is of " + Describe(own));
  }

  Judgement WithoutHeader() const {
    if (OnlyZeros(block_)) return Is(Verdict::kMissing, "only zeros");
    if (const std::optional<std::size_t> sector = FirstOfExpected(nullptr)) {
      // The header's own sector is of the right write: bytes of the header changed.
      if (*sector <=
          (expected_.header_at + HeaderBytes(checksummer_.checksum()) - 1) / kSectorBytes) {
        return Is(Verdict::kCorrupt,
                  "its header is damaged; its sectors are of the write expected");
      }
      return Is(Verdict::kTorn, "the bytes from " + Number(*sector * kSectorBytes) +
                                    " on are of the write expected, those before are not");
    }
    if (state_ == HeaderState::kUnknownVersion) {
      return Is(Verdict::kOtherFormat, "its header has a version or checksum unknown here");
    }
    if (state_ == HeaderState::kDamaged) return Is(Verdict::kCorrupt, "its header is damaged");
    return Is(Verdict::kMissing,
              "it has no header: never written by a verifying run, or overwritten since");
  }

  const Bytes block_;
  const Expected& expected_;
  const Checksummer& checksummer_;
  Header header_;
  const HeaderState state_;
  const Tags tags_;
};

}  // namespace

std::string_view ToString(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kMissing:
      return "missing";
    case Verdict::kOtherRun:
      return "of another run";
    case Verdict::kMisplaced:
      return "misplaced";
    case Verdict::kEarlierLife:
      return "of an earlier life of the zone";
    case Verdict::kLaterLife:
      return "of a later life of the zone";
    case Verdict::kOtherWrite:
      return "of another write";
    case Verdict::kTorn:
      return "torn";
    case Verdict::kCorrupt:
      return "corrupt";
    case Verdict::kOtherFormat:
      return "in another format";
  }
  return "unknown";
}

Judgement Judge(std::span<const std::byte> block, const Expected& expected,
                const Checksummer& checksummer) {
  return Case(block, expected, checksummer).Decide();
}

}  // namespace zonal::verify
