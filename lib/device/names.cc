// SPDX-License-Identifier: MIT
// The words people read for the enums of devices and queues.
#include "zonal/device.h"

namespace zonal {

std::string_view ToString(IoOp op) noexcept {
  switch (op) {
    case IoOp::kRead:
      return "read";
    case IoOp::kWrite:
      return "write";
    case IoOp::kAppend:
      return "append";
    case IoOp::kFlush:
      return "flush";
    case IoOp::kDiscard:
      return "discard";
    case IoOp::kManage:
      return "manage";
    case IoOp::kReport:
      return "report";
  }
  return "unknown";
}

std::string_view ToString(ZoneModel model) noexcept {
  switch (model) {
    case ZoneModel::kNone:
      return "none";
    case ZoneModel::kHostAware:
      return "host-aware";
    case ZoneModel::kHostManaged:
      return "host-managed";
  }
  return "unknown";
}

std::string_view ToString(QueueKind kind) noexcept {
  switch (kind) {
    case QueueKind::kDefault:
      return "default";
    case QueueKind::kIoUring:
      return "io_uring";
    case QueueKind::kLibaio:
      return "libaio";
    case QueueKind::kSync:
      return "psync";
  }
  return "unknown";
}

}  // namespace zonal
