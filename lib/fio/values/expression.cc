// SPDX-License-Identifier: MIT
#include "fio/values/expression.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/status_macros.h"
#include "fio/values/numbers.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;

// Recursive descent; a bound on the depth keeps a line of parentheses from
// growing the stack without end.
class Arithmetic {
 public:
  explicit Arithmetic(std::string_view text) : text_(text) {}

  absl::StatusOr<std::int64_t> Evaluate() {
    ZONAL_ASSIGN_OR_RETURN(const std::int64_t value, Sum(0));
    if (at_ != text_.size()) return Unexpected();
    return value;
  }

 private:
  static constexpr int kMostDepth = 64;

  absl::Status Unexpected() const {
    return InvalidArgumentError(absl::StrCat("in the expression \"", std::string(text_),
                                             "\": expected a number, an operator or ')' at ",
                                             at_ + 1));
  }
  absl::Status TooLarge() const {
    return InvalidArgumentError(
        absl::StrCat("the expression \"", std::string(text_), "\" does not fit into 63 bits"));
  }

  bool Take(char wanted) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  absl::StatusOr<std::int64_t> Sum(int depth) {
    ZONAL_ASSIGN_OR_RETURN(std::int64_t value, Product(depth));
    while (true) {
      const bool add = Take('+');
      if (!add && !Take('-')) return value;
      ZONAL_ASSIGN_OR_RETURN(const std::int64_t other, Product(depth));
      if (add ? __builtin_add_overflow(value, other, &value)
              : __builtin_sub_overflow(value, other, &value)) {
        return TooLarge();
      }
    }
  }

  absl::StatusOr<std::int64_t> Product(int depth) {
    ZONAL_ASSIGN_OR_RETURN(std::int64_t value, Power(depth));
    while (true) {
      const char op = Take('*') ? '*' : Take('/') ? '/' : Take('%') ? '%' : '\0';
      if (op == '\0') return value;
      ZONAL_ASSIGN_OR_RETURN(const std::int64_t other, Power(depth));
      if (op == '*') {
        if (__builtin_mul_overflow(value, other, &value)) return TooLarge();
        continue;
      }
      if (other == 0) return InvalidArgumentError("the expression divides by zero");
      if (other == -1) {  // the one quotient that can overflow, and a remainder of 0
        if (op == '/' && __builtin_sub_overflow(0, value, &value)) return TooLarge();
        if (op == '%') value = 0;
        continue;
      }
      value = op == '/' ? value / other : value % other;
    }
  }

  absl::StatusOr<std::int64_t> Power(int depth) {
    ZONAL_ASSIGN_OR_RETURN(const std::int64_t base, Unary(depth));
    if (!Take('^')) return base;
    if (depth >= kMostDepth) return TooDeep();
    ZONAL_ASSIGN_OR_RETURN(const std::int64_t exponent, Power(depth + 1));
    if (exponent < 0 || exponent > 63) return TooLarge();
    std::int64_t value = 1;
    for (std::int64_t i = 0; i < exponent; ++i) {
      if (__builtin_mul_overflow(value, base, &value)) return TooLarge();
    }
    return value;
  }

  absl::StatusOr<std::int64_t> Unary(int depth) {
    if (depth >= kMostDepth) return TooDeep();
    if (Take('-')) {
      ZONAL_ASSIGN_OR_RETURN(std::int64_t value, Unary(depth + 1));
      if (__builtin_sub_overflow(0, value, &value)) return TooLarge();
      return value;
    }
    if (!Take('(')) return Number();
    ZONAL_ASSIGN_OR_RETURN(const std::int64_t value, Sum(depth + 1));
    if (!Take(')')) return Unexpected();
    return value;
  }

  absl::StatusOr<std::int64_t> Number() {
    constexpr std::string_view kPartOfNumber = "0123456789abcdefABCDEFxXkKmMgGtTpPiI";
    const std::size_t stop = std::min(text_.find_first_not_of(kPartOfNumber, at_), text_.size());
    const absl::StatusOr<std::uint64_t> value =
        ParseBytes(text_.substr(at_, stop - at_),
                   {0, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())});
    if (!value.ok()) return Unexpected();
    at_ = stop;
    return static_cast<std::int64_t>(*value);
  }

  static absl::Status TooDeep() {
    return InvalidArgumentError("the expression is nested too deeply");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool IsArithmetic(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEFxXkKmMgGtTpPiI+-*/%^() ") ==
         std::string_view::npos;
}

}  // namespace

std::string ReplaceKeywords(std::string_view text, const FioHostFacts& host) {
  return absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                             {{"$pagesize", absl::StrCat(host.page_size)},
                              {"$mb_memory", absl::StrCat(host.memory_mib)},
                              {"$ncpus", absl::StrCat(host.cpus)}});
}

absl::StatusOr<std::string> ExpandValue(std::string_view text, const FioHostFacts& host) {
  std::string expanded = ReplaceKeywords(text, host);
  const bool in_parentheses = text.size() > 2 && text.front() == '(' && text.back() == ')';
  if ((expanded == text && !in_parentheses) || !IsArithmetic(expanded)) return expanded;
  ZONAL_ASSIGN_OR_RETURN(const std::int64_t value, Arithmetic(expanded).Evaluate());
  return absl::StrCat(value);
}

}  // namespace zonal::fio
