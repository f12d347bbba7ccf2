// SPDX-License-Identifier: MIT
// Shorthand for hand-written cases against the naive model: commands, and a
// drive whose zone 0 is in a chosen condition. Units are blocks of 512 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/naive_zone.h"

namespace zonal::model {

inline constexpr std::uint64_t kBlock = 512;

inline Command ReadBlocks(std::uint64_t first, std::uint64_t count) {
  Command command;
  command.kind = Command::Kind::kRead;
  command.offset = first * kBlock;
  command.bytes = count * kBlock;
  return command;
}

inline Command WriteBlocks(std::uint64_t first, std::uint64_t count) {
  Command command = ReadBlocks(first, count);
  command.kind = Command::Kind::kWrite;
  return command;
}

inline Command AppendBlocks(std::uint64_t zone_start, std::uint64_t count) {
  Command command = ReadBlocks(zone_start, count);
  command.kind = Command::Kind::kAppend;
  return command;
}

inline Command ManageAt(ZoneOp op, std::uint64_t zone_start) {
  Command command;
  command.kind = Command::Kind::kManage;
  command.op = op;
  command.offset = zone_start * kBlock;
  return command;
}

inline Command ManageEvery(ZoneOp op) {
  Command command;
  command.kind = Command::Kind::kManageAll;
  command.op = op;
  return command;
}

// `count` blocks whose every byte is `value`.
inline std::vector<std::byte> Blocks(std::uint64_t count, std::uint8_t value) {
  return std::vector<std::byte>(count * kBlock, std::byte{value});
}

inline NaiveDrive WithData(NaiveDrive drive, Command command, std::uint8_t value) {
  const std::vector<std::byte> bytes(command.bytes, std::byte{value});
  command.source = bytes;
  drive.Apply(command);
  return drive;
}

// A drive like `options` whose zone 0 (REQUIRES: sequential, of at least two
// blocks of capacity) is in `condition`; with one block written where that is
// possible: open, closed and full by finish.
inline NaiveDrive InCondition(NaiveOptions options, ZoneCondition condition) {
  if (condition == ZoneCondition::kReadOnly) options.read_only_zones = {0};
  if (condition == ZoneCondition::kOffline) options.offline_zones = {0};
  NaiveDrive drive(options);
  if (condition == ZoneCondition::kReadOnly || condition == ZoneCondition::kOffline ||
      condition == ZoneCondition::kEmpty) {
    return drive;
  }
  drive.Apply(WriteBlocks(0, 1));
  if (condition == ZoneCondition::kExplicitOpen) drive.Apply(ManageAt(ZoneOp::kOpen, 0));
  if (condition == ZoneCondition::kClosed) drive.Apply(ManageAt(ZoneOp::kClose, 0));
  if (condition == ZoneCondition::kFull) drive.Apply(ManageAt(ZoneOp::kFinish, 0));
  return drive;
}

}  // namespace zonal::model
