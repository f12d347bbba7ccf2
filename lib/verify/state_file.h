// SPDX-License-Identifier: MIT
// What a verifying worker wrote, kept over the end of its process. Lines of text
// (docs/verify.md), ended by a CRC32C of all lines before:
//
//   zonal-verify-state 1
//   run_id HEX        checksum NAME     interval BYTES     header_at BYTES
//   device_bytes N    next_sequence N   next_epoch N
//   zone ZONE EPOCH                          for each zone that holds blocks
//   blocks OFFSET BYTES COUNT FIRST_SEQUENCE   COUNT blocks, one behind the other, of
//                                            sequences rising by 1 (all 0: not known)
//   end CRC32C
//
// The file is replaced as a whole: a process that is killed leaves the last state
// or the one before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "verify/written_map.h"
#include "zonal/workload.h"

namespace zonal::verify {

struct State {
  struct ZoneLife {
    std::uint32_t zone = 0, epoch = 0;
    friend bool operator==(const ZoneLife&, const ZoneLife&) = default;
  };
  struct Blocks {
    std::uint64_t offset = 0, bytes = 0, count = 0;
    std::uint32_t first_sequence = 0;
    friend bool operator==(const Blocks&, const Blocks&) = default;
  };
  std::uint64_t run_id = 0;
  Checksum checksum = Checksum::kNone;
  std::uint32_t interval = 0, header_at = 0;
  std::uint64_t device_bytes = 0;
  std::uint64_t next_sequence = 0;
  std::uint32_t next_epoch = 0;
  std::vector<ZoneLife> zones;
  std::vector<Blocks> blocks;
  friend bool operator==(const State&, const State&) = default;

  // Joins the last entry of `blocks` if it continues that.
  void Add(const WrittenBlock& block);
};

std::string FormatState(const State& state);
// InvalidArgument names the line.
absl::StatusOr<State> ParseState(std::string_view text);

// Durable when it returns (durable_file.h).
absl::Status SaveState(const std::string& path, const State& state);
// NotFound, InvalidArgument (which line).
absl::StatusOr<State> LoadState(const std::string& path);

}  // namespace zonal::verify
