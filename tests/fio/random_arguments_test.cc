// SPDX-License-Identifier: MIT
// Random command lines out of real options, real values and noise: each is
// parsed or refused with a message, never a crash, and the same way twice.
#include <cstdlib>
#include <string>

#include "fio/option_table.h"
#include "parse.h"
#include "support/catch.h"
#include "zonal/rng.h"

namespace zonal {
namespace {

const char* const kValues[] = {
    "",
    "0",
    "1",
    "4k",
    "4KiB",
    "-1",
    "18446744073709551615",
    "99999999999999999999",
    "0x",
    "0xffff",
    "50%",
    "3z",
    "2Z",
    ".5",
    ".4:.6",
    "read",
    "randrw",
    "zbd",
    "none",
    "psync",
    "libaio",
    "a:b",
    "a\\:b",
    "a\\",
    "30s",
    "5us",
    "4k,8k",
    ",",
    ",,,",
    "json",
    "1e308",
    "inf",
    "=",
    "==",
    "--",
    "\xff\xfe",
    "%",
    "z",
    "k",
    "always",
    "10",
};

template <std::size_t N>
std::string Any(Rng& rng, const char* const (&from)[N]) {
  return from[rng.Below(N)];
}

std::string Noise(Rng& rng) {
  std::string text;
  for (std::uint64_t n = rng.Below(12); n > 0; --n) text += static_cast<char>(rng.Below(256));
  return text;
}

std::string RandomName(Rng& rng) {
  const auto options = fio::Options();
  std::string name(options[rng.Below(options.size())].name);
  if (rng.Chance(1, 6)) name.resize(rng.Below(name.size() + 1));
  if (rng.Chance(1, 12) && !name.empty()) name[rng.Below(name.size())] = '?';
  return name;
}

std::vector<std::string> RandomArguments(Rng& rng) {
  std::vector<std::string> words;
  if (rng.Chance(3, 4)) words = {"--filename=f", "--name=j"};
  for (std::uint64_t n = rng.Below(6); n > 0; --n) {
    if (rng.Chance(1, 20)) {
      words.push_back(Noise(rng));
      continue;
    }
    std::string word = (rng.Chance(1, 8) ? "-" : "--") + RandomName(rng);
    const std::string value = rng.Chance(1, 10) ? Noise(rng) : Any(rng, kValues);
    if (rng.Chance(3, 4)) word += "=" + value;
    words.push_back(word);
    if (rng.Chance(1, 6)) words.push_back(value);
  }
  return words;
}

TEST_CASE("random arguments are parsed or refused, never more", "[fio]") {
  const char* text = std::getenv("ZONAL_SEED");
  const std::uint64_t seed = text == nullptr ? 4711 : std::strtoull(text, nullptr, 0);
  CAPTURE(seed);
  Rng rng(seed);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::vector<std::string> words = RandomArguments(rng);
    const auto once = ParseFioArguments(words);
    const auto twice = ParseFioArguments(words);
    REQUIRE(once.status() == twice.status());
    if (!once.ok()) {
      ++refused;
      REQUIRE(once.status().code() == absl::StatusCode::kInvalidArgument);
      REQUIRE_FALSE(once.status().message().empty());
      continue;
    }
    ++accepted;
    REQUIRE(once->plan.workers == twice->plan.workers);
    REQUIRE((once->action != FioAction::kRun || !once->plan.workers.empty()));
    for (const Workload& work : once->plan.workers) {
      REQUIRE((work.reads || work.writes || work.trims));
      REQUIRE(work.read_block.min > 0);
      REQUIRE(work.write_block.min > 0);
      REQUIRE(work.depth >= 1);
      REQUIRE(work.read_percent <= 100);
    }
  }
  CAPTURE(accepted, refused);
  CHECK(accepted > 500);  // both paths were really taken
  CHECK(refused > 500);
}

}  // namespace
}  // namespace zonal
