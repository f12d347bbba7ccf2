// SPDX-License-Identifier: MIT
// The store of a drive laid over another device: its bytes are that device's,
// through that device's queues.
#pragma once

#include <memory>

#include "device/emulated/store.h"
#include "zonal/device.h"

namespace zonal::emulated {

// Asynchronous: answers pending, completes in Poll. Forgotten bytes stay where
// they are, for they are the other device's. Sync is `under`'s Flush.
std::unique_ptr<Store> NewQueueStore(std::shared_ptr<Device> under);

}  // namespace zonal::emulated
