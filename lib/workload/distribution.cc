// SPDX-License-Identifier: MIT
#include "workload/distribution.h"

#include <algorithm>
#include <cmath>

namespace zonal::workload {
namespace {

// log(1 + x) / x and (exp(x) - 1) / x, also near 0.
double LogRatio(double x) noexcept {
  return std::abs(x) > 1e-8 ? std::log1p(x) / x : 1 - x * (0.5 - x * (1.0 / 3));
}
double ExpRatio(double x) noexcept {
  return std::abs(x) > 1e-8 ? std::expm1(x) / x : 1 + x * 0.5 * (1 + x * (1.0 / 3));
}

double CenterOf(const RandomDistribution& asked, std::uint64_t count) noexcept {
  return asked.center.value_or(0.5) * static_cast<double>(count - 1);
}

}  // namespace

Distribution::Distribution(const RandomDistribution& asked, std::uint64_t count,
                           std::uint64_t block, std::uint64_t seed)
    : kind_(asked.kind),
      count_(count),
      parameter_(asked.parameter),
      centered_(asked.center.has_value()),
      center_(CenterOf(asked, count)),
      rng_(seed),
      scatter_(count, seed ^ 0xD157) {
  switch (kind_) {
    case Kind::kUniform:
      break;
    case Kind::kZipf:
      first_integral_ = Integral(1.5) - 1;
      last_integral_ = Integral(static_cast<double>(count) + 0.5);
      shortcut_ = 2 - IntegralInverse(Integral(2.5) - std::exp2(-parameter_));
      break;
    case Kind::kPareto:
      power_ = std::log(parameter_) / std::log1p(-parameter_);
      break;
    case Kind::kNormal:
      deviation_ = parameter_ / 100 * static_cast<double>(count);
      break;
    case Kind::kZones:
    case Kind::kZonesAbsolute:
      MakeParts(asked, block);
      break;
  }
}

void Distribution::MakeParts(const RandomDistribution& asked, std::uint64_t block) {
  std::uint64_t begin = 0, size_up_to = 0;
  std::uint32_t percent = 0;
  for (const RandomDistribution::Share& share : asked.shares) {
    size_up_to += share.size;
    const std::uint64_t end = kind_ == Kind::kZones
                                  ? count_ / 100 * size_up_to + count_ % 100 * size_up_to / 100
                                  : std::min(count_, size_up_to / block);
    percent += share.access_percent;
    // A part smaller than a block has the one it lies in.
    const std::uint64_t at = std::min(begin, count_ - 1);
    parts_.push_back({percent, at, std::max<std::uint64_t>(1, end - std::min(begin, end))});
    begin = end;
  }
}

double Distribution::Unit() noexcept { return static_cast<double>(rng_.Next() >> 11) * 0x1.0p-53; }

std::uint64_t Distribution::Next() noexcept {
  switch (kind_) {
    case Kind::kUniform:
      return rng_.Below(count_);
    case Kind::kZipf:
      return IndexOfRank(ZipfRank());
    case Kind::kPareto:
      return IndexOfRank(ParetoRank());
    case Kind::kNormal:
      return NormalIndex();
    case Kind::kZones:
    case Kind::kZonesAbsolute:
      return IndexInParts();
  }
  return 0;
}

// Integral of x^-theta from 1 to x, and its inverse.
double Distribution::Integral(double x) const noexcept {
  const double log_x = std::log(x);
  return ExpRatio((1 - parameter_) * log_x) * log_x;
}

double Distribution::IntegralInverse(double x) const noexcept {
  const double t = std::max(x * (1 - parameter_), -1.0);
  return std::exp(LogRatio(t) * x);
}

std::uint64_t Distribution::ZipfRank() noexcept {
  for (;;) {
    const double u = last_integral_ + Unit() * (first_integral_ - last_integral_);
    const double x = IntegralInverse(u);
    const double k = std::clamp(std::floor(x + 0.5), 1.0, static_cast<double>(count_));
    if (k - x <= shortcut_ || u >= Integral(k + 0.5) - std::exp(-parameter_ * std::log(k))) {
      return static_cast<std::uint64_t>(k) - 1;
    }
  }
}

std::uint64_t Distribution::ParetoRank() noexcept {
  const double rank = static_cast<double>(count_) * std::pow(Unit(), power_);
  return std::min(static_cast<std::uint64_t>(rank), count_ - 1);
}

// Marsaglia's polar method; one of its two variables is enough here.
std::uint64_t Distribution::NormalIndex() noexcept {
  for (;;) {
    double x, square;
    do {
      x = 2 * Unit() - 1;
      const double y = 2 * Unit() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double at =
        std::floor(center_ + 0.5 + deviation_ * x * std::sqrt(-2 * std::log(square) / square));
    if (at >= 0 && at < static_cast<double>(count_)) return static_cast<std::uint64_t>(at);
  }
}

std::uint64_t Distribution::IndexInParts() noexcept {
  const std::uint64_t at = rng_.Below(100);
  const auto part = std::find_if(parts_.begin(), parts_.end(),
                                 [at](const Part& p) { return at < p.percent_up_to; });
  const Part& chosen = part == parts_.end() ? parts_.back() : *part;
  return chosen.begin + rng_.Below(chosen.count);
}

// Ranks go by turns to the right and the left of the center, round the ends.
std::uint64_t Distribution::IndexOfRank(std::uint64_t rank) const noexcept {
  if (!centered_) return scatter_.At(rank);
  const std::uint64_t step = (rank + 1) / 2;
  const auto center = static_cast<std::uint64_t>(center_);
  const std::uint64_t moved = rank % 2 == 1 ? center + step : center + count_ - step;
  return moved % count_;
}

}  // namespace zonal::workload
