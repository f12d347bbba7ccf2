// SPDX-License-Identifier: MIT
// The words people read for our enums.
#include "zonal/dialect.h"
#include "zonal/zone.h"

namespace zonal {

std::string_view ToString(ZoneType type) noexcept {
  switch (type) {
    case ZoneType::kConventional:
      return "conventional";
    case ZoneType::kSequentialRequired:
      return "sequential-required";
    case ZoneType::kSequentialPreferred:
      return "sequential-preferred";
  }
  return "unknown";
}

std::string_view ToString(ZoneCondition condition) noexcept {
  switch (condition) {
    case ZoneCondition::kNotWritePointer:
      return "not-write-pointer";
    case ZoneCondition::kEmpty:
      return "empty";
    case ZoneCondition::kImplicitOpen:
      return "implicit-open";
    case ZoneCondition::kExplicitOpen:
      return "explicit-open";
    case ZoneCondition::kClosed:
      return "closed";
    case ZoneCondition::kReadOnly:
      return "read-only";
    case ZoneCondition::kFull:
      return "full";
    case ZoneCondition::kOffline:
      return "offline";
  }
  return "unknown";
}

std::string_view ShortName(ZoneCondition condition) noexcept {
  switch (condition) {
    case ZoneCondition::kNotWritePointer:
      return "nw";
    case ZoneCondition::kEmpty:
      return "em";
    case ZoneCondition::kImplicitOpen:
      return "oi";
    case ZoneCondition::kExplicitOpen:
      return "oe";
    case ZoneCondition::kClosed:
      return "cl";
    case ZoneCondition::kReadOnly:
      return "ro";
    case ZoneCondition::kFull:
      return "fu";
    case ZoneCondition::kOffline:
      return "ol";
  }
  return "??";
}

std::string_view ToString(ZoneOp op) noexcept {
  switch (op) {
    case ZoneOp::kOpen:
      return "open";
    case ZoneOp::kClose:
      return "close";
    case ZoneOp::kFinish:
      return "finish";
    case ZoneOp::kReset:
      return "reset";
    case ZoneOp::kOffline:
      return "offline";
  }
  return "unknown";
}

std::string_view ToString(Dialect dialect) noexcept {
  return dialect == Dialect::kZns ? "zns" : "zbc";
}

}  // namespace zonal
