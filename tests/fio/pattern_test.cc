// SPDX-License-Identifier: MIT
#include "fio/values/pattern.h"

#include <string>

#include "absl/status/status.h"
#include "support/catch.h"

namespace zonal::fio {
namespace {

absl::StatusOr<std::string> OneFile(const std::string& path) {
  if (path == "p.bin") return std::string("\x01\x00\x02", 3);
  return absl::NotFoundError(path + ": no such file");
}

std::string Hex(const std::vector<std::byte>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte b : bytes) {
    text += kDigits[std::to_integer<unsigned>(b) >> 4];
    text += kDigits[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

// The bytes are those that fio 3.33 writes.
TEST_CASE("patterns are hex, text, numbers, files and an offset, in any order", "[fio]") {
  struct Row {
    const char* text;
    const char* hex;
  };
  const Row rows[] = {
      {"0xdeadface", "deadface"},
      {"0xabc", "0abc"},
      {"\"abcd\"", "61626364"},
      {"\"a\\\"b\"", "612262"},
      {"18", "12"},
      {"0", "00"},
      {"258", "0201"},
      {"-12", "f4ffffff"},
      {"4294967295", "ffffffff"},
      {"'p.bin'", "010002"},
      {"0xff\"ab\"-12'p.bin'", "ff6162f4ffffff010002"},
      {"0xff%o\"a\"", "ff000000000000000061"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto pattern = ParsePattern(row.text, true, OneFile);
    REQUIRE(pattern.ok());
    CHECK(Hex(pattern->bytes) == row.hex);
  }
  CHECK(ParsePattern("0xff%o", true, OneFile)->offset_at == 1u);
  CHECK_FALSE(ParsePattern("0xff", true, OneFile)->offset_at.has_value());
}

TEST_CASE("what is no pattern is refused", "[fio]") {
  for (const char* text : {"", "0x", "\"a", "'p.bin", "'q.bin'", "x", "4294967296", "-", "%o%o",
                           "%x", "0xff ", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(ParsePattern(text, true, OneFile).ok());
  }
  CHECK_FALSE(ParsePattern("%o", false, OneFile).ok());
  CHECK_FALSE(ParsePattern("'p.bin'", false, nullptr).ok());
}

}  // namespace
}  // namespace zonal::fio
