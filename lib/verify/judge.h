// SPDX-License-Identifier: MIT
// Is this the block that was written there? And if not, what is it? Pure; builds a
// sentence only for a mismatch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "verify/block.h"
#include "verify/checksum.h"

namespace zonal::verify {

enum class Verdict : std::uint8_t {
  kOk,
  kMissing,      // zeros, or nothing a verifying run ever wrote
  kOtherRun,     // another run id
  kMisplaced,    // written for another offset or zone
  kEarlierLife,  // written before the zone's last reset
  kLaterLife,    // the zone was reset and written since this was noted down
  kOtherWrite,   // an earlier write to this place (or a later one, where that is wrong)
  kTorn,         // sectors of two writes
  kCorrupt,      // bytes changed
  kOtherFormat,  // another kind of checksum, length or version than asked for
};
std::string_view ToString(Verdict verdict) noexcept;

// Fields without a value are not compared.
struct Expected {
  std::uint64_t offset = 0;
  std::uint32_t zone = 0;
  std::uint64_t zone_start = 0;   // for blocks placed by the device
  bool placed_by_device = false;  // is known of it; a header tells it anyway
  std::optional<std::uint64_t> run_id;
  std::optional<std::uint32_t> epoch;
  std::optional<std::uint32_t> sequence;  // low half
  // The place may have been written again since this was noted down.
  bool or_later = false;
  std::size_t header_at = 0;
};

struct Judgement {
  Verdict verdict = Verdict::kOk;
  std::string message;  // empty if kOk; names offset and zone
  bool ok() const noexcept { return verdict == Verdict::kOk; }
};

// `block` is one whole block. The checksum asked for is the checksummer's.
Judgement Judge(std::span<const std::byte> block, const Expected& expected,
                const Checksummer& checksummer);

}  // namespace zonal::verify
