// SPDX-License-Identifier: MIT
// Where reads in zone mode go: only to bytes that are there. Sequential streams
// never cross a write pointer and go on in the next zone with data. Random reads
// are uniform over the committed blocks of the range: a block of the whole range
// is drawn and taken if it is committed; when 32 draws found none, one is drawn
// from a prefix sum over the zones, rebuilt at most once per 1,024 tries.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/path.h"
#include "engine/setup.h"
#include "workload/random_stream.h"
#include "zonal/rng.h"

namespace zonal::engine {

class ZonedReader {
 public:
  ZonedReader(const WorkerSetup& setup, ZoneQueue& queue);

  Draw Prepare(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  // This block and no other.
  Draw PrepareReadBack(Slot& slot, std::uint64_t offset, std::uint64_t bytes,
                       std::uint32_t id) noexcept;
  void StartPass() noexcept { position_ = range_.begin; }
  void UseRegisteredBuffer() noexcept { registered_buffer_ = 0; }

 private:
  static constexpr int kDraws = 32;
  static constexpr std::uint64_t kTriesPerIndex = 1024;

  enum class Attempt : std::uint8_t { kDone, kElsewhere, kRefused };

  // Absolute: where readable bytes of the zone end; its start if there are none.
  std::uint64_t ReadableEnd(ZoneId zone) const noexcept;
  Draw Sequential(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Draw Random(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Draw FromIndex(Slot& slot, std::uint64_t bytes, std::uint32_t id) noexcept;
  Attempt Read(Slot& slot, ZoneId zone, std::uint32_t epoch, std::uint64_t offset,
               std::uint64_t bytes, std::uint32_t id) noexcept;
  void RebuildIndex() noexcept;
  // `bytes`, or what `room` holds of them in whole blocks.
  std::uint64_t Whole(std::uint64_t bytes, std::uint64_t room) const noexcept {
    return bytes <= room ? bytes : room - room % block_;
  }
  ZoneId first_zone() const noexcept { return geometry_.ZoneOf(range_.begin); }

  const ZoneManager& manager_;
  ZoneQueue& queue_;
  const Geometry& geometry_;
  const WorkRange range_;
  const std::uint64_t block_;  // the least
  const bool is_random_;
  const bool beyond_write_pointer_;
  const bool has_conventional_;
  const std::uint64_t skip_;  // behind each zone, sequentially
  std::int16_t registered_buffer_ = -1;
  Errc refusal_ = Errc::kOk;

  std::uint64_t position_;
  workload::RandomStream offsets_;
  Rng rng_;
  std::vector<std::uint64_t> blocks_up_to_;  // readable blocks in the zones up to and with this
  std::uint64_t tries_left_ = 0;             // before the index may be rebuilt
};

}  // namespace zonal::engine
