// SPDX-License-Identifier: MIT
// An outside user of the library. README.md shows this very code.
#include <cstdio>

#include "zonal/buffer_pool.h"
#include "zonal/open.h"
#include "zonal/zone_queue.h"

int main() {
  constexpr std::uint64_t kBytes = 64 << 10;
  zonal::OpenOptions options;
  options.access = zonal::Access::kReadWrite;
  auto device = zonal::Open("emu,zones=8,zone_size=1MiB,max_open=2", options);
  if (!device.ok()) return std::puts(device.status().ToString().c_str()), 1;
  auto manager = zonal::ZoneManager::Create(*device, {});
  auto queue = zonal::ZoneQueue::Create(**manager, {});
  auto buffers = zonal::BufferPool::Create(4, kBytes);

  // Own a zone with room for four writes, write at its write pointer, see where it landed.
  const zonal::Admission lease = (*queue)->AcquireAny({zonal::ZoneId(0), 8}, 4 * kBytes);
  const zonal::ZoneId zone = (*device)->info().geometry.ZoneOf(lease.offset);
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (!(*queue)->Write(zone, (*buffers)->buffer(i), kBytes, i, {}).ok()) return 1;
  }
  zonal::ZoneCompletion done[4];
  const std::size_t count = (*queue)->Poll(done, 4, std::chrono::seconds(10));
  for (std::size_t i = 0; i < count; ++i) {
    std::printf("write %d landed at byte %6llu: %s\n", static_cast<int>(done[i].user_data),
                static_cast<unsigned long long>(done[i].result.offset),
                std::string(Describe(done[i].result.errc)).c_str());
  }
  (*queue)->Release(zone);
  return count == 4 ? 0 : 1;
}
