// SPDX-License-Identifier: MIT
// Statistical tests with fixed seeds: chi-square against exact shares, and the
// Kolmogorov-Smirnov distance against distribution functions. Bounds are those
// that chance exceeds once in a thousand.
#include "workload/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "support/catch.h"

using namespace zonal;
using workload::Distribution;
using Kind = RandomDistribution::Kind;

namespace {

constexpr int kDraws = 200000;

RandomDistribution Of(Kind kind, double parameter) {
  RandomDistribution asked;
  asked.kind = kind;
  asked.parameter = parameter;
  return asked;
}

std::vector<int> Counts(const RandomDistribution& asked, std::uint64_t count, std::uint64_t seed,
                        std::uint64_t block = 4096) {
  Distribution draws(asked, count, block, seed);
  std::vector<int> seen(count);
  for (int i = 0; i < kDraws; ++i) ++seen.at(draws.Next());
  return seen;
}

// The p = 0.001 bound of chi-square with so many degrees of freedom (Wilson-Hilferty).
double Bound(double degrees) {
  const double t = 1 - 2 / (9 * degrees) + 3.0902 * std::sqrt(2 / (9 * degrees));
  return degrees * t * t * t;
}

double ChiSquare(const std::vector<int>& seen, const std::vector<double>& share) {
  double sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double want = share[i] * kDraws;
    sum += (seen[i] - want) * (seen[i] - want) / want;
  }
  return sum;
}

std::vector<double> ZipfShares(std::size_t count, double theta) {
  std::vector<double> share(count);
  for (std::size_t i = 0; i < count; ++i) share[i] = std::pow(static_cast<double>(i + 1), -theta);
  const double sum = std::accumulate(share.begin(), share.end(), 0.0);
  for (double& s : share) s /= sum;
  return share;
}

// Counts by rank when ranks lie around `center`: right first, then left, and so on.
std::vector<int> ByRank(const std::vector<int>& seen, std::size_t center) {
  std::vector<int> ranked;
  for (std::size_t rank = 0; rank < seen.size(); ++rank) {
    const std::size_t step = (rank + 1) / 2;
    const std::size_t at = rank % 2 == 1 ? center + step : center + seen.size() - step;
    ranked.push_back(seen[at % seen.size()]);
  }
  return ranked;
}

double KsDistance(std::vector<int> seen, double (*cdf)(double, double), double parameter) {
  double up_to = 0, distance = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    up_to += seen[i];
    const double expected =
        cdf(static_cast<double>(i + 1) / static_cast<double>(seen.size()), parameter);
    distance = std::max(distance, std::abs(up_to / kDraws - expected));
  }
  return distance;
}

const double kKsBound = 1.95 / std::sqrt(static_cast<double>(kDraws));  // p = 0.001

}  // namespace

TEST_CASE("zipf gives each rank its share", "[workload][distribution]") {
  for (const double theta : {0.5, 0.99, 1.0, 1.2, 2.0}) {
    CAPTURE(theta);
    RandomDistribution asked = Of(Kind::kZipf, theta);
    asked.center = 0.5;
    const auto ranked = ByRank(Counts(asked, 101, 11), 50);
    REQUIRE(ChiSquare(ranked, ZipfShares(101, theta)) < Bound(100));
  }
}

TEST_CASE("zipf without a center scatters its ranks over the range", "[workload][distribution]") {
  auto seen = Counts(Of(Kind::kZipf, 1.2), 100, 7);
  const auto hottest = std::max_element(seen.begin(), seen.end()) - seen.begin();
  const auto other = Counts(Of(Kind::kZipf, 1.2), 100, 8);
  REQUIRE(hottest != std::max_element(other.begin(), other.end()) - other.begin());
  // Scattered or not, the frequencies are those of the ranks.
  std::sort(seen.begin(), seen.end(), std::greater<>());
  REQUIRE(std::abs(seen[0] / double{kDraws} - ZipfShares(100, 1.2)[0]) < 0.005);
  REQUIRE(Counts(Of(Kind::kZipf, 1.2), 100, 7) == Counts(Of(Kind::kZipf, 1.2), 100, 7));
}

TEST_CASE("zipf over a range of any length costs nothing to set up", "[workload][distribution]") {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 50;
  RandomDistribution asked = Of(Kind::kZipf, 1.1);
  asked.center = 0.0;
  Distribution draws(asked, kHuge, 4096, 3);
  int at_zero = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t at = draws.Next();
    REQUIRE(at < kHuge);
    at_zero += at == 0 ? 1 : 0;
  }
  // zeta(1.1) = 10.584; what lies beyond 2^50 is 10 * 2^-5 of it.
  const double share = 1 / (10.5844 - 10 * std::pow(2.0, -5));
  REQUIRE(std::abs(at_zero - share * kDraws) < 3.3 * std::sqrt(share * kDraws));
}

TEST_CASE("pareto gives a share h of the blocks 1 - h of the operations",
          "[workload][distribution]") {
  for (const double h : {0.1, 0.2, 0.4, 0.7}) {
    CAPTURE(h);
    RandomDistribution asked = Of(Kind::kPareto, h);
    asked.center = 0.0;
    const auto ranked = ByRank(Counts(asked, 1000, 5), 0);
    const auto cdf = [](double x, double power) {
      return std::pow(x, std::log1p(-power) / std::log(power));
    };
    REQUIRE(KsDistance(ranked, cdf, h) < kKsBound);
    const double hot = std::accumulate(ranked.begin(), ranked.begin() + long(1000 * h), 0.0);
    REQUIRE(std::abs(hot / kDraws - (1 - h)) < 0.005);
  }
}

TEST_CASE("normal is a normal variable cut to the range", "[workload][distribution]") {
  for (const double percent : {2.0, 10.0, 40.0}) {
    CAPTURE(percent);
    const auto seen = Counts(Of(Kind::kNormal, percent), 1001, 9);
    const auto cdf = [](double x, double deviation) {
      const auto phi = [&](double at) {
        return 0.5 * std::erfc(-(at - 0.5) / (deviation * std::sqrt(2.0)));
      };
      return (phi(x) - phi(0)) / (phi(1) - phi(0));
    };
    REQUIRE(KsDistance(seen, cdf, percent / 100) < kKsBound);
  }
  RandomDistribution aside = Of(Kind::kNormal, 5);
  aside.center = 0.25;
  const auto seen = Counts(aside, 1001, 9);
  double mean = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) mean += static_cast<double>(i) * seen[i] / kDraws;
  REQUIRE(std::abs(mean - 250) < 1);
}

TEST_CASE("zones get their share of the operations, evenly inside", "[workload][distribution]") {
  RandomDistribution asked = Of(Kind::kZones, 0);
  asked.shares = {{60, 10}, {30, 20}, {8, 30}, {2, 40}};
  const auto seen = Counts(asked, 200, 21);
  std::vector<double> share;
  for (const auto& part : asked.shares) {
    const auto blocks = static_cast<std::size_t>(2 * part.size);
    for (std::size_t i = 0; i < blocks; ++i) {
      share.push_back(part.access_percent / 100.0 / static_cast<double>(blocks));
    }
  }
  REQUIRE(share.size() == 200);
  REQUIRE(ChiSquare(seen, share) < Bound(199));
}

TEST_CASE("zones in bytes; one that nothing goes to is not touched", "[workload][distribution]") {
  RandomDistribution asked = Of(Kind::kZonesAbsolute, 0);
  asked.shares = {{50, 8 * 4096}, {0, 16 * 4096}, {50, 8 * 4096}};
  const auto seen = Counts(asked, 64, 4);
  for (std::size_t i = 0; i < 64; ++i) {
    CAPTURE(i);
    const bool hot = i < 8 || (i >= 24 && i < 32);
    REQUIRE((seen[i] != 0) == hot);
  }
}

TEST_CASE("zones that are smaller than a block still exist", "[workload][distribution]") {
  RandomDistribution asked = Of(Kind::kZones, 0);
  asked.shares = {{50, 1}, {50, 99}};
  const auto seen = Counts(asked, 3, 2);
  REQUIRE(seen[0] > kDraws / 2);
  REQUIRE(seen[0] + seen[1] + seen[2] == kDraws);
}
