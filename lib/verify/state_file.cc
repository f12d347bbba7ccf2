// SPDX-License-Identifier: MIT
#include "verify/state_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "core/status_macros.h"
#include "verify/checksum.h"
#include "verify/durable_file.h"

namespace zonal::verify {
namespace {

constexpr std::string_view kTitle = "zonal-verify-state 1";

std::uint32_t CrcOf(std::string_view text) {
  return Crc32c(std::as_bytes(std::span(text.data(), text.size())));
}

std::string Hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
  return text;
}

// Words and numbers of one line.
class Line {
 public:
  Line(std::string_view text, std::size_t number) : rest_(text), number_(number) {}

  std::string_view Word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return word;
  }
  template <typename T>
  bool Number(T& value, int base = 10) {
    const std::string_view word = Word();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    return error == std::errc() && end == word.data() + word.size() && !word.empty();
  }
  bool at_end() const { return rest_.empty(); }
  absl::Status Wrong() const {
    return absl::InvalidArgumentError("line " + std::to_string(number_) +
                                      " is no line of a verify state");
  }

 private:
  std::string_view rest_;
  std::size_t number_;
};

bool ParseChecksum(std::string_view name, Checksum& checksum) {
  for (int i = 0; i <= static_cast<int>(Checksum::kSha512); ++i) {
    checksum = static_cast<Checksum>(i);
    if (ToString(checksum) == name) return true;
  }
  return false;
}

bool ParseBlocks(Line& line, State& state) {
  State::Blocks& blocks = state.blocks.emplace_back();
  if (!line.Number(blocks.offset) || !line.Number(blocks.bytes) || !line.Number(blocks.count) ||
      !line.Number(blocks.first_sequence) || blocks.bytes == 0 || blocks.count == 0) {
    return false;
  }
  // The end must be a number too.
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return blocks.count <= (kMost - blocks.offset) / blocks.bytes;
}

bool ParseField(std::string_view key, Line& line, State& state) {
  if (key == "run_id") return line.Number(state.run_id, 16);
  if (key == "checksum") return ParseChecksum(line.Word(), state.checksum);
  if (key == "interval") return line.Number(state.interval);
  if (key == "header_at") return line.Number(state.header_at);
  if (key == "device_bytes") return line.Number(state.device_bytes);
  if (key == "next_sequence") return line.Number(state.next_sequence);
  if (key == "next_epoch") return line.Number(state.next_epoch);
  if (key == "blocks") return ParseBlocks(line, state);
  if (key != "zone") return false;
  State::ZoneLife& life = state.zones.emplace_back();
  return line.Number(life.zone) && line.Number(life.epoch);
}

}  // namespace

void State::Add(const WrittenBlock& block) {
  if (!blocks.empty()) {
    Blocks& last = blocks.back();
    const bool continues =
        last.bytes == block.bytes && last.offset + last.bytes * last.count == block.offset;
    const std::uint32_t next =
        last.first_sequence == 0 ? 0 : last.first_sequence + static_cast<std::uint32_t>(last.count);
    if (continues && next == block.sequence) {
      ++last.count;
      return;
    }
  }
  blocks.push_back({block.offset, block.bytes, 1, block.sequence});
}

std::string FormatState(const State& state) {
  const auto number = [](auto value) { return std::to_string(value); };
  std::string text(kTitle);
  text += "\nrun_id " + Hex(state.run_id);
  text += "\nchecksum " + std::string(ToString(state.checksum));
  text += "\ninterval " + number(state.interval);
  text += "\nheader_at " + number(state.header_at);
  text += "\ndevice_bytes " + number(state.device_bytes);
  text += "\nnext_sequence " + number(state.next_sequence);
  text += "\nnext_epoch " + number(state.next_epoch) + "\n";
  for (const State::ZoneLife& life : state.zones) {
    text += "zone " + number(life.zone) + " " + number(life.epoch) + "\n";
  }
  for (const State::Blocks& blocks : state.blocks) {
    text += "blocks " + number(blocks.offset) + " " + number(blocks.bytes) + " " +
            number(blocks.count) + " " + number(blocks.first_sequence) + "\n";
  }
  return text + "end " + Hex(CrcOf(text)) + "\n";
}

absl::StatusOr<State> ParseState(std::string_view text) {
  State state;
  bool titled = false;
  std::size_t at = 0;
  for (std::size_t number = 1; at < text.size(); ++number) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    Line line(text.substr(at, end - at), number);
    if (!titled) {
      if (text.substr(at, end - at) != kTitle) return line.Wrong();
      titled = true;
      at = end + 1;
      continue;
    }
    const std::string_view key = line.Word();
    if (key == "end") {
      if (line.Word() != Hex(CrcOf(text.substr(0, at))) || !line.at_end() ||
          end + 1 != text.size()) {
        return absl::InvalidArgumentError("its checksum does not fit: it was changed or cut");
      }
      return state;
    }
    if (!ParseField(key, line, state) || !line.at_end()) return line.Wrong();
    at = end + 1;
  }
  return absl::InvalidArgumentError("it has no end: no verify state, or one cut short");
}

absl::Status SaveState(const std::string& path, const State& state) {
  const absl::Status saved = ReplaceFile(path, FormatState(state));
  if (saved.ok()) return saved;
  return absl::Status(saved.code(), "verify state " + std::string(saved.message()));
}

absl::StatusOr<State> LoadState(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::NotFoundError("verify state " + path +
                               ": cannot be opened: " + std::strerror(errno));
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  absl::StatusOr<State> state = ParseState(text);
  if (state.ok()) return state;
  return absl::InvalidArgumentError("verify state " + path + ": " +
                                    std::string(state.status().message()));
}

}  // namespace zonal::verify
