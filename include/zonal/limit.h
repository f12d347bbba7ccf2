// SPDX-License-Identifier: MIT
// A device or user limit on a number of zones, in three values: a number,
// "there is none", and "nobody told us". A plain integer with 0 or -1 for the
// last two invites arithmetic on a sentinel; this type has none.
// A value type: copies, compares, thread-safe to read.
#pragma once

#include <cstdint>
#include <optional>

namespace zonal {

class Limit {
 public:
  // Not known: sysfs, for example, prints 0 for both "none" and "unknown".
  static constexpr Limit Unknown() noexcept { return Limit(Kind::kUnknown, 0); }
  // Known to have no limit (NVMe: 0xFFFFFFFF).
  static constexpr Limit Unlimited() noexcept { return Limit(Kind::kUnlimited, 0); }
  static constexpr Limit Of(std::uint32_t count) noexcept { return Limit(Kind::kCount, count); }

  constexpr bool is_unknown() const noexcept { return kind_ == Kind::kUnknown; }
  constexpr bool is_unlimited() const noexcept { return kind_ == Kind::kUnlimited; }
  constexpr bool has_count() const noexcept { return kind_ == Kind::kCount; }

  // The number, where there is one.
  constexpr std::optional<std::uint32_t> count() const noexcept {
    return has_count() ? std::optional<std::uint32_t>(count_) : std::nullopt;
  }
  constexpr std::uint32_t count_or(std::uint32_t otherwise) const noexcept {
    return has_count() ? count_ : otherwise;
  }

  // True if `in_use + 1` is still inside the limit. An unknown limit admits:
  // the device is asked and answers for itself.
  constexpr bool Admits(std::uint32_t in_use) const noexcept {
    return !has_count() || in_use < count_;
  }

  friend constexpr bool operator==(Limit, Limit) noexcept = default;

 private:
  enum class Kind : std::uint8_t { kUnknown, kUnlimited, kCount };
  constexpr Limit(Kind kind, std::uint32_t count) noexcept : count_(count), kind_(kind) {}

  std::uint32_t count_;
  Kind kind_;
};

// The tighter of two limits; a number beats "unlimited", which beats "unknown".
constexpr Limit Tighter(Limit a, Limit b) noexcept {
  if (a.has_count() && b.has_count()) return *a.count() < *b.count() ? a : b;
  if (a.has_count()) return a;
  if (b.has_count()) return b;
  return a.is_unlimited() || b.is_unlimited() ? Limit::Unlimited() : Limit::Unknown();
}

}  // namespace zonal
