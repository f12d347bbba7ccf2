// SPDX-License-Identifier: MIT
#include "fio/values/pattern.h"

#include <charconv>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class PatternParser {
 public:
  PatternParser(std::string_view text, const FileReader& read_file)
      : text_(text), read_file_(read_file) {}

  absl::StatusOr<BytePattern> Parse(bool may_have_offset) {
    while (at_ < text_.size()) {
      ZONAL_RETURN_IF_ERROR(ParseOne(may_have_offset));
      if (result_.bytes.size() > kMostBytes) {
        return InvalidArgumentError("the pattern is longer than 1 MiB");
      }
    }
    if (result_.bytes.empty()) return InvalidArgumentError("expected a pattern, as 0xdeadface");
    return result_;
  }

 private:
  absl::Status ParseOne(bool may_have_offset) {
    const std::string_view rest = text_.substr(at_);
    if (rest.substr(0, 2) == "%o") return ParseOffset(may_have_offset);
    if (rest[0] == '"' || rest[0] == '\'') return ParseQuoted(rest[0]);
    if (rest.substr(0, 2) == "0x" || rest.substr(0, 2) == "0X") return ParseHex();
    return ParseNumber();
  }

  absl::Status ParseOffset(bool allowed) {
    if (!allowed) return InvalidArgumentError("%o has a meaning in verify_pattern only");
    if (result_.offset_at) return InvalidArgumentError("%o may stand once");
    result_.offset_at = static_cast<std::uint32_t>(result_.bytes.size());
    result_.bytes.resize(result_.bytes.size() + sizeof(std::uint64_t));
    at_ += 2;
    return absl::OkStatus();
  }

  absl::Status ParseQuoted(char quote) {
    std::string inner;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      inner += text_[at_];
    }
    if (at_ == text_.size()) {
      return InvalidArgumentError(absl::StrCat("a closing ", std::string(1, quote), " is missing"));
    }
    ++at_;
    if (quote == '\'') {
      if (!read_file_) return InvalidArgumentError("files cannot be read here");
      ZONAL_ASSIGN_OR_RETURN(inner, read_file_(inner));
    }
    for (const char c : inner) result_.bytes.push_back(static_cast<std::byte>(c));
    return absl::OkStatus();
  }

  // An odd number of digits has its first byte to itself: 0xabc is 0a bc.
  absl::Status ParseHex() {
    std::vector<int> digits;
    for (at_ += 2; at_ < text_.size() && HexDigit(text_[at_]) >= 0; ++at_) {
      digits.push_back(HexDigit(text_[at_]));
    }
    if (digits.empty()) return InvalidArgumentError("expected hexadecimal digits after 0x");
    if (digits.size() % 2 != 0) digits.insert(digits.begin(), 0);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      result_.bytes.push_back(static_cast<std::byte>(digits[i] * 16 + digits[i + 1]));
    }
    return absl::OkStatus();
  }

  absl::Status ParseNumber() {
    const char* begin = text_.data() + at_;
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || value < INT32_MIN || value > INT64_C(0xffffffff)) {
      return InvalidArgumentError(
          "expected 0xHEX, \"text\", 'file', a number of 32 bits, or a sequence of them");
    }
    at_ += static_cast<std::size_t>(stop - begin);
    auto bits = static_cast<std::uint32_t>(value);
    do {
      result_.bytes.push_back(static_cast<std::byte>(bits & 0xff));
      bits >>= 8;
    } while (bits != 0);
    return absl::OkStatus();
  }

  std::string_view text_;
  const FileReader& read_file_;
  std::size_t at_ = 0;
  BytePattern result_;
};

}  // namespace

absl::StatusOr<BytePattern> ParsePattern(std::string_view text, bool may_have_offset,
                                         const FileReader& read_file) {
  return PatternParser(text, read_file).Parse(may_have_offset);
}

}  // namespace zonal::fio
