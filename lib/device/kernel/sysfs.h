// SPDX-License-Identifier: MIT
// What sysfs and /proc tell about a block device. Everything is looked up by
// device number: names are links, and device mapper has several for one device.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "device/kernel/environment.h"
#include "zonal/device.h"
#include "zonal/limit.h"

namespace zonal::kernel {

struct BlockFacts {
  std::string name;      // the kernel's: "nvme0n1"
  std::string identity;  // model and serial, where there are any
  bool is_partition = false;
  ZoneModel model = ZoneModel::kNone;
  // A host-aware disk the kernel (6.8 and later) treats as an ordinary one.
  bool host_aware_unseen = false;
  std::uint64_t size_bytes = 0;
  std::uint64_t zone_size = 0;   // 0 unless zoned: chunk_sectors means a stripe elsewhere
  std::uint32_t zone_count = 0;  // 0 if the kernel does not say
  std::uint32_t block_size = 512;
  std::uint32_t write_granularity = 512;
  Limit max_open = Limit::Unknown();
  Limit max_active = Limit::Unknown();
  bool rotational = false;
  // The active one. Of a stacked device, its members': the first that is not
  // mq-deadline, if any, since one wrong member spoils the order.
  std::string scheduler;
  std::string scheduler_disk;  // whose it is: the disk itself, or that member
};

BlockFacts ReadBlockFacts(const Environment& environment, dev_t device);

// Who uses the device, in words that name it ("/dev/sda1 is mounted on /home");
// nullopt if nobody does.
std::optional<std::string> WhoUses(const Environment& environment, dev_t device);

// The active one of "none [mq-deadline] kyber"; a single word is itself.
std::string ActiveScheduler(const std::string& line);

}  // namespace zonal::kernel
