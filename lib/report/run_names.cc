// SPDX-License-Identifier: MIT
// The words people read for the enums of a run; stable, used in JSON.
#include "zonal/run.h"

namespace zonal {

std::string_view ToString(OpClass op) noexcept {
  switch (op) {
    case OpClass::kReset:
      return "reset";
    case OpClass::kFinish:
      return "finish";
    case OpClass::kOpen:
      return "open";
    case OpClass::kClose:
      return "close";
    case OpClass::kReport:
      return "report";
    case OpClass::kWaitSlot:
      return "wait_slot";
    case OpClass::kWaitZone:
      return "wait_zone";
    case OpClass::kAppend:
      return "append";
    case OpClass::kFlush:
      return "flush";
  }
  return "unknown";
}

std::string_view ToString(EndReason reason) noexcept {
  switch (reason) {
    case EndReason::kDone:
      return "done";
    case EndReason::kInterrupted:
      return "interrupted";
    case EndReason::kIoError:
      return "io-error";
    case EndReason::kNoReadableData:
      return "no-readable-data";
    case EndReason::kNoWritableZone:
      return "no-writable-zone";
    case EndReason::kLessRoom:
      return "less-room";
    case EndReason::kVerifyMismatch:
      return "verify-mismatch";
    case EndReason::kCommandFailed:
      return "command-failed";
    case EndReason::kTooSlow:
      return "too-slow";
    case EndReason::kEndedByError:
      return "ended-by-error";
    case EndReason::kTargetMissed:
      return "target-missed";
  }
  return "unknown";
}

}  // namespace zonal
