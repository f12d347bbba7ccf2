// SPDX-License-Identifier: MIT
// Checksums against published values of the nine digits, and of split data.
#include <cstring>
#include <string>

#include "verify/block_fixture.h"

using namespace zonal;
using namespace zonal::testing;
using verify::Checksummer;

namespace {

std::string Hex(const verify::Digest& digest) {
  std::string text;
  for (std::size_t i = 0; i < digest.size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    const auto value = std::to_integer<unsigned>(digest.bytes[i]);
    text += kDigits[value / 16];
    text += kDigits[value % 16];
  }
  return text;
}

std::span<const std::byte> Bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

TEST_CASE("checksums are those of the books", "[verify]") {
  struct Row {
    Checksum checksum;
    const char* digest;  // integers little endian
  };
  constexpr Row kRows[] = {
      {Checksum::kHeaderOnly, ""},
      {Checksum::kCrc32c, "839206e3"},          // 0xE3069283
      {Checksum::kCrc32, "2639f4cb"},           // 0xCBF43926
      {Checksum::kCrc64, "fa3919dfbbc95d99"},   // 0x995DC9BBDF1939FA (XZ)
      {Checksum::kXxhash, "83aee640db41b88c"},  // XXH64, seed 0: 0x8CB841DB40E6AE83
      {Checksum::kMd5, "25f9e794323b453885f5181f1b624d0b"},
      {Checksum::kSha1, "f7c3bc1d808e04732adf679965ccc34ca7ae3441"},
      {Checksum::kSha256, "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"},
      {Checksum::kSha512,
       "d9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274ad27fcd5811b313d681f7e55ec02"
       "d7"
       "3d499c95455b6b5bb503acf574fba8ffe85"},
  };
  for (const Row& row : kRows) {
    CAPTURE(verify::ToString(row.checksum));
    const Checksummer summer = Summer(row.checksum);
    CHECK(Hex(summer.Of(Bytes("123456789"), {})) == row.digest);
    CHECK(Hex(summer.Of({}, Bytes("123456789"))) == row.digest);
    CHECK(Hex(summer.Of(Bytes("1234"), Bytes("56789"))) == row.digest);
    CHECK(summer.Of(Bytes("1"), {}).size == verify::DigestBytes(row.checksum));
  }
}
