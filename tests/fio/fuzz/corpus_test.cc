// SPDX-License-Identifier: MIT
// The fuzz targets over their corpus, and over seeded mutations of it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/catch.h"
#include "targets.h"
#include "zonal/rng.h"

namespace zonal::fio::fuzz {
namespace {

std::vector<std::string> CorpusOf(std::string_view target) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(ZONAL_FUZZ_CORPUS) / std::string(target))) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());  // the order of a directory is nobody's promise
  std::vector<std::string> inputs;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

// A few of: a byte changed, a piece removed, repeated, or taken from elsewhere.
std::string Mutate(Rng& rng, const std::vector<std::string>& corpus) {
  std::string text = corpus[rng.Below(corpus.size())];
  for (std::uint64_t n = 1 + rng.Below(6); n > 0; --n) {
    const std::size_t at = rng.Below(text.size() + 1);
    const std::size_t length = rng.Below(9);
    const std::string& other = corpus[rng.Below(corpus.size())];
    const std::size_t from = rng.Below(other.size() + 1);
    switch (rng.Below(4)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(rng.Below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      default:
        text.insert(at, other.substr(from, length * 4));
    }
  }
  return text;
}

TEST_CASE("the fuzz targets take their corpus and mutations of it", "[fio][fuzz]") {
  const char* typed = std::getenv("ZONAL_SEED");
  const std::uint64_t seed = typed == nullptr ? 20261130 : std::strtoull(typed, nullptr, 0);
  CAPTURE(seed);
  constexpr int kRounds = 3000;
  for (const Target& target : kTargets) {
    CAPTURE(target.name);
    const std::vector<std::string> corpus = CorpusOf(target.name);
    REQUIRE(corpus.size() >= 5);
    for (const std::string& input : corpus) target.run(input);
    Rng rng(seed);
    for (int round = 0; round < kRounds; ++round) target.run(Mutate(rng, corpus));
  }
}

}  // namespace
}  // namespace zonal::fio::fuzz
