// SPDX-License-Identifier: MIT
// How options of common forms take their values: functions for the table, made
// from a member pointer to where the value goes.
#pragma once

#include <limits>
#include <string>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "fio/option_table.h"
#include "fio/values/lists.h"
#include "fio/values/numbers.h"

namespace zonal::fio {

inline constexpr std::uint64_t kMost31 = std::numeric_limits<std::int32_t>::max();
inline constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kMost64 = std::numeric_limits<std::uint64_t>::max();

// The part of the target that a member belongs to.
inline Job& PartOf(Target t, Job*) { return t.job; }
inline Command& PartOf(Target t, Command*) { return t.command; }
inline Workload& PartOf(Target t, Workload*) { return t.job.work; }
inline Pace& PartOf(Target t, Pace*) { return t.job.work.pace; }
inline Batching& PartOf(Target t, Batching*) { return t.job.work.batching; }
inline ErrorPolicy& PartOf(Target t, ErrorPolicy*) { return t.job.work.errors; }
inline DataFill& PartOf(Target t, DataFill*) { return t.job.work.fill; }
inline zonal::Verify& PartOf(Target t, zonal::Verify*) { return t.job.work.verify; }
inline TimeLogs& PartOf(Target t, TimeLogs*) { return t.job.work.logs; }
inline Files& PartOf(Target t, Files*) { return t.job.files; }
inline Buffers& PartOf(Target t, Buffers*) { return t.job.buffers; }
inline Order& PartOf(Target t, Order*) { return t.job.order; }
inline VerifyState& PartOf(Target t, VerifyState*) { return t.job.verify_state; }
inline Cpus& PartOf(Target t, Cpus*) { return t.job.cpus; }
inline WorkerView& PartOf(Target t, WorkerView*) { return t.job.view; }

template <typename Owner, typename Field>
Owner* OwnerOf(Field Owner::*);
template <typename Owner, typename Field>
Field* FieldOf(Field Owner::*);

template <auto Member>
auto& At(Target target) {
  return PartOf(target, decltype(OwnerOf(Member))(nullptr)).*Member;
}
template <auto Member>
using TypeAt = std::remove_pointer_t<decltype(FieldOf(Member))>;

template <auto Member>
absl::Status Bytes(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(At<Member>(target), ParseBytes(value, {}, target.job.kb_base));
  return absl::OkStatus();
}
template <auto Member>
absl::Status Position(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(At<Member>(target), ParseExtent(value, target.job.kb_base));
  return absl::OkStatus();
}
// Seconds where no unit is typed, or microseconds, or milliseconds.
template <auto Member>
absl::Status Time(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(At<Member>(target), ParseTime(value));
  return absl::OkStatus();
}
template <auto Member>
absl::Status Microseconds(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(At<Member>(target), ParseTime(value, std::chrono::microseconds(1)));
  return absl::OkStatus();
}
template <auto Member>
absl::Status Milliseconds(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(At<Member>(target), ParseTime(value, std::chrono::milliseconds(1)));
  return absl::OkStatus();
}
template <auto Member>
absl::Status Flag(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(At<Member>(target), ParseBool(value));
  return absl::OkStatus();
}
template <auto Member>
absl::Status InverseFlag(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const bool set, ParseBool(value));
  At<Member>(target) = !set;
  return absl::OkStatus();
}
template <auto Member>
absl::Status Text(std::string_view value, Target target) {
  At<Member>(target) = std::string(value);
  return absl::OkStatus();
}
template <auto Member>
absl::Status Fraction(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(At<Member>(target), ParseFloat(value, {0, 1}));
  return absl::OkStatus();
}
template <auto Member, std::uint64_t kLow, std::uint64_t kHigh>
absl::Status Count(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const std::uint64_t number,
                         ParseInteger(value, {kLow, kHigh}, target.job.kb_base));
  At<Member>(target) = static_cast<TypeAt<Member>>(number);
  return absl::OkStatus();
}
// "1m,500k": each direction its own, empty places untouched.
template <auto Member, std::uint64_t kLow, std::uint64_t kHigh>
absl::Status Counts(std::string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const auto parts, SplitDirections(value));
  for (std::size_t i = 0; i < kDirections; ++i) {
    if (parts[i].empty()) continue;
    ZONAL_ASSIGN_OR_RETURN(const std::uint64_t number,
                           ParseInteger(parts[i], {kLow, kHigh}, target.job.kb_base));
    auto& field = At<Member>(target)[i];
    field = static_cast<std::remove_reference_t<decltype(field)>>(number);
  }
  return absl::OkStatus();
}

// A choice between words.
template <typename T>
struct Choice {
  std::string_view word;
  T value;
};
template <typename T, std::size_t N>
absl::StatusOr<T> Choose(std::string_view value, const Choice<T> (&choices)[N]) {
  std::string expected = "expected ";
  for (std::size_t i = 0; i < N; ++i) {
    if (choices[i].word == value) return choices[i].value;
    absl::StrAppend(&expected,
                    i == 0       ? ""
                    : i + 1 == N ? " or "
                                 : ", ",
                    std::string(choices[i].word));
  }
  return absl::InvalidArgumentError(expected);
}

}  // namespace zonal::fio
