// SPDX-License-Identifier: MIT
#include "verify/state_file.h"

#include <cstdlib>

#include "support/catch.h"
#include "zonal/rng.h"

using namespace zonal;
using verify::ParseState;
using verify::State;

namespace {

State Some() {
  State state;
  state.run_id = 0xFEDCBA9876543210;
  state.checksum = Checksum::kSha1;
  state.interval = 4096;
  state.header_at = 8;
  state.device_bytes = 1ull << 44;
  state.next_sequence = 1ull << 50;
  state.next_epoch = 14;
  state.zones = {{3, 6}, {7, 12}};
  state.blocks = {{3ull << 20, 65536, 16, 0}, {7ull << 20, 4096, 1, 99}};
  return state;
}

}  // namespace

TEST_CASE("a state comes back as it was", "[verify]") {
  const auto parsed = ParseState(verify::FormatState(Some()));
  REQUIRE(parsed.ok());
  CHECK(*parsed == Some());
  CHECK(*ParseState(verify::FormatState(State{})) == State{});
}

TEST_CASE("blocks one behind the other are one line", "[verify]") {
  State state;
  for (std::uint32_t i = 0; i < 5; ++i) state.Add({4096 * i, 4096, 0});
  state.Add({5 * 4096, 8192, 0});  // another length
  state.Add({9 * 4096, 8192, 0});  // a gap
  for (std::uint32_t i = 7; i < 10; ++i) state.Add({(i + 5) * 4096, 4096, i});
  state.Add({15 * 4096, 4096, 3});  // out of sequence
  const std::vector<State::Blocks> lines = {{0, 4096, 5, 0},
                                            {5 * 4096, 8192, 1, 0},
                                            {9 * 4096, 8192, 1, 0},
                                            {12 * 4096, 4096, 3, 7},
                                            {15 * 4096, 4096, 1, 3}};
  CHECK(state.blocks == lines);
}

TEST_CASE("a state that was changed or cut is refused", "[verify]") {
  const std::string text = verify::FormatState(Some());
  for (std::size_t i = 0; i < text.size(); ++i) {
    CAPTURE(i);
    CHECK(!ParseState(text.substr(0, i)).ok());
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      CHECK(!ParseState(changed).ok());
    }
  }
  CHECK(!ParseState(text + "x").ok());
  CHECK(!ParseState("").ok());
}

TEST_CASE("random lines do not crash the parser", "[verify][random]") {
  const char* given = std::getenv("ZONAL_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
  Rng rng(seed);
  const std::string words[] = {"run_id",   "blocks", "zone", "end", "18446744073709551615",
                               "1",        "0",      "-1",   "x",   "",
                               "checksum", "md5",    "\n",   "\n"};
  for (int round = 0; round < 20000; ++round) {
    std::string text = "zonal-verify-state 1\n";
    for (std::uint64_t n = rng.Below(12); n > 0; --n) {
      text += words[rng.Below(std::size(words))] + (rng.Chance(1, 3) ? "\n" : " ");
    }
    CAPTURE(seed, round, text);
    CHECK(!ParseState(text).ok());
  }
}

TEST_CASE("a state is saved and loaded, and a missing one is said to be missing", "[verify]") {
  const std::string path = "verify_state_test.state";
  REQUIRE(verify::SaveState(path, Some()).ok());
  const auto loaded = verify::LoadState(path);
  REQUIRE(loaded.ok());
  CHECK(*loaded == Some());
  std::remove(path.c_str());
  CHECK(absl::IsNotFound(verify::LoadState(path).status()));
  CHECK(!verify::SaveState("no/such/directory/x", Some()).ok());
}
